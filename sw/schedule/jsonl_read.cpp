#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "schedule/adaptive_rules.hpp"
#include "schedule/jsonl.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/json.hpp"
#include "support/memory.hpp"
#include "topology/edge_lists.hpp"

namespace gossamer {
namespace {

using Json = nlohmann::json;

constexpr std::uint32_t kMaxRound = 1'000'000'000;
/// A schedule keeps tables with an entry per node; larger ones do not fit in memory.
constexpr Node kMaxNodes = Node{1} << 24;

/// One line of the file, for messages.
struct Place {
  const std::string& file;
  std::uint32_t line = 0;

  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(fmt::format("{}:{}: {}", file, line, why));
  }
};

/// Runs one of the library's parsers and adds the place in the file to its errors.
template <typename Parse>
auto in_place(const Place& place, Parse parse) {
  try {
    return parse();
  } catch (const InputError& error) {
    place.fail(error.what());
  }
}

/// Parses one line.
Json parse_line(const Place& place, const std::string& text) {
  ParsedJson parsed = in_place(place, [&] { return parse_json(text); });
  if (!parsed.value.is_object()) {
    place.fail(fmt::format("expected an object, not {}", shown(parsed.value)));
  }
  if (!parsed.repeated_key.empty()) {
    place.fail(fmt::format("key \"{}\" appears twice", parsed.repeated_key));
  }
  return std::move(parsed.value);
}

/// Checks that an object has all keys it must have, and no others but those it may have.
void check_keys(const Place& place, const Json& object, const std::string& what,
                const std::vector<std::string_view>& keys,
                const std::vector<std::string_view>& may = {}) {
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(keys, key) == keys.end() && std::ranges::find(may, key) == may.end()) {
      std::string legal = keys.empty() ? "" : fmt::format("has {}", fmt::join(keys, ", "));
      if (!may.empty()) {
        legal += fmt::format("{}may have {}", legal.empty() ? "" : ", ", fmt::join(may, ", "));
      }
      place.fail(fmt::format("unknown key \"{}\" in {}; it {}", key, what, legal));
    }
  }
  for (const std::string_view key : keys) {
    if (!object.contains(std::string(key))) {
      place.fail(fmt::format("key \"{}\" is missing in {}", key, what));
    }
  }
}

std::string text_at(const Place& place, const Json& object, const char* key) {
  const Json& value = object[key];
  if (!value.is_string()) {
    place.fail(fmt::format("\"{}\" is {}; expected a text", key, shown(value)));
  }
  return value.get<std::string>();
}

bool bool_at(const Place& place, const Json& object, const char* key) {
  const Json& value = object[key];
  if (!value.is_boolean()) {
    place.fail(fmt::format("\"{}\" is {}; expected true or false", key, shown(value)));
  }
  return value.get<bool>();
}

/// A whole number from `least` to `most`, without fraction or exponent.
std::uint32_t number(const Place& place, const Json& value, std::string_view what,
                     std::uint32_t least, std::uint32_t most) {
  if (!value.is_number_unsigned() || value < least || value > most) {
    place.fail(fmt::format("{} is {}; expected a whole number from {} to {}", what, shown(value),
                           least, most));
  }
  return value.get<std::uint32_t>();
}

Model read_model(const Place& place, const Json& json) {
  if (!json.is_object()) {
    place.fail(fmt::format("\"model\" is {}; expected an object", shown(json)));
  }
  check_keys(place, json, "the model", {"ports", "duplex", "switching", "combining"});
  return in_place(place, [&] {
    return Model{.ports = parse_ports(text_at(place, json, "ports")),
                 .duplex = parse_duplex(text_at(place, json, "duplex")),
                 .switching = parse_switching(text_at(place, json, "switching")),
                 .combining = bool_at(place, json, "combining")};
  });
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
  if (symmetry.classes() > kMaxNodes) {
    place.fail(fmt::format(
        "{} has {} nodes{}; a schedule has {} at most", topology.spec(), symmetry.classes(),
        generators.empty() ? "" : " that are no translations of one another", kMaxNodes));
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
    if (topology_.port_to(arc.from, arc.to) == kNoPort) {
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

Schedule read_header(const Place& place, const Json& json, const std::string& folder) {
  check_version(place, json);
  if (!json.contains("collective")) place.fail("key \"collective\" is missing in the first line");
  const Collective collective =
      in_place(place, [&] { return parse_collective(text_at(place, json, "collective")); });
  std::vector<std::string_view> keys = {"gossamer", "topology", "collective"};
  if (has_root(collective)) keys.push_back("root");
  keys.push_back("model");
  std::vector<std::string_view> may = {"faults"};
  if (!has_root(collective) && !json.contains("faults") && !json.contains("initiator")) {
    may.push_back("translations");  // no other key may treat nodes differently
  }
  if (collective == Collective::Gossip) may.push_back("initiator");
  check_keys(place, json, fmt::format("the first line of a {}", to_string(collective)), keys, may);
  const Model model = read_model(place, json["model"]);
  const Topology topology =
      read_topology(place, edge_lists_from(text_at(place, json, "topology"), folder));
  const Json translations = json.contains("translations") ? json["translations"] : Json();
  Schedule schedule(topology, collective, model, read_symmetry(place, translations, topology));
  if (has_root(collective)) {
    schedule.root = number(place, json["root"], "\"root\"", 0, schedule.topology().nodes() - 1);
  }
  if (json.contains("faults")) {
    schedule.faults = FaultReader(place, schedule.topology()).read(json["faults"]);
  }
  if (json.contains("initiator")) {
    schedule.initiator = read_initiator(place, json["initiator"], schedule.topology().nodes() - 1);
  }
  return schedule;
}

/// A line of the file as read; lines are sorted by round before they enter the schedule.
struct TransferLine {
  std::uint32_t round = 0;
  std::uint32_t line = 0;
  Carry carry = Carry::Listed;
  std::vector<Node> path;
  std::vector<Message> messages;
};

class TransferReader {
 public:
  TransferReader(const Place& place, const Schedule& schedule)
      : place_(place),
        collective_(schedule.collective()),
        last_node_(schedule.topology().nodes() - 1) {}

  TransferLine read(const Json& json) const {
    check_keys(place_, json, "a transfer", {"r", "path", "msgs"});
    TransferLine t;
    t.round = number(place_, json["r"], "\"r\"", 1, kMaxRound);
    t.line = place_.line;
    t.path = read_path(json["path"]);
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

  std::vector<Message> read_messages(const Json& json) const {
    if (!json.is_array() || json.empty()) {
      place_.fail(fmt::format("\"msgs\" is {}; expected \"*\", \"new\" or a list of {}",
                              shown(json),
                              same_to_all(collective_) ? "origins" : "[origin,destination]"));
    }
    std::vector<Message> messages;
    for (const Json& m : json) messages.push_back(read_message(m));
    return messages;
  }

  Message read_message(const Json& json) const {
    if (same_to_all(collective_)) return {node(json, "an origin in \"msgs\""), kNoNode};
    if (!json.is_array() || json.size() != 2) {
      place_.fail(fmt::format("a message of a {} is [origin,destination], not {}",
                              to_string(collective_), shown(json)));
    }
    return {node(json[0], "an origin in \"msgs\""), node(json[1], "a destination in \"msgs\"")};
  }

  const Place& place_;
  Collective collective_;
  Node last_node_;
};

void add_in_order(std::vector<TransferLine>& lines, Schedule& schedule) {
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.round < b.round; });
  for (const TransferLine& t : lines) {
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
  const auto found =
      std::ranges::find_if(transfers, [](const Transfer& t) { return t.carry == Carry::New; });
  Place{name, found == transfers.end() ? 1 : found->line}.fail(*fault);
}

/// Reads a line up to a length limit: a file without line ends would fill the memory.
bool read_line(std::istream& in, const Place& place, std::string& text) {
  constexpr std::size_t kLongest = std::size_t{1} << 28;
  text.clear();
  std::array<char, 65536> piece;
  for (;;) {
    stop_if_interrupted();
    in.getline(piece.data(), piece.size());
    const auto count = static_cast<std::size_t>(in.gcount());
    const bool more = in.fail() && !in.eof() && !in.bad() && count == piece.size() - 1;
    // A line end is counted but not stored.
    text.append(piece.data(), more || in.eof() || count == 0 ? count : count - 1);
    if (!more) return !in.bad() && (count > 0 || !text.empty() || !in.fail());
    if (text.size() > kLongest) {
      place.fail(fmt::format("the line is longer than {}", in_bytes(kLongest)));
    }
    in.clear();
  }
}

bool blank(const std::string& text) { return text.find_first_not_of(" \t\r") == std::string::npos; }

}  // namespace

Schedule read_jsonl(std::istream& in, const std::string& name, const std::string& folder) {
  Place place{name, 1};
  std::string text;
  if (!read_line(in, place, text) || blank(text)) {
    place.fail("no schedule: expected a first line such as {\"gossamer\":1,\"topology\":...}");
  }
  Schedule schedule = read_header(place, parse_line(place, text), folder);
  const TransferReader reader(place, schedule);
  std::vector<TransferLine> lines;
  MemoryWatch watch("reading " + name);
  ++place.line;
  for (; read_line(in, place, text); ++place.line) {
    if (blank(text)) continue;
    lines.push_back(reader.read(parse_line(place, text)));
    watch.grew(sizeof(TransferLine) + lines.back().path.size() * sizeof(Node) +
               lines.back().messages.size() * sizeof(Message));
  }
  if (in.bad()) place.fail("cannot be read any further");
  add_in_order(lines, schedule);
  check_adaptive(name, schedule);
  if (const auto fault = root_fault(schedule)) Place{name, 1}.fail(*fault);
  return schedule;
}

Schedule read_jsonl(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError(fmt::format("{}: is a directory; expected a schedule file", path));
  }
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(fmt::format("{}: cannot open: {}", path, std::strerror(errno)));
  // A pipe has no folder of its own.
  const bool regular = std::filesystem::is_regular_file(path, ignored);
  return read_jsonl(in, path, regular ? folder_of(path) : "");
}

}  // namespace gossamer
