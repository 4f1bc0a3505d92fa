#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <unordered_map>
#include <vector>

#include "schedule/adaptive_rules.hpp"
#include "schedule/jsonl.hpp"
#include "schedule/jsonl_header.hpp"
#include "schedule/jsonl_line.hpp"
#include "support/file.hpp"
#include "support/interrupt.hpp"
#include "support/json.hpp"
#include "support/memory.hpp"
#include "topology/edge_lists.hpp"

namespace gossamer {
namespace {

using namespace jsonl;

/// A line of the file as read; lines are sorted by round before they enter the schedule.
struct TransferLine {
  std::uint32_t round = 0;
  std::uint32_t line = 0;
  Carry carry = Carry::Listed;
  std::uint32_t tree = 0;  ///< its number, from 1; `path` is its source then
  std::vector<Node> path;
  std::vector<Message> messages;
};

class TransferReader {
 public:
  TransferReader(const Place& place, const Schedule& schedule)
      : place_(place),
        collective_(schedule.collective()),
        last_node_(schedule.topology().nodes() - 1),
        last_piece_(schedule.pieces() - 1) {}

  TransferLine read(const Json& json) {
    const bool tree = json.contains("tree");
    if (tree && json.contains("path")) {
      place_.fail("a transfer has \"path\" and \"tree\"; expected one of them");
    }
    check_keys(place_, json, "a transfer", {"r", tree ? "tree" : "path", "msgs"}, {"to"});
    TransferLine t;
    t.round = number(place_, json["r"], "\"r\"", 1, kMaxRound);
    t.line = place_.line;
    if (!tree) t.path = read_path(json["path"]);
    if (tree || json.contains("to")) read_tree(json, t);
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
    if (!json.is_array() || json.size() < 2) {
      place_.fail(
          fmt::format("\"path\" is {}; expected a list of nodes, source and destination at least",
                      shown(json)));
    }
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
    bool forks = false, stores = false;
    for (std::size_t i = 0; i < branches_.size(); ++i) {
      const std::uint32_t before = branches_[i].before;
      if (i > 0) forks = forks || before != i - 1;
      if (before != TransferHop::kNone) passed_on[before] = true;
    }
    for (std::size_t i = 0; i < branches_.size(); ++i) {
      stores = stores || (branches_[i].stored && passed_on[i]);
      if (branches_[i].stored || passed_on[i]) continue;
      place_.fail(fmt::format("\"{}\" ends at node {}, which is not in \"to\"; expected it there",
                              what, branches_[i].to));
    }
    t.path = {source};
    if (forks || stores) {
      trees_.push_back(std::move(branches_));
      t.tree = static_cast<std::uint32_t>(trees_.size());
    } else {
      for (const Branch& branch : branches_) t.path.push_back(branch.to);
    }
  }

  /// Starts a tree.
  void start(Node source) {
    branches_.clear();
    reached_.clear();
    reached_[source] = TransferHop::kNone;
  }
  /// Adds an arc from a node that is reached to one that is not.
  void grow(Node from, Node to) {
    const std::uint32_t before = reached_.at(from);
    reached_[to] = static_cast<std::uint32_t>(branches_.size());
    branches_.push_back({to, before, true});
  }

  Node follow(const std::vector<Node>& path) {
    start(path[0]);
    for (std::size_t i = 1; i < path.size(); ++i) {
      if (reached_.contains(path[i])) {
        place_.fail(fmt::format(
            "\"path\" comes to node {} twice; expected each node once beside \"to\"", path[i]));
      }
      grow(path[i - 1], path[i]);
      branches_.back().stored = i + 1 == path.size();
    }
    return path[0];
  }

  using Arcs = std::vector<std::array<Node, 2>>;

  Node read_arcs(const Json& json) {
    if (!json.is_array() || json.empty()) {
      place_.fail(fmt::format(
          "\"tree\" is {}; expected a list of arcs [from,to], from the source on", shown(json)));
    }
    Arcs arcs;
    for (const Json& arc : json) {
      if (!arc.is_array() || arc.size() != 2) {
        place_.fail(fmt::format("an arc of \"tree\" is {}; expected [from,to]", shown(arc)));
      }
      arcs.push_back({node(arc[0], "a node of \"tree\""), node(arc[1], "a node of \"tree\"")});
    }
    start(arcs[0][0]);
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      const auto [from, to] = arcs[i];
      if (!reached_.contains(from)) refuse_unreached(arcs, i);
      if (reached_.contains(to)) refuse_reached(arcs, i);
      grow(from, to);
    }
    return arcs[0][0];
  }

  [[noreturn]] void refuse_unreached(const Arcs& arcs, std::size_t i) const {
    const std::uint32_t from = arcs[i][0];
    const std::uint32_t to = arcs[i][1];
    const bool later = std::ranges::any_of(arcs, [&](const auto& arc) { return arc[1] == from; });
    place_.fail(later ? fmt::format("the arc [{},{}] of \"tree\" comes before the one to node {}; "
                                    "expected parents first",
                                    from, to, from)
                      : fmt::format("no arc of \"tree\" leads to node {}, where [{},{}] begins; "
                                    "expected one tree, from its source, {}, on",
                                    from, from, to, arcs[0][0]));
  }

  [[noreturn]] void refuse_reached(const Arcs& arcs, std::size_t i) const {
    const auto [from, to] = arcs[i];
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
    place_.fail(fmt::format("the arc [{},{}] of \"tree\" {} {}; expected each node once", from, to,
                            what, to));
  }

  void read_stored(const Json& json, const char* what) {
    if (!json.is_array() || json.empty()) {
      place_.fail(
          fmt::format("\"to\" is {}; expected a list of nodes that store what comes, one at least",
                      shown(json)));
    }
    for (Branch& branch : branches_) branch.stored = false;
    for (const Json& value : json) {
      const Node x = node(value, "a node of \"to\"");
      const auto found = reached_.find(x);
      if (found == reached_.end() || found->second == TransferHop::kNone) {
        place_.fail(fmt::format(
            "\"to\" has node {}, {}; expected nodes to which \"{}\" leads", x,
            found == reached_.end() ? "which is not on the way" : "which is the source", what));
      }
      bool& stored = branches_[found->second].stored;
      if (stored) place_.fail(fmt::format("\"to\" has node {} twice; expected it once", x));
      stored = true;
    }
  }

  std::vector<Message> read_messages(const Json& json) const {
    if (!json.is_array() || json.empty()) {
      place_.fail(fmt::format("\"msgs\" is {}; expected \"*\", \"new\" or a list of {}",
                              shown(json),
                              same_to_all(collective_) && last_piece_ == 0 ? "origins" : name()));
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
      place_.fail(fmt::format("a message of a {} is {}, not {}", to_string(collective_), name(),
                              shown(json)));
    }
    Message m{node(json[0], "an origin in \"msgs\"")};
    if (pairs) m.destination = node(json[1], "a destination in \"msgs\"");
    if (pieces) m.piece = number(place_, json.back(), "a piece in \"msgs\"", 0, last_piece_);
    return m;
  }

  const Place& place_;
  Collective collective_;
  Node last_node_;
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
  Place{name, found == transfers.end() ? 1 : found->line}.fail(*fault);
}

}  // namespace

Schedule read_jsonl(std::istream& in, const std::string& name, const std::string& folder) {
  Place place{name, 1};
  std::string text;
  if (!read_line(in, place, text) || blank(text)) {
    place.fail("no schedule: expected a first line such as {\"gossamer\":1,\"topology\":...}");
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
  if (const auto fault = root_fault(schedule)) Place{name, 1}.fail(*fault);
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
