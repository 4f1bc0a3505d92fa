#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "algorithms/common/all.hpp"
#include "algorithms/hamiltonian_cycles/hamiltonian_cycle.hpp"
#include "algorithms/reductions/reductions.hpp"

namespace gossamer {
namespace {

using namespace reductions;

/// Pieces at most, if every port has its cycle, times the hops of each.
std::uint64_t most_transfers(const Request& request) {
  const std::uint64_t n = request.topology.nodes();
  const std::uint64_t cycles = request.ports == PortModel::Single ? 1 : request.topology.ports();
  if (request.collective == Collective::Reduce) return cycles * n;
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
  if (request.pieces) return "ring-reduce cuts vectors as it needs: leave the pieces out";
  if (!request.cycle.empty()) return why_no_cycle(request.topology, request.cycle);
  return why_no_hamiltonian_cycle(request.topology);
}

/// Cycles in one direction each, which may all be used in every round: at most `most`.
std::vector<std::vector<Node>> directed_cycles(const Request& request, std::size_t most) {
  const bool one = request.ports == PortModel::Single;
  std::vector<std::vector<Node>> cycles;
  if (!request.cycle.empty()) {
    cycles.push_back(request.cycle);
  } else if (one) {
    cycles.push_back(hamiltonian_cycle(request.topology).cycle);
  } else {
    cycles = disjoint_hamiltonian_cycles(request.topology);
  }
  if (!one && request.duplex == Duplex::Full) {
    for (std::size_t k = cycles.size(); k-- > 0;) {
      cycles.emplace_back(cycles[k].rbegin(), cycles[k].rend());
    }
  }
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
  const Model model{request.ports, request.duplex, Switching::Packet, /*combining=*/false};
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

std::size_t place_of(const std::vector<Node>& cycle, Node x) {
  return static_cast<std::size_t>(std::ranges::find(cycle, x) - cycle.begin());
}

Schedule plan(const Request& request) {
  const Node n = request.topology.nodes();
  std::vector<Lap> laps;
  if (request.collective == Collective::Reduce) {
    // As many pieces follow one another around a cycle as are not too short.
    const auto cycles = directed_cycles(request, request.flits);
    const auto count = static_cast<std::uint32_t>(cycles.size());
    const std::uint64_t most = std::min<std::uint64_t>(kMostPieces, kMostTransfers / n) / count;
    const auto in_a_row = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(request.flits / (count * kRound), 1, most));
    for (std::uint32_t k = 0; k < in_a_row * count; ++k) {
      const std::vector<Node>& cycle = cycles[k % count];
      laps.push_back(
          {&cycle, place_of(cycle, request.root), 1 + k / count, n, {request.root, kNoNode, k}});
    }
    return schedule_of(request, in_a_row * count, std::move(laps));
  }
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
    .serves =
        [] {
          const std::vector<Collective> all = {Collective::Reduce, Collective::ReduceScatter,
                                               Collective::AllReduce};
          std::vector<Serves> serves =
              every(all, {PortModel::Single, PortModel::All}, {Duplex::Full, Duplex::Half});
          std::erase_if(serves, [](const Serves& s) {
            return s.ports == PortModel::Single && s.duplex == Duplex::Half;
          });
          return serves;
        }(),
    .needs = refuses,
    .make = plan,
    .any_graph = true,
    .takes_cycle = true,
    .most_nodes = 8192,
    .cuts = true,
};

}  // namespace gossamer
