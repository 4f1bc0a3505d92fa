#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gossamer_constants.hpp"
#include "schedule/chunks.hpp"
#include "schedule/jsonl.hpp"
#include "schedule/schedule.hpp"
#include "support/file.hpp"
#include "support/job.hpp"
#include "support/json.hpp"
#include "support/memory.hpp"
#include "topology/families.hpp"

namespace gossamer::jsonl {
namespace {

using Keys = std::vector<std::string_view>;

/// Refuses a value that is not what is expected.
void expect(bool right, const Place& place, const Json& json, std::string_view what,
            std::string_view expected) {
  if (!right) place.fail("{} is {}; expected {}", what, shown(json), expected);
}

/// Checks the value of a key of the first line, an object with such keys.
void check_object(const Place& place, const Json& json, const char* key, const Keys& keys,
                  const Keys& may = {}) {
  expect(json.is_object(), place, json, fmt::format("\"{}\"", key), "an object");
  check_keys(place, json, fmt::format("the {}", key), keys, may);
}

/// The value of a key of the first line, a list of nodes.
std::vector<Node> nodes_of(const Place& place, const Json& json, const char* key,
                           const Topology& topology) {
  expect(json.is_array(), place, json, fmt::format("\"{}\"", key), "a list of nodes");
  const std::string what = fmt::format("a node in \"{}\"", key);
  std::vector<Node> nodes;
  for (const Json& x : json) nodes.push_back(number(place, x, what, 0, topology.nodes() - 1));
  return nodes;
}

Model read_model(const Place& place, const Json& json) {
  check_object(place, json, "model", {"ports", "duplex", "switching", "combining"}, {"hop_rounds"});
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
  if (!json.is_null()) generators = nodes_of(place, json, "translations", topology);
  for (const Node by : generators) {
    for (std::size_t f = 0; f < topology.factors().size(); ++f) {
      if (topology.digit(by, f) == 0 || topology.factors()[f].cyclic) continue;
      place.fail(
          "\"translations\" holds {}, which moves along {}; translations move along rings and "
          "complete graphs only",
          by, topology.factors()[f].spec);
    }
  }
  Symmetry symmetry(topology, generators);
  if (symmetry.classes() > kMostNodesOfFile) {
    place.fail("{} has {} nodes{}; a schedule has {} at most", topology.spec(), symmetry.classes(),
               generators.empty() ? "" : " that are no translations of one another",
               kMostNodesOfFile);
  }
  return symmetry;
}

/// The version is checked first, because it decides what else is right.
void check_version(const Place& place, const Json& json) {
  if (!json.contains("gossamer")) {
    place.fail("no schedule: the first line has no key \"gossamer\"");
  }
  if (!json["gossamer"].is_number_unsigned() || json["gossamer"] != 1) {
    place.fail("\"gossamer\" is {}; this program reads version 1", shown(json["gossamer"]));
  }
}

/// The value of "faults": the parts of parse_faults, as JSON.
FaultSet read_faults(const Place& place, const Json& json, const Topology& topology) {
  check_object(place, json, "faults", {}, {"nodes", "links", "arcs", "from", "cycle"});
  const auto node = [&](const Json& x, const char* key) {
    return number(place, x, fmt::format("a node in \"{}\" of the faults", key), 0,
                  topology.nodes() - 1);
  };
  std::string text;
  for (const auto& [key, sign] : {std::pair{"nodes", ""}, {"links", "-"}, {"arcs", ">"}}) {
    if (!json.contains(key)) continue;
    const Json& list = json[key];
    expect(list.is_array(), place, list, fmt::format("\"{}\" of the faults", key), "a list");
    std::string before = fmt::format(";{}=", key);
    for (const Json& x : list) {
      text += std::exchange(before, ",");
      if (*sign == '\0') {
        text += fmt::format("{}", node(x, key));
        continue;
      }
      if (!x.is_array() || x.size() != 2) {
        place.fail("\"{}\" of the faults holds {}; expected two nodes such as [0,1]", key,
                   shown(x));
      }
      text += fmt::format("{}{}{}", node(x[0], key), sign, node(x[1], key));
    }
  }
  const bool any = !text.empty();
  for (const char* key : {"from", "cycle"}) {
    if (!json.contains(key)) continue;
    const std::string what = fmt::format("\"{}\" of the faults", key);
    text += fmt::format(";{}={}", key, number(place, json[key], what, 1, kMaxRound));
  }
  if (!any) return {};
  return in_place(place, [&] { return parse_faults(text.substr(1), topology, 0); });
}

Initiator read_initiator(const Place& place, const Json& json, Node last_node) {
  check_object(place, json, "initiator", {"node", "join"});
  return {.node = number(place, json["node"], "\"node\" of the initiator", 0, last_node),
          .join = number(place, json["join"], "\"join\" of the initiator", 1, kMaxRound)};
}

/// Several groups. The first node of each is its root, if the collective has one.
std::vector<std::vector<Node>> read_groups(const Place& place, const Json& json,
                                           const Topology& topology, bool rooted) {
  expect(json.is_array() && json.size() >= 2, place, json, "\"groups\"",
         "a list of two groups at least, each with its \"members\"");
  std::vector<std::vector<Node>> groups;
  for (const Json& one : json) {
    if (!one.is_object()) {
      place.fail("\"groups\" holds {}; expected an object with \"members\"", shown(one));
    }
    std::vector<std::string_view> keys = {"members"};
    if (rooted) keys.push_back("root");
    check_keys(place, one, "a group", keys);
    groups.push_back(nodes_of(place, one["members"], "members", topology));
    if (!rooted) {
      std::ranges::sort(groups.back());
      continue;
    }
    const Node root = number(place, one["root"], "\"root\" of a group", 0, topology.nodes() - 1);
    const auto at = std::ranges::find(groups.back(), root);
    if (at == groups.back().end()) {
      place.fail("the root {} is no member of its group", root);
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
    place.fail("\"{}\": {}", key, error.what());
  }
}

/// Flits by origins, or by origins and destinations.
Sizes read_flits(const Place& place, const Json& json, Node nodes) {
  const auto check_list = [&](const Json& list, std::string_view of) {
    if (list.is_array() && list.size() == nodes) return;
    place.fail("{} is {}; expected a list of {} numbers", of,
               list.is_array() ? fmt::format("a list of {}", list.size()) : shown(list), nodes);
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
  expect(json.is_object(), place, json, "\"planned\"", "an object");
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
    place.fail("\"link_stages\" of \"planned\" is {}; expected a list of one number{}",
               stages.is_array() ? fmt::format("a list of {}", stages.size()) : shown(stages),
               factors == 1 ? "" : fmt::format(", or of {}, one for each dimension", factors));
  }
  for (const Json& x : stages) {
    planned.stages.push_back(
        number(place, x, "a number in \"link_stages\" of \"planned\"", 0, rtl::MAX_LINK_STAGES));
  }
  return planned;
}

/// The schedule, still without transfers, that the first line of a file describes. The names of
/// edge lists are relative to `folder`.
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
  if (!rooted && !several && !reduces(collective) && !json.contains("faults") &&
      !json.contains("initiator") && !json.contains("members") && !json.contains("flits")) {
    may.push_back("translations");  // no other key may treat nodes differently
  }
  if (collective == Collective::Gossip) may.push_back("initiator");
  if (collective == Collective::Broadcast) may.push_back("tolerance");
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
    schedule.members = members_of(place, "members",
                                  nodes_of(place, json["members"], "members", topology), topology);
    if (rooted && !schedule.members.has(schedule.root)) {
      place.fail("the root {} is no member", schedule.root);
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
      place.fail("\"flits\": {}", *why);
    }
    schedule.sizes = sizes;
  }
  if (json.contains("pieces")) {
    const std::uint32_t pieces = number(place, json["pieces"], "\"pieces\"", 1, kMostPieces);
    in_place(place, [&] { schedule.cut(pieces); });
  }
  if (json.contains("tolerance")) {
    schedule.tolerance = number(place, json["tolerance"], "\"tolerance\"", 1, 1);
    if (schedule.pieces() == 1)
      place.fail("\"tolerance\" is of a message in two \"pieces\" at least");
  }
  if (json.contains("planned")) {
    schedule.planned_for = read_planned(place, json["planned"], schedule);
  }
  if (json.contains("faults")) {
    schedule.faults = read_faults(place, json["faults"], schedule.topology());
  }
  if (json.contains("initiator")) {
    schedule.initiator = read_initiator(place, json["initiator"], schedule.topology().nodes() - 1);
  }
  return schedule;
}

}  // namespace

}  // namespace gossamer::jsonl

namespace gossamer {
namespace {

using namespace jsonl;

/// A line of the file as read; lines are sorted by round before they enter the schedule.
struct TransferLine {
  std::uint32_t round = 0;
  std::uint32_t line = 0;
  Carry carry = Carry::Listed;
  std::uint32_t tree = 0;  ///< its number, from 1; `path` is its source then
  Port lane = kNoPort;     ///< of a join
  std::vector<Node> path;
  std::vector<Message> messages;
};

class TransferReader {
 public:
  TransferReader(const Place& place, const Schedule& schedule)
      : place_(place),
        collective_(schedule.collective()),
        last_node_(schedule.topology().nodes() - 1),
        last_port_(schedule.topology().ports() - 1),
        last_lane_(schedule.topology().parallel() ? last_port_ : 0),
        last_piece_(schedule.pieces() - 1) {}

  TransferLine read(const Json& json) {
    const bool tree = json.contains("tree"), join = json.contains("join");
    const char* const way = join ? "join" : tree ? "tree" : "path";
    for (const char* other : {"path", "tree"}) {
      if (way == std::string_view(other) || !json.contains(other)) continue;
      place_.fail("a transfer has \"{}\" and \"{}\"; expected one of them", other, way);
    }
    if (join) {
      check_keys(place_, json, "a transfer", {"r", way, "lane", "msgs"});
    } else {
      check_keys(place_, json, "a transfer", {"r", way, "msgs"}, {"to"});
    }
    TransferLine t;
    t.round = number(place_, json["r"], "\"r\"", 1, kMaxRound);
    t.line = place_.line;
    if (join) {
      read_join(json, t);
    } else {
      if (!tree) t.path = read_path(json["path"]);
      if (tree || json.contains("to")) read_tree(json, t);
    }
    const Json& messages = json["msgs"];
    if (messages == "*") {
      t.carry = Carry::Everything;
    } else if (messages == "new") {
      t.carry = Carry::New;
    } else {
      t.messages = read_messages(messages);
    }
    return t;
  }

  /// By number.
  const std::vector<std::vector<Branch>>& trees() const { return trees_; }

 private:
  Node node(const Json& value, std::string_view what) const {
    return number(place_, value, what, 0, last_node_);
  }

  std::vector<Node> read_path(const Json& json) const {
    expect(json.is_array() && json.size() >= 2, place_, json, "\"path\"",
           "a list of nodes, source and destination at least");
    std::vector<Node> path;
    for (const Json& x : json) path.push_back(node(x, "a node of \"path\""));
    return path;
  }

  /// A tree, or a path of which nodes are named that store what comes. What is a mere path becomes
  /// one.
  void read_tree(const Json& json, TransferLine& t) {
    const Node source = t.path.empty() ? read_arcs(json["tree"]) : follow(t.path);
    const char* const what = t.path.empty() ? "tree" : "path";
    if (json.contains("to")) read_stored(json["to"], what);
    std::vector<bool> passed_on(branches_.size(), false);
    bool forks = false, stores = false;  // or names one of several links
    for (std::size_t i = 0; i < branches_.size(); ++i) {
      const std::uint32_t before = branches_[i].before;
      forks = forks || (i > 0 && before != i - 1) || branches_[i].lane != kAnyLane;
      if (before != TransferHop::kNone) passed_on[before] = true;
    }
    for (std::size_t i = 0; i < branches_.size(); ++i) {
      stores = stores || (branches_[i].stored && passed_on[i]);
      if (branches_[i].stored || passed_on[i]) continue;
      place_.fail("\"{}\" ends at node {}, which is not in \"to\"; expected it there", what,
                  branches_[i].to);
    }
    t.path = {source};
    if (forks || stores) {
      trees_.push_back(std::move(branches_));
      t.tree = static_cast<std::uint32_t>(trees_.size());
    } else {
      for (const Branch& branch : branches_) t.path.push_back(branch.to);
    }
  }

  /// A tree backwards, and the lane that takes the sum.
  void read_join(const Json& json, TransferLine& t) {
    Json arcs = json["join"];
    if (arcs.is_array()) {
      std::reverse(arcs.begin(), arcs.end());
      for (Json& arc : arcs) {
        if (arc.is_array() && arc.size() > 1) std::swap(arc[0], arc[1]);
      }
    }
    t.path = {read_arcs(arcs)};
    t.lane = number(place_, json["lane"], "\"lane\"", 0, last_port_);
    trees_.push_back(std::move(branches_));
    t.tree = static_cast<std::uint32_t>(trees_.size());
  }

  /// Starts a tree.
  void start(Node source) {
    branches_.clear();
    reached_.clear();
    reached_[source] = TransferHop::kNone;
  }
  /// Adds an arc from a node that is reached to one that is not.
  void grow(Node from, Node to, std::uint32_t lane = kAnyLane) {
    const std::uint32_t before = reached_.at(from);
    reached_[to] = static_cast<std::uint32_t>(branches_.size());
    branches_.push_back({to, before, true, lane});
  }

  Node follow(const std::vector<Node>& path) {
    start(path[0]);
    for (std::size_t i = 1; i < path.size(); ++i) {
      if (reached_.contains(path[i])) {
        place_.fail("\"path\" comes to node {} twice; expected each node once beside \"to\"",
                    path[i]);
      }
      grow(path[i - 1], path[i]);
      branches_.back().stored = i + 1 == path.size();
    }
    return path[0];
  }

  using Arcs = std::vector<std::array<Node, 3>>;

  Node read_arcs(const Json& json) {
    expect(json.is_array() && !json.empty(), place_, json, "\"tree\"",
           "a list of arcs [from,to], from the source on");
    Arcs arcs;
    for (const Json& arc : json) {
      expect(arc.is_array() && (arc.size() == 2 || arc.size() == 3), place_, arc,
             "an arc of \"tree\"", "[from,to] or [from,to,link]");
      const bool named = arc.size() == 3;
      arcs.push_back(
          {node(arc[0], "a node of \"tree\""), node(arc[1], "a node of \"tree\""),
           named ? number(place_, arc[2], "the link of an arc", 0, last_lane_) : kAnyLane});
    }
    start(arcs[0][0]);
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      const auto [from, to, lane] = arcs[i];
      if (!reached_.contains(from)) refuse_unreached(arcs, i);
      if (reached_.contains(to)) refuse_reached(arcs, i);
      grow(from, to, lane);
    }
    return arcs[0][0];
  }

  [[noreturn]] void refuse_unreached(const Arcs& arcs, std::size_t i) const {
    const std::uint32_t from = arcs[i][0];
    const std::uint32_t to = arcs[i][1];
    const bool later = std::ranges::any_of(arcs, [&](const auto& arc) { return arc[1] == from; });
    if (later) {
      place_.fail(
          "the arc [{},{}] of \"tree\" comes before the one to node {}; expected parents first",
          from, to, from);
    }
    place_.fail(
        "no arc of \"tree\" leads to node {}, where [{},{}] begins; expected one tree, from its "
        "source, {}, on",
        from, from, to, arcs[0][0]);
  }

  [[noreturn]] void refuse_reached(const Arcs& arcs, std::size_t i) const {
    const auto [from, to, lane] = arcs[i];
    const char* what = "is the second one to node";
    if (std::find(arcs.begin(), arcs.begin() + static_cast<std::ptrdiff_t>(i), arcs[i]) !=
        arcs.begin() + static_cast<std::ptrdiff_t>(i)) {
      what = "stands there twice, to node";
    }
    for (std::uint32_t at = reached_.at(from);; at = branches_[at].before) {
      if ((at == TransferHop::kNone ? arcs[0][0] : branches_[at].to) == to) {
        what = "closes a cycle at node";
      }
      if (at == TransferHop::kNone) break;
    }
    place_.fail("the arc [{},{}] of \"tree\" {} {}; expected each node once", from, to, what, to);
  }

  void read_stored(const Json& json, const char* what) {
    expect(json.is_array() && !json.empty(), place_, json, "\"to\"",
           "a list of nodes that store what comes, one at least");
    for (Branch& branch : branches_) branch.stored = false;
    for (const Json& value : json) {
      const Node x = node(value, "a node of \"to\"");
      const auto found = reached_.find(x);
      if (found == reached_.end() || found->second == TransferHop::kNone) {
        place_.fail("\"to\" has node {}, {}; expected nodes to which \"{}\" leads", x,
                    found == reached_.end() ? "which is not on the way" : "which is the source",
                    what);
      }
      bool& stored = branches_[found->second].stored;
      if (stored) place_.fail("\"to\" has node {} twice; expected it once", x);
      stored = true;
    }
  }

  std::vector<Message> read_messages(const Json& json) const {
    if (!json.is_array() || json.empty()) {
      place_.fail("\"msgs\" is {}; expected \"*\", \"new\" or a list of {}", shown(json),
                  same_to_all(collective_) && last_piece_ == 0 ? "origins" : name());
    }
    std::vector<Message> messages;
    for (const Json& m : json) messages.push_back(read_message(m));
    return messages;
  }

  /// How a message is written, if not as a mere origin.
  std::string name() const {
    return fmt::format("[origin{}{}]", same_to_all(collective_) ? "" : ",destination",
                       last_piece_ == 0 ? "" : ",piece");
  }

  Message read_message(const Json& json) const {
    const bool pairs = !same_to_all(collective_), pieces = last_piece_ > 0;
    if (!pairs && !pieces) return {node(json, "an origin in \"msgs\"")};
    if (!json.is_array() || json.size() != 1u + pairs + pieces) {
      place_.fail("a message of a {} is {}, not {}", to_string(collective_), name(), shown(json));
    }
    Message m{node(json[0], "an origin in \"msgs\"")};
    if (pairs) m.destination = node(json[1], "a destination in \"msgs\"");
    if (pieces) m.piece = number(place_, json.back(), "a piece in \"msgs\"", 0, last_piece_);
    return m;
  }

  const Place& place_;
  Collective collective_;
  Node last_node_;
  Port last_port_, last_lane_;
  std::uint32_t last_piece_;
  std::vector<std::vector<Branch>> trees_;
  std::vector<Branch> branches_;                     ///< of the tree that is being read
  std::unordered_map<Node, std::uint32_t> reached_;  ///< its nodes, with the branch that ends there
};

void add_in_order(std::vector<TransferLine>& lines, const std::vector<std::vector<Branch>>& trees,
                  Schedule& schedule) {
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    stop_if_interrupted();
    return a.round < b.round;
  });
  for (const TransferLine& t : lines) {
    if (t.lane != kNoPort) {
      schedule.add_join(t.round, t.path[0], t.lane, trees[t.tree - 1], t.messages, t.line);
      continue;
    }
    if (t.tree != 0) {
      schedule.add_tree(t.round, t.path[0], trees[t.tree - 1], t.messages, t.carry, t.line);
      continue;
    }
    switch (t.carry) {
      case Carry::Listed: schedule.add(t.round, t.path, t.messages, t.line); break;
      case Carry::Everything: schedule.add_everything(t.round, t.path, t.line); break;
      case Carry::New: schedule.add_new(t.round, t.path, t.line); break;
    }
  }
}

/// The error names the first adaptive transfer, or the first line if there is none.
void check_adaptive(const std::string& name, const Schedule& schedule) {
  const auto fault = adaptive_fault(schedule);
  if (!fault) return;
  const auto transfers = schedule.transfers();
  auto found = std::ranges::find_if(
      transfers, [](const Transfer& t) { return t.carry == Carry::New && t.tree; });
  if (found == transfers.end()) found = std::ranges::find(transfers, Carry::New, &Transfer::carry);
  Place{name, found == transfers.end() ? 1 : found->line}.fail("{}", *fault);
}

}  // namespace

Schedule read_jsonl(std::istream& in, const std::string& name, const std::string& folder) {
  Place place{name, 1};
  std::string text;
  if (!read_line(in, place, text) || blank(text)) {
    place.fail("no schedule: expected a first line such as {{\"gossamer\":1,\"topology\":...}}");
  }
  Schedule schedule = read_header(place, parse_line(place, text), folder);
  TransferReader reader(place, schedule);
  std::vector<TransferLine> lines;
  MemoryWatch watch("reading " + name);
  ++place.line;
  for (; read_line(in, place, text); ++place.line) {
    if (blank(text)) continue;
    lines.push_back(reader.read(parse_line(place, text)));
    watch.grew(sizeof(TransferLine) + lines.back().path.size() * sizeof(Node) +
               lines.back().messages.size() * sizeof(Message));
    if (lines.back().tree != 0) watch.grew(reader.trees().back().size() * sizeof(Branch));
  }
  if (in.bad()) place.fail("cannot be read any further");
  add_in_order(lines, reader.trees(), schedule);
  check_adaptive(name, schedule);
  if (const auto fault = root_fault(schedule)) Place{name, 1}.fail("{}", *fault);
  return schedule;
}

Schedule read_jsonl(const std::string& path) {
  std::ifstream in = open_to_read(path);
  std::error_code ignored;
  // A pipe has no folder of its own.
  const bool regular = std::filesystem::is_regular_file(path, ignored);
  return read_jsonl(in, path, regular ? folder_of(path) : "");
}

}  // namespace gossamer
