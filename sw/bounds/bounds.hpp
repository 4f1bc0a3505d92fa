#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "schedule/model.hpp"
#include "schedule/schedule.hpp"
#include "topology/topology.hpp"

namespace gossamer {

/// A lower bound and the argument that proves it, e.g. "Dimakopoulos 1999, equation (2)".
struct Bound {
  std::uint64_t value = 0;
  std::string source;
  std::string of = "schedule";  ///< for which it holds: "schedule of packets with one message each"

  /// Becomes another bound if that is stronger.
  void claim(std::uint64_t other, const char* its_source) {
    if (other > value) *this = {other, its_source};
  }
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

/// A lower bound of the cycles from the start pulse to the last flit on its last link, for every
/// schedule that delivers `collective` in messages of `flits` flits, with or without combining,
/// whole or in pieces: a flit takes a cycle on each link that it crosses, and a node receives at
/// most one flit per port and cycle. `stages` are the register stages of the links at each port
/// (empty: none).
Bound lower_bound_cycles(const Topology& topology, Collective collective, const Model& model,
                         Node root, unsigned flits, std::span<const std::uint32_t> stages = {});

/// The bounds that are printed beside a schedule, each with the schedules that it holds for.
/// Of rounds: of all in the same model; if messages are cut into `pieces`, into as many or more;
/// and if it has trees, of all that have.
Bound bound_of_rounds(const Schedule& schedule, std::uint32_t pieces, bool fork);
/// Of cycles: of all schedules of the same request through these ports. `stages` of the links are
/// those that packets have, by port (empty: none).
Bound bound_of_cycles(const Schedule& schedule, PortModel ports, unsigned flits,
                      std::span<const std::uint32_t> stages);

/// Lower bounds of any collective of any members, with messages of any sizes, over links of any
/// directions and stages: see chunks.cpp for the claims and their proofs.

/// Of the rounds of all schedules of the same model that cut messages into as many `pieces` or
/// more.
Bound chunk_bound(const Schedule& schedule, std::uint32_t pieces);

/// Of the cycles of all schedules through these ports, over links of the same duplex and of these
/// stages by port: of any switching, whatever is combined or cut into pieces. See
/// lower_bound_cycles().
Bound chunk_bound_cycles(const Schedule& schedule, PortModel ports, unsigned flits,
                         std::span<const std::uint32_t> stages);

/// Of the cycles of packets, each of them a whole chunk of this schedule.
std::uint64_t chunk_bound_packets(const Schedule& schedule, unsigned flits, std::uint64_t stages);

}  // namespace gossamer
