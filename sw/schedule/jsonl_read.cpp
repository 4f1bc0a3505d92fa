#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "schedule/jsonl.hpp"
#include "support/error.hpp"

namespace gossamer {
namespace {

using Json = nlohmann::json;

constexpr std::uint32_t kMaxRound = 1'000'000'000;
/// A schedule keeps tables with an entry per node; beyond this they do not fit in memory.
constexpr Node kMaxNodes = Node{1} << 24;

/// One line of the file, for messages.
struct Place {
  const std::string& file;
  std::uint32_t line = 0;

  [[noreturn]] void fail(const std::string& why) const {
    std::string text = fmt::format("{}:{}: {}", file, line, why);
    // What is quoted from the file may hold line ends; the message is one line.
    std::replace_if(text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, ' ');
    throw InputError(text);
  }
};

/// A value as it stands in the file, cut short where it is long.
std::string shown(const Json& value) {
  std::string text = value.dump();
  return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

/// Parses one line. The parser keeps the last of two equal keys without a word, so that they are
/// caught on the way: no object of the format holds two objects.
Json parse_line(const Place& place, const std::string& text) {
  std::set<std::pair<int, std::string>> keys;
  std::string twice;
  const auto note_key = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (event != Json::parse_event_t::key) return true;
    const auto key = parsed.get<std::string>();
    if (!keys.emplace(depth, key).second && twice.empty()) twice = key;
    return true;
  };
  Json json;
  try {
    json = Json::parse(text, note_key);
  } catch (const Json::parse_error& error) {
    place.fail(fmt::format("no JSON (stopped at column {}); expected one object in a line",
                           std::min(error.byte, text.size())));
  } catch (const Json::exception&) {
    place.fail("a number is too large to be read");
  }
  if (!json.is_object()) place.fail(fmt::format("expected an object, not {}", shown(json)));
  if (!twice.empty()) place.fail(fmt::format("key \"{}\" appears twice", twice));
  return json;
}

/// The keys that an object may and must have.
void check_keys(const Place& place, const Json& object, const std::string& what,
                std::initializer_list<std::string_view> keys) {
  for (const auto& [key, value] : object.items()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      place.fail(
          fmt::format("unknown key \"{}\" in {}; it has {}", key, what, fmt::join(keys, ", ")));
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

/// A whole number from `least` to `most`; a fraction or an exponent is none.
std::uint32_t number(const Place& place, const Json& value, std::string_view what,
                     std::uint32_t least, std::uint32_t most) {
  if (!value.is_number_unsigned() || value < least || value > most) {
    place.fail(fmt::format("{} is {}; expected a whole number from {} to {}", what, shown(value),
                           least, most));
  }
  return value.get<std::uint32_t>();
}

/// Runs a parser of the library's words; what it complains about gets its place in the file.
template <typename Parse>
auto in_place(const Place& place, Parse parse) {
  try {
    return parse();
  } catch (const InputError& error) {
    place.fail(error.what());
  }
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
  Topology topology = in_place(place, [&] { return Topology::parse(spec); });
  if (topology.nodes() > kMaxNodes) {
    place.fail(fmt::format("{} has {} nodes; a schedule has {} at most", spec, topology.nodes(),
                           kMaxNodes));
  }
  return topology;
}

/// The version stands alone: what else is right depends on it.
void check_version(const Place& place, const Json& json) {
  if (!json.contains("gossamer")) {
    place.fail("no schedule: the first line has no key \"gossamer\"");
  }
  if (!json["gossamer"].is_number_unsigned() || json["gossamer"] != 1) {
    place.fail(
        fmt::format("\"gossamer\" is {}; this program reads version 1", shown(json["gossamer"])));
  }
  if (json.contains("faults")) {
    place.fail("\"faults\" (faulty nodes and links) is not supported by this version");
  }
}

Schedule read_header(const Place& place, const Json& json) {
  check_version(place, json);
  if (!json.contains("collective")) place.fail("key \"collective\" is missing in the first line");
  const Collective collective =
      in_place(place, [&] { return parse_collective(text_at(place, json, "collective")); });
  if (has_root(collective)) {
    check_keys(place, json, fmt::format("the first line of a {}", to_string(collective)),
               {"gossamer", "topology", "collective", "root", "model"});
  } else {
    check_keys(place, json, fmt::format("the first line of a {}", to_string(collective)),
               {"gossamer", "topology", "collective", "model"});
  }
  const Model model = read_model(place, json["model"]);
  Schedule schedule(read_topology(place, text_at(place, json, "topology")), collective, model);
  if (has_root(collective)) {
    schedule.root = number(place, json["root"], "\"root\"", 0, schedule.topology().nodes() - 1);
  }
  return schedule;
}

/// A line of the file as read; lines are put in order of rounds before they enter the schedule.
struct TransferLine {
  std::uint32_t round = 0;
  std::uint32_t line = 0;
  bool everything = false;
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
    if (messages == "new") place_.fail("\"msgs\":\"new\" is not supported by this version");
    t.everything = messages == "*";
    if (!t.everything) t.messages = read_messages(messages);
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
      place_.fail(fmt::format("\"msgs\" is {}; expected \"*\" or a list of {}", shown(json),
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
    if (t.everything) {
      schedule.add_everything(t.round, t.path, t.line);
    } else {
      schedule.add(t.round, t.path, t.messages, t.line);
    }
  }
}

bool blank(const std::string& text) { return text.find_first_not_of(" \t\r") == std::string::npos; }

}  // namespace

Schedule read_jsonl(std::istream& in, const std::string& name) {
  Place place{name, 1};
  std::string text;
  if (!std::getline(in, text) || blank(text)) {
    place.fail("no schedule: expected a first line such as {\"gossamer\":1,\"topology\":...}");
  }
  Schedule schedule = read_header(place, parse_line(place, text));
  const TransferReader reader(place, schedule);
  std::vector<TransferLine> lines;
  while (std::getline(in, text)) {
    ++place.line;
    if (!blank(text)) lines.push_back(reader.read(parse_line(place, text)));
  }
  if (in.bad()) place.fail("cannot be read any further");
  add_in_order(lines, schedule);
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
  return read_jsonl(in, path);
}

}  // namespace gossamer
