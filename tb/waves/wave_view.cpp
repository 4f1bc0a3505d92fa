#include "waves/wave_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <optional>
#include <set>

#include "fabric/origin_colours.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
#include "waves/gtkw_file.hpp"
#include "waves/wave_signals.hpp"
#include "waves/wave_time.hpp"

namespace gossamer::tb {
namespace {

namespace fs = std::filesystem;

/// The most nodes that the view lists; the others are in the viewer's signal tree.
constexpr std::size_t kMostNodes = 64;
/// Nodes whose groups are open.
constexpr std::size_t kOpenNodes = 2;
constexpr std::size_t kMostFlitNames = 20'000;
/// Cycles shown before the one of interest.
constexpr std::uint64_t kCyclesBefore = 8;

std::string flit_text(const FlitId& flit, unsigned flits) {
  std::string text = std::to_string(flit.message.origin);
  if (flit.message.destination != kNoNode) text += fmt::format(">{}", flit.message.destination);
  if (flits > 1) text += fmt::format(".{}", flit.index);
  return text;
}

/// Writes the rows of a run.
class Rows {
 public:
  Rows(const TracedRun& run, const std::string& flits) : run_(run), flits_(flits) {}

  GtkwFile write() {
    const auto nodes = chosen_nodes();
    gtkw_.bit("clk", signals_.clock(nodes[0]));
    const auto open = nodes_to_open(nodes);
    for (Node x : nodes) {
      write_node(x, std::find(open.begin(), open.end(), x) == open.end());
    }
    return std::move(gtkw_);
  }

 private:
  const Topology& topology() const { return run_.schedule.topology(); }

  /// The traced nodes with errors, and others up to a limit.
  std::vector<Node> chosen_nodes() const {
    std::vector<Node> traced = run_.options.trace_nodes;
    if (traced.empty()) {
      traced.resize(topology().nodes());
      std::iota(traced.begin(), traced.end(), Node{0});
    }
    std::set<Node> faulty;
    for (const NodeError& e : run_.errors) faulty.insert(e.node);
    std::stable_partition(traced.begin(), traced.end(),
                          [&](Node x) { return faulty.count(x) != 0; });
    traced.resize(std::min(traced.size(), kMostNodes));
    std::sort(traced.begin(), traced.end());
    return traced;
  }

  /// Nodes that raised errors; if none did, the first ones.
  std::vector<Node> nodes_to_open(const std::vector<Node>& nodes) const {
    std::vector<Node> open;
    for (Node x : nodes) {
      if (error_of(x) != nullptr && open.size() < kOpenNodes) open.push_back(x);
    }
    if (open.empty())
      open.assign(nodes.begin(), nodes.begin() + std::min(nodes.size(), kOpenNodes));
    return open;
  }

  const NodeError* error_of(Node x) const {
    for (const NodeError& e : run_.errors) {
      if (e.node == x) return &e;
    }
    return nullptr;
  }

  void write_node(Node x, bool closed) {
    gtkw_.open_group(fmt::format("node {}", x), closed);
    const NodeSignals node = signals_.node(x);
    if (!node.start.empty()) gtkw_.bit("start", node.start);
    if (!node.done.empty()) gtkw_.bit("done", node.done);
    state("state", node.state, GtkwFile::kOrange);
    gtkw_.number("round", node.round);
    gtkw_.number("cycle in round", node.cycle);
    if (run_.compiled.image.kind.logs() == 1) write_log(x, 0);
    if (const NodeError* error = error_of(x)) write_errors(node, *error);
    for (Port p = 0; p < topology().ports(); ++p) {
      if (topology().peer(x, p).connected()) write_port(x, p);
    }
    gtkw_.close_group();
  }

  /// The first error by name, and the time of each code raised.
  void write_errors(const NodeSignals& node, const NodeError& error) {
    gtkw_.state("first error", node.first_error, GtkwFile::kRed);
    gtkw_.number("in round", node.error_round, GtkwFile::kRed);
    gtkw_.number("at port", node.error_port, GtkwFile::kRed);
    for (const rtl::NamedValue& code : rtl::error_e_table) {
      if (!(error.seen >> code.value & 1)) continue;
      gtkw_.bit(std::string(code.name), GtkwFile::bit_of(node.errors, rtl::ERROR_CODES, code.value),
                GtkwFile::kRed);
    }
  }

  void write_port(Node x, Port p) {
    const PortSignals port = signals_.port(x, p);
    gtkw_.open_group(fmt::format("port {} to node {}", p, topology().peer(x, p).node),
                     /*closed=*/false);
    state("link", port.link, GtkwFile::kOrange);
    if (run_.schedule.model().switching != Switching::Packet) {
      state("source", port.source, GtkwFile::kYellow);
    }
    if (sends(x, p)) {
      gtkw_.translated("out", port.out, flits_);
      if (run_.expected) gtkw_.translated("expected", port.expected, flits_);
      gtkw_.bit("out last", port.out_last);
    }
    if (receives(x, p)) {
      state("receiver", port.receiver, GtkwFile::kOrange);
      gtkw_.translated("in", port.in, flits_);
      gtkw_.bit("in last", port.in_last);
      if (run_.compiled.image.kind.logs() > 1) write_log(x, p);
    }
    gtkw_.close_group();
  }

  void write_log(Node x, unsigned log) {
    const std::string words = signals_.words_in_log(x, log);
    if (!words.empty()) gtkw_.number("words in log", words);
  }

  /// Only if the engine shows it.
  void state(const char* label, const std::string& signal, GtkwFile::Colour colour) {
    if (!signal.empty()) gtkw_.state(label, signal, colour);
  }

  // Rows in which nothing happens are left out: the node's table tells them in advance, unless
  // something went wrong.
  template <class Uses>
  bool any_slot(Node x, Uses uses) const {
    const FabricImage& image = run_.compiled.image;
    const auto& slots = image.programs[image.program_of[x]].slots;
    return !run_.result.passed() || std::any_of(slots.begin(), slots.end(), uses);
  }
  bool sends(Node x, Port p) const {
    const Port none = select_none(run_.compiled.image.kind);
    return any_slot(x, [&](const SlotEntry& s) { return s.select[p] != none; });
  }
  /// Does the port receive, into the store or to another port?
  bool receives(Node x, Port p) const {
    return any_slot(x, [p](const SlotEntry& s) {
      if (s.receive >> p & 1) return true;
      for (Port out = 0; out < s.select.size(); ++out) {
        if (out != p && s.select[out] == p) return true;
      }
      return false;
    });
  }

  const TracedRun& run_;
  const std::string& flits_;
  const WaveSignals signals_{run_.options.engine, run_.compiled.image.kind.half_duplex,
                             run_.compiled.image.kind.adaptive};
  GtkwFile gtkw_;
};

/// The cycle in which the run first went wrong, if it did.
std::optional<std::uint64_t> first_fault(const TracedRun& run) {
  if (run.result.has_difference) return run.result.difference_cycle;
  std::optional<std::uint64_t> first;
  for (const NodeError& e : run.errors) {
    if (e.first_slot >= run.compiled.time.start.size()) continue;
    const std::uint64_t cycle = run.compiled.time.start[e.first_slot];
    first = first ? std::min(*first, cycle) : cycle;
  }
  return first;
}

std::uint64_t last_cycle(const TracedRun& run) {
  return std::max(run.result.cycles_measured, run.result.cycles_predicted) + 1;
}

/// The whole run if the names of flits are then readable. Otherwise as wide as readable names need,
/// or narrower so that a few rounds are shown: colours help even without names.
double pixels_per_cycle(const TracedRun& run, int width, std::uint64_t cycles) {
  constexpr double kPixelsOfLetter = 6.2, kPixelsAround = 4, kRoundsShown = 4, kFewest = 3;
  const Node last = run.schedule.topology().nodes() - 1;
  const bool pairs = !same_to_all(run.schedule.collective());
  const FlitId longest{{last, pairs ? last : kNoNode}, run.options.flits - 1};
  const std::string text = flit_text(longest, run.options.flits);
  const double readable = kPixelsOfLetter * static_cast<double>(text.size()) + kPixelsAround;
  const double everything = width / static_cast<double>(cycles);
  if (everything >= readable) return std::min(everything, 2 * readable);
  const double round = static_cast<double>(run.result.cycles_predicted) /
                       std::max<std::size_t>(1, run.compiled.time.start.size());
  return std::max({std::min(readable, width / (kRoundsShown * round)), kFewest, everything});
}

/// Lines at every cycle do not help if they are closer together.
constexpr double kPixelsOfRuler = 10;

GtkwFrame frame_of(const TracedRun& run) {
  const std::uint64_t first = run.options.trace_first;
  const std::uint64_t last = std::min(run.options.trace_last, last_cycle(run));
  const std::uint64_t cycles = last >= first ? last - first + 1 : 1;
  GtkwFrame frame;
  const double pixels = pixels_per_cycle(run, frame.waves_width(), cycles);
  frame.units_per_pixel = static_cast<double>(kWaveUnitsPerCycle) / pixels;
  if (pixels >= kPixelsOfRuler) frame.ruler_step = kWaveUnitsPerCycle;
  std::uint64_t start = first;
  const auto fault = first_fault(run);
  if (fault && *fault >= first && *fault <= last) {
    frame.marker = static_cast<std::int64_t>(*fault * kWaveUnitsPerCycle);
    frame.marker_name = run.result.has_difference ? "first difference" : "round of the first error";
    if (pixels * static_cast<double>(cycles) > frame.waves_width()) {
      start = std::max(first, *fault - std::min(*fault, kCyclesBefore));
    }
  }
  frame.start = start * kWaveUnitsPerCycle;
  return frame;
}

}  // namespace

std::string flit_names(const Schedule& schedule, const Payload& payload,
                       const std::vector<Node>& first) {
  std::string text = "# valid bit and word of a link, and what it is: origin.flit\n0";
  text += std::string(8, '0') + " ?black?\n";
  std::size_t lines = 0;
  const auto add = [&](Node x) {
    for (const Message& m : own_messages(schedule, x)) {
      for (unsigned i = 0; i < payload.flits() && lines < kMostFlitNames; ++i, ++lines) {
        text += fmt::format("1{:08X} ?{}?{}\n", payload.word({m, i}),
                            kOriginColours[x % kOriginColours.size()].x11,
                            flit_text({m, i}, payload.flits()));
      }
    }
  };
  for (Node x : first) add(x);
  for (Node x = 0; x < schedule.topology().nodes() && lines < kMostFlitNames; ++x) {
    if (std::find(first.begin(), first.end(), x) == first.end()) add(x);
  }
  return text;
}

void write_wave_view(const TracedRun& run) {
  const fs::path wave = fs::absolute(run.options.trace);
  if (run.options.trace_first > last_cycle(run)) {
    fs::remove(wave);
    throw InputError(
        fmt::format("--trace: the run was over before cycle {}", run.options.trace_first));
  }
  const auto beside = [&wave](const char* extension) {
    return fs::path(wave).replace_extension(extension).string();
  };
  const std::string flits = beside(".flits"), view = beside(".gtkw");
  write_file(flits, flit_names(run.schedule, run.payload, run.options.trace_nodes));
  write_file(view, gtkw_text(Rows(run, flits).write(), frame_of(run), wave.string(), view));
}

}  // namespace gossamer::tb
