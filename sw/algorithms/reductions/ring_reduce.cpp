#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "algorithms/common/all.hpp"
#include "algorithms/hamiltonian_cycles/hamiltonian_cycle.hpp"
#include "algorithms/reductions/reductions.hpp"
#include "schedule/chunks.hpp"

namespace gossamer {
namespace {

using namespace reductions;

/// The hops of all flits, if each is a piece.
std::uint64_t hops_of_flits(const Request& request) {
  const std::uint64_t n = request.topology.nodes(), flits = request.flits;
  return flits * (request.collective == Collective::ReduceScatter ? n * n : 2 * n - 1);
}

/// Do sums run around without a stop? Rounds of such schedules are cycles.
bool walks(const Request& request) {
  return !request.fewest_rounds && request.duplex == Duplex::Full && request.flits <= kMostPieces &&
         hops_of_flits(request) <= kMostTransfers;
}

/// Pieces at most, if every port has its cycle, times the hops of each.
std::uint64_t most_transfers(const Request& request) {
  if (walks(request)) return hops_of_flits(request);
  const std::uint64_t n = request.topology.nodes(), cycles = request.topology.ports();
  if (request.collective == Collective::ReduceScatter) return cycles * n * n;
  return std::min<std::uint64_t>({cycles * n, request.flits, kMostPieces}) * (2 * n - 1);
}

std::optional<std::string> refuses(const Request& request) {
  const Node n = request.topology.nodes();
  if (n < 3) return "ring-reduce needs three nodes at least";
  if (const std::uint64_t listed = most_transfers(request); listed > kMostTransfers) {
    return fmt::format("ring-reduce would list up to {} transfers on {}; it lists {} at most",
                       listed, request.topology.spec(), kMostTransfers);
  }
  if (request.members.several()) return "ring-reduce plans for one group of members";
  if (!walks(request) && !request.regular()) {
    return "ring-reduce plans over half-duplex links for all nodes, and blocks of one length";
  }
  if (request.topology.one_way()) return "ring-reduce needs links of both directions";
  if (request.pieces) return "ring-reduce cuts vectors as it needs: leave the pieces out";
  if (!request.cycle.empty()) return why_no_cycle(request.topology, request.cycle);
  return why_no_hamiltonian_cycle(request.topology);
}

/// Cycles in one direction each, which may all be used in every round: at most `most`.
std::vector<std::vector<Node>> directed_cycles(const Request& request, std::size_t most) {
  std::vector<std::vector<Node>> cycles;
  if (!request.cycle.empty()) {
    cycles.push_back(request.cycle);
  } else {
    cycles = disjoint_hamiltonian_cycles(request.topology);
  }
  if (request.duplex == Duplex::Full) {
    for (std::size_t k = cycles.size(); k-- > 0;) {
      cycles.emplace_back(cycles[k].rbegin(), cycles[k].rend());
    }
  }
  // Of packets an output sends, and another one adds what comes.
  if (!walks(request))
    most = std::min<std::size_t>(most, std::max(request.topology.ports() / 2, 1u));
  cycles.resize(std::min(cycles.size(), most));
  return cycles;
}

/// A piece on its way around a cycle.
struct Lap {
  const std::vector<Node>* cycle;
  std::size_t start;    ///< a place of the cycle
  std::uint32_t first;  ///< round
  std::uint32_t hops;
  Message piece;
};

Schedule schedule_of(const Request& request, std::uint32_t pieces, std::vector<Lap> laps) {
  const Model model{PortModel::All, request.duplex, Switching::Packet, /*combining=*/false};
  Schedule schedule = empty_schedule(request, model);
  schedule.cut(pieces);
  std::uint32_t last = 0;
  for (const Lap& lap : laps) last = std::max(last, lap.first + lap.hops - 1);
  for (std::uint32_t round = 1; round <= last; ++round) {
    for (const Lap& lap : laps) {
      if (round < lap.first || round >= lap.first + lap.hops) continue;
      const std::vector<Node>& cycle = *lap.cycle;
      const std::size_t at = (lap.start + (round - lap.first)) % cycle.size();
      const Node path[] = {cycle[at], cycle[(at + 1) % cycle.size()]};
      schedule.add(round, path, {&lap.piece, 1});
    }
  }
  return schedule;
}

/// With a port for each direction sums run around the cycles without a stop. A flit's parts are
/// joined on the way from the node behind its root to the root, which stores the sum by its output
/// to the next node; later the sum goes on around. So a flit takes N cells of each link in a row, a
/// hop apart, and N - 1 more on its way down; as many flits as there are nodes, one for each root,
/// take the same cells of all links of a cycle.
class Walks {
 public:
  explicit Walks(const Request& request)
      : request_(request),
        hop_(request.hop + rtl::TIME_JOIN),
        nodes_(request.topology.nodes()),
        back_(request.collective == Collective::AllReduce),
        cycles_(directed_cycles(request, request.flits)) {
    for (const std::vector<Node>& cycle : cycles_) {
      roots_.emplace_back();
      for (Node at = 0; at < nodes_; ++at) {
        if (request.members.has(cycle[at])) roots_.back().push_back(at);
      }
    }
  }

  Schedule plan() {
    const auto count = static_cast<std::uint32_t>(cycles_.size());
    const std::uint32_t flits = request_.flits;
    const std::uint32_t in_a_row = (flits + count - 1) / count;  // on a cycle
    const auto members = static_cast<std::uint32_t>(roots_[0].size());
    // One flit for each root and residue: so nodes read their words nearly in order.
    const std::uint32_t at_once = hop_ * members;
    find_rounds(back_ ? (in_a_row + at_once - 1) / at_once * hop_ : in_a_row);
    std::vector<Walk> walks;
    for (std::uint32_t flit = 0; flit < flits; ++flit) {
      const std::vector<Node>& cycle = cycles_[flit / in_a_row];
      const std::vector<Node>& roots = roots_[flit / in_a_row];
      const std::uint32_t number = flit % in_a_row;
      if (!back_) {
        for (const Node at : roots) {
          walks.push_back({up_[number], &cycle, at, true, {cycle[at], kNoNode, flit}});
        }
        continue;
      }
      const Message piece{request_.root, kNoNode, flit};
      const Node at = roots[members - 1 - number % at_once / hop_];
      const std::uint32_t k = number / at_once * hop_ + number % hop_;
      walks.push_back({up_[k], &cycle, at, true, piece});
      walks.push_back({down_[k], &cycle, at, false, piece});
    }
    std::ranges::stable_sort(walks, {}, &Walk::round);
    Model model{PortModel::All, Duplex::Full, Switching::Pipelined, /*combining=*/false};
    model.hop_rounds = hop_;
    Schedule schedule = empty_schedule(request_, model);
    schedule.cut(flits);
    const ChunkFlits sizes = schedule.chunk_flits(flits);
    for (const Walk& walk : walks) {
      if (sizes.of(walk.piece) != 0) add(schedule, walk);
    }
    return schedule;
  }

 private:
  struct Walk {
    std::uint32_t round;
    const std::vector<Node>* cycle;
    Node at;  ///< of the cycle: the root
    bool up;
    Message piece;
  };

  /// In each round modulo a hop the ways follow one another: a way down as soon as the sum is
  /// stored.
  void find_rounds(std::uint32_t all) {
    std::vector<std::uint32_t> free(hop_);  // by residue, in hops
    std::vector<std::vector<std::uint32_t>> waiting(hop_);
    const std::uint32_t stored = nodes_ + (kPipelinedStoreRounds + hop_ - 1) / hop_;
    down_.resize(back_ ? all : 0);
    const auto bring_down = [&](std::uint32_t residue) {
      const std::uint32_t k = waiting[residue].front();
      waiting[residue].erase(waiting[residue].begin());
      const std::uint32_t ready = (up_[k] - 1) / hop_ + stored;
      free[residue] = std::max(free[residue], ready);
      down_[k] = 1 + residue + free[residue] * hop_;
      free[residue] += nodes_ - 1;
    };
    for (std::uint32_t k = 0; k < all; ++k) {
      const auto residue =
          static_cast<std::uint32_t>(std::ranges::min_element(free) - free.begin());
      up_.push_back(1 + residue + free[residue] * hop_);
      free[residue] += nodes_;
      if (back_) waiting[residue].push_back(k);
      if (waiting[residue].size() > 1) bring_down(residue);
    }
    for (std::uint32_t residue = 0; residue < hop_; ++residue) {
      while (!waiting[residue].empty()) bring_down(residue);
    }
  }

  void add(Schedule& schedule, const Walk& walk) const {
    std::vector<Branch> branches;
    for (Node step = 1; step < nodes_; ++step) {
      const Node at = (walk.at + (walk.up ? nodes_ - step : step)) % nodes_;
      const Node x = (*walk.cycle)[at];
      branches.push_back(
          {x, step == 1 ? TransferHop::kNone : step - 2, walk.up || request_.members.has(x)});
    }
    while (!branches.empty() && !request_.members.has(branches.back().to)) branches.pop_back();
    if (branches.empty()) return;  // a group of one
    const Node root = (*walk.cycle)[walk.at], next = (*walk.cycle)[(walk.at + 1) % nodes_];
    if (!walk.up) return schedule.add_tree(walk.round, root, branches, {&walk.piece, 1});
    schedule.add_join(walk.round, root, request_.topology.port_to(root, next), branches,
                      {&walk.piece, 1});
  }

  const Request& request_;
  std::uint32_t hop_;
  Node nodes_;
  bool back_;
  std::vector<std::vector<Node>> cycles_;
  std::vector<std::vector<Node>> roots_;  ///< by cycle: places of the members
  std::vector<std::uint32_t> up_, down_;  ///< first rounds of the ways, by N flits of a cycle
};

Schedule plan(const Request& request) {
  if (walks(request)) return Walks(request).plan();
  const Node n = request.topology.nodes();
  std::vector<Lap> laps;
  const bool all = request.collective == Collective::AllReduce;
  const std::uint32_t most =
      all ? std::max(std::min(request.flits, kMostPieces) / n, 1u) : request.flits;
  const auto cycles = directed_cycles(request, most);
  const auto count = static_cast<std::uint32_t>(cycles.size());
  const std::uint32_t pieces = all ? std::min(count * n, request.flits) : count * n;
  for (std::uint32_t k = 0; k < pieces; ++k) {
    const std::vector<Node>& cycle = cycles[k / n];
    const Message piece =
        all ? Message{request.root, kNoNode, k} : Message{cycle[k % n], kNoNode, k / n};
    laps.push_back({&cycle, k % n, 1, all ? 2 * n - 1 : n, piece});
  }
  return schedule_of(request, all ? pieces : count, std::move(laps));
}

}  // namespace

const Algorithm kRingReduce = {
    .name = "ring-reduce",
    .summary = "reductions in pieces along hamiltonian cycles that share no link",
    .serves = every({Collective::ReduceScatter, Collective::AllReduce}, {PortModel::All},
                    {Duplex::Full, Duplex::Half}),
    .needs = refuses,
    .make = plan,
    .any_graph = true,
    .takes_cycle = true,
    .most_nodes = 8192,
    .cuts = true,
    .any_chunks = true,
};

}  // namespace gossamer
