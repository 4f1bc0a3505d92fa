#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "schedule/jsonl.hpp"
#include "support/file.hpp"
#include "support/job.hpp"
#include "topology/families.hpp"

namespace gossamer {

nlohmann::ordered_json model_json(const Model& model) {
  nlohmann::ordered_json json = {{"ports", to_string(model.ports)},
                                 {"duplex", to_string(model.duplex)},
                                 {"switching", to_string(model.switching)},
                                 {"combining", model.combining}};
  if (model.hop_rounds != 1) json["hop_rounds"] = model.hop_rounds;
  return json;
}

nlohmann::ordered_json groups_json(const Schedule& schedule) {
  nlohmann::ordered_json json;
  for (std::size_t i = 0; i < schedule.members.groups(); ++i) {
    json.push_back({{"members", schedule.members.group(i)}});
    if (has_root(schedule.collective())) json.back()["root"] = schedule.members.root(i);
  }
  return json;
}

namespace {

nlohmann::ordered_json faults_json(const FaultSet& faults) {
  const FaultLinks parts = links_of(faults);
  nlohmann::ordered_json json;
  if (!faults.nodes.empty()) json["nodes"] = faults.nodes;
  if (!parts.links.empty()) json["links"] = parts.links;
  for (const Arc& arc : parts.arcs) json["arcs"].push_back({arc.from, arc.to});
  if (faults.from_round != 1) json["from"] = faults.from_round;
  if (faults.from_cycle != 0) json["cycle"] = faults.from_cycle;
  return json;
}

/// Of each origin, or for each origin a list by destination.
nlohmann::ordered_json flits_json(const Schedule& schedule) {
  const auto all = schedule.sizes.all();
  if (!schedule.sizes.by_pair()) return all;
  const std::size_t nodes = schedule.topology().nodes();
  nlohmann::ordered_json rows;
  for (std::size_t at = 0; at < all.size(); at += nodes) rows.push_back(all.subspan(at, nodes));
  return rows;
}

std::string header(const Schedule& schedule, const std::string& topology,
                   const std::vector<Node>& translations) {
  nlohmann::ordered_json line = {
      {"gossamer", 1}, {"topology", topology}, {"collective", to_string(schedule.collective())}};
  const Members& members = schedule.members;
  const bool one_root = has_root(schedule.collective()) && !members.several();
  if (one_root) line["root"] = schedule.root;
  if (reduces(schedule.collective())) line["op"] = to_string(schedule.op);
  if (schedule.initiator) {
    line["initiator"] = {{"node", schedule.initiator->node}, {"join", schedule.initiator->join}};
  }
  line["model"] = model_json(schedule.model());
  if (members.several()) {
    line["groups"] = groups_json(schedule);
  } else if (!members.all()) {
    line["members"] = members.group();
  }
  if (!schedule.sizes.equal()) line["flits"] = flits_json(schedule);
  if (schedule.pieces() > 1) line["pieces"] = schedule.pieces();
  if (schedule.tolerance > 0) line["tolerance"] = schedule.tolerance;
  if (const auto& planned = schedule.planned_for) {
    line["planned"] = nlohmann::ordered_json::object();
    if (planned->flits > 0) line["planned"]["flits"] = planned->flits;
    if (!planned->stages.empty()) line["planned"]["link_stages"] = planned->stages;
  }
  if (!translations.empty()) line["translations"] = translations;
  if (!schedule.faults.empty()) line["faults"] = faults_json(schedule.faults);
  return line.dump();
}

void append_messages(const Schedule& schedule, const Transfer& t, const Translation& move,
                     std::string& line) {
  if (t.carry != Carry::Listed) {
    line += t.carry == Carry::New ? "\"new\"" : "\"*\"";
    return;
  }
  const bool pairs = !same_to_all(schedule.collective()), pieces = schedule.pieces() > 1;
  line += '[';
  const char* separator = "";
  for (const Message& m : schedule.messages(t)) {
    line += fmt::format("{}{}{}", separator, pairs || pieces ? "[" : "", move(m.origin));
    if (pairs) line += fmt::format(",{}", move(m.destination));
    if (pieces) line += fmt::format(",{}", m.piece);
    if (pairs || pieces) line += ']';
    separator = ",";
  }
  line += ']';
}

void append_stored(const Schedule& schedule, const Transfer& t, const Translation& move,
                   std::string& line) {
  const char* separator = ",\"to\":[";
  for (const TransferHop hop : schedule.stored_hops(t)) {
    line += fmt::format("{}{}", separator, move(hop.to));
    separator = ",";
  }
  line += ']';
}

void append_way(const Schedule& schedule, const Transfer& t, const Translation& move,
                std::string& line) {
  const TransferHops hops = schedule.hops(t);
  const bool parallel = schedule.topology().parallel();
  if (t.tree && (t.join || parallel || schedule.depth(t) < hops.size())) {
    bool all = true;
    const char* separator = t.join ? "\"join\":[" : "\"tree\":[";
    for (const TransferHop hop : hops) {
      line += fmt::format("{}[{},{}", separator, move(hop.from), move(hop.to));
      line += parallel ? fmt::format(",{}]", hop.lane) : "]";
      separator = ",";
      all = all && hop.stored;
    }
    line += ']';
    if (t.join) {
      line += fmt::format(",\"lane\":{}", schedule.lane_of_join(t));
    } else if (!all) {
      append_stored(schedule, t, move, line);
    }
    return;
  }
  line += fmt::format("\"path\":[{}", move(schedule.source(t)));
  for (const TransferHop hop : hops) line += fmt::format(",{}", move(hop.to));
  line += ']';
  if (t.tree) append_stored(schedule, t, move, line);
}

std::string line_of(const Schedule& schedule, const Transfer& t, Node by) {
  const Translation move(schedule.topology(), by);
  std::string line = fmt::format("{{\"r\":{},", t.round);
  append_way(schedule, t, move, line);
  line += ",\"msgs\":";
  append_messages(schedule, t, move, line);
  line += "}\n";
  return line;
}

void write(const Schedule& schedule, const std::string& topology, std::ostream& out,
           Orbits orbits) {
  const bool expanded = orbits == Orbits::Expanded;
  std::vector<Node> moves = {0};
  if (expanded) moves = schedule.symmetry().elements();
  out << header(schedule, topology,
                expanded ? std::vector<Node>{} : schedule.symmetry().generators())
      << '\n';
  begin_steps(schedule.transfers().size(), "transfers");
  std::size_t written = 0;
  for (const Transfer& t : schedule.transfers()) {
    step_done(written++);
    for (const Node by : moves) {
      stop_if_interrupted();
      out << line_of(schedule, t, by);
    }
    if (!out) return;
  }
}

}  // namespace

void write_jsonl(const Schedule& schedule, std::ostream& out, Orbits orbits) {
  write(schedule, schedule.topology().spec(), out, orbits);
}

void write_jsonl(const Schedule& schedule, const std::string& path, Orbits orbits) {
  // A file names edge lists as from its own folder; what comes out of a device has none.
  const std::string& topology = schedule.topology().spec();
  const std::string named =
      written_in_place(path) ? topology : edge_lists_in(topology, folder_of(path));
  write_file(path, [&](std::ostream& out) { write(schedule, named, out, orbits); });
}

}  // namespace gossamer
