#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace gossamer::tb {

/// The nodes of a fabric in blocks of consecutive nodes, equally many in each, one block per
/// thread. All threads wait for the slowest one in every cycle.
class NodeBlocks {
 public:
  explicit NodeBlocks(std::size_t nodes = 0, unsigned blocks = 1)
      : nodes_(nodes), blocks_(blocks) {}

  unsigned size() const { return blocks_; }
  std::size_t first(unsigned block) const { return nodes_ * block / blocks_; }
  std::size_t last(unsigned block) const { return first(block + 1); }  ///< the one after it

 private:
  std::size_t nodes_;
  unsigned blocks_;
};

/// Decides whether the next cycles of a fabric run on all its threads or on one. In every cycle all
/// threads wait for the slowest one. So on a machine that does other things, too, one thread alone
/// may be several times faster. Whatever was slower is tried again now and then, the more rarely
/// the more often it was slower again.
class ThreadChoice {
 public:
  explicit ThreadChoice(unsigned threads = 1, std::uint64_t nodes = 1)
      : threads_(threads),
        trial_(std::max<std::uint64_t>(kTrialNodeCycles / std::max<std::uint64_t>(nodes, 1), 16)),
        pause_(kFirstPause),
        left_(trial_) {}

  /// So many cycles on so many threads.
  struct Part {
    unsigned threads = 1;
    std::uint64_t cycles = 0;
  };
  /// What to do next, if so many cycles are still to run.
  Part next(std::uint64_t cycles) const {
    if (threads_ == 1) return {1, cycles};
    if (left_ == 0) return {all_ ? 1 : threads_, std::min(cycles, trial_)};
    return {all_ ? threads_ : 1, std::min(cycles, left_)};
  }

  /// A part that next() returned took so many seconds.
  void took(const Part& part, double seconds) {
    if (threads_ == 1 || part.cycles == 0) return;
    if (left_ != 0) {
      left_ -= std::min(left_, part.cycles);
      seconds_ += seconds;
      cycles_ += static_cast<double>(part.cycles);
      return;
    }
    if (seconds * cycles_ < seconds_ * static_cast<double>(part.cycles)) {
      all_ = !all_;
      pause_ = kFirstPause;
    } else {
      pause_ = std::min(4 * pause_, kLongestPause);
    }
    left_ = pause_ * trial_;
    seconds_ = cycles_ = 0;
  }

 private:
  /// About a millisecond of one core.
  static constexpr std::uint64_t kTrialNodeCycles = std::uint64_t{1} << 16;
  /// Between two trials, in trials.
  static constexpr std::uint64_t kFirstPause = 8, kLongestPause = 1024;

  unsigned threads_;
  std::uint64_t trial_;              ///< cycles of a trial
  std::uint64_t pause_;              ///< trials that the pause until the next one takes
  std::uint64_t left_;               ///< cycles until the next trial
  bool all_ = true;                  ///< what is used between trials: all threads, or one
  double seconds_ = 0, cycles_ = 0;  ///< since the last trial
};

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
std::uint64_t run_on_threads(const NodeBlocks& blocks, unsigned threads, std::uint64_t begin,
                             std::uint64_t end, const EvaluateBlock& evaluate,
                             const EndCycle& end_cycle);

}  // namespace gossamer::tb
