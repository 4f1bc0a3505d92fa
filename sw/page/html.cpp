#include "page/pictures.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "page/page.hpp"
#include "page_assets.hpp"
#include "support/words.hpp"

namespace gossamer {
namespace {

/// A script's text ends at "</script>", so it must not contain "<".
std::string script_json(const nlohmann::ordered_json& data) {
  std::string text;
  for (const char c : data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string html_page(std::string_view title, const nlohmann::ordered_json& data,
                      std::string_view pictures) {
  const std::string shown_title = xml_escaped(title), json = script_json(data);
  const std::array<std::pair<std::string_view, std::string_view>, 5> parts = {
      {{"{{title}}", shown_title},
       {"{{style}}", assets::page_css},
       {"{{pictures}}", pictures},
       {"{{data}}", json},
       {"{{script}}", assets::page_js}}};
  // One pass through the template, so that inserted text is not searched.
  std::string page;
  std::string_view rest = assets::page_html;
  while (!rest.empty()) {
    std::size_t at = rest.size(), length = 0;
    std::string_view value;
    for (const auto& [name, text] : parts) {
      const std::size_t found = rest.find(name);
      if (found < at) {
        at = found;
        length = name.size();
        value = text;
      }
    }
    page.append(rest.substr(0, at)).append(value);
    rest.remove_prefix(at + length);
  }
  return page;
}

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
