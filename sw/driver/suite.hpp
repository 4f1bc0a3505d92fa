#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/case.hpp"
#include "driver/refused.hpp"
#include "driver/report.hpp"
#include "driver/suite_totals.hpp"

namespace gossamer {

/// A case of a suite, and its place in the file.
struct SuiteCase {
  Case request;
  std::string group;  ///< the name in the file; a list of flits makes several cases of one group
  std::string place;  ///< "tests/regression.toml:12: case 'ring-8'", for messages
};

/// The content of a suite file.
struct Suite {
  std::vector<SuiteCase> cases;
  std::vector<RefusedCase> refused;
  std::optional<SuiteTotals> expected;  ///< totals of all cases, if the file gives them
};

/// Reads a suite (TOML, docs/use/suite-format.md): an array of tables `case`, one of tables
/// `refused`, and a table `expect`. Names are unique; a list of flits makes one case for each,
/// NAME-L4 and so on. Files and edge lists are found from the suite's own folder. Throws InputError
/// "FILE:LINE: what is wrong".
Suite read_suite(const std::string& file);
/// The same for a suite's text; files are found from `folder`, and messages use `name`.
Suite parse_suite(const std::string& text, const std::string& name, const std::string& folder);

/// The cases whose name or group matches one of the patterns (`*` matches anything); all if there
/// is no pattern. Throws InputError for a pattern without a match.
std::vector<SuiteCase> select_cases(const std::vector<SuiteCase>& cases,
                                    const std::vector<std::string>& patterns);

/// A case's report, and how long planning, checking and running took.
struct SuiteResult {
  Report report;
  double seconds = 0;
};

/// Called for every case in the order of the suite, as soon as it and all before it are done.
using ResultVisitor = std::function<void(const SuiteCase&, const SuiteResult&)>;

/// Runs the cases, `jobs` at a time. All schedules are planned before the first one runs, so that
/// bad input is reported before any result. `options` holds what is the same for all (trace and so
/// on), and `stage` is called for the suite as a whole; flits, engine and seed come from the case.
/// A case that cannot be completed (Report::error) does not stop the others. Throws InputError that
/// names the place of a case that cannot be planned, or that the runner refuses, and Interrupted;
/// then only the visited cases are known.
std::vector<SuiteResult> run_suite(const std::vector<SuiteCase>& cases, unsigned jobs,
                                   Runner& runner, const RunOptions& options,
                                   const ResultVisitor& visit);

}  // namespace gossamer
