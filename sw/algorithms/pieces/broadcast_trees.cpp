#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "algorithms/common/all.hpp"
#include "algorithms/hamiltonian_cycles/hamiltonian_cycle.hpp"
#include "algorithms/pieces/packing.hpp"

namespace gossamer {
namespace {

using packing::Tree;

/// The most trees that degrees allow: each node but the root takes an arc in from each of them.
std::uint32_t most_trees(const Arcs& arcs, Duplex duplex, Node root) {
  std::uint32_t most = arcs.degree(root);
  for (Node x = 0; x < arcs.nodes(); ++x) most = std::min(most, arcs.degree(x));
  if (duplex == Duplex::Half && arcs.nodes() > 1) {
    most = std::min(most, arcs.count() / 2 / (arcs.nodes() - 1));
  }
  return most;
}

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
        random_(request.seed) {
    for (ArcId a = 0; request.duplex == Duplex::Half && a < arcs_.count(); ++a) {
      links_.push_back(std::min(a, arcs_.reverse(a)));
    }
  }

  std::vector<Tree> trees() {
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
  std::uint64_t longest_piece(std::uint32_t pieces) const {
    return (request_.flits + pieces - 1) / pieces;
  }

  /// The least depth with which so many trees are found, if the last flit then arrives sooner:
  /// ever deeper until there are some, then between.
  void try_count(std::uint32_t count) {
    // A count may take half of the work that is left.
    work_ = left_in_all_ / 2;
    left_in_all_ -= work_;
    try_depths(count);
    left_in_all_ += work_;
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
    const std::uint64_t steps = kStepsAPlace * arcs_.nodes() * count;
    const std::uint64_t tries = std::clamp<std::uint64_t>(kSteps / steps, 3, 20);
    for (std::uint64_t i = 0; i < tries && work_ > 0; ++i) {
      const auto reach = static_cast<std::uint32_t>(depth - 1);
      std::vector<Tree> found(count, Tree{.root = request_.root, .up = false, .reach = reach});
      if (!packing::pack(arcs_, found, 1, 1, random_, steps, work_, {links_})) continue;
      best_ = std::move(found);
      cycles_ = depth * request_.hop + longest_piece(count);
      return true;
    }
    return false;
  }

  const Request& request_;
  Arcs arcs_;
  std::uint32_t farthest_;
  any_graph::Random random_;
  std::vector<std::uint32_t> links_;  ///< with half duplex, by arc; both directions are one
  std::vector<Tree> best_;
  std::uint64_t cycles_ = ~std::uint64_t{0};
  std::uint64_t left_in_all_ = 16'000'000;  ///< cells that may still be looked at
  std::uint64_t work_ = 0;                  ///< of these, for so many trees
};

Schedule plan(const Request& request) {
  Schedule schedule = empty_schedule(
      request, {request.ports, request.duplex, Switching::Circuit, /*combining=*/false});
  if (request.ports == PortModel::Single) {
    const Message message[] = {{request.root, kNoNode}};
    schedule.add_tree(1, request.root, along_cycle(request), message);
    return schedule;
  }
  const std::vector<Tree> trees = Planner(request).trees();
  if (trees.empty()) {
    throw NotFound(fmt::format("no {} trees from node {} of {} that share no {} were found",
                               request.pieces.value_or(1), request.root, request.topology.spec(),
                               request.duplex == Duplex::Half ? "link" : "arc"));
  }
  schedule.cut(static_cast<std::uint32_t>(trees.size()));
  const Arcs arcs(request.topology);
  for (std::uint32_t k = 0; k < trees.size(); ++k) {
    const Message piece[] = {{request.root, kNoNode, k}};
    schedule.add_tree(1, request.root, packing::ways_of(arcs, trees[k])[0].branches, piece);
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
