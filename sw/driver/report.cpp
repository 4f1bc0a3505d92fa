#include "driver/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "driver/case.hpp"
#include "schedule/jsonl.hpp"
#include "schedule/members.hpp"
#include "schedule/schedule.hpp"
#include "support/error.hpp"
#include "support/json.hpp"
#include "support/words.hpp"

namespace gossamer {

std::optional<std::uint64_t> Facts::cycles_predicted() const {
  return timed ? std::optional(timed->time.last_arrival) : std::nullopt;
}

std::optional<double> Facts::ratio_to_bound() const {
  if (!cycles_bound || !timed) return std::nullopt;
  return static_cast<double>(timed->time.last_arrival) / static_cast<double>(cycles_bound->value);
}

bool Facts::adaptive() const { return gossamer::adaptive(schedule()); }
bool Facts::around_dead() const {
  return !schedule().faults.empty() && !adaptive() && !schedule().works_out();
}
std::uint64_t Facts::offered() const { return timed ? timed->offers->length_sum() : 0; }

std::optional<std::uint32_t> Facts::slots() const {
  const Schedule& s = schedule();
  const bool none = check.rounds == 0;  // that are legal
  if (s.model().switching != Switching::Pipelined || none) return std::nullopt;
  return check.rounds + 1 - s.transfers().front().round;
}

const char* Facts::verdict() const {
  if (interrupted()) return "interrupted";
  if (!error.empty()) return "error";
  return passed() ? "pass" : "fail";
}

bool Facts::beyond_tolerance() const {
  return problems.size() == 1 && !check.missing.empty() && !run;
}

namespace {

/// Cycles shown before and after the first difference.
constexpr std::uint64_t kWindow = 20;

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

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// A number of a case. It is null if it is not known.
struct Field {
  std::string_view key;  ///< in JSON; empty: not there
  Json value;
  std::string_view name = {};  ///< in a text and on a page; empty: not there
  std::string meaning = {};
};

/// In the order in which a text and a page show them. `measured` adds what only a run can measure.
std::vector<Field> fields_of(const Facts& r, bool measured) {
  std::vector<Field> all;
  const auto add = [&all](std::string_view key, Json value, std::string_view name = {},
                          std::string meaning = {}) {
    all.push_back({key, std::move(value), name, std::move(meaning)});
  };
  const CheckReport& c = r.check;
  const Plan& plan = *r.plan;
  const Topology& topology = r.schedule().topology();
  const FaultSet& faults = r.schedule().faults;
  const bool sums = reduces(r.schedule().collective());
  // Does the run end when a sum is written, and not when a flit arrives?
  const bool ends_merging = r.timed && r.timed->time.ends_merging();
  if (topology.named()) {
    const auto& names = topology.factors()[0].names;
    add("", names.size(), "names", names_text(names));
  }
  add("tolerance", or_null(plan.tolerance), "tolerance",
      "faulty nodes and links that it tolerates, whichever they are");
  if (!faults.empty()) {
    const FaultLinks parts = links_of(faults);
    add("", faults.nodes.size() + parts.links.size() + parts.arcs.size(), "faults",
        to_string(faults));
  }
  if (!faults.empty() && r.adaptive()) {
    add("", c.missing.size(), "missing",
        fmt::format("of {} messages that healthy nodes should have from healthy nodes",
                    grouped(c.expected)));
  }
  add("rounds", c.rounds, "rounds", rounds_meaning(r));
  if (const auto slots = r.slots()) {
    add("slots", *slots, "slots", "from the first used on a link to the last");
  }
  add("rounds_formula", plan.formula ? Json(plan.formula->rounds) : Json());
  add("formula", plan.formula ? Json(plan.formula->text) : Json());
  add("rounds_bound", r.bound.value);
  add("bound_source", r.bound.source);
  add("rounds_bound_of", r.bound.of);
  const auto& status = r.average_status;
  add("average_status", or_null(status));
  add("average_distance",
      status && topology.nodes() > 1 ? Json(*status / (topology.nodes() - 1)) : Json());
  add("delta_sum", c.delta_sum, "delta_sum", "hops: the longest path of each round, summed");
  add("tau_sum", c.tau_sum, "tau_sum", "messages: the most on one path of each round, summed");
  add("transmissions", c.transmissions, "transmissions",
      r.adaptive() ? "messages that really crossed a link, over all links"
                   : "messages times hops, over all transfers");
  if (r.adaptive()) {
    add("offered", r.offered(), "offered",
        "messages: places in the slots of one node, over all rounds");
  }
  add("cycles_predicted", or_null(r.cycles_predicted()), "cycles predicted",
      r.adaptive() ? "from the start pulse (cycle 0) to the end of the last slot, whatever was sent"
      : ends_merging ? "from the start pulse (cycle 0) to the last sum that a node writes"
                     : "from the start pulse (cycle 0) to the last flit on its last link");
  const Bound bound = r.cycles_bound.value_or(Bound{});
  const auto of_bound = [&](auto value) { return r.cycles_bound ? Json(value) : Json(); };
  const auto ratio = r.ratio_to_bound();
  add("cycles_bound", of_bound(bound.value), ratio ? "cycles bound" : "",
      fmt::format("no {} takes fewer ({}); predicted: {:.2f} times that", bound.of, bound.source,
                  ratio.value_or(0)));
  add("cycles_bound_source", of_bound(bound.source));
  add("cycles_bound_of", of_bound(bound.of));
  add("cycles_over_bound", or_null(ratio));
  if (const auto whole = r.whole_cycles) {
    add("cycles_if_whole", *whole, "cycles if whole", "predicted if nothing were dead");
  }
  const RunResult run = r.run.value_or(RunResult{});
  const bool given_up = run.interrupted, ended = r.run && !given_up;
  const auto put = [&](std::string_view key, auto value, std::string_view name = {},
                       std::string meaning = {}) {
    add(key, r.run ? Json(value) : Json(), name, std::move(meaning));
  };
  if (measured) {
    put("nodes_simulated", run.nodes_simulated,
        run.nodes_simulated != r.nodes() ? "nodes simulated" : "",
        fmt::format("one of each class; what follows is said of all {}", grouped(r.nodes())));
    put("cycles_measured", given_up ? Json() : Json(run.cycles_measured), "cycles measured",
        r.adaptive() || ends_merging ? "the same, as the nodes ended their tables"
                                     : "the same, as the monitors of the links saw it");
  }
  if (measured && given_up) {
    put("cycles_simulated", run.cycles_simulated, "cycles simulated",
        fmt::format("of {} predicted", grouped(run.cycles_predicted)));
    put("rounds_done", run.rounds_done, "rounds done",
        fmt::format("of {}: their slots had ended", grouped(c.rounds)));
  }
  // Of a run that was given up nobody knows.
  add("delivered",
      ended   ? Json(run.delivered)
      : r.run ? Json()
              : Json(c.delivered),
      ended ? "delivered" : "",
      fmt::format(
          "of {} {}", grouped(run.expected),
          sums ? "nodes that must have a sum" : "(node, message) pairs, a node's own not counted"));
  add("expected", ended ? run.expected : c.expected);
  if (!measured) return all;
  put("flits_moved", run.flits_moved, given_up ? "flits moved" : "",
      "over links, every hop counted");
  put("words_checked", run.words_checked, ended || run.words_checked != 0 ? "words checked" : "",
      given_up ? "that had arrived, each compared with what its origin sent"
      : sums   ? "of these sums, each compared with all parts together"
               : "in all message stores, each compared with what its origin sent");
  put("link_cycles_checked", run.link_cycles_checked,
      ended && run.link_cycles_checked != 0 ? "link cycles" : "",
      "links times cycles, each compared with what the schedule puts there");
  put("errors", run.errors, "errors",
      given_up ? "nodes whose hardware had raised an error"
               : "nodes whose hardware raised an error");
  if (!run.worked_out.empty()) {
    std::uint64_t words = 0;
    Json list = Json::array();
    std::map<std::uint32_t, std::vector<Node>> nodes;  // by piece
    for (const WorkedOut& w : run.worked_out) {
      words += w.words;
      list.push_back({{"node", w.node}, {"port", w.port}, {"piece", w.piece}, {"words", w.words}});
      nodes[w.piece].push_back(w.node);
    }
    put("worked_out", list);
    std::string which;
    for (const auto& [piece, lack] : nodes) {
      which += fmt::format("{}piece {} at {}", which.empty() ? "" : ", ", piece, nodes_text(lack));
    }
    put("", words, "worked out", "words that never came, from the other pieces: " + which);
  }
  if (!run.suspects.empty()) put("suspects", run.suspects);
  put("wall_seconds", run.wall_seconds);
  put("node_cycles_per_second", run.node_cycles_per_second);
  put("engine_seconds", run.engine_seconds);
  put("engine_node_cycles_per_second", run.engine_node_cycles_per_second);
  // All of the run counts, from loading the fabric to the verdict.
  put("", fmt::format("{:.3f} s", run.wall_seconds), "run in",
      fmt::format("{:.1f} million node-cycles/s; {:.1f} in the {} engine itself",
                  run.node_cycles_per_second / 1e6, run.engine_node_cycles_per_second / 1e6,
                  r.request.engine));
  return all;
}

}  // namespace

std::vector<Number> numbers_of(const Facts& facts) {
  std::vector<Number> all;
  for (const Field& f : fields_of(facts, facts.run.has_value())) {
    if (f.name.empty() || f.value.is_null()) continue;
    all.push_back(
        {std::string(f.name),
         f.value.is_string() ? f.value.get<std::string>() : grouped(f.value.get<std::uint64_t>()),
         f.meaning});
  }
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
  return fmt::format("{} nodes, {}, messages of {}{}{}", grouped(r.nodes()),
                     model_text(r.schedule().model()), flits_text(r),
                     pieces > 1 ? fmt::format(" in {} pieces", pieces) : "",
                     r.schedule().tolerance > 0 ? ", one the exclusive or of the others" : "");
}

namespace {

constexpr std::size_t kMissingShown = 1000;

Json faults_json(const FaultSet& faults) {
  if (faults.empty()) return nullptr;
  const FaultLinks parts = links_of(faults);
  Json arcs = Json::array();
  for (const Arc& arc : parts.arcs) arcs.push_back({arc.from, arc.to});
  Json json = {
      {"nodes", faults.nodes}, {"links", parts.links}, {"arcs", arcs}, {"from", faults.from_round}};
  if (faults.from_cycle != 0) json["cycle"] = faults.from_cycle;
  return json;
}

Json runner_up_json(const std::optional<Candidate>& next) {
  if (!next) return nullptr;
  return {{"algorithm", next->algorithm->name},
          {"ports", to_string(next->ports)},
          {"pieces", next->pieces.value_or(1)},
          {"cycles", next->cycles},
          {"exact", next->known == Known::Exactly}};
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
  if (members.several()) json["groups"] = groups_json(schedule);
  json["algorithm"] = plan.algorithm == nullptr ? Json(nullptr) : Json(plan.algorithm->name);
  json["model"] = model_json(schedule.model());
  json["faults"] = faults_json(schedule.faults);
  json["flits"] = facts.request.flits;
  if (!schedule.sizes.equal()) json["sizes"] = sizes_json(schedule.sizes);
  if (schedule.pieces() > 1) json["pieces"] = schedule.pieces();
  if (!facts.request.stages.none()) json["link_stages"] = facts.request.stages.numbers();
  json["engine"] = facts.request.engine;
  json["seed"] = facts.request.seed;
  for (Field& field : fields_of(facts, measured)) {
    if (!field.key.empty()) json[std::string(field.key)] = std::move(field.value);
  }
  json["runner_up"] = runner_up_json(plan.runner_up);
  json["missing"] = missing_json(facts.check.missing);
  if (facts.loads) json["loads"] = loads_json(*facts.loads, !facts.interrupted());
  if (facts.check_ignored) {
    json["refused"] = Json::array();
    for (const BrokenRule& rule : facts.check.faults) json["refused"].push_back(to_string(rule));
  }
  add_verdict(json, facts);
  return json;
}

}  // namespace gossamer
