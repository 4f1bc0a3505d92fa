#pragma once

#include <omp.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <optional>
#include <vector>

namespace gossamer::tb {

/// Ends a cycle on all threads. Whoever comes last does the work of `end_cycle` and lets the others
/// go, so that a cycle needs one barrier. It spins for some microseconds, about the time by which
/// threads differ; after that, on a machine that is busy with other things, it sleeps.
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

/// Runs cycles of a fabric on threads, each with a contiguous block of its nodes, in lockstep. The
/// result does not depend on the number of threads.
///
/// `evaluate(first, last, cycle, totals)` simulates a cycle of a block and says what it saw; Totals
/// are added up with add(). `end_cycle(cycle, totals)` is called by one thread once that cycle is
/// reached, and says whether to go on. From cycle `begin` up to `end` at most; returns the cycle
/// reached. What a block throws ends the run of all and is thrown here.
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
  // The system may give fewer threads than asked for: what they are is known inside.
  std::optional<CycleBarrier> barrier;
#pragma omp parallel num_threads(static_cast<int>(threads))
  {
    const unsigned all = static_cast<unsigned>(omp_get_num_threads());
    const unsigned me = static_cast<unsigned>(omp_get_thread_num());
#pragma omp single
    barrier.emplace(all);
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
  }
  if (failure) std::rethrow_exception(failure);
  return reached;
}

}  // namespace gossamer::tb
