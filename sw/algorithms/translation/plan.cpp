#include "algorithms/translation/plan.hpp"

#include <queue>

#include "support/interrupt.hpp"

namespace gossamer::translation {
namespace {

constexpr std::uint32_t kNotYet = ~std::uint32_t{0};

}  // namespace

Metric::Metric(const Topology& topology, Duplex duplex)
    : topology_(topology), classes_(topology, duplex) {
  for (Port p = 0; p < topology.ports(); ++p) back_.push_back(port_back(topology, p));
  distance_.assign(topology.nodes(), kNotYet);
  distance_[0] = 0;
  std::queue<Node> queue;
  for (queue.push(0); !queue.empty(); queue.pop()) {
    stop_if_interrupted();
    const Node x = queue.front();
    for (Port p = 0; p < topology.ports(); ++p) {
      const Node y = topology.peer(x, p).node;
      if (distance_[y] != kNotYet) continue;
      distance_[y] = distance_[x] + 1;
      queue.push(y);
    }
  }
  number_lanes(duplex);
}

void Metric::number_lanes(Duplex duplex) {
  lane_of_.assign(std::size_t{classes_.count()} * ports(), kNoLane);
  for (Node c = 0; c < classes_.count(); ++c) {
    for (Port p = 0; p < ports(); ++p) {
      Lane& here = lane_of_[c * ports() + p];
      if (here != kNoLane) continue;
      here = lanes();
      ports_of_.push_back({p});
      if (duplex == Duplex::Full) continue;
      const Node receiver = (c + classes_.of(topology_.peer(0, p).node)) % classes_.count();
      lane_of_[receiver * ports() + back_[p]] = here;
      if (back_[p] != p) ports_of_.back().push_back(back_[p]);
    }
  }
}

/// The last item in order, so that the choice is deterministic.
std::optional<Item> Plan::movable(Lane from, Lane to) const {
  for (Item x = metric_->items() - 1; x > 0; --x) {
    stop_if_interrupted();
    if (lane_[x] == from && metric_->may_arrive(x, to)) return x;
  }
  return std::nullopt;
}

bool Plan::relieve(Lane from, const std::vector<std::uint32_t>& capacity) {
  if (load_[from] <= capacity[from]) return true;
  struct Step {
    Lane lane;
    std::size_t came_by;
    Item moved;
  };
  std::vector<Step> steps = {{from, 0, 0}};  // breadth first over the lanes
  std::vector<bool> seen(metric_->lanes(), false);
  seen[from] = true;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (Lane to = 0; to < metric_->lanes(); ++to) {
      if (seen[to]) continue;
      const std::optional<Item> moved = movable(steps[i].lane, to);
      if (!moved) continue;
      seen[to] = true;
      steps.push_back({to, i, *moved});
      if (load_[to] >= capacity[to]) continue;
      for (std::size_t s = steps.size() - 1; s != 0; s = steps[s].came_by) {
        assign(steps[s].moved, steps[s].lane);
      }
      return relieve(from, capacity);
    }
  }
  return false;
}

}  // namespace gossamer::translation
