#include "driver/suite.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <chrono>
#include <exception>
#include <optional>

#include "driver/report.hpp"
#include "support/job.hpp"
#include "support/parallel_for.hpp"
#include "support/refuse.hpp"
#include "support/words.hpp"

namespace gossamer {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// What goes wrong with one case is its error; the others go on.
template <typename Work>
void finish(const SuiteCase& c, SuiteResult& result, Work work) {
  try {
    work();
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    result.facts.error = fmt::format("{}: {}", c.place, one_line(error));
  }
}

SuiteResult plan_case(const SuiteCase& c) {
  stop_if_interrupted();
  const auto begin = Clock::now();
  SuiteResult result;
  result.facts.request = c.request;
  std::optional<Plan> plan;
  in_place(c.place, [&] { plan = make_plan(c.request, PlannedTo::Run); });
  finish(c, result, [&] { result.facts = examine(c.request, *std::move(plan)); });
  result.seconds = seconds_since(begin);
  return result;
}

/// The engines that the cases need, in the order of the cases.
std::vector<std::string> engines_of(const std::vector<SuiteCase>& cases,
                                    const std::vector<SuiteResult>& all, Runner& runner,
                                    const RunOptions& options) {
  std::vector<std::string> engines;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!all[i].facts.plan) continue;
    in_place(cases[i].place, [&] {
      engines.push_back(
          runner.engine_of(all[i].facts.schedule(), run_options(all[i].facts, options)));
    });
    const bool known = std::ranges::count(engines, engines.back()) > 1;
    if (known || engines.back().empty()) engines.pop_back();
  }
  return engines;
}

void run_case(const SuiteCase& c, Runner& runner, const RunOptions& options, SuiteResult& result) {
  stop_if_interrupted();
  const auto begin = Clock::now();
  Facts& facts = result.facts;
  if (facts.passed() || facts.beyond_tolerance()) {
    finish(c, result, [&] { measure(facts, runner, options); });
  }
  if (facts.interrupted()) throw Interrupted();
  result.seconds += seconds_since(begin);
}

}  // namespace

void run_suite(const std::vector<SuiteCase>& cases, unsigned jobs, Runner& runner,
               const RunOptions& options, const ResultVisitor& visit) {
  Job& job = *options.job;
  const auto stage = [&](const char* text, std::size_t steps) {
    job.stage(text);
    job.at(0, steps);
  };
  RunOptions quiet = options;
  quiet.job = &nobody;  // many run at a time
  std::vector<SuiteResult> all(cases.size());
  stage("planning the cases", cases.size());
  ordered_parallel_for(
      cases.size(), jobs, [&](unsigned, std::size_t i) { return plan_case(cases[i]); },
      [&](std::size_t i, SuiteResult result) {
        all[i] = std::move(result);
        job.at(i + 1, cases.size());
      });
  // Engines first: neighbouring cases mostly need the same engine, and would wait for it.
  const std::vector<std::string> engines = engines_of(cases, all, runner, quiet);
  const auto begin_cases = [&] { stage("cases", cases.size()); };
  if (engines.empty()) begin_cases();
  if (!engines.empty()) stage("building the engines that are not there", engines.size());
  ordered_parallel_for(
      engines.size() + cases.size(), runner.side_by_side() ? jobs : 1,
      [&](unsigned, std::size_t i) {
        if (i >= engines.size()) {
          run_case(cases[i - engines.size()], runner, quiet, all[i - engines.size()]);
        } else {
          runner.get_engine(engines[i]);
        }
        return i;
      },
      [&](std::size_t i, std::size_t) {
        if (i >= engines.size()) {
          visit(cases[i - engines.size()], std::move(all[i - engines.size()]));
        } else if (job.at(i + 1, engines.size()); i + 1 == engines.size()) {
          begin_cases();
        }
      });
}

namespace {

/// `*` in the pattern stands for anything.
bool matches(const std::string& pattern, const std::string& text) {
  return fnmatch(pattern.c_str(), text.c_str(), FNM_NOESCAPE) == 0;
}

[[noreturn]] void no_match(const std::vector<SuiteCase>& cases, const std::string& pattern) {
  std::vector<std::string_view> names;
  for (const SuiteCase& c : cases) {
    names.push_back(c.request.name);
    if (names.back() != c.group) names.push_back(c.group);
  }
  std::string_view near = nearest_name(pattern, names);
  if (near.empty()) near = nearest_name(pattern + '*', names);
  refuse("no case '{}' in the suite{}", pattern,
         near.empty() ? fmt::format("; --list shows its {}", cases.size())
                      : fmt::format(": did you mean '{}'?", near));
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

SuiteTotals totals_of(const std::vector<SuiteResult>& results) {
  const auto sum = [&](const auto& number) {
    std::uint64_t total = 0;
    for (const SuiteResult& result : results) total += number(result.facts);
    return total;
  };
  const auto checked = [&](auto CheckReport::*number) {
    return sum([&](const Facts& facts) { return facts.check.*number; });
  };
  const auto ran = [&](std::uint64_t RunResult::*number) {
    return sum([&](const Facts& facts) { return facts.run ? (*facts.run).*number : 0; });
  };
  return {{"cases", results.size()},
          {"rounds", checked(&CheckReport::rounds)},
          {"bounds", sum([](const Facts& facts) { return facts.bound.value; })},
          {"hops", checked(&CheckReport::delta_sum)},
          {"messages", checked(&CheckReport::tau_sum)},
          {"cycles", ran(&RunResult::cycles_measured)},
          {"flits", ran(&RunResult::flits_moved)},
          {"words", ran(&RunResult::words_checked)},
          {"link_cycles", ran(&RunResult::link_cycles_checked)},
          {"delivered", ran(&RunResult::delivered)}};
}

SuiteCheck check_totals(const Suite& suite, const std::vector<SuiteResult>& results, bool whole) {
  const SuiteTotals totals = totals_of(results);
  SuiteCheck check{"compared",
                   fmt::format("{} cycles, {} words, {} link cycles", grouped(totals.at("cycles")),
                               grouped(totals.at("words")), grouped(totals.at("link_cycles"))),
                   {}};
  if (!whole || !suite.expected) return check;
  check.done += ", as many as the suite expects";
  for (const auto& [name, should] : *suite.expected) {
    if (totals.at(name) == should) continue;
    check.problems.push_back(
        fmt::format("{} {} were counted, and the suite expects {}", totals.at(name), name, should));
  }
  return check;
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

namespace {

/// What became of a test case; no element: it passed.
struct JunitElement {
  const char* element = nullptr;
  const char* type = "check";
  std::string message = {}, all = {};
};

JunitElement failure(const std::vector<std::string>& problems) {
  return {"failure", "check", problems.empty() ? "failed" : problems.front(),
          fmt::format("{}", fmt::join(problems, "\n"))};
}

JunitElement element_of(const SuiteResult* result) {
  if (result == nullptr) return {"skipped", "interrupted", "interrupted before it ended"};
  const Facts& facts = result->facts;
  if (facts.passed()) return {};
  return facts.error.empty() ? failure(facts.problems)
                             : JunitElement{"error", "error", facts.error, facts.error};
}

void add_case(std::string& xml, const std::string& name, const std::string& time,
              const JunitElement& o) {
  xml += fmt::format("  <testcase classname=\"gossamer\" name=\"{}\"{}{}>\n", xml_escaped(name),
                     time, o.element == nullptr ? "/" : "");
  if (o.element == nullptr) return;
  xml += fmt::format("    <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n  </testcase>\n", o.element,
                     o.type, xml_escaped(o.message), xml_escaped(o.all));
}

}  // namespace

std::string junit_xml(const std::string& name, const SuiteReport& r) {
  double seconds = 0;
  for (const SuiteResult& result : r.results) seconds += result.seconds;
  std::string xml = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"{}\" tests=\"{}\" "
      "failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n",
      xml_escaped(name), r.cases.size() + r.checks.size(), r.failed + r.checks_failed, r.errors,
      r.not_run(), seconds);
  for (std::size_t i = 0; i < r.cases.size(); ++i) {
    const SuiteResult* const result = i < r.results.size() ? &r.results[i] : nullptr;
    add_case(xml, r.cases[i].request.name,
             fmt::format(" time=\"{:.3f}\"", result == nullptr ? 0.0 : result->seconds),
             element_of(result));
  }
  for (const SuiteCheck& check : r.checks) {
    add_case(xml, check.name, "",
             check.problems.empty() ? JunitElement{} : failure(check.problems));
  }
  return xml + "</testsuite>\n";
}

}  // namespace gossamer
