// The perfectly balanced spanning tree of section 3.

// The classes R_kn of section 2, on which gossip and the balanced spanning tree are built.

// Multinode broadcast (section 2): ceil((2^d-1)/d) rounds, 2^d (2^d-1) transmissions.

// Single node scatter (section 3): ceil((2^d-1)/d) rounds, d 2^(d-1) transmissions. Gather is the
// same with time reversed; a single node broadcast uses the same tree.

// Total exchange (section 4): 2^(d-1) rounds, d 2^(2d-1) transmissions, every link busy in every
// round and in both directions.

#include "algorithms/bertsekas/bertsekas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "algorithms/common/all.hpp"

namespace gossamer::bertsekas {

unsigned dimension(const Topology& topology) {
  const auto factors = topology.factors();
  const bool cube = std::ranges::all_of(factors, [](const Graph& g) { return g.nodes == 2; }) &&
                    topology.translatable();
  return cube ? static_cast<unsigned>(factors.size()) : 0;
}

namespace {

constexpr Model kModel{PortModel::All, Duplex::Full, Switching::Packet, /*combining=*/false};

/// A schedule without transfers and root, kept under all translations: every node does the same,
/// and one node's transfers stand for all.
Schedule empty_schedule(const Topology& topology, Collective collective) {
  std::vector<Node> generators;
  for (unsigned k = 1; k <= dimension(topology); ++k) generators.push_back(unit(k));
  return {topology, collective, kModel, Symmetry(topology, generators)};
}

/// `t` rotated to the left by `by` < d positions.
Node rotate_left(Node t, unsigned by, unsigned d) {
  const std::uint64_t wide = std::uint64_t{t} << by;
  return static_cast<Node>((wide | wide >> d) & all_ones(d));
}

/// The number of different rotations of `t`; 0 if one of them is smaller than `t`.
unsigned class_size(Node t, unsigned d) {
  for (unsigned by = 1; by < d; ++by) {
    const Node rotated = rotate_left(t, by, d);
    if (rotated < t) return 0;
    if (rotated == t) return by;
  }
  return d;
}

/// A class R_kn of strings that are rotations of one another.
struct RotationClass {
  Node smallest = 0;  ///< as a number; for R_k1 its k rightmost bits are 1
  unsigned size = 0;  ///< strings: d or a divisor of d
};
/// All of them in the order R_11, R_21, ..., R_2n2, ..., R_k1, ..., R_(d-1)1 of section 2. With
/// 00...0 before and 11...1 after them, every string occurs once.
std::vector<RotationClass> rotation_classes(unsigned d) {
  // Among strings of k ones the one with its ones at the right is the smallest, so R_k1 comes
  // first.
  std::vector<std::vector<RotationClass>> by_ones(d);
  for (Node t = 1; t < all_ones(d); ++t) {
    if (const unsigned size = class_size(t, d)) {
      by_ones[static_cast<unsigned>(std::popcount(t))].push_back({t, size});
    }
  }
  std::vector<RotationClass> all;
  for (const auto& classes : by_ones) all.insert(all.end(), classes.begin(), classes.end());
  return all;
}

/// Zeros to the left of the 1 in position k, up to the next 1.
unsigned zeros_left_of(Node t, unsigned k, unsigned d) {
  unsigned zeros = 0;
  while ((t & rotate_left(unit(k), zeros + 1, d)) == 0) ++zeros;
  return zeros;
}

/// `t` without the 1 to the right of its longest run of zeros (cyclically; the paper achieves this
/// by strings that begin with a 0 and end with a 1). The run grows and is then the only longest
/// one, so no two rotations of the result are equal: its class has d strings.
Node compatible(Node t, unsigned d) {
  unsigned best = 0, longest = 0;
  for (unsigned k = 1; k <= d; ++k) {
    if ((t & unit(k)) == 0) continue;
    const unsigned zeros = zeros_left_of(t, k, d);
    if (best == 0 || zeros > longest) {
      best = k;
      longest = zeros;
    }
  }
  return t ^ unit(best);
}

/// The perfectly balanced spanning tree T of section 3. Its root is 00...0, each path from the root
/// is a shortest path, and the sizes of its d subtrees T_1, ..., T_d differ by at most one node.
struct BalancedTree {
  std::vector<Node> parent;       ///< by node; of the root itself
  std::vector<unsigned> subtree;  ///< by node: i of T_i; 0 for the root
};
BalancedTree balanced_tree(unsigned d) {
  BalancedTree tree{std::vector<Node>(std::size_t{1} << d),
                    std::vector<unsigned>(std::size_t{1} << d)};
  const auto add = [&](Node x, Node parent, unsigned m) {
    tree.parent[x] = parent;
    tree.subtree[x] = m;
  };
  Node n = 1;
  for (const RotationClass& r : rotation_classes(d)) {
    // Rotate both strings until the parent is in the next subtree. The parents of R_11 are the
    // root, and the paper does not fix its first string: here it is e_1.
    const Node parent = compatible(r.smallest, d);
    const unsigned first = parent == 0 ? 1 : tree.subtree[parent];
    unsigned by = (m_of(n, d) + d - first) % d;
    for (unsigned i = 0; i < r.size; ++i, ++n, by = (by + 1) % d) {
      add(rotate_left(r.smallest, by, d), rotate_left(parent, by, d), m_of(n, d));
    }
  }
  Node last = 0;  // of R_(d-1)1, in the subtree m(11...1); the root if d is 1
  for (unsigned k = 1; d > 1 && k <= d; ++k) {
    const Node x = all_ones(d) ^ unit(k);
    if (tree.subtree[x] == m_of(n, d)) last = x;
  }
  add(all_ones(d), last, m_of(n, d));
  return tree;
}

}  // namespace

namespace {

/// The rotation of `t` with a 1 in position m and a 0 to the right of it, cyclically. The paper
/// asks for the 0 in the classes R_k1 only; elsewhere it does no harm.
Node first_of_class(Node t, unsigned m, unsigned d) {
  const Node one = unit(m), zero = rotate_left(one, d - 1, d);
  while ((t & one) == 0 || (t & zero) != 0) t = rotate_left(t, 1, d);
  return t;
}

}  // namespace

std::vector<Node> numbered_strings(unsigned d) {
  std::vector<Node> strings = {0};
  for (const RotationClass& r : rotation_classes(d)) {
    Node t = first_of_class(r.smallest, m_of(static_cast<Node>(strings.size()), d), d);
    for (unsigned i = 0; i < r.size; ++i, t = rotate_left(t, 1, d)) strings.push_back(t);
  }
  strings.push_back(all_ones(d));
  return strings;
}

/// Link k carries the packets for the other half of the k-cube. First, row by row, come the packets
/// for the counterparts of the destinations in the previous table, because the neighbour over link
/// k forwards them in that order; the neighbour's own packet comes last.
std::vector<std::vector<Node>> own_packets(unsigned d) {
  std::vector<std::vector<Node>> table;
  for (unsigned k = 1; k <= d; ++k) {
    std::vector<Node> last;
    const std::size_t rows = table.empty() ? 0 : table.back().size();
    for (std::size_t row = 0; row < rows; ++row) {
      for (const auto& column : table) {
        if (row < column.size()) last.push_back(column[row] | unit(k));
      }
    }
    last.push_back(unit(k));
    table.push_back(std::move(last));
  }
  return table;
}

namespace {

/// Node 0 broadcasts so that the links of a round are of different types: string number n receives
/// the packet in round ceil(n/d) over its link m(n). So all nodes can do the same at once.
Schedule gossip(const Topology& topology) {
  const unsigned d = dimension(topology);
  Schedule schedule = empty_schedule(topology, Collective::Gossip);
  const std::vector<Node> strings = numbered_strings(d);
  for (Node n = 1; n < strings.size(); ++n) {
    const Node t = strings[n];
    schedule.add_hop((n - 1) / d + 1, t ^ unit(m_of(n, d)), t, /*origin=*/0);
  }
  return schedule;
}

/// Number of links between the root and a node.
unsigned distance(Node x) { return static_cast<unsigned>(std::popcount(x)); }

/// The nodes of each subtree in the order in which the root sends to them: the farthest first.
std::vector<std::vector<Node>> sending_orders(const BalancedTree& tree, unsigned d) {
  std::vector<std::vector<Node>> orders(d);
  for (Node x = 1; x <= all_ones(d); ++x) orders[tree.subtree[x] - 1].push_back(x);
  for (auto& order : orders) std::ranges::stable_sort(order, std::greater{}, distance);
  return orders;
}

/// The root sends a packet into each subtree in every round, and no packet ever waits.
std::vector<Hop> scatter_hops(unsigned d, Node root) {
  const BalancedTree tree = balanced_tree(d);
  std::vector<Hop> hops;
  for (const auto& order : sending_orders(tree, d)) {
    std::uint32_t sent = 0;
    for (const Node end : order) {
      for (Node x = end; x != 0; x = tree.parent[x]) {
        const Message message{root, root ^ end};
        hops.push_back({sent + distance(x), root ^ tree.parent[x], root ^ x, message});
      }
      ++sent;
    }
  }
  return hops;
}

/// Along any tree of shortest paths, here the balanced one: every node passes the packet on to all
/// its children in the round after it received it. That takes d rounds and 2^d - 1 transmissions.
std::vector<Hop> broadcast_hops(unsigned d, Node root) {
  const BalancedTree tree = balanced_tree(d);
  std::vector<Hop> hops;
  for (Node x = 1; x <= all_ones(d); ++x) {
    hops.push_back({distance(x), root ^ tree.parent[x], root ^ x, {root}});
  }
  return hops;
}

Schedule along_tree(const Request& request) {
  const unsigned d = dimension(request.topology);
  std::vector<Hop> hops = request.collective == Collective::Broadcast
                              ? broadcast_hops(d, request.root)
                              : scatter_hops(d, request.root);
  std::ranges::stable_sort(hops, {}, &Hop::round);
  if (request.collective == Collective::Gather) hops = reversed(std::move(hops));
  Schedule schedule = gossamer::empty_schedule(request, kModel);
  for (const Hop& hop : hops) schedule.add(hop);
  return schedule;
}

/// Link k carries groups of 2^(k-1) packets: the node's own first, then, when those of the k-cube
/// are all sent, what came over the links above k, origin by origin in lexicographic order. Each
/// group repeats the node's own order, because phase 3 on the (k+1)-cube is the total exchange of
/// the k-cube with the counterparts' packets.
Schedule total_exchange(const Topology& topology) {
  const unsigned d = dimension(topology);
  Schedule schedule = empty_schedule(topology, Collective::TotalExchange);
  const auto own = own_packets(d);
  for (std::uint32_t round = 1; round <= unit(d); ++round) {
    for (unsigned k = 1; k <= d; ++k) {
      const Node group = (round - 1) / unit(k), place = (round - 1) % unit(k);
      const Node origin = group << k;  // differs from this node only in links above k
      schedule.add({round, 0, unit(k), {origin, own[k - 1][place]}});
    }
  }
  return schedule;
}

/// Transfers that a schedule may list: about 1 GB.
constexpr std::uint64_t kMostTransfers = std::uint64_t{1} << 24;

/// How many transfers the schedule lists (one node's, where all are alike).
std::uint64_t transfers(Collective collective, unsigned d) {
  if (same_to_all(collective)) return all_ones(d);
  return d * (std::uint64_t{1} << (d - 1));
}

std::optional<std::string> refuses(const Request& request) {
  const Topology& topology = request.topology;
  if (dimension(topology) == 0) {
    return fmt::format("bertsekas needs a hypercube, such as hypercube:4; {} is none",
                       topology.spec());
  }
  const std::uint64_t listed = transfers(request.collective, dimension(topology));
  if (listed > kMostTransfers) {
    return fmt::format("bertsekas would list {} transfers on {}; it lists up to {}", listed,
                       topology.spec(), kMostTransfers);
  }
  return std::nullopt;
}

Formula formula(const Request& request) {
  const unsigned d = dimension(request.topology);
  switch (request.collective) {
    case Collective::Broadcast: return {"d", d};
    case Collective::TotalExchange: return {"2^(d-1)", std::uint64_t{1} << (d - 1)};
    default: break;
  }
  return {"ceil((2^d-1)/d)", packets_over_links(d)};
}

Schedule plan(const Request& request) {
  if (has_root(request.collective)) return along_tree(request);
  const bool exchange = request.collective == Collective::TotalExchange;
  return exchange ? total_exchange(request.topology) : gossip(request.topology);
}

}  // namespace

}  // namespace gossamer::bertsekas

namespace gossamer {

const Algorithm kBertsekas = {
    .name = "bertsekas",
    .source = "Bertsekas et al. 1991",
    .summary = "gossip, broadcast, scatter, gather, total exchange on hypercubes, all ports",
    .serves = every({Collective::Gossip, Collective::TotalExchange, Collective::Broadcast,
                     Collective::Scatter, Collective::Gather},
                    {PortModel::All}, {Duplex::Full}),
    .needs = bertsekas::refuses,
    .formula = bertsekas::formula,
    .make = bertsekas::plan,
};

}  // namespace gossamer
