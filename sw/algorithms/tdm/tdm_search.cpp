#include "algorithms/tdm/tdm_search.hpp"

#include <fmt/format.h>

#include "algorithms/tdm/fewest_slots.hpp"
#include "algorithms/tdm/table.hpp"
#include "bounds/bounds.hpp"

namespace gossamer {
namespace {

constexpr Model kModel = {PortModel::Single, Duplex::Full, Switching::Pipelined,
                          /*combining=*/false};
/// Prices of longer paths would overflow.
constexpr Node kMaxSide = 32;

/// Nothing if the search does not support the topology.
std::optional<tdm::Torus> torus_of(const Topology& topology) {
  const auto factors = topology.factors();
  if (factors.size() != 2) return std::nullopt;
  for (const Graph& factor : factors) {
    if (!factor.spec.starts_with("ring:")) return std::nullopt;
    if (factor.nodes < 3 || factor.nodes > kMaxSide) return std::nullopt;
  }
  return tdm::Torus{factors[0].nodes, factors[1].nodes};
}

std::optional<std::string> refuses(const Request& request) {
  if (request.collective != Collective::TotalExchange) {
    return fmt::format("tdm-search serves total-exchange only, not {}",
                       to_string(request.collective));
  }
  if (request.ports != PortModel::Single || request.duplex != Duplex::Full) {
    return "tdm-search uses single ports in full duplex: ask for these";
  }
  if (!request.cycle.empty()) return "tdm-search takes no cycle";
  const auto torus = torus_of(request.topology);
  if (!torus) {
    return fmt::format("tdm-search needs a torus of two sides of 3 to {} nodes, not {}", kMaxSide,
                       request.topology.spec());
  }
  if (!request.seconds && !tdm::timetable_in_table(*torus)) {
    return fmt::format(
        "tdm-search has schedules of torus:{0}x{0} to torus:{1}x{1} ready, none of {2}: give it "
        "seconds to search",
        tdm::kSmallestInTable, tdm::kLargestInTable, request.topology.spec());
  }
  return std::nullopt;
}

/// For timetables in the table only; the result of a search is not known in advance.
Formula formula(const Request& request) {
  const auto timetable = tdm::timetable_in_table(*torus_of(request.topology));
  return {"slots of the table", timetable ? timetable->slots : 0};
}

tdm::Timetable timetable_for(const Request& request) {
  const tdm::Torus torus = *torus_of(request.topology);
  if (!request.seconds) return *tdm::timetable_in_table(torus);
  using Clock = std::chrono::steady_clock;
  tdm::Limit limit;
  limit.until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(*request.seconds));
  const auto bound = static_cast<std::uint32_t>(
      lower_bound_rounds(request.topology, Collective::TotalExchange, kModel));
  return tdm::fewest_slots(torus, bound, request.seed, limit);
}

Schedule plan(const Request& request) {
  const Topology& topology = request.topology;
  Schedule schedule(topology, Collective::TotalExchange, kModel,
                    Symmetry(topology, std::vector<Node>{topology.stride(0), topology.stride(1)}));
  schedule.algorithm = kTdmSearch.name;
  for (const tdm::Route& route : tdm::all_routes(timetable_for(request))) {
    std::vector<Node> path = {0};
    for (const tdm::Direction d : route.steps) path.push_back(topology.peer(path.back(), d).node);
    const Message message{0, path.back()};
    schedule.add(route.slot, path, {&message, 1});
  }
  return schedule;
}

}  // namespace

const Algorithm kTdmSearch = {
    .name = "tdm-search",
    .source = "ours",
    .summary = "total exchange on 2-D tori, single port, pipelined circuits; seconds: search anew",
    .serves = every({Collective::TotalExchange}, {PortModel::Single}, {Duplex::Full}),
    .refuses = refuses,
    .formula = formula,
    .plan = plan,
    .searches = true,
    .switching = Switching::Pipelined,
};

}  // namespace gossamer
