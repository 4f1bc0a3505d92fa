#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/case.hpp"
#include "driver/report.hpp"
#include "tables/node_build.hpp"
#include "tables/programs.hpp"

namespace gossamer {

/// What the cases of a suite counted and compared, added up, under its names in a suite file.
using SuiteTotals = std::map<std::string, std::uint64_t>;

/// A case of a suite, and its place in the file.
struct SuiteCase {
  Case request;
  std::string group;  ///< the name in the file; a list of flits makes several cases of one group
  std::string place;  ///< "tests/regression.toml:12: case 'ring-8'", for messages
  std::string after = {}, takes = {}, beside = {};  ///< of a job: names of other cases
};

/// The content of a suite file.
struct Suite {
  std::vector<SuiteCase> cases;
  std::optional<SuiteTotals> expected;  ///< totals of all cases, if the file gives them
};

/// Reads a suite (TOML, docs/use/suite-format.md): an array of tables `case`, and a table `expect`.
/// Names are unique; a list of flits makes one case for each, NAME-L4 and so on. Files and edge
/// lists are found from the suite's own folder. Throws InputError "FILE:LINE: what is wrong".
Suite read_suite(const std::string& file);
/// The same for a suite's text; files are found from `folder`, and messages use `name`.
Suite parse_suite(const std::string& text, const std::string& name, const std::string& folder);

/// The cases whose name or group matches one of the patterns (`*` matches anything); all if there
/// is no pattern. Throws InputError for a pattern without a match.
std::vector<SuiteCase> select_cases(const std::vector<SuiteCase>& cases,
                                    const std::vector<std::string>& patterns);

/// What is known of a case, and how long planning, checking and running took.
struct SuiteResult {
  Facts facts;
  double seconds = 0;
};

/// A program of a job: a case whose nodes run others, too.
struct JobProgram : SuiteCase {
  /// As in Program.
  std::optional<std::size_t> after, takes, beside;
};

/// Reads a job (TOML, docs/use/job-format.md): a table `job` with what its programs have in common,
/// and an array of tables `program`. Throws InputError as read_suite().
std::vector<JobProgram> read_job(const std::string& file);
/// Plans all for nodes that run all of them. Throws InputError for one that cannot be planned.
std::vector<SuiteResult> plan_job(const std::vector<JobProgram>& job);
/// As the tables' compiler and the runner want them: one that runs alone, and all of a job.
Program program_of(const Facts& facts);
std::vector<Program> programs_of(const std::vector<JobProgram>& job,
                                 const std::vector<SuiteResult>& plans);
/// The memories of each node, the words with which they are loaded, once, and what it takes of an
/// FPGA.
struct JobTables {
  std::size_t programs = 0;  ///< those that run at the same time are one
  NodeDepths depths = {};
  std::uint64_t words = 0;
  NodeCost cost = {};
};
/// `tight`: of nodes for these programs alone (tighten). Throws InputError if nodes of one kind
/// cannot run all, or are too large.
JobTables tables_of(const std::vector<Program>& programs, bool tight = false);
/// Runs all that passed so far: each program behind those that it follows, twice, and in another
/// order if there is one. Returns how many starts that were.
std::size_t run_job(const std::vector<JobProgram>& job, std::vector<SuiteResult>& plans,
                    Runner& runner, const RunOptions& options);

/// Called for every case in the order of the suite, as soon as it and all before it are done.
using ResultVisitor = std::function<void(const SuiteCase&, SuiteResult)>;

/// Runs the cases, `jobs` at a time. All schedules are planned before the first one runs, so that
/// bad input is reported before any result. `options` holds what is the same for all (trace and so
/// on), and `stage` is called for the suite as a whole; flits, engine and seed come from the case.
/// A case that cannot be completed (Facts::error) does not stop the others. Throws InputError that
/// names the place of a case that cannot be planned, or that the runner refuses, and Interrupted;
/// then only the visited cases are known.
void run_suite(const std::vector<SuiteCase>& cases, unsigned jobs, Runner& runner,
               const RunOptions& options, const ResultVisitor& visit);

SuiteTotals totals_of(const std::vector<SuiteResult>& results);

/// A check of a suite beside its cases.
struct SuiteCheck {
  std::string name;                   ///< "compared"
  std::string done;                   ///< what was checked, if there are no problems
  std::vector<std::string> problems;  ///< one line each
};

/// Compares the results' counts with the suite's (`whole`: these are the results of all its cases).
SuiteCheck check_totals(const Suite& suite, const std::vector<SuiteResult>& results, bool whole);

/// All of a suite, and how its cases ended; `results` may be fewer than the cases: it was
/// interrupted.
struct SuiteReport {
  std::vector<SuiteCase> cases;
  std::vector<SuiteResult> results;
  std::vector<SuiteCheck> checks = {};
  double seconds = 0;
  std::size_t passed = 0, failed = 0;
  std::size_t errors = 0;         ///< cases that ended before all was checked
  std::size_t checks_failed = 0;  ///< of the checks beside the cases

  std::size_t not_run() const { return cases.size() - results.size(); }
  /// "pass", "fail", "error" or "interrupted".
  const char* verdict() const;
  /// Sets how many cases and checks passed, and did not.
  void count();
};

/// A report for CI servers (the schema of Jenkins' xUnit plugin): one <testcase> for each case,
/// with a <failure> if a check failed, and an <error> if it ended before all was checked. Cases
/// that did not run count as <skipped>. The checks beside the cases are test cases too.
std::string junit_xml(const std::string& name, const SuiteReport& report);

}  // namespace gossamer
