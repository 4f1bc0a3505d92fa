#include <fmt/format.h>

#include <sstream>

#include "driver/report.hpp"
#include "driver/suite.hpp"
#include "schedule/jsonl.hpp"
#include "support/error.hpp"
#include "support/words.hpp"

namespace gossamer {
namespace {

/// The problems found. A schedule that cannot be read has one.
std::vector<std::string> problems_of(const RefusedCase& c) {
  try {
    if (c.is_suite) {
      parse_suite(c.text, "suite", c.folder);
      return {};
    }
    std::istringstream text(c.text);
    Case asked;
    asked.flits_given = false;
    const Facts facts = examine(asked, {read_jsonl(text, "line", c.folder), {}, nullptr});
    if (facts.passed() != facts.problems.empty()) return {"the verdict contradicts the problems"};
    return facts.problems;
  } catch (const InputError& error) {
    return {error.what()};
  }
}

}  // namespace

std::string judge(const RefusedCase& c) {
  const std::vector<std::string> problems = problems_of(c);
  if (problems == c.because) return "";
  const std::string said = problems.empty() ? "it was accepted"
                                            : fmt::format("it was refused because \"{}\"",
                                                          fmt::join(problems, "\", \""));
  return fmt::format("refused case '{}': {}, and should be refused because \"{}\"", c.name, said,
                     fmt::join(c.because, "\", \""));
}

void SuiteTotals::add(const Facts& facts) {
  ++cases;
  rounds += facts.check.rounds;
  bounds += facts.bound.value;
  hops += facts.check.delta_sum;
  messages += facts.check.tau_sum;
  if (!facts.run) return;
  cycles += facts.run->cycles_measured;
  flits += facts.run->flits_moved;
  words += facts.run->words_checked;
  link_cycles += facts.run->link_cycles_checked;
  delivered += facts.run->delivered;
}

std::vector<std::string> differences(const SuiteTotals& counted, const SuiteTotals& expected) {
  std::vector<std::string> lines;
  for (const TotalField& field : kTotalFields) {
    const std::uint64_t is = counted.*field.value, should = expected.*field.value;
    if (is == should) continue;
    lines.push_back(
        fmt::format("{} {} were counted, and the suite expects {}", is, field.name, should));
  }
  return lines;
}

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

namespace {

SuiteCheck check_totals(const Suite& suite, const std::vector<SuiteResult>& results, bool whole) {
  SuiteTotals totals;
  for (const SuiteResult& result : results) totals.add(result.facts);
  SuiteCheck check{"compared", "", {}};
  const bool compare = whole && suite.expected;
  if (compare) check.problems = differences(totals, *suite.expected);
  check.done = fmt::format("{} cycles, {} words, {} link cycles{}", grouped(totals.cycles),
                           grouped(totals.words), grouped(totals.link_cycles),
                           compare ? ", as many as the suite expects" : "");
  return check;
}

SuiteCheck check_refused(const Suite& suite) {
  SuiteCheck check{"refused", "", {}};
  for (const RefusedCase& c : suite.refused) {
    const std::string problem = judge(c);
    if (!problem.empty()) check.problems.push_back(problem);
  }
  check.done =
      fmt::format("{} broken schedules and suites, each for the reason that the suite states",
                  suite.refused.size());
  return check;
}

}  // namespace

std::vector<SuiteCheck> check_suite(const Suite& suite, const std::vector<SuiteResult>& results,
                                    bool whole) {
  std::vector<SuiteCheck> checks = {check_totals(suite, results, whole)};
  if (!suite.refused.empty()) checks.push_back(check_refused(suite));
  return checks;
}

const char* SuiteReport::verdict() const {
  if (not_run() != 0) return "interrupted";
  if (errors != 0) return "error";
  return failed == 0 && checks_failed == 0 ? "pass" : "fail";
}

void SuiteReport::count() {
  passed = failed = errors = checks_failed = 0;
  for (const SuiteResult& result : results) {
    ++(result.facts.passed() ? passed : result.facts.error.empty() ? failed : errors);
  }
  for (const SuiteCheck& check : checks) checks_failed += check.problems.empty() ? 0 : 1;
}

}  // namespace gossamer
