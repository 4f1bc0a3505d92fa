#pragma once

#include <cstdint>
#include <string>

#include "schedule/model.hpp"
#include "topology/topology.hpp"

namespace gossamer {

/// A lower bound and the argument that proves it, e.g. "Dimakopoulos 1999, equation (2)".
struct Bound {
  std::uint64_t value = 0;
  std::string source;
  std::string of = "schedule";  ///< for which it holds: "schedule of packets with one message each"
};

/// The strongest bound known for the rounds of `collective` on `topology` under `model`: no
/// schedule needs fewer. Of several equal bounds it names the papers' first. `root` matters for
/// broadcast, scatter and gather only. With `trees` it counts circuits that fork or are stored on
/// their way, each of which may have all nodes as receivers.
Bound strongest_bound(const Topology& topology, Collective collective, const Model& model,
                      Node root = 0, bool trees = false);

/// The same for broadcast or gossip on a hypercube that tolerates any `tolerance` faulty nodes and
/// links (Chau-Fu).
Bound fault_tolerant_bound(const Topology& hypercube, unsigned tolerance, PortModel ports);

/// The value of strongest_bound.
std::uint64_t lower_bound_rounds(const Topology& topology, Collective collective,
                                 const Model& model, Node root = 0);

/// The least possible sum over rounds of the longest path, in hops: the distance of the message
/// that must go farthest (Delmas-Perennes 1996, section 3: the diameter is a trivial bound of
/// g_delta).
std::uint64_t lower_bound_delta(const Topology& topology, Collective collective, Node root = 0);

/// The least possible sum over rounds of the most messages on one path (paper 2's g_tau, in
/// messages). A round of paths with up to m messages can be replaced by m rounds with one message
/// each, so this sum is never below the rounds needed without combining. 0 for pipelined switching,
/// where paths of several rounds overlap and the argument fails.
std::uint64_t lower_bound_tau(const Topology& topology, Collective collective, const Model& model,
                              Node root = 0);

}  // namespace gossamer
