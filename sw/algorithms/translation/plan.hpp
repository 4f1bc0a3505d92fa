#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "algorithms/common/sender_classes.hpp"
#include "topology/topology.hpp"

namespace gossamer::translation {

/// The message from the origin of one class to one offset: class * nodes + offset.
using Item = std::uint32_t;
/// Links that some translation maps to one another. One hop of a schedule that is the same
/// everywhere occupies all links of its lane.
using Lane = std::uint32_t;
inline constexpr Lane kNoLane = std::numeric_limits<Lane>::max();

/// The distances of the items from their origins, and the lanes over which they can arrive from a
/// nearer node.
///
/// Over full-duplex links each port is a lane. Over half-duplex links a port and the port back make
/// one lane, for each class of senders.
class Metric {
 public:
  Metric(const Topology& topology, Duplex duplex);

  const SenderClasses& classes() const { return classes_; }
  Port ports() const { return topology_.ports(); }
  Lane lanes() const { return static_cast<Lane>(ports_of_.size()); }
  /// Those of distance 0 are the origins.
  Item items() const { return classes_.count() * topology_.nodes(); }
  Node offset(Item x) const { return classes_.count() == 1 ? x : x % topology_.nodes(); }
  Node class_of(Item x) const { return classes_.count() == 1 ? 0 : x / topology_.nodes(); }
  std::uint32_t distance(Item x) const { return distance_[offset(x)]; }

  Item next(Item x, Port p) const {
    const Node at = offset(x);
    return x - at + topology_.peer(at, p).node;
  }
  Item parent(Item x, Port p) const { return next(x, back_[p]); }
  /// Where a hop from here goes.
  Lane lane(Item x, Port p) const {
    if (classes_.count() == 1) return lane_of_[p];
    const Node c = (class_of(x) + classes_.of(offset(x))) % classes_.count();
    return lane_of_[c * ports() + p];
  }
  /// The ports of the hops on a lane, with those of other classes.
  const std::vector<Port>& ports_of(Lane l) const { return ports_of_[l]; }
  /// Does the hop through port p that brings x go over lane l, and come from nearer?
  bool may_arrive_through(Item x, Lane l, Port p) const {
    const Item from = parent(x, p);
    return distance(from) < distance(x) && (classes_.count() == 1 || lane(from, p) == l);
  }
  bool may_arrive(Item x, Lane l) const {
    for (const Port p : ports_of_[l]) {
      if (may_arrive_through(x, l, p)) return true;
    }
    return false;
  }

 private:
  void number_lanes(Duplex duplex);

  const Topology& topology_;
  std::vector<Port> back_;  ///< the port that leads back along the link of port p
  std::vector<std::uint32_t> distance_;
  SenderClasses classes_;
  std::vector<Lane> lane_of_;  ///< by class of the sender and port
  std::vector<std::vector<Port>> ports_of_;
};

/// A lane for every item that has not arrived, and the number of items of each lane.
class Plan {
 public:
  explicit Plan(const Metric& metric)
      : metric_(&metric), lane_(metric.items(), kNoLane), load_(metric.lanes(), 0) {}

  Lane lane(Item x) const { return lane_[x]; }
  std::uint32_t load(Lane l) const { return load_[l]; }
  bool is_open(Item x) const { return lane_[x] != kNoLane; }

  void assign(Item x, Lane l) {
    close(x);
    lane_[x] = l;
    ++load_[l];
  }
  void close(Item x) {
    if (is_open(x)) --load_[lane_[x]];
    lane_[x] = kNoLane;
  }

  /// Brings lane `from` down to its capacity: moves an item to another lane that it may arrive
  /// over, from there another one, and so on, up to a lane with room. Returns false if that is
  /// impossible.
  bool relieve(Lane from, const std::vector<std::uint32_t>& capacity);

 private:
  std::optional<Item> movable(Lane from, Lane to) const;

  const Metric* metric_;  // a pointer, because plans are assigned
  std::vector<Lane> lane_;
  std::vector<std::uint32_t> load_;
};

}  // namespace gossamer::translation
