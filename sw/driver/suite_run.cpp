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

/// A case that is being processed.
struct Job {
  std::optional<Plan> plan;
  SuiteResult result;
};

void plan_case(const SuiteCase& c, Job& job) {
  stop_if_interrupted();
  const auto begin = Clock::now();
  in_place(c, [&] { job.plan = make_plan(c.request, PlannedTo::Run); });
  job.result.seconds = seconds_since(begin);
}

RunOptions options_of(const SuiteCase& c, const Job& job, RunOptions options) {
  options.stage = {};  // many at a time
  return run_options(c.request, job.plan->schedule, std::move(options));
}

/// For each engine that the cases need, one case that needs it, in the order of the cases.
std::vector<std::size_t> engine_users(const std::vector<SuiteCase>& cases,
                                      const std::vector<Job>& jobs, Runner& runner,
                                      const RunOptions& options) {
  std::vector<std::size_t> users;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::string engine;
    in_place(cases[i], [&] {
      engine = runner.engine_of(jobs[i].plan->schedule, options_of(cases[i], jobs[i], options));
    });
    if (!engine.empty() && seen.insert(engine).second) users.push_back(i);
  }
  return users;
}

void run_case(const SuiteCase& c, Runner& runner, const RunOptions& all_options, Job& job) {
  stop_if_interrupted();
  const auto begin = Clock::now();
  const RunOptions options = options_of(c, job, all_options);
  Report& report = job.result.report;
  report = unexamined_report(c.request);
  try {
    report = examine(c.request, *job.plan);
    if (report.passed() || report.beyond_tolerance()) measure(report, *job.plan, runner, options);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    report.error = fmt::format("{}: {}", c.place, one_line(error));
  }
  if (report.interrupted()) throw Interrupted();
  job.plan.reset();
  job.result.seconds += seconds_since(begin);
}

}  // namespace

std::vector<SuiteResult> run_suite(const std::vector<SuiteCase>& cases, unsigned jobs,
                                   Runner& runner, const RunOptions& options,
                                   const ResultVisitor& visit) {
  const auto stage = [&options](const std::string& text) {
    if (options.stage) options.stage(text);
  };
  std::vector<Job> all(cases.size());
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
    if (i >= users.size())
      return run_case(cases[i - users.size()], runner, options, all[i - users.size()]);
    const std::size_t user = users[i];
    runner.get_engine(all[user].plan->schedule, options_of(cases[user], all[user], options));
  });
  if (!users.empty()) stage("building the engines that are not there");
  begin_steps(users.size(), "engines");
  for (std::size_t i = 0; i < users.size(); ++i) {
    runners.wait(i);
    step_done(i + 1);
  }
  stage("cases");
  std::vector<SuiteResult> results;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    runners.wait(users.size() + i);
    results.push_back(std::move(all[i].result));
    visit(cases[i], results.back());
  }
  return results;
}

}  // namespace gossamer
