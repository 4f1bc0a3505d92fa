#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "driver/report.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"

namespace gossamer {
namespace {

/// Approximate size of a load and its line of text.
constexpr double kBytesPerLoad = 2 * sizeof(LinkLoad) + 32;

void require_room(const Schedule& schedule) {
  double hops = 0;
  for (const Transfer& t : schedule.transfers()) hops += t.path_size;
  const Topology& topology = schedule.topology();
  const double arcs = static_cast<double>(topology.nodes()) * topology.ports();
  require_memory((hops * schedule.symmetry().order() + arcs) * kBytesPerLoad,
                 "the load of every link of " + topology.spec());
}

/// One load for each link in a round: sums the transfers.
void merge(std::vector<LinkLoad>& loads) {
  std::ranges::sort(loads, [](const LinkLoad& a, const LinkLoad& b) {
    stop_if_interrupted();
    return a < b;
  });
  std::size_t kept = 0;
  for (const LinkLoad& load : loads) {
    stop_if_interrupted();
    LinkLoad* const last = kept == 0 ? nullptr : &loads[kept - 1];
    if (last != nullptr && last->round == load.round && last->from == load.from &&
        last->to == load.to && last->port == load.port) {
      last->messages += load.messages;
      last->cycles += load.cycles;
    } else {
      loads[kept++] = load;
    }
  }
  loads.resize(kept);
}

nlohmann::ordered_json link_json(const LinkLoad& load) {
  return {
      {"from", load.from}, {"to", load.to}, {"messages", load.messages}, {"cycles", load.cycles}};
}

}  // namespace

Loads link_loads(const Schedule& schedule, const CheckReport& checked, unsigned flits) {
  require_room(schedule);
  Loads loads;
  loads.flits = flits;
  const ChunkFlits chunks = schedule.chunk_flits(flits);
  const Topology& topology = schedule.topology();
  const std::vector<Node> moves = schedule.symmetry().elements();
  const auto moved = [&](Node x, Node by) { return by == 0 ? x : topology.translate(x, by); };
  begin_steps(schedule.transfers().size(), "transfers");
  for (std::size_t i = 0; i < schedule.transfers().size(); ++i) {
    step_done(i);
    if (checked.carried[i] == 0) continue;
    const Transfer& t = schedule.transfers()[i];
    const std::uint64_t cycles = checked.flits_of(i, chunks);
    for (const TransferHop hop : schedule.hops(t)) {
      for (const Node by : moves) {
        stop_if_interrupted();
        loads.by_round.push_back({schedule.round_of(t, hop), moved(hop.from, by), moved(hop.to, by),
                                  port_out(topology, hop), checked.carried[i], cycles});
      }
    }
  }
  merge(loads.by_round);
  for (Node x = 0; x < topology.nodes(); ++x) {
    stop_if_interrupted();
    for (Port p = 0; p < topology.ports(); ++p) {
      const Endpoint e = topology.peer(x, p);
      if (topology.sends(x, p)) loads.in_sum.push_back({0, x, e.node, p, 0, 0});
    }
  }
  for (LinkLoad load : loads.by_round) {
    stop_if_interrupted();
    load.round = 0;
    loads.in_sum.push_back(load);
  }
  merge(loads.in_sum);
  return loads;
}

std::string loads_csv(const Loads& loads) {
  std::string text = "round,from,to,messages,cycles\n";
  for (const auto* list : {&loads.by_round, &loads.in_sum}) {
    for (const LinkLoad& load : *list) {
      stop_if_interrupted();
      text += fmt::format("{},{},{},{},{}\n", load.round == 0 ? "sum" : std::to_string(load.round),
                          load.from, load.to, load.messages, load.cycles);
    }
  }
  return text;
}

nlohmann::ordered_json loads_json(const Loads& loads, bool heard) {
  nlohmann::ordered_json json = {{"flits", loads.flits},
                                 {"rounds", nlohmann::ordered_json::array()},
                                 {"sum", nlohmann::ordered_json::array()}};
  for (const LinkLoad& load : loads.by_round) {
    if (heard) stop_if_interrupted();
    if (json["rounds"].empty() || json["rounds"].back()["round"] != load.round) {
      json["rounds"].push_back({{"round", load.round}, {"links", nlohmann::ordered_json::array()}});
    }
    json["rounds"].back()["links"].push_back(link_json(load));
  }
  for (const LinkLoad& load : loads.in_sum) {
    if (heard) stop_if_interrupted();
    json["sum"].push_back(link_json(load));
  }
  return json;
}

}  // namespace gossamer
