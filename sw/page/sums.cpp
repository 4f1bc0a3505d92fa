#include "page/sums.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/interrupt.hpp"

namespace gossamer {
namespace {

constexpr Node kMostBlocks = 64;
constexpr std::uint32_t kMostGroups = 400;

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

}  // namespace

nlohmann::ordered_json sums_json(const Schedule& schedule, const CheckReport& checked,
                                 unsigned flits) {
  const ChunkFlits chunks = schedule.chunk_flits(flits);
  const Topology& topology = schedule.topology();
  std::uint32_t rounds = schedule.rounds();
  for (const Transfer& t : schedule.transfers()) {
    rounds = std::max(rounds, schedule.last_round(t));
  }
  const auto nodes_each = static_cast<Node>(divide_up(topology.nodes(), kMostBlocks));
  const auto rounds_each = static_cast<std::uint32_t>(divide_up(std::max(rounds, 1u), kMostGroups));
  std::vector<std::vector<std::uint64_t>> by_block(divide_up(topology.nodes(), nodes_each),
                                                   std::vector<std::uint64_t>(topology.ports(), 0));
  std::vector<std::uint64_t> by_rounds(divide_up(std::max(rounds, 1u), rounds_each), 0);
  const std::vector<Node> moves = schedule.symmetry().elements();
  for (std::size_t i = 0; i < schedule.transfers().size(); ++i) {
    const Transfer& t = schedule.transfers()[i];
    const std::uint64_t cycles = checked.flits_of(i, chunks);
    for (const TransferHop hop : schedule.hops(t)) {
      stop_if_interrupted();
      const Port port = port_out(topology, hop);
      by_rounds[(schedule.round_of(t, hop) - 1) / rounds_each] += cycles * moves.size();
      for (const Node by : moves) {
        const Node x = by == 0 ? hop.from : topology.translate(hop.from, by);
        by_block[x / nodes_each][port] += cycles;
      }
    }
  }
  return {{"nodes_each", nodes_each},
          {"rounds_each", rounds_each},
          {"busy_by_block_and_port", by_block},
          {"busy_by_rounds", by_rounds}};
}

}  // namespace gossamer
