#pragma once

#include <omp.h>

#include <array>
#include <cstdint>
#include <exception>
#include <vector>

namespace gossamer::tb {

/// Runs cycles of a fabric on threads, each with a contiguous block of its nodes, in lockstep: a
/// barrier ends every cycle. The result does not depend on the number of threads.
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
  bool going = true;
#pragma omp parallel num_threads(static_cast<int>(threads))
  {
    const std::size_t all = static_cast<std::size_t>(omp_get_num_threads());
    const std::size_t me = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t first = nodes * me / all, last = nodes * (me + 1) / all;
    for (std::uint64_t cycle = begin; going && cycle < end; ++cycle) {
      try {
        evaluate(first, last, cycle, parts[me].totals);
      } catch (...) {
        parts[me].failure = std::current_exception();
      }
#pragma omp barrier
#pragma omp master
      {
        Totals sum;
        for (std::size_t t = 0; t < all; ++t) {
          sum.add(parts[t].totals);
          if (parts[t].failure) going = false;
        }
        reached = cycle + 1;
        if (going) going = end_cycle(reached, sum);
      }
#pragma omp barrier
    }
  }
  for (const Part& part : parts) {
    if (part.failure) std::rethrow_exception(part.failure);
  }
  return reached;
}

}  // namespace gossamer::tb
