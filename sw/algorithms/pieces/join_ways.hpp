#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "algorithms/common/all.hpp"
#include "algorithms/pieces/packing.hpp"

namespace gossamer::joining {

using packing::Tree;
using packing::Way;

/// Who adds up with whom: groups of nodes, each with a root.
struct Groups {
  explicit Groups(const Request& request) {
    for (std::size_t g = 0; g < request.members.groups(); ++g) {
      const auto group = request.members.group(g);
      of_root.emplace_back(group.begin(), group.end());
      roots.push_back(request.members.root(g));
    }
    for (Node i = 0; i < request.members.count(request.topology.nodes()); ++i) {
      members.push_back(request.members[i]);
    }
    if (!of_root.empty()) return;
    of_root.push_back(members);
    roots.push_back(request.root);
  }
  std::size_t group_of(Node member) const {
    for (std::size_t g = 0; g + 1 < roots.size(); ++g) {
      if (std::ranges::binary_search(of_root[g], member)) return g;
    }
    return roots.size() - 1;
  }

  std::vector<std::vector<Node>> of_root;
  std::vector<Node> roots, members;
};

/// The outputs of a node that can store sums at any time, for they have no links.
std::vector<Port> spare_outputs(const Topology& topology, Node x);

/// A node that can work out a group's sums.
struct Candidate {
  bool twice = false;     ///< it has to join twice
  std::uint32_t far = 0;  ///< the most of the hops
  Node node = 0;
  std::vector<std::uint32_t> hops = {};  ///< to each member
  auto operator<=>(const Candidate&) const = default;
};

/// A node that works out sums, and the members that have them from it.
struct Worker {
  Node root = 0;
  std::uint32_t far = 1, near = 1;  ///< hops of its farthest member, and of those that it serves
  std::vector<Node> served = {};    ///< empty: all of its group
};
/// Can a node join from all others at once, and keep an output for the sum? It has one by which
/// nothing can come in, or two of its neighbours reach each other without it.
bool joins_at_once(const Topology& topology, const Arcs& arcs, Node root);
/// Or in two joins, each of which leaves the other's ports an output.
bool has_lane(const Request& request, const Arcs& arcs, Node root);
/// Hops that it takes until so many parts can be in a sum, if a node joins them one by one.
std::uint32_t growth(std::size_t members, std::uint32_t hop);
/// Members of a group are served one after the other, each with those of the others that the same
/// worker serves; of all workers it is the one that serves the most. None if there are too few.
std::vector<Worker> covering(const std::vector<Node>& group,
                             const std::vector<Candidate>& candidates, std::uint32_t hops);

/// A sum that is worked out in one of these rounds.
struct Window {
  Node root = 0;
  std::uint32_t first = 0, last = 0;
};
/// A round for each sum, such that of nodes with the fewest outputs as few parts as can be leave at
/// the same time. `period`: Ways::period.
std::vector<std::uint32_t> times(const Arcs& arcs, std::span<const Window> windows,
                                 std::uint32_t hop, std::uint32_t period,
                                 any_graph::Random& random);

/// A transfer of a tree.
struct Sent : Way {
  Port lane = kNoPort;  ///< of a join
};

/// Trees of so many flits, each of all groups, or, if each member works out sums of its own, of
/// all members. Each stands for `copies` translations, by multiples of nodes / copies.
struct Ways {
  std::uint32_t flits = 1, period = 0;  ///< period 0: once
  bool of_each = false;
  Node copies = 1;
  bool mirrored = false;    ///< sums come down the trees that they went up, the other way
  bool turns = false;       ///< ... when all are up
  std::uint32_t turn = 0;   ///< the first round in which a flit can leave a root then
  std::uint32_t later = 0;  ///< so many rounds, for others come before
  std::vector<Tree> up = {}, down = {};
  std::vector<std::vector<Sent>> joins = {}, spreads = {};  ///< of the trees

  /// Translations that carry other flits.
  Node spread() const { return of_each ? 1 : copies; }
};

struct Rate {
  std::uint32_t flits = 1, period = 1;
};

/// What follows from trees that were found: when each is used, where sums are stored, and the
/// schedule of it all.
class Joining {
 public:
  explicit Joining(const Request& request);

  bool single() const { return request_.ports == PortModel::Single; }
  bool half() const { return request_.duplex == Duplex::Half; }
  bool back() const { return request_.collective == Collective::AllReduce; }
  Node nodes() const { return arcs_.nodes(); }
  Port port_of(ArcId a) const {
    return request_.topology.port_to(arcs_.tail(a), arcs_.head(a), arcs_.lane(a));
  }
  Port port_into(ArcId a) const { return request_.topology.peer(arcs_.tail(a), port_of(a)).port; }
  std::uint32_t unused(Node x) const {
    return static_cast<std::uint32_t>(spare_outputs(request_.topology, x).size());
  }
  /// Of which trees are used one after the other.
  std::uint32_t flits_of(Node copies) const { return (flits_ + copies - 1) / copies; }
  /// From the first flit's round to the last one's.
  static std::uint64_t rounds_of(std::uint32_t flits, const Rate& r) {
    return std::uint64_t{(flits - 1) / r.flits} * r.period;
  }
  std::uint64_t rounds_of(const Rate& r) const { return rounds_of(flits_, r); }
  /// The round in which a sum can be read whose last arcs are used in this one: it is stored a hop
  /// later.
  std::uint32_t stored(std::uint32_t round) const;
  /// In which a flit is sent, or a sum is stored.
  std::uint64_t last_round(const Ways& ways) const;
  /// The first round in which a flit can go down, where all have to be up before.
  std::uint32_t round_to_turn(const Ways& ways) const;
  /// Trees before it whose sums the same node stores in the same round.
  std::uint32_t stored_before(const Ways& ways, const Tree& tree) const;
  /// The same trees the other way, down for up.
  std::vector<Tree> mirrored(std::vector<Tree> trees, std::uint32_t period) const;
  /// Where several nodes work out the same sum, all give their own parts.
  bool begin_before_any_ends(const Ways& ways) const;
  /// Says what is sent, and by which outputs sums are stored. Through single ports any will do that
  /// sends nothing then, and by whose port nothing comes to be stored, or to be joined. False if
  /// there is none.
  bool give_lanes(Ways& ways) const;
  /// Visits all that is taken by what goes up: from a round on, and to which round.
  void visit_uses(const Ways& ways, const std::function<void(std::size_t what, std::uint32_t first,
                                                             std::uint32_t free)>& visit) const;
  /// Of ways one after the other.
  Schedule schedule(const std::vector<Ways>& all) const;

 protected:
  const Request& request_;
  std::uint32_t flits_;  ///< that are planned now: all, or those of a block
  Arcs arcs_;
  std::uint32_t hop_;
  Groups groups_;
  std::vector<std::uint32_t> links_;  ///< by arc; both directions of one are alike

 private:
  std::uint32_t up_round(const Ways& ways, std::size_t k) const;
  std::uint32_t down_round(const Ways& ways, std::size_t k) const;
  Port lane_of(const Ways& ways, const Tree& tree, bool early) const;
  template <class Visit>
  void visit_taken(ArcId a, const Visit& visit) const;
};

}  // namespace gossamer::joining
