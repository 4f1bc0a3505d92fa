#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer {

/// The nodes that take part in a collective: all, or a group of them, or several groups at the same
/// time, each among themselves. The others only pass on what they are sent.
class Members {
 public:
  Members() = default;  ///< all
  /// Throws InputError for no node, one outside the topology, or one that is named twice.
  Members(std::vector<Node> group, const Topology& topology);

  /// Several groups of nodes, each of them with its root as the first. Also throws for a node in
  /// two of them.
  Members(std::vector<std::vector<Node>> groups, const Topology& topology);

  bool all() const { return group_.empty(); }
  bool has(Node x) const { return all() || std::ranges::binary_search(group_, x); }
  /// Of so many nodes.
  Node count(Node nodes) const { return all() ? nodes : static_cast<Node>(group_.size()); }
  /// The member that was named first: the root, if none is given.
  Node first() const { return roots_.empty() ? (*this)[0] : roots_[0]; }
  /// In ascending order; empty if all nodes take part.
  std::span<const Node> group() const { return group_; }
  /// Member number i of a topology, in ascending order.
  Node operator[](Node i) const { return all() ? i : group_[i]; }
  bool several() const { return !groups_.empty(); }
  /// If there are several groups: each in ascending order, its root, and those of a member.
  std::size_t groups() const { return groups_.size(); }
  std::span<const Node> group(std::size_t i) const { return groups_[i]; }
  Node root(std::size_t i) const { return roots_[i]; }
  std::size_t group_of(Node member) const {
    return group_of_[static_cast<std::size_t>(std::ranges::lower_bound(group_, member) -
                                              group_.begin())];
  }
  /// Do two members exchange messages?
  bool together(Node x, Node y) const { return !several() || group_of(x) == group_of(y); }
  /// "0,3,5-9", or "0-3/9,4-8" of two groups, a root that is not the lowest node first; empty if
  /// all nodes take part.
  std::string text() const;
  bool operator==(const Members&) const = default;

 private:
  std::vector<Node> group_;
  std::vector<std::vector<Node>> groups_;  ///< if there are several
  std::vector<Node> roots_;                ///< of these, or of the one that is named
  std::vector<std::size_t> group_of_;      ///< by place in group_
};

/// The members in "0,3,5-9", or in a file named by "@FILE" (commas, blanks and lines between them);
/// "/" begins another group; of "" all nodes. Throws InputError that begins with "members".
Members parse_members(std::string_view text, const Topology& topology);

/// The same text with the file of "@FILE" looked for in a folder.
std::string members_from(std::string_view text, const std::string& folder);

}  // namespace gossamer
