#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/any_graph/search.hpp"
#include "bounds/resources.hpp"
#include "schedule/schedule.hpp"
#include "topology/arcs.hpp"

namespace gossamer::any_graph {

/// Broadcast through all ports: every node passes the message on as soon as it has it. Takes as
/// many rounds as the farthest node is away, which no schedule beats.
std::vector<Hop> broadcast_all_ports(const Arcs& arcs, Node root);

/// Broadcast through a single port: the shortest schedule found; the search ends at `bound` rounds.
/// Both serve half-duplex links too, because no link and no node is needed in both directions.
std::vector<Hop> broadcast_single_port(const Arcs& arcs, Node root, std::uint32_t bound,
                                       const Effort& effort);

/// How far the shortest ways from the root go on beyond each node.
std::vector<std::uint32_t> hops_beyond(const Arcs& arcs, Node root);

/// A chunk that `message.origin` holds, and who must hold it in the end.
struct Demand {
  Message message;
  std::vector<Node> receivers;
  std::uint64_t cycles = 1;  ///< of a round in which it is the longest
};

/// Brings every chunk to its receivers, in any model: each down a tree of its own, of shortest
/// paths that avoid busy resources. The shortest of some attempts, which end at `bound` cycles.
std::vector<Hop> send_down_trees(const Arcs& arcs, const bounds::Resources& resources,
                                 const std::vector<Demand>& demands, std::uint64_t bound,
                                 const Effort& effort);

/// Gossip through all ports over full-duplex links, one message on an arc in a round. Returns the
/// shortest schedule found; the search ends at `bound` rounds.
std::vector<Hop> gossip(const Arcs& arcs, std::uint32_t bound, const Effort& effort);

/// Gossip in a model in which nodes or links cannot do everything at once: a single port, or
/// half-duplex links.
std::vector<Hop> gossip_by_claims(const Arcs& arcs, const bounds::Resources& resources,
                                  std::uint32_t bound, const Effort& effort);

/// Scatter through all ports over full-duplex links, in the fewest rounds, which are at least
/// `bound`: the paths of a flow over time (bounds/flow_over_time.hpp).
std::vector<Hop> scatter_all_ports(const Arcs& arcs, Node root, std::uint32_t bound);

/// Scatter through a single port over full-duplex links: the farthest first, along one tree of
/// shortest paths. The root sends one message a round, and no message ever waits, because all those
/// at the same distance from the root have left it in different rounds. So it takes as many rounds
/// as the bound of the root's port.
std::vector<Hop> scatter_single_port(const Arcs& arcs, Node root);

/// Scatter over half-duplex links. Through all ports the paths of the flow are enough if no link is
/// used both ways in a round. Else routes of small load, and the shortest of some list schedules.
std::vector<Hop> scatter_half_duplex(const Arcs& arcs, Node root,
                                     const bounds::Resources& resources, PortModel ports,
                                     std::uint32_t bound, const Effort& effort);

/// A message and its way, arc by arc.
struct Packet {
  Message message;
  std::vector<ArcId> route;
};

/// Routes for a packet from each origin to each destination, so that the busiest resource has few
/// hops; no fewer than `goal` are looked for.
std::vector<Packet> balanced_routes(const Arcs& arcs, const bounds::Resources& resources,
                                    std::vector<Message> messages, std::uint64_t goal,
                                    std::uint32_t seed);

/// Sends packets along their routes, as many at once as the resources allow. No hops once it is
/// certain that they take `most` rounds or more.
std::vector<Hop> list_schedule(const Arcs& arcs, const bounds::Resources& resources,
                               const std::vector<Packet>& packets, std::uint32_t seed,
                               std::uint32_t most = std::numeric_limits<std::uint32_t>::max());

/// Routes of small load from every node to every other one.
std::vector<Packet> routes_to_all(const Arcs& arcs, const bounds::Resources& resources,
                                  std::uint64_t goal, std::uint32_t seed);

/// Total exchange in any model: routes of small load, then the shortest of some list schedules.
std::vector<Hop> total_exchange(const Arcs& arcs, const bounds::Resources& resources,
                                std::uint32_t bound, const Effort& effort);

}  // namespace gossamer::any_graph

namespace gossamer {

/// The schedule of any-graph on one factor of a product: what an algorithm for products uses in a
/// dimension that it has no rule for. It is planned once in a program.
const Schedule& factor_plan(const Graph& graph, Collective collective, PortModel ports,
                            Duplex duplex);

/// Why any-graph does not serve the factor; nothing if it does.
std::optional<std::string> factor_refusal(const Graph& graph, Collective collective,
                                          PortModel ports, Duplex duplex);

}  // namespace gossamer
