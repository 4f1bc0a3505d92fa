#include "engines/tile/node_blocks.hpp"

#include <algorithm>
#include <cmath>

namespace gossamer::tb {

NodeBlocks::NodeBlocks(std::size_t nodes, unsigned blocks) : busy_(blocks) {
  for (unsigned b = 0; b <= blocks; ++b) bounds_.push_back(nodes * b / blocks);
}

bool NodeBlocks::unbalanced() const {
  const auto [least, most] = std::ranges::minmax(busy_);
  return size() > 1 && cycles_ >= kCycles && least > 0 && most > kTolerance * least;
}

void NodeBlocks::balance() {
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

}  // namespace gossamer::tb
