#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gossamer::tb {

/// The nodes of a fabric in blocks of consecutive nodes, one block per thread. All threads wait for
/// the slowest one in every cycle. Cores differ in speed, and nodes in the work that they have; so
/// blocks grow or shrink according to the time that they took.
class NodeBlocks {
 public:
  explicit NodeBlocks(std::size_t nodes = 0, unsigned blocks = 1) : busy_(blocks) {
    for (unsigned b = 0; b <= blocks; ++b) bounds_.push_back(nodes * b / blocks);
  }

  unsigned size() const { return static_cast<unsigned>(busy_.size()); }
  std::size_t first(unsigned block) const { return bounds_[block]; }
  std::size_t last(unsigned block) const { return bounds_[block + 1]; }  ///< the one after it

  /// These cycles of a block took so many seconds.
  void took(unsigned block, std::uint64_t cycles, double seconds) {
    busy_[block] += seconds;
    if (block == 0) cycles_ += cycles;
  }

  /// Is it time to balance, and worth it?
  bool unbalanced() const {
    const auto [least, most] = std::ranges::minmax(busy_);
    return size() > 1 && cycles_ >= kCycles && least > 0 && most > kTolerance * least;
  }

  /// Changes the blocks so that all take about the same time, and begins to measure again. It goes
  /// only half of the way, because times vary.
  void balance() {
    const std::size_t nodes = bounds_.back();
    std::vector<double> shares;
    double sum = 0;
    for (unsigned b = 0; b < size(); ++b) {
      // A block without nodes needs a speed, too.
      const double had = static_cast<double>(last(b) - first(b)) + 1;
      shares.push_back(had / busy_[b]);
      sum += shares.back();
    }
    double before = 0;
    std::vector<std::size_t> bounds = {0};
    for (unsigned b = 0; b + 1 < size(); ++b) {
      before += shares[b] / sum * static_cast<double>(nodes);
      const double middle = (before + static_cast<double>(bounds_[b + 1])) / 2;
      bounds.push_back(
          std::clamp(static_cast<std::size_t>(std::lround(middle)), bounds.back(), nodes));
    }
    bounds.push_back(nodes);
    bounds_ = std::move(bounds);
    busy_.assign(busy_.size(), 0);
    cycles_ = 0;
  }

 private:
  /// Cycles that are measured before blocks change.
  static constexpr std::uint64_t kCycles = 1024;
  static constexpr double kTolerance = 1.05;
  std::vector<std::size_t> bounds_;  ///< the first node of each block, and the number of nodes
  std::vector<double> busy_;         ///< seconds that each took
  std::uint64_t cycles_ = 0;
};

}  // namespace gossamer::tb
