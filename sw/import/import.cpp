#include "import/import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "schedule/jsonl.hpp"
#include "support/refuse.hpp"
#include "support/words.hpp"

namespace gossamer {
namespace {

struct Sending {
  double time;
  Node from, to;
  std::uint32_t chunk;
  std::uint32_t line;
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& file, Node nodes) : file_(file), nodes_(nodes) {
    std::istringstream in{std::string(text)};
    for (std::string line; std::getline(in, line);) {
      ++line_;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      read(trimmed(line, kBlanks));
    }
    if (sendings_.empty()) fail("no chunk is sent: expected lines such as 0,1,0,2.5");
  }

  std::vector<Sending> in_order() && {
    std::ranges::stable_sort(sendings_, {}, &Sending::time);
    return std::move(sendings_);
  }

 private:
  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> why, Args&&... args) const {
    gossamer::fail(file_, line_, why, std::forward<Args>(args)...);
  }

  void read(std::string_view line) {
    if (line.empty() || line.starts_with('#')) return;
    const std::vector<std::string_view> cells = cells_of(line, ',');
    if (!numbers_ && is_heading(cells)) {
      if (cells[0] == "SrcID") by_link_ = true;
      if (cells[0] == "NPUs Count" && cells.size() > 1) check_nodes(cells[1]);
      return;
    }
    numbers_ = true;
    const std::size_t least = by_link_ ? 5 : 4;
    if (cells.size() < least) fail("{} cells, expected {}", cells.size(), least);
    const Node from = node(cells[0]), to = node(cells[1]);
    if (!by_link_) {
      sendings_.push_back({time(cells[3]), from, to, chunk(cells[2]), line_});
      return;
    }
    for (std::size_t i = 4; i < cells.size(); ++i) {
      if (cells[i].empty() || cells[i] == "None") continue;
      const std::vector<std::string_view> parts = cells_of(cells[i], ':');
      if (parts.size() < 2) fail("'{}' is no chunk and time such as 3:1.5", shortened(cells[i]));
      sendings_.push_back({time(parts.back()), from, to, chunk(parts.front()), line_});
    }
  }

  /// Words, or a word and its number; the first line of numbers may have a mistake in its first
  /// cell.
  static bool is_heading(const std::vector<std::string_view>& cells) {
    const auto counts = [](std::string_view cell) {
      return !cell.empty() && cell.front() >= '0' && cell.front() <= '9';
    };
    if (counts(cells[0])) return false;
    return cells.size() < 4 || !std::all_of(cells.begin() + 1, cells.begin() + 4, counts);
  }

  /// TACOS says how many nodes there are.
  void check_nodes(std::string_view text) const {
    if (number<std::uint64_t>(text, "number of nodes") == nodes_) return;
    fail("NPUs Count,{}, but the topology has {} nodes", text, nodes_);
  }

  static std::vector<std::string_view> cells_of(std::string_view line, char separator) {
    std::vector<std::string_view> cells = split(line, separator);
    for (std::string_view& cell : cells) cell = trimmed(cell, kBlanks);
    return cells;
  }

  template <typename T>
  T number(std::string_view text, const std::string& what) const {
    const auto value = number_of<T>(text);
    if (!value) fail("'{}' is no {}", shortened(text), what);
    return *value;
  }

  Node node(std::string_view text) const { return below(text, nodes_, "node"); }
  std::uint32_t chunk(std::string_view text) const {
    return below(text, std::uint64_t{nodes_} * kMostPieces, "chunk");
  }
  std::uint32_t below(std::string_view text, std::uint64_t end, std::string what) const {
    what += fmt::format("; expected 0 to {}", end - 1);
    const auto x = number<std::uint32_t>(text, what);
    if (x >= end) fail("'{}' is no {}", shortened(text), what);
    return x;
  }

  double time(std::string_view text) const {
    const auto value = number<double>(text, "time");
    // Beyond it, times that differ would be the same.
    constexpr double kMost = 9007199254740992;  // 2^53
    if (!(std::abs(value) < kMost)) fail("'{}' is no time below 2^53", shortened(text));
    return value;
  }

  static constexpr std::string_view kBlanks = " \"\t";

  const std::string& file_;
  Node nodes_;
  std::uint32_t line_ = 0;
  bool by_link_ = false;
  bool numbers_ = false;  ///< the words before the first number are over
  std::vector<Sending> sendings_;
};

/// What the chunks are: of one for each node, number c is the message of node c. If there are more,
/// each node has as many pieces of its message: those that it is the first to send.
std::vector<Message> chunks_of(const std::vector<Sending>& sendings, const std::string& file,
                               Node nodes) {
  const std::uint32_t last = std::ranges::max(sendings, {}, &Sending::chunk).chunk;
  const std::uint32_t pieces = last / nodes + 1;
  if (pieces > 1 && std::uint64_t{pieces} * nodes > sendings.size()) {
    refuse("{}: a chunk {} of {} nodes, but only {} chunks are sent in all", file, last, nodes,
           sendings.size());
  }
  std::vector<Message> chunks(std::size_t{pieces} * nodes, Message{kNoNode});
  if (pieces == 1) {
    for (Node x = 0; x < nodes; ++x) chunks[x] = {x};
    return chunks;
  }
  for (const Sending& s : sendings) {
    if (chunks[s.chunk].origin == kNoNode) chunks[s.chunk].origin = s.from;
  }
  std::vector<std::uint32_t> of_node(nodes, 0);
  for (Message& m : chunks) {
    if (m.origin != kNoNode) m.piece = of_node[m.origin]++;
  }
  for (Node x = 0; x < nodes; ++x) {
    if (of_node[x] == pieces) continue;
    refuse(
        "{}: node {} is the first to send {} of the chunks 0 to {}; expected {}, as many of each "
        "node",
        file, x, of_node[x], chunks.size() - 1, pieces);
  }
  return chunks;
}

}  // namespace

Schedule read_link_chunk_time(std::string_view text, const std::string& file,
                              const Topology& topology, const Meant& meant) {
  if (meant.collective.value_or(Collective::Gossip) != Collective::Gossip) {
    refuse("{}: links, chunks and times are read as a gossip only", file);
  }
  struct Batch {
    std::uint32_t round = 0, line = 0;
    Node path[2] = {};
    std::vector<Message> messages;
  };
  std::vector<Batch> batches;
  std::map<std::pair<Node, Node>, std::vector<std::size_t>> of_nodes;  // in this round
  Model model = meant.model;
  std::uint32_t round = 0;
  double time = 0;
  const std::vector<Sending> sendings = Reader(text, file, topology.nodes()).in_order();
  const std::vector<Message> chunks = chunks_of(sendings, file, topology.nodes());
  for (const Sending& s : sendings) {
    if (round == 0 || s.time != time) {
      ++round;
      of_nodes.clear();
    }
    time = s.time;
    std::vector<std::size_t>& links = of_nodes[{s.from, s.to}];
    const auto lane = static_cast<std::uint32_t>(links.size());
    const bool many = model.ports == PortModel::All && model.duplex == Duplex::Full;
    const bool is_free = lane == 0 || (many && topology.port_to(s.from, s.to, lane) != kNoPort);
    if (is_free) {
      links.push_back(batches.size());
      batches.push_back({round, s.line, {s.from, s.to}, {}});
    } else {
      model.combining = true;
      std::rotate(links.begin(), links.begin() + 1, links.end());  // the next one in turn
    }
    batches[links.back()].messages.push_back(chunks[s.chunk]);
  }
  Schedule schedule(topology, Collective::Gossip, model);
  schedule.cut(static_cast<std::uint32_t>(chunks.size() / topology.nodes()));
  for (const Batch& b : batches) schedule.add(b.round, b.path, b.messages, b.line);
  return schedule;
}

namespace {

constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf", kUtf16Marks[] = {"\xff\xfe", "\xfe\xff"};

/// The first line that is not empty and no comment of a list.
std::string_view first_line(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    const std::string_view line = text.substr(0, text.find('\n'));
    if (!line.starts_with('#')) return line;
    text.remove_prefix(line.size());
  }
}

}  // namespace

Schedule import_schedule(std::string_view text, const std::string& file, const Topology& topology,
                         const Meant& meant) {
  if (topology.nodes() > kMostNodesOfFile) {
    refuse("{} has more nodes than schedule files can have, {}", topology.spec(), kMostNodesOfFile);
  }
  if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
  const std::string_view line = first_line(text);
  const bool wide = std::ranges::any_of(kUtf16Marks, [&](auto m) { return text.starts_with(m); });
  if (wide || line.starts_with('<')) return read_msccl_xml(text, file, topology, meant);
  if (line.starts_with('{') && line.find("\"gossamer\"") != std::string_view::npos) {
    refuse("{}:1: it is a schedule already, for `gossamer run`", file);
  }
  const bool list = line.find(',') != std::string_view::npos &&
                    std::ranges::none_of(std::array{"{", "[", "//"},
                                         [&](auto other) { return line.starts_with(other); });
  if (!list) {
    refuse(
        "{}:1: neither MSCCL's XML nor CSV: expected <algo ...> or lines of from,to,chunk,time "
        "such as 0,1,0,2.5",
        file);
  }
  return read_link_chunk_time(text, file, topology, meant);
}

}  // namespace gossamer
