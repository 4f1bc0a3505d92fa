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

/// A case of a suite, and where it stands.
struct SuiteCase {
  Case asked;
  std::string group;  ///< the name in the file; a list of flits makes several cases of one group
  std::string place;  ///< "tests/regression.toml:12: case 'ring-8'", for messages
};

/// What a suite file says.
struct Suite {
  std::vector<SuiteCase> cases;
  std::vector<RefusedCase> refused;
  std::optional<SuiteTotals> expected;  ///< of all cases together, if the file says it
};

/// Reads a suite (TOML, docs/suite-format.md): an array of tables `case`, one of tables `refused`,
/// and a table `expect`. Names are unique; a list of flits makes one case for each, NAME-L4 and so
/// on. Files and edge lists are found from the suite's own folder. Throws InputError
/// "FILE:LINE: what is wrong".
Suite read_suite(const std::string& file);
/// The same of a suite's text; files are found from `folder`, and `name` stands in messages.
Suite parse_suite(const std::string& text, const std::string& name, const std::string& folder);

/// The cases whose name or group matches one of the patterns (`*` stands for anything); all if
/// there is no pattern. Throws InputError for a pattern that matches none.
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
/// bad input shows before any result. `options` holds what is the same for all (trace and so on);
/// flits, engine and seed come from the case. A case that cannot be run to its end (Report::error)
/// does not keep the others from theirs. Throws InputError that names the place of a case that
/// cannot be planned, and Interrupted, after which cases that have been visited are all that is
/// known.
std::vector<SuiteResult> run_suite(const std::vector<SuiteCase>& cases, unsigned jobs,
                                   Runner& runner, const RunOptions& options,
                                   const ResultVisitor& visit);

}  // namespace gossamer
