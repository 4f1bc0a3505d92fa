#pragma once

#include <cstdint>

#include "bounds/distances.hpp"
#include "schedule/model.hpp"
#include "topology/topology.hpp"

namespace gossamer::bounds {

/// A node must receive a message of its own from every other node (or send one to each), at most
/// `at_once` per round: ceil((n-1)/at_once). Any switching, without combining.
std::uint64_t receive_rounds(std::uint64_t n, std::uint64_t at_once);

/// The same if a hop takes a round (packet and pipelined switching): what comes from a distance of
/// k or more arrives in round k at the earliest, so k-1 + ceil(nodes that far / at_once) rounds are
/// needed, for every k. k = 1 is receive_rounds, the largest k is at least the distance.
std::uint64_t receive_rounds_by_distance(const Profile& profile, std::uint64_t at_once);

/// Gossip, all ports, half duplex, without combining: n(n-1) receptions, one on a link in a round.
std::uint64_t half_duplex_link_rounds(const Topology& topology);

/// Total exchange of single-port packets without combining: every hop of every message is a
/// transmission, and a round has room for n (half duplex: floor(n/2)) (Dimakopoulos-Dimopoulos
/// 1998, equation (3): the average status).
std::uint64_t total_exchange_node_rounds(const Topology& topology, Duplex duplex);

/// Gossip on n nodes with a single port, half-duplex links and without combining: a node sends or
/// receives, never both. n(n-1) receptions are needed and floor(n/2) fit in a round, which is
/// 2(n-1) for even n (Dimakopoulos 1999, equation (2)) and 2n for odd n (equation (3)). Holds where
/// a transfer starts and ends in one round (packet, circuit).
std::uint64_t single_port_gossip_half_duplex(std::uint64_t n);

/// Total exchange of pipelined messages through single ports, without combining. A node injects in
/// n-1 slots and receives in n-1; a message of d hops arrives d-1 slots after its injection. With
/// n-1+k slots a node's injections are in the first slots or later, its arrivals in the last or
/// earlier, and all arrivals together are at most n(n-1)k slots after all injections: k is at least
/// the average distance less 1, rounded up.
std::uint64_t pipelined_port_slots(const Topology& topology);

/// The same for links. In slot s the paths under way are at most those of s injections per node,
/// and in the slot s before the last at most those of s+1 arrivals per node. So some links are idle
/// in the first and the last slots, and the others must carry all hops: those of the whole
/// topology, and those of each factor.
std::uint64_t pipelined_link_slots(const Topology& topology);

/// The least S for which the sum of min(links, s, S+1-s) over s = 1 ... S is at least `hops`. All
/// three count n nodes, each of which injects and receives one message per slot.
std::uint64_t slots_for_hops(std::uint64_t hops, std::uint64_t links, std::uint64_t nodes);

/// The fewest rounds of a broadcast or gossip on the d-cube that tolerates any k < d faulty nodes
/// and links, which the nodes do not know (Chau-Fu, sections 1 and 2).
///
/// Single port: d+k+1 for k >= 1, a theorem of Fraigniaud's that the paper quotes; d for k = 0, the
/// distance. All ports: d+1 for k = d-1, because the d-1 faults can be the neighbours of a node at
/// distance d-1 that lie on its shortest paths, and every other path is two hops longer (so d must
/// be 2 or more, which the paper does not say); d for smaller k.
std::uint64_t fault_tolerant_rounds(unsigned d, unsigned k, PortModel ports);

/// The average over all nodes of the sum of the distances to all others, the status
/// (Dimakopoulos-Dimopoulos 1998, equation (2), theorem 1 and corollary 2), by breadth-first search
/// in each dimension. It is bound (3) before rounding up.
double average_status(const Topology& topology);

/// Total exchange without combining, any ports and switching: n1 n2 messages must leave n1 nodes
/// over the links that lead to the n2 others, one on a link in a round (Dimakopoulos-Dimopoulos
/// 1998, equation (4)). The best of the cuts that divide one dimension into digits 0 .. i and the
/// others. With half duplex the links serve both directions. With messages of `flits` flits, the
/// same in cycles.
std::uint64_t cut_rounds(const Topology& topology, Duplex duplex, std::uint64_t flits = 1);

/// Total exchange of single-port packets without combining on a product with a path (ours). The
/// nodes in the middle of the path separate the others: one of them sends each message that goes
/// from one side to the other or starts in the middle, and each sends one message per round. For
/// one path this is what a node in the middle has to send. 0 without a path of at least three
/// nodes.
std::uint64_t middle_of_path_rounds(const Topology& topology);

/// The smallest t with factor^t >= n. A message has at most `factor` times as many holders after a
/// round as before it: Delta+1 with all ports (Delmas-Perennes 1996, section 4), 2 with a single
/// port. Any switching, with or without combining; the same for gather with time reversed.
std::uint64_t growth_rounds(std::uint64_t n, std::uint64_t factor);

/// Gossip or total exchange over half-duplex links through a single port, with combining (ours): a
/// round maps the vector of what the nodes hold by a matrix whose entries are those of the identity
/// and a 1 for each transfer; as no node has two of them, its norm is the golden ratio (that of the
/// rows 1 1 and 0 1). The product of all rounds has no 0, so its norm is at least n, that of the
/// matrix of ones: the smallest t with (golden ratio)^t >= n.
std::uint64_t half_duplex_growth_rounds(std::uint64_t n);

/// The most couples (x, y) that can use one arc in a gossip of `rounds` rounds on n nodes: in round
/// t at most factor^(t-1) messages can be sent, and what crosses the arc then can still reach
/// factor^(rounds-t) nodes. This is the sum over t of the product of the two, each at most n, the
/// first line of the proof of Delmas-Perennes 1996, proposition 4.5 (whose closed form bounds it).
/// Saturates at 2^64-1.
std::uint64_t total_gossip_load(std::uint64_t rounds, std::uint64_t factor, std::uint64_t n);

/// Total exchange without combining: in any routing of all ordered pairs at least this many dipaths
/// use some arc (Delmas-Perennes 1996, definition 3.9, the arc-forwarding index), and a round
/// offers each arc once. This is the average over the arcs of one factor, which the paths use as
/// often as the digits of their ends are apart, rounded up; the largest over the factors. 0 if a
/// factor is too large to sum its distances. With `both_directions` the same for links, counting
/// both directions, for half duplex. For a hypercube this is 2^(d-1) (Bertsekas et al. 1991, table
/// I).
std::uint64_t arc_forwarding_bound(const Topology& topology, bool both_directions = false);

/// The smallest number of rounds, at least growth_rounds, whose total gossip load admits the
/// arc-forwarding index (Delmas-Perennes 1996, propositions 4.4 and 4.5; theorem 4.6 without its
/// O-term). Holds for gossip and total exchange with combining, any switching; `half_duplex` counts
/// a link's two directions together, because a round has only one of them.
std::uint64_t gossip_load_rounds(const Topology& topology, std::uint64_t factor, bool half_duplex);

/// Single ports: rounds until all nodes can hold a message of `root`. A node informs one neighbour
/// in a round, but never the one that informed it, so a node of d links informs d - 1 others, in
/// the next d - 1 rounds at best; only the root informs d. The number of holders is largest if the
/// nodes with most links are informed first: where a schedule informs one with fewer links earlier,
/// the two can change places. On regular graphs these are the generalized Fibonacci numbers of
/// Liestman and Peters (1988). 0 if the topology is too large.
std::uint64_t broadcast_degree_rounds(const Topology& topology, Node root);

/// Single ports: the rounds of a broadcast on a tree, exactly. A node informs the neighbours first
/// that need most rounds to inform all behind them. 0 if the topology is not a tree.
std::uint64_t broadcast_tree_rounds(const Topology& topology, Node root);

/// Single-port gossip with combining on a tree; 0 on other graphs. A node hears the last of each
/// branch in a round of its own, and no sooner than that branch can tell its neighbour: a broadcast
/// from the node, backwards. What it hears last it must then tell all other branches.
std::uint64_t gossip_combining_tree_rounds(const Topology& topology);

/// The same on a ring of 2k + 1 nodes, k >= 2: k + 2 rounds; 0 on other graphs. Assume k + 1. A
/// node hears of at least 2k others from the left and from the right, of at most one more a round
/// from either side, and of none from the side that it does not listen to in the last round. So
/// either that side was done with k nodes in the k rounds before; or it stays at k - 1 and the
/// other side brings one more in every round. A node that listens to nobody in the last round would
/// need both sides done in k rounds, but in round k it heard one of them only. So all nodes receive
/// in the last round, and all send. Two neighbours that exchange leave an odd number of others, so
/// all send the same way, say to the right. Backwards the same is true of the first round. If all
/// send to the right in it, no node hears of k from the right in rounds 1 to k, so all hear one
/// more from the left in every round, and nobody ever hears anything from the right: k - 1 = 0. If
/// all send to the left, none hears one more from the left in every round, so all hear one more
/// from the right in rounds 1 to k, and from the left only in the last: k = 1.
std::uint64_t gossip_combining_ring_rounds(const Topology& topology);

/// Gossip through all ports without combining (ours): the messages of all nodes outside a set S
/// must enter it over the arcs that lead into it, one an arc and round; and what enters at a node x
/// of S in round t is at a node y of S, d(x,y) hops away, in round t + d(x,y) at the earliest. With
/// half duplex the links also serve the messages that leave S, at least one for each node of S. The
/// best sets are found by maximum flows. 0 if the topology is too large.
std::uint64_t gossip_cut_rounds(const Topology& topology, Duplex duplex);

/// Single ports (ours). If a node is removed and the graph falls into k parts, the node must send
/// to each part the messages of all nodes outside it: in a gossip (k-1) N + 1 messages. With half
/// duplex it cannot receive its N - 1 messages meanwhile.
std::uint64_t gossip_cut_node_rounds(const Topology& topology, Duplex duplex);
/// With combining the node must receive something from each part, which takes k rounds, and then
/// send the last of it to the others; with half duplex it must send to each part besides.
std::uint64_t gossip_combining_cut_node_rounds(const Topology& topology, Duplex duplex);
/// In a broadcast it is informed after as many rounds as it is away from the root, and then must
/// inform each part that the message does not come from.
std::uint64_t broadcast_cut_node_rounds(const Topology& topology, Node root);
/// Over half-duplex links, a node through which all messages for m others go receives m + 1 and
/// sends m, one in a round, after the rounds that the first one needs to it. For a gather the same
/// with time reversed.
std::uint64_t scatter_cut_node_rounds(const Topology& topology, Node root);

}  // namespace gossamer::bounds
