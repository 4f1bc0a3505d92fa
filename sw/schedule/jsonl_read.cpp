#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "schedule/adaptive_rules.hpp"
#include "schedule/jsonl.hpp"
#include "schedule/jsonl_header.hpp"
#include "schedule/jsonl_line.hpp"
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
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    stop_if_interrupted();
    return a.round < b.round;
  });
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
