#include "schedule/jsonl_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "gossamer_constants.hpp"
#include "schedule/chunks.hpp"
#include "schedule/jsonl.hpp"
#include "support/json.hpp"
#include "topology/edge_lists.hpp"

namespace gossamer::jsonl {
namespace {

Model read_model(const Place& place, const Json& json) {
  if (!json.is_object()) {
    place.fail(fmt::format("\"model\" is {}; expected an object", shown(json)));
  }
  check_keys(place, json, "the model", {"ports", "duplex", "switching", "combining"},
             {"hop_rounds"});
  Model model = in_place(place, [&] {
    return Model{.ports = parse_ports(text_at(place, json, "ports")),
                 .duplex = parse_duplex(text_at(place, json, "duplex")),
                 .switching = parse_switching(text_at(place, json, "switching")),
                 .combining = bool_at(place, json, "combining")};
  });
  if (!json.contains("hop_rounds")) return model;
  const bool pipelined = model.switching == Switching::Pipelined;
  model.hop_rounds = number(place, json["hop_rounds"], "\"hop_rounds\" of the model", 1,
                            pipelined ? rtl::TIME_DELTA + rtl::MAX_LINK_STAGES : 1);
  return model;
}

Topology read_topology(const Place& place, const std::string& spec) {
  return in_place(place, [&] { return Topology::parse(spec); });
}

/// The value of "translations": generators of the group under which each line stands for all its
/// translations.
Symmetry read_symmetry(const Place& place, const Json& json, const Topology& topology) {
  std::vector<Node> generators;
  if (!json.is_array() && !json.is_null()) {
    place.fail(fmt::format("\"translations\" is {}; expected a list of nodes", shown(json)));
  }
  for (const Json& value : json) {
    const Node by = number(place, value, "a node in \"translations\"", 0, topology.nodes() - 1);
    for (std::size_t f = 0; f < topology.factors().size(); ++f) {
      if (topology.digit(by, f) == 0 || topology.factors()[f].cyclic) continue;
      place.fail(
          fmt::format("\"translations\" holds {}, which moves along {}; translations move along "
                      "rings and complete graphs only",
                      by, topology.factors()[f].spec));
    }
    generators.push_back(by);
  }
  Symmetry symmetry(topology, generators);
  if (symmetry.classes() > kMostNodesOfFile) {
    place.fail(fmt::format(
        "{} has {} nodes{}; a schedule has {} at most", topology.spec(), symmetry.classes(),
        generators.empty() ? "" : " that are no translations of one another", kMostNodesOfFile));
  }
  return symmetry;
}

/// The version is checked first, because it decides what else is right.
void check_version(const Place& place, const Json& json) {
  if (!json.contains("gossamer")) {
    place.fail("no schedule: the first line has no key \"gossamer\"");
  }
  if (!json["gossamer"].is_number_unsigned() || json["gossamer"] != 1) {
    place.fail(
        fmt::format("\"gossamer\" is {}; this program reads version 1", shown(json["gossamer"])));
  }
}

/// The value of "faults": the parts of parse_faults, as JSON.
class FaultReader {
 public:
  FaultReader(const Place& place, const Topology& topology) : place_(place), topology_(topology) {}

  FaultSet read(const Json& json) const {
    if (!json.is_object()) {
      place_.fail(fmt::format("\"faults\" is {}; expected an object", shown(json)));
    }
    check_keys(place_, json, "the faults", {}, {"nodes", "links", "arcs", "from"});
    FaultSet faults;
    for (const Json& x : list(json, "nodes")) faults.nodes.push_back(node(x, "nodes"));
    for (const Json& x : list(json, "links")) {
      const Arc link = ends(x, "links");
      add_link(faults, link.from, link.to);
    }
    for (const Json& x : list(json, "arcs")) faults.arcs.push_back(ends(x, "arcs"));
    if (json.contains("from")) {
      faults.from_round = number(place_, json["from"], "\"from\" of the faults", 1, kMaxRound);
    }
    normalize(faults);
    return faults;
  }

 private:
  Json list(const Json& json, const char* key) const {
    if (!json.contains(key)) return Json::array();
    if (!json[key].is_array()) {
      place_.fail(
          fmt::format("\"{}\" of the faults is {}; expected a list", key, shown(json[key])));
    }
    return json[key];
  }
  Node node(const Json& json, std::string_view key) const {
    return number(place_, json, fmt::format("a node in \"{}\" of the faults", key), 0,
                  topology_.nodes() - 1);
  }
  Arc ends(const Json& json, std::string_view key) const {
    if (!json.is_array() || json.size() != 2) {
      place_.fail(fmt::format("\"{}\" of the faults holds {}; expected two nodes such as [0,1]",
                              key, shown(json)));
    }
    const Arc arc{node(json[0], key), node(json[1], key)};
    const bool there = topology_.port_to(arc.from, arc.to) != kNoPort;
    if (!there && (key == "arcs" || topology_.port_to(arc.to, arc.from) == kNoPort)) {
      place_.fail(fmt::format("\"{}\" of the faults holds {}, which is no link of {}", key,
                              shown(json), topology_.spec()));
    }
    return arc;
  }

  const Place& place_;
  const Topology& topology_;
};

Initiator read_initiator(const Place& place, const Json& json, Node last_node) {
  if (!json.is_object()) {
    place.fail(fmt::format("\"initiator\" is {}; expected an object", shown(json)));
  }
  check_keys(place, json, "the initiator", {"node", "join"});
  return {.node = number(place, json["node"], "\"node\" of the initiator", 0, last_node),
          .join = number(place, json["join"], "\"join\" of the initiator", 1, kMaxRound)};
}

std::vector<Node> read_group(const Place& place, const Json& json, const Topology& topology) {
  if (!json.is_array()) {
    place.fail(fmt::format("\"members\" is {}; expected a list of nodes", shown(json)));
  }
  std::vector<Node> group;
  for (const Json& x : json) {
    group.push_back(number(place, x, "a node in \"members\"", 0, topology.nodes() - 1));
  }
  return group;
}

/// Several groups. The first node of each is its root, if the collective has one.
std::vector<std::vector<Node>> read_groups(const Place& place, const Json& json,
                                           const Topology& topology, bool rooted) {
  if (!json.is_array() || json.size() < 2) {
    place.fail(
        fmt::format("\"groups\" is {}; expected a list of two groups at least, each with its "
                    "\"members\"",
                    shown(json)));
  }
  std::vector<std::vector<Node>> groups;
  for (const Json& one : json) {
    if (!one.is_object()) {
      place.fail(
          fmt::format("\"groups\" holds {}; expected an object with \"members\"", shown(one)));
    }
    std::vector<std::string_view> keys = {"members"};
    if (rooted) keys.push_back("root");
    check_keys(place, one, "a group", keys);
    groups.push_back(read_group(place, one["members"], topology));
    if (!rooted) {
      std::ranges::sort(groups.back());
      continue;
    }
    const Node root = number(place, one["root"], "\"root\" of a group", 0, topology.nodes() - 1);
    const auto at = std::ranges::find(groups.back(), root);
    if (at == groups.back().end()) {
      place.fail(fmt::format("the root {} is no member of its group", root));
    }
    std::iter_swap(groups.back().begin(), at);
  }
  return groups;
}

template <typename Group>
Members members_of(const Place& place, const char* key, Group group, const Topology& topology) {
  try {
    return {std::move(group), topology};
  } catch (const InputError& error) {
    place.fail(fmt::format("\"{}\": {}", key, error.what()));
  }
}

/// Flits by origins, or by origins and destinations.
Sizes read_flits(const Place& place, const Json& json, Node nodes) {
  const auto check_list = [&](const Json& list, std::string_view of) {
    if (list.is_array() && list.size() == nodes) return;
    place.fail(fmt::format("{} is {}; expected a list of {} numbers", of,
                           list.is_array() ? fmt::format("a list of {}", list.size()) : shown(list),
                           nodes));
  };
  std::vector<std::uint32_t> flits;
  const auto add = [&](const Json& x) {
    flits.push_back(number(place, x, "a number in \"flits\"", 0, kMaxFlits));
  };
  check_list(json, "\"flits\"");
  const bool pairs = nodes > 1 && json[0].is_array();
  for (const Json& x : json) {
    if (!pairs) {
      add(x);
      continue;
    }
    check_list(x, "a list in \"flits\"");
    for (const Json& y : x) add(y);
  }
  return {nodes, std::move(flits)};
}

/// The value of "planned".
PlannedFor read_planned(const Place& place, const Json& json, const Schedule& schedule) {
  if (!json.is_object()) {
    place.fail(fmt::format("\"planned\" is {}; expected an object", shown(json)));
  }
  check_keys(place, json, "\"planned\"", {}, {"flits", "link_stages"});
  PlannedFor planned;
  if (json.contains("flits")) {
    planned.flits = number(place, json["flits"], "\"flits\" of \"planned\"", 1, kMaxFlits);
    if (!schedule.sizes.equal()) {
      place.fail("\"flits\" says how long each message is: leave it out of \"planned\"");
    }
  }
  if (!json.contains("link_stages")) return planned;
  const Json& stages = json["link_stages"];
  const std::size_t factors = schedule.topology().factors().size();
  if (!stages.is_array() || (stages.size() != 1 && stages.size() != factors)) {
    place.fail(fmt::format(
        "\"link_stages\" of \"planned\" is {}; expected a list of one number{}",
        stages.is_array() ? fmt::format("a list of {}", stages.size()) : shown(stages),
        factors == 1 ? "" : fmt::format(", or of {}, one for each dimension", factors)));
  }
  for (const Json& x : stages) {
    planned.stages.push_back(
        number(place, x, "a number in \"link_stages\" of \"planned\"", 0, rtl::MAX_LINK_STAGES));
  }
  return planned;
}

}  // namespace

Schedule read_header(const Place& place, const Json& json, const std::string& folder) {
  check_version(place, json);
  if (!json.contains("collective")) place.fail("key \"collective\" is missing in the first line");
  const Collective collective =
      in_place(place, [&] { return parse_collective(text_at(place, json, "collective")); });
  std::vector<std::string_view> keys = {"gossamer", "topology", "collective"};
  const bool several = json.contains("groups"), rooted = has_root(collective);
  if (rooted && !several) keys.push_back("root");
  if (reduces(collective)) keys.push_back("op");
  keys.push_back("model");
  std::vector<std::string_view> may = {"faults", "pieces", several ? "groups" : "members", "flits",
                                       "planned"};
  if (reduces(collective)) std::erase(may, "faults");
  if (!rooted && !several && !reduces(collective) && !json.contains("faults") &&
      !json.contains("initiator") && !json.contains("members") && !json.contains("flits")) {
    may.push_back("translations");  // no other key may treat nodes differently
  }
  if (collective == Collective::Gossip) may.push_back("initiator");
  check_keys(place, json, fmt::format("the first line of a {}", to_string(collective)), keys, may);
  const Model model = read_model(place, json["model"]);
  const Topology topology =
      read_topology(place, edge_lists_from(text_at(place, json, "topology"), folder));
  const Json translations = json.contains("translations") ? json["translations"] : Json();
  Schedule schedule(topology, collective, model, read_symmetry(place, translations, topology));
  if (rooted && !several) {
    schedule.root = number(place, json["root"], "\"root\"", 0, schedule.topology().nodes() - 1);
  }
  if (json.contains("members")) {
    schedule.members = members_of(
        place, "members", read_group(place, json["members"], schedule.topology()), topology);
    if (rooted && !schedule.members.has(schedule.root)) {
      place.fail(fmt::format("the root {} is no member", schedule.root));
    }
  }
  if (several) {
    schedule.members =
        members_of(place, "groups", read_groups(place, json["groups"], topology, rooted), topology);
  }
  if (reduces(collective)) {
    schedule.op = in_place(place, [&] { return parse_operator(text_at(place, json, "op")); });
  }
  if (json.contains("flits")) {
    const Sizes sizes = read_flits(place, json["flits"], schedule.topology().nodes());
    if (const auto why = why_no_sizes(schedule, sizes)) {
      place.fail(fmt::format("\"flits\": {}", *why));
    }
    schedule.sizes = sizes;
  }
  if (json.contains("pieces")) {
    const std::uint32_t pieces = number(place, json["pieces"], "\"pieces\"", 1, kMostPieces);
    in_place(place, [&] { schedule.cut(pieces); });
  }
  if (json.contains("planned")) {
    schedule.planned_for = read_planned(place, json["planned"], schedule);
  }
  if (json.contains("faults")) {
    schedule.faults = FaultReader(place, schedule.topology()).read(json["faults"]);
  }
  if (json.contains("initiator")) {
    schedule.initiator = read_initiator(place, json["initiator"], schedule.topology().nodes() - 1);
  }
  return schedule;
}

}  // namespace gossamer::jsonl
