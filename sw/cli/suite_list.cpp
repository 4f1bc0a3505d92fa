#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/text.hpp"
#include "cli/verbs.hpp"

namespace gossamer::cli {
namespace {

using Entry = std::pair<std::string, std::string>;

/// The settings of a case, as keys and values of the suite file.
std::vector<Entry> asked(const Case& c) {
  std::vector<Entry> entries;
  const auto add = [&](const char* key, std::string value) {
    if (!value.empty()) entries.emplace_back(key, std::move(value));
  };
  add("topology", c.topology);
  add("file", c.file);
  if (c.collective) add("collective", std::string(to_string(*c.collective)));
  add("algorithm", c.algorithm);
  if (c.ports) add("ports", std::string(to_string(*c.ports)));
  if (c.duplex) add("duplex", std::string(to_string(*c.duplex)));
  if (c.root) add("root", std::to_string(*c.root));
  if (!c.members.empty()) add("members", c.members);
  if (c.pieces) add("pieces", std::to_string(*c.pieces));
  if (c.tolerance) add("tolerance", std::to_string(*c.tolerance));
  add("faults", c.faults);
  if (c.flits_said) add("flits", std::to_string(c.flits));
  if (c.engine != Case{}.engine) add("engine", c.engine);
  return entries;
}

int print_list_json(const std::vector<SuiteCase>& cases, std::size_t refused) {
  nlohmann::ordered_json json;
  json["cases"] = nlohmann::ordered_json::array();
  for (const SuiteCase& c : cases) {
    nlohmann::ordered_json one = {{"name", c.asked.name}, {"group", c.group}};
    for (const auto& [key, value] : asked(c.asked)) one[key] = value;
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
  for (const SuiteCase& c : cases) width = std::max(width, c.asked.name.size());
  for (const SuiteCase& c : cases) {
    std::string line = fmt::format("{:<{}} ", c.asked.name, width);
    for (const auto& [key, value] : asked(c.asked)) {
      const bool plain = key == "topology" || key == "file" || key == "algorithm";
      line += plain ? fmt::format(" {}", value) : fmt::format(" {}={}", key, value);
    }
    fmt::print("{}\n", line);
  }
  fmt::print("{} cases; {} schedules that must be refused\n", cases.size(), refused);
  return 0;
}

}  // namespace gossamer::cli
