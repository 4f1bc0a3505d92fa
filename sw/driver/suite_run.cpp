#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "driver/suite.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"

namespace gossamer {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Does work 0 ... count-1 on some threads. The caller waits for results in order; the first
/// exception by number is thrown there, and what has not begun by then never does.
class Pool {
 public:
  Pool(std::size_t count, unsigned threads, std::function<void(std::size_t)> work)
      : work_(std::move(work)), done_(count, false), errors_(count) {
    for (unsigned t = 0; t < std::max(threads, 1u); ++t) {
      threads_.emplace_back([this] { labour(); });
    }
  }
  ~Pool() {
    next_ = done_.size();
    for (std::thread& thread : threads_) thread.join();
  }

  void wait(std::size_t index) {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [&] { return done_[index]; });
    if (errors_[index]) std::rethrow_exception(errors_[index]);
  }

 private:
  void labour() {
    for (std::size_t i = next_++; i < done_.size(); i = next_++) {
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
    }
  }

  std::function<void(std::size_t)> work_;
  std::vector<bool> done_;
  std::vector<std::exception_ptr> errors_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::vector<std::thread> threads_;
};

/// Bad input that shows only when a case is planned or compiled gets the case's place.
template <typename Work>
void in_place(const SuiteCase& c, Work work) {
  try {
    work();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", c.place, error.what()));
  }
}

/// A case under way.
struct Job {
  std::optional<Plan> plan;
  SuiteResult result;
};

void plan_case(const SuiteCase& c, Job& job) {
  stop_if_interrupted();
  const auto begin = Clock::now();
  in_place(c, [&] { job.plan = make_plan(c.asked); });
  job.result.seconds = seconds_since(begin);
}

void run_case(const SuiteCase& c, Runner& runner, RunOptions options, Job& job) {
  stop_if_interrupted();
  const auto begin = Clock::now();
  options.flits = flits_of(c.asked, job.plan->schedule);
  options.engine = c.asked.engine;
  options.seed = c.asked.seed;
  in_place(c, [&] {
    job.result.report = examine(c.asked, *job.plan);
    if (job.result.report.passed()) measure(job.result.report, *job.plan, runner, options);
  });
  if (job.result.report.interrupted()) throw Interrupted();
  job.plan.reset();
  job.result.seconds += seconds_since(begin);
}

}  // namespace

std::vector<SuiteResult> run_suite(const std::vector<SuiteCase>& cases, unsigned jobs,
                                   Runner& runner, const RunOptions& options,
                                   const ResultVisitor& visit) {
  std::vector<Job> all(cases.size());
  {
    Pool planners(cases.size(), jobs, [&](std::size_t i) { plan_case(cases[i], all[i]); });
    for (std::size_t i = 0; i < cases.size(); ++i) planners.wait(i);
  }
  Pool runners(cases.size(), jobs,
               [&](std::size_t i) { run_case(cases[i], runner, options, all[i]); });
  std::vector<SuiteResult> results;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    runners.wait(i);
    results.push_back(std::move(all[i].result));
    visit(cases[i], results.back());
  }
  return results;
}

}  // namespace gossamer
