#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer {

/// What nodes lack in the end. Nodes that lack the same are named together, so that one lost
/// transfer does not take a line for each node behind it.
class MissingByNode {
 public:
  struct Group {
    std::vector<Node> nodes;  ///< in ascending order
    std::vector<Node>
        origins;  ///< whose messages they lack: the first of `count`, in ascending order
    std::uint64_t count = 0;
  };

  /// Keeps the first `most` groups.
  explicit MissingByNode(std::size_t most) : most_(most) {}

  /// Call it in the order of the nodes.
  void add(Node node, std::vector<Node> origins, std::uint64_t count);
  bool empty() const { return groups_.empty(); }
  const std::vector<Group>& groups() const { return groups_; }

 private:
  std::size_t most_;
  std::vector<Group> groups_;
  std::map<std::pair<std::uint64_t, std::vector<Node>>, std::size_t> numbers_;
};

/// "0-48, 50" of numbers in ascending order, or "0-48, 50, ..." if these are the first of more: of
/// `count`, or than are shown.
std::string runs_text(std::span<const Node> numbers, std::uint64_t count);
/// "node 3", "nodes 3-7 and 12", "nodes 0, 2, 4, 6, 8, 10, ... (512)".
std::string nodes_text(std::span<const Node> nodes);

}  // namespace gossamer
