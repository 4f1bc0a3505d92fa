#include "engines/tile/tile_threads.hpp"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

#include "support/parallel_for.hpp"

namespace gossamer::tb {

void CycleCount::set(std::uint64_t cycles) {
  cycles_.store(cycles);
  cycles_.notify_all();
}

void CycleCount::wait_for(std::uint64_t cycles) const {
  for (unsigned spins = 0; spins < kSpins; ++spins) {
    if (cycles_.load(std::memory_order_acquire) >= cycles) return;
  }
  const auto patience = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < patience) {
    std::this_thread::yield();
    if (cycles_.load(std::memory_order_acquire) >= cycles) return;
  }
  for (std::uint64_t now = cycles_.load(); now < cycles; now = cycles_.load()) {
    cycles_.wait(now);
  }
}

std::uint64_t run_on_threads(const NodeBlocks& blocks, unsigned threads, std::uint64_t begin,
                             std::uint64_t end, const EvaluateBlock& evaluate,
                             const EndCycle& end_cycle) {
  std::uint64_t reached = begin;
  if (blocks.size() == 1) {
    bool going = true;
    while (going && reached < end) {
      Totals totals;
      evaluate(0, reached, totals);
      going = end_cycle(++reached, totals);
    }
    return reached;
  }

  /// In a cache line of its own, so that a thread hands over its results with a single line.
  struct alignas(64) Part {
    CycleCount done;
    Totals totals;
    std::exception_ptr failure;
  };
  struct alignas(64) Gate {
    CycleCount open;  ///< the cycles that have ended
    bool going = true;
  };
  std::vector<Part> parts(blocks.size());
  Gate gate;
  std::exception_ptr failure;
  // The first thread waits for the others, ends the cycle and lets them continue: what it needs for
  // that stays in the cache of its core.
  const auto end_of = [&](std::uint64_t cycle, unsigned all) {
    for (unsigned t = 1; t < all; ++t) parts[t].done.wait_for(cycle + 1);
    Totals sum;
    for (const Part& part : parts) {
      sum.add(part.totals);
      if (part.failure && !failure) failure = part.failure;
    }
    reached = cycle + 1;
    try {
      gate.going = !failure && end_cycle(reached, sum);
    } catch (...) {
      failure = std::current_exception();
      gate.going = false;
    }
    gate.open.set(cycle + 1);
  };
  const auto work = [&](unsigned me, unsigned all) {
    for (std::uint64_t cycle = begin; gate.going && cycle < end; ++cycle) {
      for (unsigned block = me; block < blocks.size(); block += all) {
        Part& part = parts[block];
        try {
          evaluate(block, cycle, part.totals);
        } catch (...) {
          part.failure = std::current_exception();
        }
      }
      if (me == 0) {
        end_of(cycle, all);
      } else {
        parts[me].done.set(cycle + 1);
        gate.open.wait_for(cycle + 1);
      }
    }
  };
  parallel_for(std::min(threads, blocks.size()), work);
  if (failure) std::rethrow_exception(failure);
  return reached;
}

}  // namespace gossamer::tb
