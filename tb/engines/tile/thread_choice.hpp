#pragma once

#include <algorithm>
#include <cstdint>

namespace gossamer::tb {

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

}  // namespace gossamer::tb
