#include "driver/suite.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "driver/case_fields.hpp"
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
  const auto beside = [&](const std::string& file) {
    return std::filesystem::path(file).lexically_relative(here).string();
  };
  Case near = c;
  if (!c.file.empty()) near.file = beside(c.file);
  if (c.topology.starts_with("edges:")) near.topology = "edges:" + beside(c.topology.substr(6));
  if (c.members.starts_with("@")) near.members = "@" + beside(c.members.substr(1));
  for (const CaseField& field : case_fields()) {
    const std::string value = field.text(near);
    if (value.empty()) continue;
    const bool list = field.name == "cycle" || field.name == "link_stages";
    text += fmt::format("{} = {}\n", field.name,
                        !field.bare ? quoted(value)
                        : list      ? "[" + value + "]"
                                    : value);
  }
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
    demand(select_cases(cases, {c.request.name}).size() >= 1, "a case should be found by its name");
    text += table_of(c.request, std::filesystem::path(file).parent_path());
  }
  const auto again = read_suite(scratch_folder().file("again.toml", text)).cases;
  demand(again.size() == cases.size(), "a suite written and read again should have as many cases");
  for (std::size_t i = 0; i < again.size(); ++i) demand_same(cases[i].request, again[i].request);
}

}  // namespace gossamer::fuzz
