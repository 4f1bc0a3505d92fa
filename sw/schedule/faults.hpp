#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer {

/// No file or option has more rounds.
inline constexpr std::uint32_t kMaxRound = 1'000'000'000;

/// One direction of a link.
struct Arc {
  Node from = 0;
  Node to = 0;
  auto operator<=>(const Arc&) const = default;
};

/// What is broken in a run, and from which round on. A dead element transmits nothing and corrupts
/// nothing (Chau-Fu, section 1); nodes are not informed. A whole link is both of its arcs. Both
/// lists are sorted and name everything once: normalize() what is put together by hand.
struct FaultSet {
  std::vector<Node> nodes;
  std::vector<Arc> arcs;         ///< directed
  std::uint32_t from_round = 1;  ///< dead from this round on
  /// Instead, if it is not 0: what they would send from this cycle on is lost on the links.
  std::uint32_t from_cycle = 0;

  bool empty() const { return nodes.empty() && arcs.empty(); }

  /// Is the node dead (from round `from_round` on)? It then transmits nothing; what it still
  /// receives does not matter, and nobody expects its message.
  bool dead(Node node) const;
  /// Is everything lost that `from` transmits to `to`, because a node at either end or the arc is
  /// dead?
  bool dead(Node from, Node to) const;
  /// Is the arc always idle, because its sender or the arc itself is dead? A sender does not know
  /// that its neighbour is dead: its words do cross the link, and are lost.
  bool silent(Node from, Node to) const;

  bool operator==(const FaultSet&) const = default;
};

/// A healthy node that lacks a healthy node's message at the end.
struct MissingPair {
  Node node = 0;
  Node origin = 0;
  bool operator==(const MissingPair&) const = default;
};

/// Adds a link as its two arcs; normalize() when all are added.
void add_link(FaultSet& faults, Node a, Node b);
/// Sorts both lists and removes duplicates.
void normalize(FaultSet& faults);

/// The arcs of a fault set as files and reports name them: pairs of arcs as links (smaller node
/// first), the rest as single directions.
struct FaultLinks {
  std::vector<std::pair<Node, Node>> links;
  std::vector<Arc> arcs;
};
FaultLinks links_of(const FaultSet& faults);

/// Reads what is faulty, parts between semicolons:
///  - `nodes=3,17;links=0-1,4-6;arcs=4>5` names nodes, whole links and single directions of links;
///  - `random:4` draws 4 different nodes and links, all equally likely, with `seed`;
///  - `rate:0.05` makes every node and every link faulty with this probability, with `seed`;
///  - `from=3` (beside any of these) says that all are dead from round 3 on, not from the first;
///  - `cycle=17` says that they are from that cycle on;
///  - `none` is the empty set.
/// What is drawn leaves out `spared` (a root or initiator). The same text, topology and seed give
/// the same set on every machine. Throws InputError, one line, for a node or link that the topology
/// does not have, a rate outside 0 to 1, more random elements than there are, and malformed text.
FaultSet parse_faults(std::string_view text, const Topology& topology, std::uint32_t seed,
                      std::optional<Node> spared = std::nullopt);

/// Sets of faults that are translations of one another.
struct FaultClass {
  FaultSet faults;  ///< one of them
  std::uint64_t sets = 1;
};

/// Does the text mean every single fault of a kind?
bool names_each(std::string_view text);
/// Every "each:link", "each:node" or "each:single" of both, or every pair of links by
/// "each:2links". With `alike`, and if the topology has translations, one of each class stands for
/// all. Throws InputError as parse_faults does, and for more than a million.
std::vector<FaultClass> each_fault(std::string_view text, const Topology& topology, bool alike);

/// "nodes=3,17;links=0-1;from=3", which parse_faults reads back; "none" if nothing is faulty.
std::string to_string(const FaultSet& faults);

}  // namespace gossamer
