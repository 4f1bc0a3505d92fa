#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

#include "engines/tile/node_blocks.hpp"

namespace gossamer::tb {

/// A number of cycles that other threads wait for. A waiting thread spins for some microseconds,
/// about the time by which threads differ. Then the machine is busy, and it offers its core to
/// others. It sleeps only when that lasts: waking it up takes longer than a cycle, so that the
/// other thread would have to sleep, too, and so on in every cycle.
class CycleCount {
 public:
  void set(std::uint64_t cycles);
  void wait_for(std::uint64_t cycles) const;

 private:
  static constexpr unsigned kSpins = 20'000;
  static constexpr std::chrono::milliseconds kPatience{1};
  std::atomic<std::uint64_t> cycles_ = 0;
};

/// What a thread counted in a cycle.
struct Totals {
  std::uint64_t moved = 0;    ///< flits on links
  std::uint64_t senders = 0;  ///< ports that sent them, if links have stages
  bool running = false;       ///< a node has not ended its table
  void add(const Totals& other) {
    moved += other.moved;
    senders |= other.senders;
    running = running || other.running;
  }
};

/// Simulates a cycle of the nodes of a block, and sets the totals to what it saw.
using EvaluateBlock = std::function<void(unsigned block, std::uint64_t cycle, Totals& totals)>;
/// A cycle has been reached; returns whether to go on.
using EndCycle = std::function<bool(std::uint64_t cycle, const Totals& totals)>;

/// Runs cycles of a fabric in lockstep on so many threads, with a block of its nodes for each. (If
/// there are fewer threads than blocks, some have several.) The result does not depend on them.
/// One thread calls `end_cycle`. The run goes from cycle `begin` to `end` at most. Returns the
/// cycle reached. An exception in one block ends the run, and is thrown here.
std::uint64_t run_on_threads(NodeBlocks& blocks, unsigned threads, std::uint64_t begin,
                             std::uint64_t end, const EvaluateBlock& evaluate,
                             const EndCycle& end_cycle);

}  // namespace gossamer::tb
