#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <optional>
#include <thread>
#include <vector>

namespace gossamer::tb {

/// Ends a cycle on all threads. The last thread to arrive does the work of `end_cycle` and lets the
/// others continue, so that a cycle needs one barrier. A waiting thread spins for some
/// microseconds, about the time by which threads differ, and then sleeps, because the machine is
/// busy.
class CycleBarrier {
 public:
  explicit CycleBarrier(unsigned threads) : threads_(threads) {}

  template <class EndCycle>
  void wait(const EndCycle& end_cycle) {
    const std::uint32_t now = generation_.load();
    if (arrived_.fetch_add(1) + 1 == threads_) {
      arrived_.store(0);
      end_cycle();
      generation_.fetch_add(1);
      generation_.notify_all();
      return;
    }
    for (unsigned spins = 0; spins < kSpins; ++spins) {
      if (generation_.load(std::memory_order_acquire) != now) return;
    }
    generation_.wait(now);
  }

 private:
  static constexpr unsigned kSpins = 20'000;
  const unsigned threads_;
  alignas(64) std::atomic<unsigned> arrived_ = 0;
  alignas(64) std::atomic<std::uint32_t> generation_ = 0;
};

/// Calls work(me, all) on up to `threads` threads at once, including this one. If the system can
/// start fewer, `all` is smaller.
template <class Prepare, class Work>
void on_threads(unsigned threads, const Prepare& prepare, const Work& work) {
  std::atomic<unsigned> all = 0;  // 0 until they are counted
  std::vector<std::jthread> others;
  others.reserve(threads - 1);
  try {
    while (others.size() + 1 < threads) {
      others.emplace_back([&all, &work, me = static_cast<unsigned>(others.size()) + 1] {
        all.wait(0);
        work(me, all.load());
      });
    }
  } catch (const std::exception&) {  // there are no more threads
  }
  const unsigned counted = static_cast<unsigned>(others.size()) + 1;
  prepare(counted);
  all.store(counted);
  all.notify_all();
  work(0, counted);
}

/// Runs cycles of a fabric on threads, each with a contiguous block of its nodes, in lockstep. The
/// result does not depend on the number of threads.
///
/// `evaluate(first, last, cycle, totals)` simulates a cycle of a block and adds what it saw to the
/// totals, which are joined with add(). One thread calls `end_cycle(cycle, totals)` when that cycle
/// is reached; it returns whether to go on. The run goes from cycle `begin` to `end` at most.
/// Returns the cycle reached. An exception in one block ends the run, and is thrown here.
template <class Totals, class Evaluate, class EndCycle>
std::uint64_t run_on_threads(unsigned threads, std::size_t nodes, std::uint64_t begin,
                             std::uint64_t end, const Evaluate& evaluate,
                             const EndCycle& end_cycle) {
  std::uint64_t reached = begin;
  if (threads <= 1) {
    bool going = true;
    while (going && reached < end) {
      Totals totals;
      evaluate(0, nodes, reached, totals);
      going = end_cycle(++reached, totals);
    }
    return reached;
  }

  struct alignas(64) Part {
    Totals totals;
    std::exception_ptr failure;
  };
  std::vector<Part> parts(threads);
  std::exception_ptr failure;
  bool going = true;
  std::optional<CycleBarrier> barrier;
  const auto work = [&](unsigned me, unsigned all) {
    const std::size_t first = nodes * me / all, last = nodes * (me + 1) / all;
    for (std::uint64_t cycle = begin; going && cycle < end; ++cycle) {
      try {
        evaluate(first, last, cycle, parts[me].totals);
      } catch (...) {
        parts[me].failure = std::current_exception();
      }
      barrier->wait([&] {
        Totals sum;
        for (unsigned t = 0; t < all; ++t) {
          sum.add(parts[t].totals);
          if (parts[t].failure && !failure) failure = parts[t].failure;
        }
        reached = cycle + 1;
        try {
          going = !failure && end_cycle(reached, sum);
        } catch (...) {
          failure = std::current_exception();
          going = false;
        }
      });
    }
  };
  on_threads(
      threads, [&](unsigned all) { barrier.emplace(all); }, work);
  if (failure) std::rethrow_exception(failure);
  return reached;
}

}  // namespace gossamer::tb
