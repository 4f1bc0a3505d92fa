#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <thread>

#include "driver/suite.hpp"
#include "support/error.hpp"
#include "support/job.hpp"

namespace gossamer {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Does work 0 ... count-1 on several threads, on as many as the system can start, or on the
/// caller's alone. The caller waits for results in order; it rethrows the first exception by
/// number, and work that has not begun by then is dropped.
class Pool {
 public:
  Pool(std::size_t count, unsigned threads, std::function<void(std::size_t)> work)
      : work_(std::move(work)), done_(count, false), errors_(count) {
    try {
      for (unsigned t = 0; t < threads && t < count; ++t) {
        threads_.emplace_back([this, stop = Context::of_this_thread().stop] {
          const Hears heard(stop);
          while (do_next()) {
          }
        });
      }
    } catch (const std::system_error&) {  // the running threads do all the work
    }
  }
  ~Pool() {
    next_ = done_.size();
    for (std::thread& thread : threads_) thread.join();
  }

  void wait(std::size_t index) {
    while (threads_.empty() && !done_[index]) do_next();
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [&] { return done_[index]; });
    if (errors_[index]) std::rethrow_exception(errors_[index]);
  }

 private:
  /// One piece of work; false if there is no more.
  bool do_next() {
    const std::size_t i = next_++;
    if (i >= done_.size()) return false;
    std::exception_ptr error;
    try {
      work_(i);
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    done_[i] = true;
    errors_[i] = error;
    ready_.notify_all();
    return true;
  }

  std::function<void(std::size_t)> work_;
  std::vector<bool> done_;
  std::vector<std::exception_ptr> errors_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::vector<std::thread> threads_;
};

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

void plan_case(const SuiteCase& c, SuiteResult& result) {
  stop_if_interrupted();
  const auto begin = Clock::now();
  result.facts.request = c.request;
  std::optional<Plan> plan;
  in_place(c, [&] { plan = make_plan(c.request, PlannedTo::Run); });
  finish(c, result, [&] { result.facts = examine(c.request, *std::move(plan)); });
  result.seconds = seconds_since(begin);
}

RunOptions options_of(const SuiteResult& result, RunOptions options) {
  options.job = nullptr;  // many at a time
  return run_options(result.facts, std::move(options));
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
      engine = runner.engine_of(all[i].facts.schedule(), options_of(all[i], options));
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
    finish(c, result, [&] { measure(facts, runner, options_of(result, options)); });
  }
  if (facts.interrupted()) throw Interrupted();
  result.seconds += seconds_since(begin);
}

}  // namespace

void run_suite(const std::vector<SuiteCase>& cases, unsigned jobs, Runner& runner,
               const RunOptions& options, const ResultVisitor& visit) {
  const auto stage = [&options](const std::string& text) {
    if (options.job != nullptr) options.job->stage(text);
  };
  std::vector<SuiteResult> all(cases.size());
  stage("planning");
  {
    Pool planners(cases.size(), jobs, [&](std::size_t i) { plan_case(cases[i], all[i]); });
    begin_steps(cases.size(), "cases");
    for (std::size_t i = 0; i < cases.size(); ++i) {
      planners.wait(i);
      step_done(i + 1);
    }
  }
  // Engines first: neighbouring cases mostly need the same engine, and would wait for it.
  const std::vector<std::size_t> users = engine_users(cases, all, runner, options);
  Pool runners(users.size() + cases.size(), runner.side_by_side() ? jobs : 1, [&](std::size_t i) {
    if (i >= users.size()) {
      run_case(cases[i - users.size()], runner, options, all[i - users.size()]);
    } else {
      const SuiteResult& user = all[users[i]];
      runner.get_engine(user.facts.schedule(), options_of(user, options));
    }
  });
  if (!users.empty()) stage("building the engines that are not there");
  begin_steps(users.size(), "engines");
  for (std::size_t i = 0; i < users.size(); ++i) {
    runners.wait(i);
    step_done(i + 1);
  }
  stage("cases");
  for (std::size_t i = 0; i < cases.size(); ++i) {
    runners.wait(users.size() + i);
    visit(cases[i], std::move(all[i]));
  }
}

}  // namespace gossamer
