#include <fmt/format.h>

#include <algorithm>

#include "algorithms/broadcast_trees/disjoint_trees.hpp"
#include "algorithms/common/all.hpp"
#include "algorithms/hamiltonian_cycles/hamiltonian_cycle.hpp"
#include "support/error.hpp"

namespace gossamer {
namespace {

using namespace broadcast_trees;

std::optional<std::string> refuses(const Request& request) {
  if (request.ports == PortModel::Single) {
    if (request.pieces.value_or(1) > 1)
      return "a single port sends one piece at a time: the message";
    return why_no_hamiltonian_cycle(request.topology);
  }
  if (!request.pieces) return std::nullopt;
  const std::uint32_t most = most_trees(Arcs(request.topology), request.duplex, request.root);
  if (*request.pieces <= most) return std::nullopt;
  return fmt::format("{} pieces need as many trees that share no {}; {} allows {} at most",
                     *request.pieces, request.duplex == Duplex::Half ? "link" : "arc",
                     request.topology.spec(), most);
}

/// Through single ports nothing forks: the way along a hamiltonian cycle from the root.
std::vector<Branch> along_cycle(const Request& request) {
  std::vector<Node> cycle = hamiltonian_cycle(request.topology).cycle;
  std::rotate(cycle.begin(), std::ranges::find(cycle, request.root), cycle.end());
  std::vector<Branch> way;
  for (std::uint32_t i = 1; i < cycle.size(); ++i) {
    way.push_back({cycle[i], i == 1 ? TransferHop::kNone : i - 2});
  }
  return way;
}

/// Looks for the trees with which the last flit arrives first: `depth` hops after it left the root,
/// which sends a piece a tree.
class Planner {
 public:
  explicit Planner(const Request& request)
      : request_(request),
        arcs_(request.topology),
        farthest_(std::ranges::max(distances_from(arcs_, request.root))),
        random_(request.seed) {}

  std::vector<OutTree> trees() {
    std::vector<std::uint32_t> counts = {request_.pieces.value_or(1)};
    if (!request_.pieces) {
      const std::uint32_t most =
          std::min(most_trees(arcs_, request_.duplex, request_.root), request_.flits);
      for (std::uint32_t k = 2; k <= most; ++k) counts.push_back(k);
    }
    std::ranges::stable_sort(counts, {}, [&](std::uint32_t k) { return longest_piece(k); });
    for (const std::uint32_t count : counts) try_count(count);
    return std::move(best_);
  }

 private:
  static constexpr std::uint64_t kArcs = 4'000'000;  ///< of a node in each step, in all searches

  std::uint64_t longest_piece(std::uint32_t pieces) const {
    return (request_.flits + pieces - 1) / pieces;
  }

  /// The least depth with which so many trees are found, if the last flit then arrives sooner:
  /// ever deeper until there are some, then between.
  void try_count(std::uint32_t count) {
    // Every step looks at the arcs of some nodes. A count may take half of the steps that are left.
    steps_left_ = left_in_all_ / 2;
    left_in_all_ -= steps_left_;
    try_depths(count);
    left_in_all_ += steps_left_;
  }

  void try_depths(std::uint32_t count) {
    const std::uint64_t flits = longest_piece(count);
    if (farthest_ * request_.hop + flits >= cycles_) return;
    std::uint64_t low = farthest_;
    const std::uint64_t most =
        std::min<std::uint64_t>(arcs_.nodes() - 1, (cycles_ - flits - 1) / request_.hop);
    std::uint64_t depth = std::min(most, low + low / 4 + 1);
    for (std::uint64_t step = 1 + low / 4; !find(count, depth); step *= 2) {
      if (depth == most) return;
      low = depth + 1;
      depth = std::min(most, depth + step);
    }
    for (std::uint64_t high = depth; low < high;) {
      const std::uint64_t middle = (low + high - 1) / 2;
      if (find(count, middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
  }

  bool find(std::uint32_t count, std::uint64_t depth) {
    constexpr std::uint64_t kStepsAPlace = 40, kSteps = 500'000;
    const std::uint64_t steps = std::min(kStepsAPlace * arcs_.nodes() * count, steps_left_);
    const std::uint64_t tries =
        std::clamp<std::uint64_t>(kSteps / std::max<std::uint64_t>(steps, 1), 3, 20);
    for (std::uint64_t i = 0; i < tries && steps_left_ > 0; ++i) {
      steps_left_ -= std::min(steps_left_, steps);
      auto found = disjoint_trees(arcs_, request_.duplex, request_.root, count,
                                  static_cast<std::uint32_t>(depth), random_, steps);
      if (!found) continue;
      best_ = *std::move(found);
      cycles_ = depth * request_.hop + longest_piece(count);
      return true;
    }
    return false;
  }

  const Request& request_;
  Arcs arcs_;
  std::uint32_t farthest_;
  any_graph::Random random_;
  std::vector<OutTree> best_;
  std::uint64_t cycles_ = ~std::uint64_t{0};
  std::uint64_t left_in_all_ = kArcs * arcs_.nodes() / arcs_.count();
  std::uint64_t steps_left_ = 0;  ///< of the searches for so many trees
};

Schedule plan(const Request& request) {
  const Model model{request.ports, request.duplex, Switching::Circuit, /*combining=*/false};
  Schedule schedule(request.topology, request.collective, model);
  schedule.root = request.root;
  if (request.ports == PortModel::Single) {
    const Message message[] = {{request.root, kNoNode}};
    schedule.add_tree(1, request.root, along_cycle(request), message);
    return schedule;
  }
  const std::vector<OutTree> trees = Planner(request).trees();
  if (trees.empty()) {
    throw NotFound(fmt::format("no {} trees from node {} of {} that share no {} were found",
                               request.pieces.value_or(1), request.root, request.topology.spec(),
                               request.duplex == Duplex::Half ? "link" : "arc"));
  }
  schedule.cut(static_cast<std::uint32_t>(trees.size()));
  const Arcs arcs(request.topology);
  for (std::uint32_t k = 0; k < trees.size(); ++k) {
    std::vector<std::uint32_t> branch_to(arcs.nodes(), TransferHop::kNone);
    std::vector<Branch> branches;
    for (const ArcId arc : trees[k]) {
      branch_to[arcs.head(arc)] = static_cast<std::uint32_t>(branches.size());
      branches.push_back({arcs.head(arc), branch_to[arcs.tail(arc)]});
    }
    const Message piece[] = {{request.root, kNoNode, k}};
    schedule.add_tree(1, request.root, branches, piece);
  }
  return schedule;
}

}  // namespace

const Algorithm kBroadcastTrees = {
    .name = "broadcast-trees",
    .summary = "broadcast, circuits that fork, in pieces; through a single port along one cycle",
    .serves = every({Collective::Broadcast}, {PortModel::All, PortModel::Single},
                    {Duplex::Full, Duplex::Half}),
    .needs = refuses,
    .make = plan,
    .switching = Switching::Circuit,
    .any_graph = true,
    .most_nodes = 8192,
    .cuts = true,
};

}  // namespace gossamer
