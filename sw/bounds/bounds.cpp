#include "bounds/bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "bounds/claims.hpp"
#include "bounds/distances.hpp"
#include "bounds/flows.hpp"

namespace gossamer {
namespace {

using namespace bounds;

/// Collects the bounds that apply to one question and keeps the strongest.
class Question {
 public:
  Question(const Topology& topology, Collective collective, const Model& model, Node root,
           bool trees)
      : topology_(topology), collective_(collective), model_(model), trees_(trees) {
    tried_ = has_root(collective) ? std::vector<Node>{root} : nodes_to_try(topology);
  }

  Bound strongest() {
    if (collective_ == Collective::Gossip) ask_single_port();
    if (trees_) {
      claim(1, "something has to be sent");
    } else {
      ask_growth_and_load();
    }
    ask_distances();
    if (single() && model_.switching == Switching::Packet && !trees_) ask_single_port_hops();
    if (!model_.combining) ask_volume();
    return best_;
  }

 private:
  void claim(std::uint64_t value, const char* source) { best_.claim(value, source); }

  bool single() const { return model_.ports == PortModel::Single; }
  bool half() const { return model_.duplex == Duplex::Half; }
  bool hop_takes_a_round() const { return model_.switching != Switching::Circuit; }
  bool to_each_its_own() const { return !same_to_all(collective_); }

  void ask_single_port() {
    if (!single() || model_.combining) return;
    const std::uint64_t n = topology_.nodes();
    // A pipelined transfer may end in a later round than it starts, so that all nodes can be busy
    // even if n is odd.
    if (half() && model_.switching == Switching::Pipelined && !trees_) {
      claim(2 * (n - 1), "Dimakopoulos 1999, as equation (2)");
    } else if (half() && !trees_) {
      claim(single_port_gossip_half_duplex(n),
            n % 2 == 0 ? "Dimakopoulos 1999, equation (2)" : "Dimakopoulos 1999, equation (3)");
    }
    // Every node must receive n-1 messages one by one: both duplex models, any switching.
    claim(n - 1, "Dimakopoulos 1999, equation (1)");
  }

  /// The growth of a message's holders, which needs no assumption; and the load of the arcs, if all
  /// nodes send to all.
  void ask_growth_and_load() {
    const std::uint64_t factor = single() ? 2 : std::uint64_t{topology_.ports()} + 1;
    claim(growth_rounds(topology_.nodes(), factor),
          "Delmas-Perennes 1996, section 4 (holders of a message)");
    if (!has_root(collective_) && model_.combining) {
      claim(gossip_load_rounds(topology_, factor, half()),
            "Delmas-Perennes 1996, propositions 4.4 and 4.5 (gossip load)");
      if (single() && half()) {
        claim(half_duplex_growth_rounds(topology_.nodes()), "what two nodes at a time can hold");
      }
    }
  }

  void ask_distances() {
    if (!hop_takes_a_round()) return;
    claim(lower_bound_delta(topology_, collective_, tried_.front()), "distance, a hop a round");
  }

  /// What must pass through a node or a link, one message at a time.
  void ask_volume() {
    if (collective_ == Collective::Broadcast) return;
    for (const Node x : tried_) {
      const std::uint64_t at_once = single() ? 1 : topology_.degree(x);
      claim(receive_rounds(topology_.nodes(), at_once), "messages through the ports of a node");
      if (!hop_takes_a_round()) continue;
      claim(receive_rounds_by_distance(profile(topology_, x), at_once),
            "messages through the ports of a node, the far ones last");
    }
    if (collective_ == Collective::Gossip && half() && !single()) {
      claim(half_duplex_link_rounds(topology_), "receptions on half-duplex links");
    }
    if (collective_ == Collective::TotalExchange) ask_total_exchange();
    if (model_.switching == Switching::Packet) ask_packets();
  }

  void ask_single_port_hops() {
    // With combining a scatter, too, is over when all hold something (a gather backwards).
    if (same_to_all(collective_) || model_.combining) {
      claim(broadcast_degree_rounds(topology_, tried_.front()),
            "holders of a message, each with its links");
    }
    if (collective_ == Collective::Gossip && !model_.combining) {
      claim(gossip_cut_node_rounds(topology_, model_.duplex),
            "messages through a node that cuts the graph");
    }
    if (half() && has_root(collective_) && to_each_its_own() && !model_.combining) {
      claim(scatter_cut_node_rounds(topology_, tried_.front()),
            "messages into a node that cuts the graph, and out of it");
    }
    if (!has_root(collective_) && model_.combining) {
      claim(gossip_combining_cut_node_rounds(topology_, model_.duplex),
            "a node that cuts the graph hears from each part, and informs each");
      claim(gossip_combining_tree_rounds(topology_),
            "a node of a tree hears from each branch, and informs the others of the last");
      claim(gossip_combining_ring_rounds(topology_), "neighbours of an odd ring, in pairs");
    }
    if (collective_ == Collective::Broadcast || (has_root(collective_) && model_.combining)) {
      claim(broadcast_cut_node_rounds(topology_, tried_.front()),
            "a node that cuts the graph informs each part");
      claim(broadcast_tree_rounds(topology_, tried_.front()), "the only broadcast tree");
    }
  }

  /// What needs a search on the graph itself.
  void ask_packets() {
    if (collective_ == Collective::TotalExchange) {
      claim(routing_load(topology_, model_.ports, model_.duplex).of(1),
            "loads of the best fractional routing");
    }
    if (single()) return;
    if (collective_ == Collective::Gossip) {
      claim(gossip_cut_rounds(topology_, model_.duplex), "messages over the links into some nodes");
    }
    if (collective_ == Collective::Scatter || collective_ == Collective::Gather) ask_flow();
  }

  /// Where translations exist, the ports of the root are the obstacle already counted.
  void ask_flow() {
    constexpr std::uint64_t kMostStates = std::uint64_t{1} << 24;
    const std::uint64_t states = topology_.nodes() * (best_.value + 1);
    if (topology_.translatable() || states > kMostStates) return;
    const auto least = static_cast<std::uint32_t>(best_.value);
    claim(fewest_scatter_rounds(Arcs(topology_), tried_.front(), least), "a flow over time");
  }

  void ask_total_exchange() {
    claim(arc_forwarding_bound(topology_, half()), "distances over links");
    if (single() && model_.switching == Switching::Packet) {
      claim(total_exchange_node_rounds(topology_, model_.duplex),
            "Dimakopoulos-Dimopoulos 1998, equation (3)");
      claim(middle_of_path_rounds(topology_), "messages through the middle of a path");
    }
    claim(cut_rounds(topology_, model_.duplex), "Dimakopoulos-Dimopoulos 1998, equation (4)");
    if (single() && model_.switching == Switching::Pipelined) {
      claim(pipelined_port_slots(topology_), "arrivals so many hops behind injections");
      claim(pipelined_link_slots(topology_), "distances over links, some idle at both ends");
    }
  }

  const Topology& topology_;
  Collective collective_;
  Model model_;
  bool trees_;
  std::vector<Node> tried_;
  Bound best_{0, "nothing has to be sent"};
};

}  // namespace

Bound strongest_bound(const Topology& topology, Collective collective, const Model& model,
                      Node root, bool trees) {
  if (topology.nodes() < 2) return {0, "nothing has to be sent"};
  // Backwards in time what is reduced is a message that spreads. An all-reduce is a gossip whose
  // messages may all be combined.
  Model spreads = model;
  spreads.combining = model.combining || collective == Collective::AllReduce;
  if (reduces(collective)) {
    return strongest_bound(topology, backwards(collective), spreads, root, trees);
  }
  return Question(topology, collective, model, root, trees).strongest();
}

Bound fault_tolerant_bound(const Topology& hypercube, unsigned tolerance, PortModel ports) {
  return {fault_tolerant_rounds(hypercube.ports(), tolerance, ports),
          fmt::format("Chau-Fu, section 1, with {} faults", tolerance)};
}

std::uint64_t lower_bound_rounds(const Topology& topology, Collective collective,
                                 const Model& model, Node root) {
  return strongest_bound(topology, collective, model, root).value;
}

std::uint64_t lower_bound_delta(const Topology& topology, Collective collective, Node root) {
  if (reduces(collective)) return lower_bound_delta(topology, backwards(collective), root);
  return has_root(collective) ? profile(topology, root).size() - 1 : diameter(topology);
}

std::uint64_t lower_bound_tau(const Topology& topology, Collective collective, const Model& model,
                              Node root) {
  if (model.switching == Switching::Pipelined) return 0;
  Model one_by_one = model;
  one_by_one.combining = false;
  return lower_bound_rounds(topology, collective, one_by_one, root);
}

}  // namespace gossamer
