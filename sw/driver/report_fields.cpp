#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>

#include "driver/report.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"
#include "support/words.hpp"

namespace gossamer {
namespace {

/// Cycles shown before and after the first difference.
constexpr std::uint64_t kWindow = 20;
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
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{}\n",
                     load.round == 0 ? "sum" : std::to_string(load.round), load.from, load.to,
                     load.messages, load.cycles);
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

namespace {

/// "all ports, full duplex, circuit switching, combining"
std::string model_text(const Model& model) {
  return fmt::format(
      "{}, {} duplex, {} switching{}, {}",
      model.ports == PortModel::Single ? "single port" : "all ports", to_string(model.duplex),
      to_string(model.switching),
      model.hop_rounds == 1 ? "" : fmt::format(" ({} rounds a hop)", model.hop_rounds),
      model.combining ? "combining" : "one message a transfer");
}

std::string rounds_meaning(const Facts& r) {
  std::string text;
  if (const auto& formula = r.plan->formula) {
    text = fmt::format("formula {} = {}; ", formula->text, formula->rounds);
  }
  return text +
         fmt::format("no {} needs fewer than {} ({})", r.bound.of, r.bound.value, r.bound.source);
}

/// Messages name nodes by number, as schedule files do.
std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 16;
  std::string text;
  for (std::size_t x = 0; x < names.size() && x < kMost; ++x) {
    text += fmt::format("{}{} {}", x == 0 ? "" : ", ", x, names[x]);
  }
  return names.size() > kMost ? text + ", ..." : text;
}

}  // namespace

std::vector<Number> numbers_of(const Facts& r) {
  std::vector<Number> all;
  const auto add = [&all](std::string name, std::uint64_t value, std::string meaning) {
    all.push_back({std::move(name), grouped(value), std::move(meaning)});
  };
  const CheckReport& c = r.check;
  const Topology& topology = r.schedule().topology();
  const FaultSet& faults = r.schedule().faults;
  const bool sums = reduces(r.schedule().collective());
  // Does the run end when a sum is written, and not when a flit arrives?
  const bool ends_merging = r.timed && r.timed->time.ends_merging();
  if (topology.named()) {
    const auto& names = topology.factors()[0].names;
    add("names", names.size(), names_text(names));
  }
  if (const auto tolerance = r.plan->tolerance) {
    add("tolerance", *tolerance, "faulty nodes and links that it tolerates, whichever they are");
  }
  if (!faults.empty()) {
    const FaultLinks parts = links_of(faults);
    add("faults", faults.nodes.size() + parts.links.size() + parts.arcs.size(), to_string(faults));
  }
  if (!faults.empty() && r.adaptive()) {
    add("missing", c.missing.size(),
        fmt::format("of {} messages that healthy nodes should have from healthy nodes",
                    grouped(c.expected)));
  }
  add("rounds", c.rounds, rounds_meaning(r));
  if (const auto slots = r.slots()) {
    add("slots", *slots, "from the first used on a link to the last");
  }
  add("delta_sum", c.delta_sum, "hops: the longest path of each round, summed");
  add("tau_sum", c.tau_sum, "messages: the most on one path of each round, summed");
  add("transmissions", c.transmissions,
      r.adaptive() ? "messages that really crossed a link, over all links"
                   : "messages times hops, over all transfers");
  if (r.adaptive()) {
    add("offered", r.offered(), "messages: places in the slots of one node, over all rounds");
  }
  if (r.timed) {
    add("cycles predicted", *r.cycles_predicted(),
        r.adaptive()
            ? "from the start pulse (cycle 0) to the end of the last slot, whatever was sent"
        : ends_merging ? "from the start pulse (cycle 0) to the last sum that a node writes"
                       : "from the start pulse (cycle 0) to the last flit on its last link");
  }
  if (const auto ratio = r.ratio_to_bound()) {
    add("cycles bound", r.cycles_bound->value,
        fmt::format("no {} takes fewer ({}); predicted: {:.2f} times that", r.cycles_bound->of,
                    r.cycles_bound->source, *ratio));
  }
  if (const auto whole = r.whole_cycles) {
    add("cycles if whole", *whole, fmt::format("predicted if nothing were dead", topology.spec()));
  }
  if (!r.run) return all;
  const RunResult& run = *r.run;
  if (run.nodes_simulated != r.nodes()) {
    add("nodes simulated", run.nodes_simulated,
        fmt::format("one of each class; what follows is said of all {}", grouped(r.nodes())));
  }
  if (run.interrupted) {
    add("cycles simulated", run.cycles_simulated,
        fmt::format("of {} predicted", grouped(run.cycles_predicted)));
    add("rounds done", run.rounds_done,
        fmt::format("of {}: their slots had ended", grouped(c.rounds)));
    add("flits moved", run.flits_moved, "over links, every hop counted");
    if (run.words_checked != 0) {
      add("words checked", run.words_checked,
          "that had arrived, each compared with what its origin sent");
    }
    add("errors", run.errors, "nodes whose hardware had raised an error");
  } else {
    add("cycles measured", run.cycles_measured,
        r.adaptive() || ends_merging ? "the same, as the nodes ended their tables"
                                     : "the same, as the monitors of the links saw it");
    add("delivered", run.delivered,
        fmt::format("of {} {}", grouped(run.expected),
                    sums ? "nodes that must have a sum"
                         : "(node, message) pairs, a node's own not counted"));
    add("words checked", run.words_checked,
        sums ? "of these sums, each compared with all parts together"
             : "in all message stores, each compared with what its origin sent");
    if (run.link_cycles_checked != 0) {
      add("link cycles", run.link_cycles_checked,
          "links times cycles, each compared with what the schedule puts there");
    }
    add("errors", run.errors, "nodes whose hardware raised an error");
  }
  // All of the run counts, from loading the fabric to the verdict.
  all.push_back({"run in", fmt::format("{:.3f} s", run.wall_seconds),
                 fmt::format("{:.1f} million node-cycles/s; {:.1f} in the {} engine itself",
                             run.node_cycles_per_second / 1e6,
                             run.engine_node_cycles_per_second / 1e6, r.request.engine)});
  return all;
}

std::string flits_text(const Facts& facts) {
  const Sizes& sizes = facts.schedule().sizes;
  if (sizes.equal()) return fmt::format("{} flits", facts.request.flits);
  const auto all = sizes.all();
  return fmt::format("{} to {} flits", std::ranges::min(all), std::ranges::max(all));
}

std::string title_of(const Facts& facts) {
  const Case& asked = facts.request;
  if (!facts.plan) return asked.file.empty() ? asked.topology : asked.file;
  const Schedule& s = facts.schedule();
  std::string text = fmt::format("{} on {}", both_names(s.collective()), s.topology().spec());
  if (!s.members.all()) text += fmt::format(", members {}", s.members.text());
  if (has_root(s.collective()) && !s.members.several()) text += fmt::format(", root {}", s.root);
  if (!s.sizes.equal()) text += fmt::format(", messages of {}", flits_text(facts));
  if (s.initiator) text += fmt::format(", initiator {}", s.initiator->node);
  if (const Algorithm* by = facts.plan->algorithm) {
    const std::string& chosen = facts.plan->chosen;
    text += fmt::format(" by {} ({}{})", by->name, by->source, chosen.empty() ? "" : "; " + chosen);
  }
  if (!asked.file.empty()) text += fmt::format(", read from {}", asked.file);
  return text;
}

std::string run_command_line(const Facts& facts, const std::string& program) {
  Case c = facts.request;
  const Schedule& schedule = facts.schedule();
  std::string command = shell_word(program) + " run";
  if (!c.file.empty()) {
    command += " " + shell_file(c.file);
  } else {
    c.topology = schedule.topology().spec();
    c.collective = schedule.collective();
    c.algorithm = facts.plan->algorithm == nullptr ? "" : facts.plan->algorithm->name;
    c.best = Best::Cycles;  // nothing is left to choose
    c.ports = schedule.model().ports;
    c.duplex = schedule.model().duplex;
    c.tolerance = facts.plan->tolerance;
  }
  c.flits_given = schedule.sizes.equal();
  command += options_text(c);
  // A schedule that was refused before its run runs only with this.
  const bool refused = !facts.run && !facts.problems.empty() && !facts.beyond_tolerance();
  if (facts.check_ignored || refused) command += " --no-check";
  return command;
}

std::string rerun_command(const Facts& facts, const std::string& program) {
  const Case& c = facts.request;
  std::string command = run_command_line(facts, program);
  const auto add = [&command](std::string_view option, const std::string& value) {
    command += fmt::format(" {} {}", option, shell_file(value));
  };
  add("--trace", (c.name.empty() ? "fail" : c.name) + std::string(wave_extension(c.engine)));
  if (facts.run && facts.run->has_difference) {
    const std::uint64_t at = facts.run->difference_cycle;
    const std::uint64_t since = std::min(at, facts.run->cause_since);
    add("--trace-cycles", fmt::format("{}-{}", since - std::min(since, kWindow), at + kWindow));
  }
  return command;
}

std::string model_of(const Facts& r) {
  const std::uint32_t pieces = r.schedule().pieces();
  return fmt::format("{} nodes, {}, messages of {}{}", grouped(r.nodes()),
                     model_text(r.schedule().model()), flits_text(r),
                     pieces > 1 ? fmt::format(" in {} pieces", pieces) : "");
}

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
  static const RunResult kNone;
  const RunResult& r = run ? *run : kNone;
  const auto put = [&](const char* key, auto value) {
    json[key] = run ? Json(value) : Json(nullptr);
  };
  put("cycles_measured", r.interrupted ? Json(nullptr) : Json(r.cycles_measured));
  if (r.interrupted) {
    json["cycles_simulated"] = r.cycles_simulated;
    json["rounds_done"] = r.rounds_done;
  }
  put("nodes_simulated", r.nodes_simulated);
  put("words_checked", r.words_checked);
  put("link_cycles_checked", r.link_cycles_checked);
  put("flits_moved", r.flits_moved);
  put("errors", r.errors);
  if (!r.suspects.empty()) json["suspects"] = r.suspects;
  put("wall_seconds", r.wall_seconds);
  put("node_cycles_per_second", r.node_cycles_per_second);
  put("engine_seconds", r.engine_seconds);
  put("engine_node_cycles_per_second", r.engine_node_cycles_per_second);
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
  if (facts.whole_cycles) json["cycles_if_whole"] = *facts.whole_cycles;
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
