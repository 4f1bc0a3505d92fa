#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gossamer::tb {

/// The nodes of a fabric in blocks of consecutive nodes, one block per thread. All threads wait for
/// the slowest one in every cycle. Cores differ in speed, and nodes in the work that they have; so
/// blocks grow or shrink according to the time that they took.
class NodeBlocks {
 public:
  explicit NodeBlocks(std::size_t nodes = 0, unsigned blocks = 1);

  unsigned size() const { return static_cast<unsigned>(busy_.size()); }
  std::size_t first(unsigned block) const { return bounds_[block]; }
  std::size_t last(unsigned block) const { return bounds_[block + 1]; }  ///< the one after it

  /// These cycles of a block took so many seconds.
  void took(unsigned block, std::uint64_t cycles, double seconds) {
    busy_[block] += seconds;
    if (block == 0) cycles_ += cycles;
  }

  /// Is it time to balance, and worth it?
  bool unbalanced() const;

  /// Changes the blocks so that all take about the same time, and begins to measure again. It goes
  /// only half of the way, because times vary.
  void balance();

 private:
  /// Cycles that are measured before blocks change.
  static constexpr std::uint64_t kCycles = 1024;
  static constexpr double kTolerance = 1.05;
  std::vector<std::size_t> bounds_;  ///< the first node of each block, and the number of nodes
  std::vector<double> busy_;         ///< seconds that each took
  std::uint64_t cycles_ = 0;
};

}  // namespace gossamer::tb
