#include "driver/suite.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "demands.hpp"
#include "targets.hpp"

namespace gossamer::fuzz {
namespace {

/// A TOML string; a text read from a suite has no line ends.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const unsigned char c : text) {
    if (c < ' ' || c == '"' || c == '\\' || c == 0x7f) {
      out += fmt::format("\\u{:04x}", c);
    } else {
      out += static_cast<char>(c);
    }
  }
  return out + '"';
}

/// The case as a table of a suite in the folder `here`.
std::string table_of(const Case& c, const std::filesystem::path& here) {
  std::string text = "[[case]]\nname = " + quoted(c.name) + "\n";
  const auto add = [&](const char* key, const std::string& value) {
    text += fmt::format("{} = {}\n", key, value);
  };
  const auto beside = [&](const std::string& file) {
    return std::filesystem::path(file).lexically_relative(here).string();
  };
  if (!c.file.empty()) add("file", quoted(beside(c.file)));
  if (c.topology.starts_with("edges:")) {
    add("topology", quoted("edges:" + beside(c.topology.substr(6))));
  } else if (!c.topology.empty()) {
    add("topology", quoted(c.topology));
  }
  if (!c.algorithm.empty()) add("algorithm", quoted(c.algorithm));
  if (c.collective) add("collective", quoted(std::string(to_string(*c.collective))));
  if (c.ports) add("ports", quoted(std::string(to_string(*c.ports))));
  if (c.duplex) add("duplex", quoted(std::string(to_string(*c.duplex))));
  if (c.root) add("root", fmt::format("{}", *c.root));
  if (!c.cycle.empty()) add("cycle", fmt::format("[{}]", fmt::join(c.cycle, ",")));
  if (c.tolerance) add("tolerance", fmt::format("{}", *c.tolerance));
  if (!c.faults.empty()) add("faults", quoted(c.faults));
  if (c.flits_said) add("flits", fmt::format("{}", c.flits));
  add("engine", quoted(c.engine));
  add("seed", fmt::format("{}", c.seed));
  if (c.symmetric) add("symmetric", *c.symmetric ? "true" : "false");
  if (!c.stages.none()) add("link_stages", fmt::format("[{}]", c.stages.text()));
  return text;
}

void demand_same(const Case& a, const Case& b) {
  const auto key = [](const Case& c) { return table_of(c, "/"); };
  demand(key(a) == key(b), "a case written and read again should be the same: " + key(a) + key(b));
}

}  // namespace

void suite(std::string_view input) {
  const std::string file = scratch_folder().file("suite.toml", input);
  const auto suite = answer(file + ":", [&] { return read_suite(file); });
  if (!suite) return;
  for (const RefusedCase& c : suite->refused) static_cast<void>(judge(c));
  const std::vector<SuiteCase>& cases = suite->cases;
  std::string text;
  for (const SuiteCase& c : cases) {
    demand(c.place.starts_with(file + ":"), "a case should know its place");
    demand(select_cases(cases, {c.asked.name}).size() >= 1, "a case should be found by its name");
    text += table_of(c.asked, std::filesystem::path(file).parent_path());
  }
  const auto again = read_suite(scratch_folder().file("again.toml", text)).cases;
  demand(again.size() == cases.size(), "a suite written and read again should have as many cases");
  for (std::size_t i = 0; i < again.size(); ++i) demand_same(cases[i].asked, again[i].asked);
}

}  // namespace gossamer::fuzz
