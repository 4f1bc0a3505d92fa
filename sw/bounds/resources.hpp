#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "schedule/model.hpp"
#include "topology/arcs.hpp"

namespace gossamer::bounds {

using Resource = std::uint32_t;

/// What a hop of a packet occupies for a round. Through all ports that is its arc, or with half
/// duplex its link. Through a single port it is the sender's output and the receiver's input, or
/// with half duplex both nodes. Each resource serves one hop in a round, so no schedule takes fewer
/// rounds than the hops of its busiest resource.
class Resources {
 public:
  Resources(const Arcs& arcs, PortModel ports, Duplex duplex) {
    const bool half = duplex == Duplex::Half;
    of_each_ = ports == PortModel::Single ? 2 : 1;
    count_ = of_each_ == 1 ? arcs.count() : half ? arcs.nodes() : 2 * arcs.nodes();
    for (ArcId a = 0; a < arcs.count(); ++a) {
      if (of_each_ == 1) {
        of_.push_back(half ? std::min(a, arcs.reverse(a)) : a);
      } else {
        of_.push_back(arcs.tail(a));
        of_.push_back(half ? arcs.head(a) : arcs.nodes() + arcs.head(a));
      }
    }
  }

  Resource count() const { return count_; }
  /// One or two.
  std::span<const Resource> of(ArcId a) const {
    return {of_.data() + std::size_t{a} * of_each_, of_each_};
  }
  /// The largest number of those of an arc.
  template <typename Number>
  Number most(ArcId a, const std::vector<Number>& numbers) const {
    return std::max(numbers[of(a).front()], numbers[of(a).back()]);
  }
  /// Their sum.
  template <typename Number>
  Number sum(ArcId a, const std::vector<Number>& numbers) const {
    return of_each_ == 1 ? numbers[of(a)[0]] : numbers[of(a)[0]] + numbers[of(a)[1]];
  }

 private:
  std::vector<Resource> of_;
  std::size_t of_each_ = 1;
  Resource count_ = 0;
};

}  // namespace gossamer::bounds
