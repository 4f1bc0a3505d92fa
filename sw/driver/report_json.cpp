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

void add_verdict(Json& json, const Facts& facts) {
  json["verdict"] = facts.verdict();
  if (facts.interrupted()) json["interrupted_in"] = facts.interrupted_in;
  if (!facts.error.empty()) json["error"] = facts.error;
  json["problems"] = facts.problems;
}

/// Of messages that are not equally long; "flits" is that of a longest one.
Json sizes_json(const Sizes& sizes) {
  const auto all = sizes.all();
  return {{"least", std::ranges::min(all)},
          {"most", std::ranges::max(all)},
          {"sum", std::accumulate(all.begin(), all.end(), std::uint64_t{0})}};
}

/// How the case is named and what is read.
Json named_json(const Case& c) {
  Json json;
  if (!c.name.empty()) json["name"] = c.name;
  if (!c.file.empty()) json["file"] = c.file;
  return json;
}

/// Only the request: the case was interrupted before the schedule was examined.
Json asked_json(const Facts& facts) {
  const Case& c = facts.request;
  Json json = named_json(c);
  json["topology"] = c.topology.empty() ? Json(nullptr) : Json(c.topology);
  json["algorithm"] = c.algorithm.empty() ? Json(nullptr) : Json(c.algorithm);
  json["flits"] = c.flits;
  json["engine"] = c.engine;
  add_verdict(json, facts);
  return json;
}

}  // namespace

nlohmann::ordered_json to_json(const Facts& facts, bool measured) {
  if (!facts.plan) return asked_json(facts);
  const Plan& plan = *facts.plan;
  const Schedule& schedule = plan.schedule;
  const Topology& topology = schedule.topology();
  const Members& members = schedule.members;
  const bool rooted = has_root(schedule.collective());
  Json json = named_json(facts.request);
  json["topology"] = topology.spec();
  json["nodes"] = topology.nodes();
  if (topology.named()) json["names"] = topology.factors()[0].names;
  json["collective"] = to_string(schedule.collective());
  if (rooted && !members.several()) json["root"] = schedule.root;
  if (schedule.initiator) {
    json["initiator"] = {{"node", schedule.initiator->node}, {"join", schedule.initiator->join}};
  }
  if (!members.all()) json["members"] = members.group();
  for (std::size_t i = 0; i < members.groups(); ++i) {
    json["groups"].push_back({{"members", members.group(i)}});
    if (rooted) json["groups"].back()["root"] = members.root(i);
  }
  json["algorithm"] = plan.algorithm == nullptr ? Json(nullptr) : Json(plan.algorithm->name);
  json["model"] = model_json(schedule.model());
  json["tolerance"] = or_null(plan.tolerance);
  json["faults"] = faults_json(schedule.faults);
  json["flits"] = facts.request.flits;
  if (!schedule.sizes.equal()) json["sizes"] = sizes_json(schedule.sizes);
  if (schedule.pieces() > 1) json["pieces"] = schedule.pieces();
  if (!facts.request.stages.none()) json["link_stages"] = facts.request.stages.numbers();
  json["engine"] = facts.request.engine;
  json["seed"] = facts.request.seed;
  json["rounds"] = facts.check.rounds;
  if (const auto slots = facts.slots()) json["slots"] = *slots;
  json["rounds_formula"] = plan.formula ? Json(plan.formula->rounds) : Json(nullptr);
  json["formula"] = plan.formula ? Json(plan.formula->text) : Json(nullptr);
  json["rounds_bound"] = facts.bound.value;
  json["bound_source"] = facts.bound.source;
  json["rounds_bound_of"] = facts.bound.of;
  const auto& status = facts.average_status;
  json["average_status"] = or_null(status);
  json["average_distance"] =
      status && topology.nodes() > 1 ? Json(*status / (topology.nodes() - 1)) : Json(nullptr);
  json["delta_sum"] = facts.check.delta_sum;
  json["tau_sum"] = facts.check.tau_sum;
  if (facts.adaptive()) json["offered"] = facts.offered();
  json["transmissions"] = facts.check.transmissions;
  json["cycles_predicted"] = or_null(facts.cycles_predicted());
  const auto& bound = facts.cycles_bound;
  json["cycles_bound"] = bound ? Json(bound->value) : Json(nullptr);
  json["cycles_bound_source"] = bound ? Json(bound->source) : Json(nullptr);
  json["cycles_bound_of"] = bound ? Json(bound->of) : Json(nullptr);
  json["cycles_over_bound"] = or_null(facts.ratio_to_bound());
  json["runner_up"] = runner_up_json(plan.runner_up);
  const bool ended = facts.run && !facts.run->interrupted;
  json["delivered"] = ended ? facts.run->delivered : facts.check.delivered;
  json["expected"] = ended ? facts.run->expected : facts.check.expected;
  if (facts.run && !ended) json["delivered"] = nullptr;  // known at the end only
  json["missing"] = missing_json(facts.check.missing);
  if (measured) add_measured(json, facts.run);
  if (facts.loads) json["loads"] = loads_json(*facts.loads, !facts.interrupted());
  if (facts.check_ignored) {
    json["refused"] = Json::array();
    for (const BrokenRule& rule : facts.check.faults) json["refused"].push_back(to_string(rule));
  }
  add_verdict(json, facts);
  return json;
}

}  // namespace gossamer
