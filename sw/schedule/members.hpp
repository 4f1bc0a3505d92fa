#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer {

/// The nodes that take part in a collective: all, or a group of them. The others only pass on what
/// they are sent.
class Members {
 public:
  Members() = default;  ///< all
  /// Throws InputError for no node, one outside the topology, or one that is named twice.
  Members(std::vector<Node> group, const Topology& topology);

  bool all() const { return group_.empty(); }
  bool has(Node x) const { return all() || std::ranges::binary_search(group_, x); }
  /// Of so many nodes.
  Node count(Node nodes) const { return all() ? nodes : static_cast<Node>(group_.size()); }
  /// In ascending order; empty if all nodes take part.
  std::span<const Node> group() const { return group_; }
  /// Member number i of a topology, in ascending order.
  Node operator[](Node i) const { return all() ? i : group_[i]; }
  /// "0,3,5-9"; empty if all nodes take part.
  std::string text() const;
  bool operator==(const Members&) const = default;

 private:
  std::vector<Node> group_;
};

/// The members in "0,3,5-9", or in a file named by "@FILE" (commas, blanks and lines between them);
/// of "" all nodes. Throws InputError that begins with "members".
Members parse_members(std::string_view text, const Topology& topology);

/// The same text with the file of "@FILE" looked for in a folder.
std::string members_from(std::string_view text, const std::string& folder);

}  // namespace gossamer
