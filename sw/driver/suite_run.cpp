#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <optional>
#include <set>

#include "driver/suite.hpp"
#include "support/error.hpp"
#include "support/job.hpp"
#include "support/parallel_for.hpp"

namespace gossamer {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Adds the case's place to an error found before it runs.
template <typename Work>
void in_place(const SuiteCase& c, Work work) {
  try {
    work();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", c.place, error.what()));
  }
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
  in_place(c, [&] { plan = make_plan(c.request, PlannedTo::Run); });
  finish(c, result, [&] { result.facts = examine(c.request, *std::move(plan)); });
  result.seconds = seconds_since(begin);
  return result;
}

/// For each engine that the cases need, one case that needs it, in the order of the cases.
std::vector<std::size_t> engine_users(const std::vector<SuiteCase>& cases,
                                      const std::vector<SuiteResult>& all, Runner& runner,
                                      const RunOptions& options) {
  std::vector<std::size_t> users;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!all[i].facts.plan) continue;
    std::string engine;
    in_place(cases[i], [&] {
      engine = runner.engine_of(all[i].facts.schedule(), run_options(all[i].facts, options));
    });
    if (!engine.empty() && seen.insert(engine).second) users.push_back(i);
  }
  return users;
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
  const auto stage = [&](const char* text, std::size_t steps) {
    if (options.job == nullptr) return;
    options.job->stage(text);
    options.job->at(0, steps);
  };
  const auto done = [&](std::size_t steps, std::size_t all) {
    if (options.job != nullptr) options.job->at(steps, all);
  };
  RunOptions quiet = options;
  quiet.job = nullptr;  // many run at a time
  std::vector<SuiteResult> all(cases.size());
  stage("planning the cases", cases.size());
  ordered_parallel_for(
      cases.size(), jobs, [&](unsigned, std::size_t i) { return plan_case(cases[i]); },
      [&](std::size_t i, SuiteResult result) {
        all[i] = std::move(result);
        done(i + 1, cases.size());
      });
  // Engines first: neighbouring cases mostly need the same engine, and would wait for it.
  const std::vector<std::size_t> users = engine_users(cases, all, runner, quiet);
  const auto begin_cases = [&] { stage("cases", cases.size()); };
  if (users.empty()) begin_cases();
  if (!users.empty()) stage("building the engines that are not there", users.size());
  ordered_parallel_for(
      users.size() + cases.size(), runner.side_by_side() ? jobs : 1,
      [&](unsigned, std::size_t i) {
        if (i >= users.size()) {
          run_case(cases[i - users.size()], runner, quiet, all[i - users.size()]);
        } else {
          const Facts& user = all[users[i]].facts;
          runner.get_engine(user.schedule(), run_options(user, quiet));
        }
        return i;
      },
      [&](std::size_t i, std::size_t) {
        if (i >= users.size()) {
          visit(cases[i - users.size()], std::move(all[i - users.size()]));
        } else if (done(i + 1, users.size()); i + 1 == users.size()) {
          begin_cases();
        }
      });
}

}  // namespace gossamer
