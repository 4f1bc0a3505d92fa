#pragma once

#include <cstdint>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer {

/// When the digit of a node passes its radix as a number is added to it, with one multiplication.
///
/// The block of a factor consists of the nodes that differ in the digits of the factors up to it
/// alone; a digit passes its radix if the node's number within its block is at least a limit. The
/// product of the number and 2^64 / size, rounded up, modulo 2^64, is the number within the block
/// times 2^64 / size, and less than 2^32 more, which is at most 2^64 / size. So it is above the
/// limit times 2^64 / size, rounded up, less one, exactly then.
struct DigitBlock {
  DigitBlock(const Topology& topology, std::size_t factor)
      : size(std::uint64_t{topology.stride(factor)} * topology.factors()[factor].nodes),
        magic(size == 1 ? 0 : ~std::uint64_t{0} / size + 1) {}

  /// For a translation with this digit: what `magic` times a node is above if its digit passes.
  std::uint64_t limit(const Topology& topology, std::size_t factor, Node digit) const {
    __extension__ using Wide = unsigned __int128;
    const Wide passes = Wide{topology.factors()[factor].nodes - digit} * topology.stride(factor);
    return static_cast<std::uint64_t>(((passes << 64) - 1) / size);
  }

  std::uint64_t size;
  std::uint64_t magic;  ///< 0 for a block of one node
};

/// One translation of a topology, for many nodes (Topology::translate() is for one).
class Translation {
 public:
  Translation(const Topology& topology, Node by) : by_(by) {
    for (std::size_t f = 0; by != 0 && f < topology.factors().size(); ++f) {
      const Node digit = topology.digit(by, f);
      if (digit == 0) continue;
      const DigitBlock block(topology, f);
      steps_.push_back({block.magic, block.limit(topology, f, digit), block.size});
    }
  }
  Node operator()(Node x) const {
    std::uint64_t sum = std::uint64_t{x} + by_;
    for (const Step& step : steps_) {
      if (step.magic * x > step.limit) sum -= step.size;
    }
    return static_cast<Node>(sum);
  }

 private:
  struct Step {
    std::uint64_t magic, limit, size;
  };
  Node by_;
  std::vector<Step> steps_;
};

}  // namespace gossamer
