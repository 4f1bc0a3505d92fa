#include "driver/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/screen.hpp"
#include "driver/case.hpp"
#include "page/page.hpp"
#include "support/file.hpp"
#include "support/job.hpp"
#include "support/refuse.hpp"

namespace gossamer::cli {
namespace {

int print_list_json(const std::vector<SuiteCase>& cases) {
  nlohmann::ordered_json json;
  json["cases"] = nlohmann::ordered_json::array();
  for (const SuiteCase& c : cases) {
    nlohmann::ordered_json one = {{"name", c.request.name}, {"group", c.group}};
    for (const CaseField& field : case_fields()) {
      const std::string value = field.text(c.request);
      if (!value.empty()) one[std::string(field.name)] = value;
    }
    json["cases"].push_back(std::move(one));
  }
  print_json(json);
  return 0;
}

}  // namespace

int list_cases(const std::vector<SuiteCase>& cases, bool json) {
  if (json) return print_list_json(cases);
  std::size_t width = 0;
  for (const SuiteCase& c : cases) width = std::max(width, c.request.name.size());
  for (const SuiteCase& c : cases) {
    std::string line = fmt::format("{:<{}} ", c.request.name, width);
    for (const CaseField& field : case_fields()) {
      const std::string value = field.text(c.request);
      if (value.empty()) continue;
      const bool plain =
          field.name == "topology" || field.name == "file" || field.name == "algorithm";
      line += plain ? fmt::format(" {}", value) : fmt::format(" {}={}", field.name, value);
    }
    fmt::print("{}\n", line);
  }
  fmt::print("{} cases\n", cases.size());
  return 0;
}

namespace {

constexpr Column kColumns[] = {
    {"rounds", "/rounds", 7},         {"formula", "/rounds_formula", 7},
    {"bound", "/rounds_bound", 6},    {"predicted", "/cycles_predicted", 10},
    {"measured", "/cycles_measured"}, {"words", "/words_checked"}};

/// The table of a suite, one line per case.
class Table {
 public:
  Table(const std::vector<SuiteCase>& cases, std::string program) : program_(std::move(program)) {
    for (const SuiteCase& c : cases) width_ = std::max(width_, c.request.name.size());
  }

  void print_head() const {
    fmt::print("{}\n",
               paint_.faint(fmt::format("{:<{}} {} verdict", "case", width_, heads(kColumns))));
  }

  void print(const SuiteResult& result) const {
    const Facts& r = result.facts;
    fmt::print("{:<{}} {} {}\n", r.request.name, width_,
               cells(kColumns, to_json(r, /*measured=*/true)), verdict_of(r));
    for (const std::string& problem : r.problems) fmt::print("    {}\n", problem);
    if (!r.error.empty()) fmt::print("    {}\n", r.error);
    if (!r.passed() && r.error.empty() && r.can_run()) {
      fmt::print("    rerun: {}\n", rerun_command(r, program_));
    }
    std::fflush(stdout);
  }

  void print_legend() const {
    fmt::print("\n{}\n",
               paint_.faint("rounds: of the schedule; formula: the paper's; bound: none of its "
                            "model needs fewer.\n"
                            "predicted, measured: cycles from the start pulse (cycle 0) to the "
                            "last flit on its last link.\n"
                            "words: in all message stores, each compared with what its origin "
                            "sent."));
  }

  void print(const std::vector<SuiteCheck>& checks) const {
    fmt::print("\n");
    for (const SuiteCheck& check : checks) {
      const bool good = check.problems.empty();
      fmt::print("{}: {}\n", check.name, good ? check.done : paint_.bad("FAIL"));
      for (const std::string& problem : check.problems) fmt::print("    {}\n", problem);
    }
  }

  void print_summary(const SuiteReport& r) const {
    const std::string_view verdict = r.verdict();
    std::string capitals;
    for (const char c : verdict) capitals += static_cast<char>(std::toupper(c));
    const auto if_any = [](std::size_t count, const char* what) {
      return count == 0 ? "" : fmt::format(" {} {},", count, what);
    };
    fmt::print("{}: {} passed, {} failed,{}{}{} {:.1f} s\n",
               verdict == "pass" ? paint_.good(capitals) : paint_.bad(capitals), r.passed, r.failed,
               if_any(r.checks_failed, r.checks_failed == 1 ? "check failed" : "checks failed"),
               if_any(r.errors, "ended with an error"), if_any(r.not_run(), "not run"), r.seconds);
  }

 private:
  std::string verdict_of(const Facts& facts) const {
    if (!facts.error.empty()) return paint_.bad("ERROR");
    return facts.passed() ? paint_.good("pass") : paint_.bad("FAIL");
  }

  Paint paint_;
  std::string program_;
  std::size_t width_ = 4;
};

nlohmann::ordered_json suite_json(const std::string& file, const SuiteReport& r) {
  nlohmann::ordered_json json;
  json["suite"] = file;
  json["cases"] = nlohmann::ordered_json::array();
  for (const SuiteResult& result : r.results) {
    json["cases"].push_back(to_json(result.facts, /*measured=*/true));
  }
  json["counted"] = totals_of(r.results);
  json["checks"] = nlohmann::ordered_json::array();
  for (const SuiteCheck& check : r.checks) {
    json["checks"].push_back(
        {{"name", check.name}, {"done", check.done}, {"problems", check.problems}});
  }
  json["passed"] = r.passed;
  json["failed"] = r.failed;
  if (r.errors != 0) json["errors"] = r.errors;
  if (r.not_run() != 0) json["not_run"] = r.not_run();
  json["wall_seconds"] = r.seconds;
  json["verdict"] = r.verdict();
  return json;
}

/// The page of the suite; if one case was selected, the page of that case.
std::string page_of(const Ask& ask, const SuiteReport& r, const nlohmann::ordered_json& json) {
  if (r.results.size() == 1 && !ask.cases.empty() && r.results[0].facts.plan) {
    return case_page(r.results[0].facts, ask.program, ask.command);
  }
  return suite_page(json, r.results, ask.program, ask.command);
}

/// One line on stderr, as for every command that could not do its work.
void tell_errors(const SuiteReport& r) {
  if (r.errors == 0) return;
  const auto first = std::ranges::find_if(
      r.results, [](const SuiteResult& result) { return !result.facts.error.empty(); });
  print_error(
      (r.errors == 1 ? "" : fmt::format("{} cases ended with an error; the first: ", r.errors)) +
      first->facts.error);
}

std::vector<SuiteCase> cases_of(const Ask& ask, const Suite& suite) {
  std::vector<SuiteCase> cases = select_cases(suite.cases, ask.cases);
  if (!ask.trace.empty() && cases.size() != 1) {
    refuse("--trace takes one case, but {} are chosen: name one with --case", cases.size());
  }
  std::vector<SuiteCase> all;
  for (SuiteCase& c : cases) {
    set_fields(ask, c.request);
    for (auto& [request, sets] : each_case(c.request)) {
      all.push_back(c);
      all.back().request = std::move(request);
    }
  }
  cases = std::move(all);
  if (!cases.empty()) check_trace_file(ask, cases.front().request.engine);
  return cases;
}

/// Runs the cases and prints each as it ends; returns fewer results than cases if interrupted.
std::vector<SuiteResult> run_and_print(const Ask& ask, const std::vector<SuiteCase>& cases,
                                       const Table& table, Outputs& outputs, Runner& runner) {
  std::vector<SuiteResult> results;
  Progress progress(!ask.json);
  const auto show = [&](const SuiteCase&, SuiteResult result) {
    results.push_back(std::move(result));
    progress.at(results.size(), cases.size());
    if (ask.json) return;
    progress.hide();
    outputs.write([&] {
      if (results.size() == 1) table.print_head();
      table.print(results.back());
    });
  };
  try {
    RunOptions run = ask.run;
    run.threads = 1;
    run.job = &progress;
    run.record = !ask.report.empty() && cases.size() == 1;
    run_suite(cases, ask.jobs_at_a_time, runner, run, show);
  } catch (const Interrupted&) {
    // The results shown so far are what is known.
  }
  return results;
}

/// Writes what is asked for, tells how it ended, and returns the exit status. `more`: of a job.
int tell(const Ask& ask, SuiteReport& report, Outputs& outputs, const Table& table,
         std::chrono::steady_clock::time_point begin, const nlohmann::ordered_json& more = {},
         const std::string& line = "") {
  const int signal = interrupt_signal();
  const HearsNothing all_of_it;  // what is known is written, after an interruption, too
  report.count();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  nlohmann::ordered_json json = suite_json(ask.file, report);
  if (!more.empty()) json.update(more);
  const auto write = [&](const std::string& file, const std::function<std::string()>& text) {
    return !file.empty() && outputs.write([&] { write_file(file, text()); });
  };
  write(ask.junit,
        [&] { return junit_xml(std::filesystem::path(ask.file).stem().string(), report); });
  const bool drawn = write(ask.report, [&] { return page_of(ask, report, json); });
  if (ask.json) {
    print_json(json);
  } else {
    table.print_legend();
    table.print(report.checks);
    fmt::print("{}", line);
    table.print_summary(report);
    if (drawn) fmt::print("report: {}\n", ask.report);
    const bool ran = !report.results.empty() && report.results.front().facts.run;
    if (!ask.trace.empty() && report.not_run() == 0 && ran) print_waveform(ask.trace);
  }
  outputs.end();
  tell_errors(report);
  if (signal != 0 && (report.not_run() != 0 || !more.empty())) return 128 + signal;
  return report.errors != 0 ? 2 : std::string_view(report.verdict()) == "pass" ? 0 : 1;
}

}  // namespace

int suite(const Ask& ask, Runner& runner) {
  require_extension("--report", ask.report, ".html");
  const Suite whole = read_suite(ask.file);
  SuiteReport report{cases_of(ask, whole), {}};
  const std::vector<SuiteCase>& cases = report.cases;
  if (ask.list) return list_cases(cases, ask.json);
  Outputs outputs;
  const Table table(cases, ask.program);
  const auto begin = std::chrono::steady_clock::now();
  report.results = run_and_print(ask, cases, table, outputs, runner);
  report.count();
  if (report.not_run() == 0) {
    report.checks = {check_totals(whole, report.results, ask.cases.empty() && report.errors == 0)};
  }
  return tell(ask, report, outputs, table, begin);
}

std::vector<JobProgram> job_of(const Ask& ask) {
  const auto refuse_if = [&](bool given, const std::string& option) {
    if (given) refuse("{}: {} is for one schedule, not for a job", ask.file, option);
  };
  for (const CaseField& field : case_fields()) {
    const auto given = ask.fields.find(field.name);
    refuse_if(field.plans && given != ask.fields.end() && !given->second.empty(), option_of(field));
  }
  refuse_if(!ask.loads.empty(), "--loads");
  refuse_if(!ask.report.empty(), "--report");
  refuse_if(!ask.trace.empty(), "--trace");
  refuse_if(ask.orbits, "--orbits");
  refuse_if(ask.no_check, "--no-check");
  std::vector<JobProgram> job = read_job(ask.file);
  for (JobProgram& p : job) set_fields(ask, p.request);
  return job;
}

int job(const Ask& ask, Runner& runner, bool runs) {
  if (!runs && !ask.output.empty()) refuse("{}: -o writes one schedule, not a job", ask.file);
  const std::vector<JobProgram> programs = job_of(ask);
  SuiteReport report{{programs.begin(), programs.end()}, {}};
  Outputs outputs;
  const Table table(report.cases, ask.program);
  const auto begin = std::chrono::steady_clock::now();
  std::size_t starts = 0;
  JobTables tables, tight;
  {
    Progress progress(!ask.json);
    progress.stage("planning the programs");
    report.results = plan_job(programs);
    report.count();
    tables = tables_of(programs_of(programs, report.results));
    tight = tables_of(programs_of(programs, report.results), true);
    progress.stage("running the programs");
    if (runs && report.failed == 0) starts = run_job(programs, report.results, runner, ask.run);
  }
  if (!ask.json) {
    table.print_head();
    for (const SuiteResult& result : report.results) table.print(result);
  }
  const auto& [entries, segments, log_words, own, shared] = tables.depths;
  const Node nodes = report.results[0].facts.schedule().topology().nodes();
  return tell(
      ask, report, outputs, table, begin,
      {{"starts", starts},
       {"tables",
        {{"programs", tables.programs},
         {"entries", entries},
         {"segments", segments},
         {"log_words", log_words},
         {"words", tables.words},
         {"load_cycles", tables.words + kLoadControl}}},
       {"cost", json_of(tables.cost, nodes)},
       {"tight_cost", json_of(tight.cost, nodes)}},
      fmt::format("tables: {} entries, lists of {} segments, logs of {} words a node; {} words "
                  "to load, in {} cycles over AXI{}\n{}",
                  entries, segments, log_words, tables.words, tables.words + kLoadControl,
                  starts == 0 ? "" : fmt::format(", once for {} starts", starts),
                  to_string(tables.cost, nodes, &tight.cost)));
}

}  // namespace gossamer::cli
