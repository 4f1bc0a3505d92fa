#include <nlohmann/json.hpp>

#include "page/html.hpp"
#include "page/page.hpp"

namespace gossamer {

std::string suite_page(const nlohmann::ordered_json& result,
                       const std::vector<SuiteResult>& results, const std::string& program,
                       const std::string& command) {
  nlohmann::ordered_json data;
  data["gossamer_report"] = 1;
  data["kind"] = "suite";
  data["command"] = command;
  data["result"] = result;
  data["commands"] = nlohmann::ordered_json::array();
  for (const SuiteResult& r : results) {
    data["commands"].push_back(r.facts.can_run()
                                   ? nlohmann::ordered_json(run_command_line(r.facts, program))
                                   : nlohmann::ordered_json(nullptr));
  }
  return html_page(result["suite"].get<std::string>(), data, "");
}

}  // namespace gossamer
