#include <fmt/format.h>

#include "driver/suite.hpp"
#include "support/error.hpp"
#include "support/nearest_name.hpp"

namespace gossamer {
namespace {

/// Does the text match the pattern, in which `*` stands for anything?
bool matches(std::string_view pattern, std::string_view text) {
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t p = 0, star = kNone, from = 0;  // the last star stands for what comes before `from`
  for (std::size_t t = 0; t < text.size();) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != kNone) {
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == kNone;
}

[[noreturn]] void no_match(const std::vector<SuiteCase>& cases, const std::string& pattern) {
  std::vector<std::string_view> names;
  for (const SuiteCase& c : cases) {
    names.push_back(c.request.name);
    if (names.back() != c.group) names.push_back(c.group);
  }
  std::string_view near = nearest_name(pattern, names);
  if (near.empty()) near = nearest_name(pattern + '*', names);
  throw InputError(fmt::format("no case '{}' in the suite{}", pattern,
                               near.empty() ? fmt::format("; --list shows its {}", cases.size())
                                            : fmt::format(": did you mean '{}'?", near)));
}

}  // namespace

std::vector<SuiteCase> select_cases(const std::vector<SuiteCase>& cases,
                                    const std::vector<std::string>& patterns) {
  if (patterns.empty()) return cases;
  std::vector<bool> chosen(cases.size(), false);
  for (const std::string& pattern : patterns) {
    bool found = false;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (!matches(pattern, cases[i].request.name) && !matches(pattern, cases[i].group)) continue;
      chosen[i] = found = true;
    }
    if (!found) no_match(cases, pattern);
  }
  std::vector<SuiteCase> selected;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (chosen[i]) selected.push_back(cases[i]);
  }
  return selected;
}

}  // namespace gossamer
