#include <nlohmann/json.hpp>
#include <numeric>

#include "driver/report.hpp"

namespace gossamer {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMissingShown = 1000;

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json model_json(const Model& model) {
  Json json = {{"ports", to_string(model.ports)},
               {"duplex", to_string(model.duplex)},
               {"switching", to_string(model.switching)},
               {"combining", model.combining}};
  if (model.hop_rounds != 1) json["hop_rounds"] = model.hop_rounds;
  return json;
}

Json faults_json(const FaultSet& faults) {
  if (faults.empty()) return nullptr;
  const FaultLinks parts = links_of(faults);
  Json arcs = Json::array();
  for (const Arc& arc : parts.arcs) arcs.push_back({arc.from, arc.to});
  return {
      {"nodes", faults.nodes}, {"links", parts.links}, {"arcs", arcs}, {"from", faults.from_round}};
}

Json runner_up_json(const std::optional<RunnerUp>& next) {
  if (!next) return nullptr;
  return {{"algorithm", next->algorithm},
          {"ports", to_string(next->ports)},
          {"pieces", next->pieces},
          {"cycles", next->cycles},
          {"exact", next->exact}};
}

/// The first pairs [node, origin]; `expected` and `delivered` give their number.
Json missing_json(const std::vector<MissingPair>& missing) {
  Json pairs = Json::array();
  for (const MissingPair& pair : missing) {
    if (pairs.size() == kMissingShown) break;
    pairs.push_back({pair.node, pair.origin});
  }
  return pairs;
}

/// What the hardware measured; every key is null if it did not run. An interrupted run has
/// simulated cycles and measured none.
void add_measured(Json& json, const std::optional<RunResult>& run) {
  const auto put = [&](const char* key, auto value_of) {
    json[key] = run ? Json(value_of(*run)) : Json(nullptr);
  };
  put("cycles_measured",
      [](const RunResult& r) { return r.interrupted ? Json(nullptr) : Json(r.cycles_measured); });
  if (run && run->interrupted) {
    json["cycles_simulated"] = run->cycles_simulated;
    json["rounds_done"] = run->rounds_done;
  }
  put("nodes_simulated", [](const RunResult& r) { return r.nodes_simulated; });
  put("words_checked", [](const RunResult& r) { return r.words_checked; });
  put("link_cycles_checked", [](const RunResult& r) { return r.link_cycles_checked; });
  put("flits_moved", [](const RunResult& r) { return r.flits_moved; });
  put("errors", [](const RunResult& r) { return r.errors; });
  put("wall_seconds", [](const RunResult& r) { return r.wall_seconds; });
  put("node_cycles_per_second", [](const RunResult& r) { return r.node_cycles_per_second; });
  put("engine_seconds", [](const RunResult& r) { return r.engine_seconds; });
  put("engine_node_cycles_per_second",
      [](const RunResult& r) { return r.engine_node_cycles_per_second; });
}

void add_verdict(Json& json, const Report& report) {
  json["verdict"] = report.verdict();
  if (report.interrupted()) json["interrupted_in"] = report.interrupted_in;
  if (!report.error.empty()) json["error"] = report.error;
  json["problems"] = report.problems;
}

/// Of messages that are not equally long; "flits" is that of a longest one.
Json sizes_json(const Sizes& sizes) {
  const auto all = sizes.all();
  return {{"least", std::ranges::min(all)},
          {"most", std::ranges::max(all)},
          {"sum", std::accumulate(all.begin(), all.end(), std::uint64_t{0})}};
}

/// Only the request: the case was interrupted before the schedule was examined.
Json asked_json(const Report& report) {
  Json json;
  if (!report.request.name.empty()) json["name"] = report.request.name;
  if (!report.request.file.empty()) json["file"] = report.request.file;
  json["topology"] = report.topology.empty() ? Json(nullptr) : Json(report.topology);
  json["algorithm"] = report.algorithm.empty() ? Json(nullptr) : Json(report.algorithm);
  json["flits"] = report.request.flits;
  if (report.pieces > 1) json["pieces"] = report.pieces;
  json["engine"] = report.request.engine;
  add_verdict(json, report);
  return json;
}

}  // namespace

nlohmann::ordered_json to_json(const Report& report, bool measured) {
  if (report.nodes == 0) return asked_json(report);
  Json json;
  if (!report.request.name.empty()) json["name"] = report.request.name;
  if (!report.request.file.empty()) json["file"] = report.request.file;
  json["topology"] = report.topology;
  json["nodes"] = report.nodes;
  if (!report.names.empty()) json["names"] = report.names;
  json["collective"] = to_string(report.collective);
  if (has_root(report.collective) && !report.members.several()) json["root"] = report.root;
  if (report.initiator) {
    json["initiator"] = {{"node", report.initiator->node}, {"join", report.initiator->join}};
  }
  if (!report.members.all()) json["members"] = report.members.group();
  for (std::size_t i = 0; i < report.members.groups(); ++i) {
    json["groups"].push_back({{"members", report.members.group(i)}});
    if (has_root(report.collective)) json["groups"].back()["root"] = report.members.root(i);
  }
  json["algorithm"] = report.algorithm.empty() ? Json(nullptr) : Json(report.algorithm);
  json["model"] = model_json(report.model);
  json["tolerance"] = or_null(report.tolerance);
  json["faults"] = faults_json(report.faults);
  json["flits"] = report.request.flits;
  if (!report.sizes.equal()) json["sizes"] = sizes_json(report.sizes);
  if (report.pieces > 1) json["pieces"] = report.pieces;
  if (!report.request.stages.none()) json["link_stages"] = report.request.stages.numbers();
  json["engine"] = report.request.engine;
  json["seed"] = report.request.seed;
  json["rounds"] = report.check.rounds;
  if (report.slots) json["slots"] = *report.slots;
  json["rounds_formula"] = report.formula ? Json(report.formula->rounds) : Json(nullptr);
  json["formula"] = report.formula ? Json(report.formula->text) : Json(nullptr);
  json["rounds_bound"] = report.bound.value;
  json["bound_source"] = report.bound.source;
  json["rounds_bound_of"] = report.bound.of;
  const auto& status = report.average_status;
  json["average_status"] = or_null(status);
  json["average_distance"] =
      status && report.nodes > 1 ? Json(*status / (report.nodes - 1)) : Json(nullptr);
  json["delta_sum"] = report.check.delta_sum;
  json["tau_sum"] = report.check.tau_sum;
  if (report.adaptive) json["offered"] = report.offered;
  json["transmissions"] = report.check.transmissions;
  json["cycles_predicted"] = or_null(report.cycles_predicted);
  const auto& bound = report.cycles_bound;
  json["cycles_bound"] = bound ? Json(bound->value) : Json(nullptr);
  json["cycles_bound_source"] = bound ? Json(bound->source) : Json(nullptr);
  json["cycles_bound_of"] = bound ? Json(bound->of) : Json(nullptr);
  json["cycles_over_bound"] = or_null(ratio_to_bound(report));
  json["runner_up"] = runner_up_json(report.runner_up);
  const bool ended = report.run && !report.run->interrupted;
  json["delivered"] = ended ? report.run->delivered : report.check.delivered;
  json["expected"] = ended ? report.run->expected : report.check.expected;
  if (report.run && !ended) json["delivered"] = nullptr;  // known at the end only
  json["missing"] = missing_json(report.check.missing);
  if (measured) add_measured(json, report.run);
  if (report.loads) json["loads"] = loads_json(*report.loads, !report.interrupted());
  if (report.check_ignored) {
    json["refused"] = Json::array();
    for (const BrokenRule& rule : report.check.faults) json["refused"].push_back(to_string(rule));
  }
  add_verdict(json, report);
  return json;
}

}  // namespace gossamer
