#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

// All algorithms: those of the papers first, in order, then ours.

/// Gossip on a ring in the fewest steps (Dimakopoulos 1999, section 3).
extern const Algorithm kRing;
/// Gossip in the fewest steps along a hamiltonian cycle of any graph (Dimakopoulos 1999, section
/// 3).
extern const Algorithm kHamiltonian;
/// Gossip on a product of graphs from the algorithms of its dimensions (Dimakopoulos 1999, section
/// 4).
extern const Algorithm kProduct;
/// Gossip on 7^i x 7^i x 7^i, all ports, circuits, combining, in 4i rounds (Delmas-Perennes 1996,
/// section 5).
extern const Algorithm kDelmasPerennes;
/// The same for large messages, in 5i rounds (Delmas-Perennes 1996, section 6).
extern const Algorithm kDelmasPerennesSplit;
/// The fault-tolerant scheme of paper 3 on hypercubes, full duplex, combining: broadcast, and
/// gossip that all nodes start at the same time (sections 2 and 4). Single port is "whispering",
/// all ports "shouting".
extern const Algorithm kChauFu;
/// The gossip of section 3 in four phases: `root` is the initiator, whose broadcast starts all
/// others; then all join.
extern const Algorithm kChauFuInitiated;
/// Broadcast on tori and hypercubes by trees whose ways to a node share nothing (ours): a piece is
/// the exclusive or of the others, and whatever link or node dies, no node lacks a word in the end.
extern const Algorithm kIndependentTrees;
/// The optimal algorithms of paper 4 on hypercubes: all ports, full duplex, packets of one message.
extern const Algorithm kBertsekas;
/// Algorithm A1: single-port total exchange in products of any graphs, and on Cayley graphs
/// (Dimakopoulos-Dimopoulos 1998, section 4).
extern const Algorithm kA1;
/// Algorithm A2: all-port total exchange in H^(2^k), H any graph
/// (Dimakopoulos-Dimopoulos 1998, section 5).
extern const Algorithm kA2;
/// Total exchange on tori of any sides, all ports, packets: the hops of all messages are the edges
/// of a bipartite multigraph, and the rounds are their colours (docs/research/beyond.md).
extern const Algorithm kEdgeColouring;
/// All-port total exchange on any product: half of the messages go through the dimensions in the
/// opposite order.
extern const Algorithm kTwoOrders;
/// Gossip on tori of any sides, all ports, packets: every node does the same, and every port
/// receives a new message in every round (docs/research/beyond.md).
extern const Algorithm kTranslation;
/// Gossip on tori of k dimensions whose sides are multiples of 2k+1 (or of 3, for k = 4), all
/// ports, circuits, combining: paper 2's three phases around other perfect codes
/// (docs/research/beyond.md). Broadcast, scatter and gather, which are one phase, on any torus.
extern const Algorithm kLeeCode;
/// Total exchange with pipelined circuits, one injection and one arrival per node and slot, on
/// square tori of two dimensions: every node does the same. The schedules are those that a search
/// has found, all as short as the bound (docs/research/beyond.md).
extern const Algorithm kTdmSearch;
/// Broadcast in one round of circuits that fork: each piece of the message goes down an out-tree of
/// its own, and no two trees share an arc (ours). A long message then takes its flits through all
/// ports of the root, and its way little longer than the root is eccentric.
extern const Algorithm kBroadcastTrees;
/// Every collective on any connected graph in slots of one hop's cycles: for messages that are too
/// short for packets, and for what must not stop at nodes that have a single port. The routes of
/// the schedule for packets, in other rounds, so that flits pass through nodes wherever they need
/// not wait; of a broadcast the pieces go each its own way.
extern const Algorithm kCutThrough;
/// Reductions on any connected graph: a broadcast backwards in time is a reduce, a gossip backwards
/// a reduce-scatter. An all-reduce is both, one after the other: of the whole vector to a root and
/// back, or of a piece for each member, whichever takes fewer cycles.
extern const Algorithm kReversed;
/// All-reduce by doubling: in each round the two ends of a link add up what the other has, over one
/// bit of the nodes' numbers after the other. After round k the sums are of 2^k nodes each.
extern const Algorithm kDoubling;
/// Reductions along hamiltonian cycles that share no link, each in both directions where ports and
/// links allow it. A piece starts at the node that wants its sum, and each node adds its part as
/// the piece comes by; the last one before the start sends it there whole. So nothing is ever added
/// up at rest, and every port carries a piece in every round.
extern const Algorithm kRingReduce;
/// Reductions on products of graphs, one dimension after the other: in each, a gossip backwards in
/// time leaves every node with its share of the sums along that dimension, a share of what the
/// dimension before left. An all-reduce then goes the same way back.
extern const Algorithm kDimensionReduce;
/// Reductions whose sums are made on the way: a flit goes up a tree that waits nowhere, and its sum
/// comes down another.
extern const Algorithm kJoins;
/// Collectives on any connected graph, near their lower bounds (docs/research/beyond.md).
extern const Algorithm kAnyGraph;

/// In the order in which they are listed, and of equal ones the first is chosen.
inline constexpr const Algorithm* kAll[] = {
    &kRing,       &kHamiltonian,     &kProduct,          &kDelmasPerennes, &kDelmasPerennesSplit,
    &kChauFu,     &kChauFuInitiated, &kIndependentTrees, &kBertsekas,      &kA1,
    &kA2,         &kEdgeColouring,   &kTwoOrders,        &kTranslation,    &kLeeCode,
    &kTdmSearch,  &kBroadcastTrees,  &kCutThrough,       &kReversed,       &kDoubling,
    &kRingReduce, &kJoins,           &kDimensionReduce,  &kAnyGraph};

}  // namespace gossamer
