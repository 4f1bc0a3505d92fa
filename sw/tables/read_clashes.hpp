#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fabric/node_program.hpp"

namespace gossamer {

/// Which read channels of a node read different words in the same cycle, as programs let them. A
/// pair of a log and a channel has the number log * channels + channel.
class ReadClashes {
 public:
  explicit ReadClashes(const NodeKind& kind);
  /// What a node reads that runs this.
  void add(const NodeProgram& program);

  /// The parameter SHARED of rtl/node/switch_node.sv, a number for each pair, with as few memories
  /// as one pair after the other finds; with `own_behind` own words are in those of logs, too.
  std::vector<std::uint16_t> shared(bool own_behind) const;
  /// Two pairs that share a memory of such nodes, but read different words at the same time.
  std::optional<std::pair<unsigned, unsigned>> within(
      const std::vector<std::uint16_t>& shared) const;

 private:
  bool clash(unsigned a, unsigned b) const { return clashes_[a * pairs_ + b]; }

  NodeKind kind_;
  unsigned pairs_;
  std::vector<bool> reads_;    ///< by pair
  std::vector<bool> clashes_;  ///< by pair, then pair
};

}  // namespace gossamer
