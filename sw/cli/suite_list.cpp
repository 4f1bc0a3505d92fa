#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "driver/case_fields.hpp"

namespace gossamer::cli {
namespace {

int print_list_json(const std::vector<SuiteCase>& cases, std::size_t refused) {
  nlohmann::ordered_json json;
  json["cases"] = nlohmann::ordered_json::array();
  for (const SuiteCase& c : cases) {
    nlohmann::ordered_json one = {{"name", c.request.name}, {"group", c.group}};
    for (const CaseField& field : case_fields()) {
      const std::string value = field.text(c.request);
      if (!value.empty()) one[std::string(field.name)] = value;
    }
    json["cases"].push_back(std::move(one));
  }
  json["refused"] = refused;
  print_json(json);
  return 0;
}

}  // namespace

int list_cases(const std::vector<SuiteCase>& cases, std::size_t refused, bool json) {
  if (json) return print_list_json(cases, refused);
  std::size_t width = 0;
  for (const SuiteCase& c : cases) width = std::max(width, c.request.name.size());
  for (const SuiteCase& c : cases) {
    std::string line = fmt::format("{:<{}} ", c.request.name, width);
    for (const CaseField& field : case_fields()) {
      const std::string value = field.text(c.request);
      if (value.empty()) continue;
      const bool plain =
          field.name == "topology" || field.name == "file" || field.name == "algorithm";
      line += plain ? fmt::format(" {}", value) : fmt::format(" {}={}", field.name, value);
    }
    fmt::print("{}\n", line);
  }
  fmt::print("{} cases; {} schedules that must be refused\n", cases.size(), refused);
  return 0;
}

}  // namespace gossamer::cli
