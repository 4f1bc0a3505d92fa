#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "adaptive/adaptive.hpp"
#include "algorithms/registry.hpp"

namespace gossamer::test {

/// What can break: a node, a whole link, or one direction of a link.
struct Element {
  Node node = kNoNode;    ///< kNoNode: the arcs
  std::vector<Arc> arcs;  ///< both directions of a link, or one
};

/// Which kinds of elements there are. `spared` (a root or initiator) stays healthy.
struct Kinds {
  bool nodes = false, links = false, directions = false;
};
std::vector<Element> elements(const Topology& topology, Kinds kinds, Node spared = kNoNode);

FaultSet fault_set(const std::vector<Element>& all, const std::vector<std::size_t>& chosen);

/// Calls `visit` with every set of exactly `size` of the elements.
void for_each_set(const std::vector<Element>& all, std::size_t size,
                  const std::function<void(const FaultSet&)>& visit);

/// A random set of exactly `size` of the elements.
FaultSet random_set(const std::vector<Element>& all, std::size_t size, std::mt19937& random);

/// A variant of the scheme of Chau-Fu, planned once and played with many sets of faults.
struct Scheme {
  Scheme(std::string algorithm, unsigned d, Collective collective, PortModel ports, unsigned k);

  AdaptiveRun play(const FaultSet& of) const { return gossamer::play(schedule, offered, of); }
  /// A root or an initiator, which must be healthy; kNoNode if there is none.
  Node spared() const;
  std::string name() const;

  std::string algorithm;
  unsigned d, k;
  Schedule schedule;
  Offers offered;
};

/// All six: broadcast, gossip, gossip with an initiator; whispering, then shouting.
std::vector<Scheme> schemes(unsigned d, unsigned k);

/// The results of many sets of faults.
struct Failures {
  std::uint64_t sets = 0;
  std::uint64_t failed = 0;         ///< sets that left something missing
  std::string first;                ///< the first of them, as parse_faults reads it
  std::vector<std::uint32_t> most;  ///< [round-1]: the most messages on a link, over all sets
  std::uint64_t crossed = 0;        ///< the most that crossed links altogether, over all sets
  std::uint64_t worst = 0;          ///< the most over all sets of: the sum of a set's own `most`
  std::string worst_set;            ///< the first set that reaches it
  void add(const AdaptiveRun& outcome, const FaultSet& faults);
  void add(const Failures& more);
};

/// Plays every set of exactly `size` elements of these kinds.
Failures play_all(const Scheme& scheme, Kinds kinds, std::size_t size);
/// Plays `count` random sets.
Failures play_some(const Scheme& scheme, Kinds kinds, std::size_t size, std::uint64_t count,
                   std::uint32_t seed);

}  // namespace gossamer::test
