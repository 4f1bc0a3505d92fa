#include "views/rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gossamer_constants.hpp"

namespace gossamer {

void Rows::node(Node x, bool closed, std::optional<std::uint32_t> seen) {
  const Topology& topology = of_.schedule.topology();
  const NodeSignals node = of_.signals.node(x);
  gtkw_.open_group("node " + topology.name(x), closed);
  bit("start", node.start);
  bit("done", node.done);
  state("state", node.state, of_.states.sequencer, GtkwFile::kOrange);
  number("table entry", node.entry);
  number("next table entry", node.next_entry);
  number("round", node.round);
  number("slots finished", node.slots_finished);
  number("cycle in round", node.cycle);
  if (of_.image.kind.reduce) operations(x, node);
  if (of_.image.kind.logs() == 1) words_in_log(x, 0);
  if (seen) errors(node, *seen);
  for (Port p = 0; p < topology.ports(); ++p) {
    if (topology.peer(x, p).connected()) port(x, p);
  }
  gtkw_.close_group();
}

/// What each channel combines, if the node's table lets it combine anything.
void Rows::operations(Node x, const NodeSignals& node) {
  const auto& channels = of_.image.programs[of_.image.program_of[of_.image.class_of(x)]].channels;
  bool keeps = of_.idle;
  for (unsigned c = 0; c < channels.size(); ++c) {
    const bool combines = std::ranges::any_of(
        channels[c], [](const Segment& s) { return s.op != rtl::OP_COPY || s.keep; });
    keeps = keeps || (c == 0 && combines);
    if (!combines && !of_.idle) continue;
    const std::string which = channels.size() == 1 ? "" : fmt::format(" of channel {}", c);
    state(("operator" + which).c_str(), of_.signals.operation(x, c), of_.states.operation,
          GtkwFile::kYellow);
  }
  if (keeps) bit("keeps the result", node.keeps);
}

/// The first error by name, and the time of each code raised.
void Rows::errors(const NodeSignals& node, std::uint32_t seen) {
  state("first error", node.first_error, of_.states.error, GtkwFile::kRed);
  number("in round", node.error_round, GtkwFile::kRed);
  number("in slot, from 0", node.error_slot, GtkwFile::kRed);
  number("at port", node.error_port, GtkwFile::kRed);
  for (const rtl::NamedValue& code : rtl::error_e_table) {
    if (!(seen >> code.value & 1)) continue;
    gtkw_.bit(std::string(code.name), GtkwFile::bit_of(node.errors, rtl::ERROR_CODES, code.value),
              GtkwFile::kRed);
  }
}

void Rows::port(Node x, Port p) {
  const PortSignals port = of_.signals.port(x, p);
  const Topology& topology = of_.schedule.topology();
  const std::string ways = !topology.sends(x, p) ? "from" : "to";
  gtkw_.open_group(
      fmt::format("port {} {} node {}", p, ways, topology.name(topology.peer(x, p).node)),
      /*closed=*/false);
  state("link", port.link, of_.states.link, GtkwFile::kOrange);
  if (of_.schedule.model().switching != Switching::Packet) {
    state("source", port.source, "", GtkwFile::kYellow);
  }
  if (sends(x, p)) {
    gtkw_.translated("out", port.out, of_.flits);
    if (of_.expected) gtkw_.translated("expected", port.expected, of_.flits);
    bit("out last", port.out_last);
  }
  if (receives(x, p)) {
    state("receiver", port.receiver, of_.states.receiver, GtkwFile::kOrange);
    gtkw_.translated("in", port.in, of_.flits);
    bit("in last", port.in_last);
    if (of_.image.kind.logs() > 1) words_in_log(x, p);
  }
  gtkw_.close_group();
}

void Rows::words_in_log(Node x, unsigned log) {
  number("words in log", of_.signals.words_in_log(x, log));
}

// Only what the waveform has.
void Rows::bit(const char* label, const std::string& signal, GtkwFile::Colour colour) {
  if (!signal.empty()) gtkw_.bit(label, signal, colour);
}
void Rows::number(const char* label, const std::string& signal, GtkwFile::Colour colour) {
  if (!signal.empty()) gtkw_.number(label, signal, colour);
}
void Rows::state(const char* label, const std::string& signal, const std::string& names,
                 GtkwFile::Colour colour) {
  if (signal.empty()) return;
  if (names.empty()) {
    gtkw_.state(label, signal, colour);
  } else {
    gtkw_.translated(label, signal, names, colour);
  }
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
  return any_slot(x, [p](const SlotEntry& s) {
    if (s.receive >> p & 1) return true;
    for (Port out = 0; out < s.select.size(); ++out) {
      if (out != p && s.select[out] == p) return true;
    }
    return false;
  });
}

}  // namespace gossamer
