#include "algorithms/translation/plan.hpp"

#include <queue>

#include "support/interrupt.hpp"

namespace gossamer::translation {
namespace {

constexpr std::uint32_t kNotYet = ~std::uint32_t{0};

}  // namespace

Metric::Metric(const Topology& topology) : topology_(topology) {
  for (Port p = 0; p < topology.ports(); ++p) back_.push_back(topology.peer(0, p).port);
  distance_.assign(topology.nodes(), kNotYet);
  distance_[0] = 0;
  std::queue<Node> queue;
  for (queue.push(0); !queue.empty(); queue.pop()) {
    stop_if_interrupted();
    const Node x = queue.front();
    for (Port p = 0; p < topology.ports(); ++p) {
      const Node y = next(x, p);
      if (distance_[y] != kNotYet) continue;
      distance_[y] = distance_[x] + 1;
      queue.push(y);
    }
  }
}

/// The last offset in node order, so that the choice is deterministic.
std::optional<Node> Plan::movable(Port from, Port to) const {
  for (Node x = metric_->nodes() - 1; x > 0; --x) {
    stop_if_interrupted();
    if (port_[x] == from && metric_->may_arrive(x, to)) return x;
  }
  return std::nullopt;
}

bool Plan::relieve(Port from, const std::vector<std::uint32_t>& capacity) {
  if (load_[from] <= capacity[from]) return true;
  struct Step {
    Port port;
    std::size_t came_by;
    Node moved;
  };
  std::vector<Step> steps = {{from, 0, 0}};  // breadth first over the ports
  std::vector<bool> seen(metric_->ports(), false);
  seen[from] = true;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (Port to = 0; to < metric_->ports(); ++to) {
      if (seen[to]) continue;
      const std::optional<Node> moved = movable(steps[i].port, to);
      if (!moved) continue;
      seen[to] = true;
      steps.push_back({to, i, *moved});
      if (load_[to] >= capacity[to]) continue;
      for (std::size_t s = steps.size() - 1; s != 0; s = steps[s].came_by) {
        assign(steps[s].moved, steps[s].port);
      }
      return relieve(from, capacity);
    }
  }
  return false;
}

}  // namespace gossamer::translation
