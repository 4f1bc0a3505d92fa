#include "driver/suite_checks.hpp"

#include <fmt/format.h>

#include "support/error.hpp"

namespace gossamer {
namespace {

SuiteCheck check_totals(const Suite& suite, const std::vector<SuiteResult>& results, bool whole) {
  SuiteTotals totals;
  for (const SuiteResult& result : results) totals.add(result.report);
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

}  // namespace gossamer
