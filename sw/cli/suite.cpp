#include "driver/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/progress.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "driver/junit.hpp"
#include "support/error.hpp"
#include "support/file.hpp"

namespace gossamer::cli {
namespace {

/// The table of a suite, a line a case.
class Table {
 public:
  Table(const std::vector<SuiteCase>& cases, std::string program) : program_(std::move(program)) {
    for (const SuiteCase& c : cases) width_ = std::max(width_, c.asked.name.size());
  }

  void print_head() const {
    fmt::print("{}\n", paint_.faint(fmt::format(
                           "{:<{}} {:>7} {:>7} {:>6} {:>10} {:>9} {:>9}  verdict", "case", width_,
                           "rounds", "formula", "bound", "predicted", "measured", "words")));
  }

  void print(const SuiteResult& result) const {
    const Report& r = result.report;
    const auto or_dash = [](bool has, auto value) { return has ? std::to_string(value()) : "-"; };
    fmt::print("{:<{}} {:>7} {:>7} {:>6} {:>10} {:>9} {:>9}  {}\n", r.asked.name, width_,
               r.check.rounds, or_dash(r.formula.has_value(), [&] { return r.formula->rounds; }),
               r.bound.value,
               or_dash(r.cycles_predicted.has_value(), [&] { return *r.cycles_predicted; }),
               or_dash(r.run.has_value(), [&] { return r.run->cycles_measured; }),
               or_dash(r.run.has_value(), [&] { return r.run->words_checked; }),
               r.passed() ? paint_.good("pass") : paint_.bad("FAIL"));
    for (const std::string& problem : r.problems) fmt::print("    {}\n", problem);
    if (!r.passed()) fmt::print("    rerun: {}\n", rerun_command(r, program_));
    std::fflush(stdout);
  }

  void print_legend() const {
    fmt::print("\n{}\n",
               paint_.faint("rounds: of the schedule; formula: the paper's; bound: no schedule "
                            "needs fewer.\n"
                            "predicted, measured: cycles from the start pulse (cycle 0) to the "
                            "last flit on its last link.\n"
                            "words: in all message stores, each compared with what its origin "
                            "sent."));
  }

  void print_summary(std::size_t passed, std::size_t failed, double seconds) const {
    fmt::print("\n{}: {} passed, {} failed, {:.1f} s\n",
               failed == 0 ? paint_.good("PASS") : paint_.bad("FAIL"), passed, failed, seconds);
  }

 private:
  Paint paint_;
  std::string program_;
  std::size_t width_ = 4;
};

void print_suite_json(const std::string& file, const std::vector<SuiteResult>& results,
                      std::size_t failed, double seconds) {
  nlohmann::ordered_json json;
  json["suite"] = file;
  json["cases"] = nlohmann::ordered_json::array();
  for (const SuiteResult& result : results) {
    json["cases"].push_back(to_json(result.report, /*measured=*/true));
  }
  json["passed"] = results.size() - failed;
  json["failed"] = failed;
  json["wall_seconds"] = seconds;
  json["verdict"] = failed == 0 ? "pass" : "fail";
  print_json(json);
}

std::vector<SuiteCase> cases_of(const Options& options) {
  std::vector<SuiteCase> cases = select_cases(read_suite(options.file), options.cases);
  if (!options.trace.empty() && cases.size() != 1) {
    throw InputError(fmt::format("--trace takes one case, but {} are chosen: name one with --case",
                                 cases.size()));
  }
  return cases;
}

}  // namespace

int suite(const Options& options, Runner& runner) {
  const RunOptions run = suite_options_of(options);
  const std::vector<SuiteCase> cases = cases_of(options);
  const Table table(cases, options.program);
  const auto begin = std::chrono::steady_clock::now();
  std::vector<SuiteResult> results;
  {
    Progress progress;
    progress.stage("cases");
    std::size_t done = 0;
    results = run_suite(cases, jobs_of(options), runner, run,
                        [&](const SuiteCase&, const SuiteResult& result) {
                          progress.at(++done, cases.size());
                          if (options.json) return;
                          progress.hide();
                          if (done == 1) table.print_head();
                          table.print(result);
                        });
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  const auto failed = static_cast<std::size_t>(std::ranges::count_if(
      results, [](const SuiteResult& result) { return !result.report.passed(); }));
  if (!options.junit.empty()) {
    write_file(options.junit,
               junit_xml(std::filesystem::path(options.file).stem().string(), cases, results));
  }
  if (options.json) {
    print_suite_json(options.file, results, failed, wall.count());
  } else {
    table.print_legend();
    table.print_summary(results.size() - failed, failed, wall.count());
    if (!options.trace.empty()) print_waveform(options.trace);
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace gossamer::cli
