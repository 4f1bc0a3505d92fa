#include "views/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "fabric/operators.hpp"
#include "fabric/payload.hpp"
#include "gossamer_constants.hpp"
#include "play/play.hpp"
#include "schedule/chunks.hpp"
#include "schedule/members.hpp"
#include "tables/compiler.hpp"

namespace gossamer {
namespace {

// Flag bits in a save file that select a row's format.
constexpr std::uint64_t kHexadecimal = 0x2;
constexpr std::uint64_t kDecimal = 0x4;
constexpr std::uint64_t kBinary = 0x8;
constexpr std::uint64_t kRightJustified = 0x20;
constexpr std::uint64_t kBlank = 0x200;
constexpr std::uint64_t kCollapsed = 0x1000;
constexpr std::uint64_t kTranslated = 0x2000;
constexpr std::uint64_t kClosed = 0x400000;
constexpr std::uint64_t kGroupBegin = 0x800000;
constexpr std::uint64_t kGroupEnd = 0x1000000;
constexpr std::uint64_t kEnumerated = 0x100000000;  // its names belong to binary values

/// The frame of the window, and the collapsed signal tree at its left.
constexpr int kOtherWidth = 60;
/// GTKWave's zoom is minus the logarithm of the time that this many pixels show.
constexpr double kZoomPixels = 200;
/// Named markers of a save file beside the first one.
constexpr int kOtherMarkers = 25;

}  // namespace

void GtkwFile::open_group(const std::string& name, bool closed) {
  rows_ += fmt::format("@{:x}\n-{}\n", kGroupBegin | kBlank | (closed ? kClosed : 0), name);
  groups_.push_back({name, closed});
}

void GtkwFile::close_group() {
  const Group group = groups_.back();
  groups_.pop_back();
  rows_ += fmt::format("@{:x}\n-{}\n",
                       kGroupEnd | kBlank | (group.closed ? kClosed | kCollapsed : 0), group.name);
}

void GtkwFile::row(std::uint64_t flags, const std::string& label, const std::string& signal,
                   Colour colour, const std::string& table) {
  if (signal.empty()) return;
  const bool several = signal.find(' ') != std::string::npos;
  rows_ += fmt::format("@{:x}\n", flags);
  if (colour != kUsual) rows_ += fmt::format("[color] {}\n", static_cast<int>(colour));
  if (!table.empty()) rows_ += fmt::format("^1 {}\n", table);
  rows_ += fmt::format("{}{{{}}} {}\n", several ? '#' : '+', label, signal);
}

std::string GtkwFile::bit_of(const std::string& vector, unsigned width, unsigned index) {
  // GTKWave counts from the leftmost bit.
  return fmt::format("({}){}[{}:0]", width - 1 - index, vector, width - 1);
}

void GtkwFile::bit(const std::string& label, const std::string& signal, Colour colour) {
  row(kBinary | kRightJustified, label, signal, colour);
}
void GtkwFile::number(const std::string& label, const std::string& signal, Colour colour) {
  row(kDecimal | kRightJustified, label, signal, colour);
}
void GtkwFile::translated(const std::string& label, const std::string& signal,
                          const std::string& table, Colour colour) {
  const std::uint64_t format = table.empty() ? kEnumerated | kBinary : kTranslated | kHexadecimal;
  row(format | kRightJustified, label, signal, colour, table);
}

int GtkwFrame::waves_width() const { return width - names_width - kOtherWidth; }

std::string gtkw_text(const GtkwFile& file, const GtkwFrame& frame, const std::string& dump,
                      const std::string& save) {
  std::string text = fmt::format("[dumpfile] \"{}\"\n[savefile] \"{}\"\n", dump, save);
  text += fmt::format("[timestart] {}\n[size] {} {}\n[pos] -1 -1\n", frame.start, frame.width,
                      frame.height);
  text += fmt::format("*{:f} {} {}", -std::log2(kZoomPixels * frame.units_per_pixel), frame.marker,
                      frame.marker);
  for (int m = 0; m < kOtherMarkers; ++m) text += " -1";
  text += '\n';
  if (!frame.marker_name.empty()) text += fmt::format("[markername] A{}\n", frame.marker_name);
  if (frame.ruler_step != 0) text += fmt::format("[ruler] 0 {}\n", frame.ruler_step);
  text += fmt::format("[sst_width] 20\n[signals_width] {}\n[sst_expanded] 0\n", frame.names_width);
  return text + file.rows();
}

void Rows::node(Node x, bool closed, std::optional<std::uint32_t> seen) {
  const Topology& topology = of_.schedule.topology();
  const NodeSignals node = of_.signals.node(x);
  gtkw_.open_group("node " + topology.name(x), closed);
  gtkw_.bit("start", node.start);
  gtkw_.bit("done", node.done);
  gtkw_.translated("state", node.state, of_.states.sequencer, GtkwFile::kOrange);
  gtkw_.number("table entry", node.entry);
  gtkw_.number("next table entry", node.next_entry);
  gtkw_.number("round", node.round);
  gtkw_.number("slots finished", node.slots_finished);
  gtkw_.number("cycle in round", node.cycle);
  if (of_.image.kind.join)
    gtkw_.translated("operator", node.operation, of_.states.operation, GtkwFile::kYellow);
  if (of_.image.kind.logs() == 1) words_in_log(x, 0);
  if (seen) errors(node, *seen);
  for (Port p = 0; p < topology.ports(); ++p) {
    if (topology.peer(x, p).connected()) port(x, p);
  }
  gtkw_.close_group();
}

/// The first error by name, and the time of each code raised.
void Rows::errors(const NodeSignals& node, std::uint32_t seen) {
  gtkw_.translated("first error", node.first_error, of_.states.error, GtkwFile::kRed);
  gtkw_.number("in round", node.error_round, GtkwFile::kRed);
  gtkw_.number("in slot, from 0", node.error_slot, GtkwFile::kRed);
  gtkw_.number("at port", node.error_port, GtkwFile::kRed);
  for (const rtl::NamedValue& code : rtl::error_e_table) {
    if (!(seen >> code.value & 1)) continue;
    gtkw_.bit(std::string(code.name), GtkwFile::bit_of(node.errors, rtl::ERROR_CODES, code.value),
              GtkwFile::kRed);
  }
}

void Rows::port(Node x, Port p) {
  const PortSignals port = of_.signals.port(x, p);
  const Topology& topology = of_.schedule.topology();
  const Node to = topology.peer(x, p).node;
  const std::string ways = !topology.sends(x, p) ? "from" : "to";
  gtkw_.open_group(fmt::format("port {} {} node {}{}", p, ways, topology.name(to),
                               of_.schedule.faults.dead(x, to) ? ", dead" : ""),
                   /*closed=*/false);
  gtkw_.translated("link", port.link, of_.states.link, GtkwFile::kOrange);
  if (of_.schedule.model().switching != Switching::Packet) {
    gtkw_.translated("source", port.source, "", GtkwFile::kYellow);
  }
  if (sends(x, p)) {
    gtkw_.translated("out", port.out, of_.flits);
    if (of_.expected) gtkw_.translated("expected", port.expected, of_.flits);
    gtkw_.bit("out last", port.out_last);
  }
  if (receives(x, p)) {
    gtkw_.translated("receiver", port.receiver, of_.states.receiver, GtkwFile::kOrange);
    gtkw_.translated("in", port.in, of_.flits);
    gtkw_.bit("in last", port.in_last);
    if (of_.image.kind.logs() > 1) words_in_log(x, p);
  }
  gtkw_.close_group();
}

void Rows::words_in_log(Node x, unsigned log) {
  gtkw_.number("words in log", of_.signals.words_in_log(x, log));
}

/// Leaves out rows in which nothing happens; the node's table shows which these are.
template <class Uses>
bool Rows::any_slot(Node x, Uses uses) const {
  const auto& slots = of_.image.programs[of_.image.program_of[of_.image.class_of(x)]].slots;
  return of_.idle || std::any_of(slots.begin(), slots.end(), uses);
}

bool Rows::sends(Node x, Port p) const {
  const Port none = select_none(of_.image.kind);
  return any_slot(x, [&](const SlotEntry& s) { return s.select[p] != none; });
}

/// Does the port receive, into the store or to another port?
bool Rows::receives(Node x, Port p) const {
  const bool join = of_.image.kind.join;
  return any_slot(x, [p, join](const SlotEntry& s) {
    if (s.receive >> p & 1) return true;
    for (Port out = 0; out < s.select.size(); ++out) {
      if (out != p && (join ? (s.select[out] >> p & 1) != 0 : s.select[out] == p)) return true;
    }
    return false;
  });
}

namespace {

constexpr std::size_t kMostFlitNames = 20'000;

}  // namespace

std::string flit_text(const FlitId& flit, unsigned flits) {
  std::string text = std::to_string(flit.message.origin);
  if (flit.message.destination != kNoNode) text += fmt::format(">{}", flit.message.destination);
  if (flit.message.piece != 0) text += fmt::format("/{}", flit.message.piece);
  if (flits > 1) text += fmt::format(".{}", flit.index);
  return text;
}

namespace {

/// Writes a line for each word that may be on a link.
class Names {
 public:
  bool full() const { return lines_ >= kMostFlitNames; }
  void add(std::uint32_t word, std::size_t colour, const std::string& name) {
    if (lines_++ >= kMostFlitNames) return;
    text_ += fmt::format("1{:08X} ?{}?{}\n", word,
                         kOriginColours[colour % kOriginColours.size()].x11, name);
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_ =
      "# valid bit and word of a link, and what it is: origin.flit\n000000000 ?black?\n";
  std::size_t lines_ = 0;
};

/// Each sum of a reduction is named when it is first sent.
void name_sums(const Schedule& s, const Payload& payload, Names& names) {
  std::set<std::pair<Message, std::vector<Node>>> named;
  const auto name = [&](Node, const Message& m, const std::vector<Node>& parts, std::uint32_t) {
    if (names.full() || !named.insert({m, parts}).second || parts.empty()) return;
    std::string whose = parts.size() == contributors(s, m) ? "all" : runs_text(parts, parts.size());
    std::erase(whose, ' ');
    if (!has_root(s.collective())) whose = fmt::format("{}:{}", m.origin, whose);
    if (m.piece != 0) whose += fmt::format("/{}", m.piece);
    for (unsigned i = 0; i < payload.flits(m); ++i) {
      std::uint32_t word = payload.part(parts[0], m, i);
      for (std::size_t k = 1; k < parts.size(); ++k) {
        word = combine(s.op, payload.part(parts[k], m, i), word, 32);
      }
      names.add(word, parts.size(), payload.flits() > 1 ? fmt::format("{}.{}", whose, i) : whose);
    }
  };
  play_sums(s, name, [](Node, const Message&, const std::vector<Node>&, std::uint32_t) {});
}

}  // namespace

std::string flit_names(const Schedule& schedule, const Payload& payload,
                       const std::vector<Node>& first) {
  Names names;
  if (payload.adds()) {
    name_sums(schedule, payload, names);
    return std::move(names).text();
  }
  const auto add = [&](Node x) {
    for (const Message& m : own_messages(schedule, x)) {
      for (unsigned i = 0; i < payload.flits(m) && !names.full(); ++i) {
        names.add(payload.word({m, i}), x, flit_text({m, i}, payload.flits()));
      }
    }
  };
  for (Node x : first) add(x);
  for (Node x = 0; x < schedule.topology().nodes() && !names.full(); ++x) {
    if (std::find(first.begin(), first.end(), x) == first.end()) add(x);
  }
  return std::move(names).text();
}

}  // namespace gossamer
