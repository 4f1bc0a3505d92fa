#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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

/// The most flits of a message. The compiler checks what a slot entry can hold.
inline constexpr std::uint32_t kMaxFlits = 1u << 20;

/// How many flits the messages of each origin have, or of each pair, if they are not all equally
/// long. A message of no flits is none: nobody has it, and nobody waits for it.
class Sizes {
 public:
  Sizes() = default;  ///< equally long; how long, a run says
  /// One number for each origin, or one for each origin and destination, by origins.
  Sizes(Node nodes, std::vector<std::uint32_t> flits)
      : nodes_(nodes),
        flits_(std::make_shared<const std::vector<std::uint32_t>>(std::move(flits))) {}

  bool equal() const { return flits_ == nullptr; }
  /// The rest is for sizes that are given.
  bool by_pair() const { return flits_->size() > nodes_; }
  std::uint32_t of(Node origin, Node destination) const {
    return (*flits_)[by_pair() ? std::size_t{origin} * nodes_ + destination : origin];
  }
  std::span<const std::uint32_t> all() const { return *flits_; }
  /// 1 at least.
  std::uint32_t most() const;
  bool operator==(const Sizes& other) const {
    return equal() || other.equal() ? equal() == other.equal() : *flits_ == *other.flits_;
  }

 private:
  Node nodes_ = 0;
  std::shared_ptr<const std::vector<std::uint32_t>> flits_;
};

/// The sizes in a file of lines "origin,flits" or "origin,destination,flits", which may begin with
/// a line of these words; what no line names has no flits. Of "" none are given. Throws InputError
/// that begins with "sizes".
Sizes read_sizes(const std::string& file, Node nodes);

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
