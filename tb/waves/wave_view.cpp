#include "waves/wave_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>
#include <set>

#include "gossamer_constants.hpp"
#include "support/file.hpp"
#include "support/job.hpp"
#include "support/refuse.hpp"
#include "views/rows.hpp"

namespace gossamer::tb {
namespace {

std::string vector(const std::string& signal, unsigned width) {
  return fmt::format("{}[{}:0]", signal, width - 1);
}

}  // namespace

/// In the RTL engines it is the node's switch core.
std::string WaveSignals::scope(Node x) const {
  if (engine_ == "systemc") return fmt::format("SystemC.node_{}.", x);
  if (engine_ == "flat") return fmt::format("fabric.torus_fabric.gen_node[{}].i_node.i_core.", x);
  return fmt::format("node_{}.switch_tile.i_core.", x);
}

std::string WaveSignals::clock(Node x) const {
  return engine_ == "systemc" ? "SystemC.clk" : scope(x) + "clk_i";
}

NodeSignals WaveSignals::node(Node x) const {
  const std::string at = scope(x);
  if (engine_ == "systemc") {
    return {.round = vector(at + "round", rtl::SLOT_REPEAT_W),
            .cycle = vector(at + "cycle", rtl::SLOT_LEN_W),
            .first_error = at + "first_error[3:0]",
            .error_round = vector(at + "error_round", rtl::SLOT_REPEAT_W),
            .error_port = at + "error_port[7:0]",
            .errors = at + "errors"};
  }
  return {.start = at + "start_i",
          .done = at + "done_o",
          .state = at + "gen_slots.i_sequencer.state_q[1:0]",
          .entry = at + "i_view.entry[15:0]",
          .round = vector(at + "i_view.round", rtl::SLOT_REPEAT_W),
          .cycle = vector(at + "i_view.cycle", rtl::SLOT_LEN_W),
          .first_error = at + "i_view.error[3:0]",
          .error_round = vector(at + "i_view.error_round", rtl::SLOT_REPEAT_W),
          .error_port = at + "first_error_port_o[7:0]",
          .errors = at + "errors_o",
          .operation = at + "lane_op[3:0]"};
}

PortSignals WaveSignals::port(Node x, Port p) const {
  const bool systemc = engine_ == "systemc";
  const std::string view =
      scope(x) + (systemc ? fmt::format("port_{}.", p) : fmt::format("i_view.gen_port[{}].", p));
  PortSignals port;
  port.out = view + "out_flit[32:0]";
  port.out_last = view + "out_last";
  port.in = view + "in_flit[32:0]";
  port.in_last = view + "in_last";
  if (systemc) return port;
  const std::string link = scope(x) + (half_duplex_ ? "gen_half.i_link." : "gen_full.i_link.");
  const std::string state = fmt::format("gen_port[{}].state[1:0]", p);
  port.link = link + state;
  port.receiver = link + "i_rx." + state;
  port.source = view + "source[6:0]";
  if (engine_ == "tile") {
    port.expected = fmt::format("node_{}.switch_tile.gen_expected[{}].flit[32:0]", x, p);
  }
  return port;
}

/// The tile engine's address has 24 bits; those of other engines depend on the run. Adaptive nodes
/// keep messages by number, not one after the other.
std::string WaveSignals::words_in_log(Node x, unsigned log) const {
  if (engine_ != "tile" || adaptive_) return "";
  return fmt::format("{}gen_receive.i_receive_log.gen_log[{}].pointer[23:0]", scope(x), log);
}

namespace {

namespace fs = std::filesystem;

/// The most nodes that the view lists; the others are in the viewer's signal tree.
constexpr std::size_t kMostNodes = 64;
/// Nodes whose groups are open.
constexpr std::size_t kOpenNodes = 2;
/// Cycles shown before the one of interest.
constexpr std::uint64_t kCyclesBefore = 8;

const NodeError* error_of(const TracedRun& run, Node x) {
  const auto found = std::ranges::find(run.errors, x, &NodeError::node);
  return found == run.errors.end() ? nullptr : &*found;
}

/// The traced nodes with errors, and others up to a limit.
std::vector<Node> chosen_nodes(const TracedRun& run) {
  std::vector<Node> traced = run.options.trace_nodes;
  if (traced.empty()) {
    const FabricImage& image = run.compiled.image;
    for (Node i = 0; i < image.topology.nodes(); ++i) traced.push_back(image.node_of(i));
  }
  std::set<Node> faulty;
  for (const NodeError& e : run.errors) faulty.insert(e.node);
  std::stable_partition(traced.begin(), traced.end(), [&](Node x) { return faulty.count(x) != 0; });
  traced.resize(std::min(traced.size(), kMostNodes));
  std::sort(traced.begin(), traced.end());
  return traced;
}

/// Nodes that raised errors; if none did, the first ones.
std::vector<Node> nodes_to_open(const TracedRun& run, const std::vector<Node>& nodes) {
  std::vector<Node> open;
  for (Node x : nodes) {
    if (error_of(run, x) != nullptr && open.size() < kOpenNodes) open.push_back(x);
  }
  if (open.empty()) open.assign(nodes.begin(), nodes.begin() + std::min(nodes.size(), kOpenNodes));
  return open;
}

/// In a run that went wrong, all ports have rows.
GtkwFile rows_of(const TracedRun& run, const std::string& flits, const std::string& operators) {
  const NodeKind& kind = run.compiled.image.kind;
  const WaveSignals signals(run.options.engine, kind.half_duplex, kind.adaptive);
  const RowsOf of{.schedule = run.schedule,
                  .image = run.compiled.image,
                  .signals = signals,
                  .flits = flits,
                  .states = {.operation = operators},
                  .expected = run.expected,
                  .idle = !run.result.passed()};
  Rows rows(of);
  const auto nodes = chosen_nodes(run);
  rows.clock(nodes[0]);
  const auto open = nodes_to_open(run, nodes);
  for (Node x : nodes) {
    const NodeError* error = error_of(run, x);
    rows.node(x, std::ranges::find(open, x) == open.end(),
              error != nullptr ? std::optional(error->seen) : std::nullopt);
  }
  return rows.file();
}

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
  const std::string text = (run.payload.adds() ? "0-" : "") + flit_text(longest, run.options.flits);
  const double readable = kPixelsOfLetter * static_cast<double>(text.size()) + kPixelsAround;
  const double everything = width / static_cast<double>(cycles);
  if (everything >= readable) return std::min(everything, 2 * readable);
  const double round = static_cast<double>(run.result.cycles_predicted) /
                       std::max(1.0, static_cast<double>(run.compiled.time.start.size()));
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

void write_wave_view(const TracedRun& run) {
  const fs::path wave = fs::absolute(run.options.trace);
  if (run.options.trace_first > last_cycle(run)) {
    refuse("--trace: the run was over before cycle {}", run.options.trace_first);
  }
  const auto beside = [&wave](const char* extension) {
    return fs::path(wave).replace_extension(extension).string();
  };
  std::atomic<int> nothing{0};
  const Hears all_of_it(&nothing);  // the view of an interrupted run, too
  const std::string flits = beside(".flits"), view = beside(".gtkw"),
                    operators = beside(".operators");
  NewFiles files;
  files.write(flits, flit_names(run.schedule, run.payload, run.options.trace_nodes));
  if (run.compiled.image.kind.join) files.write(operators, operation_names());
  files.write(view, gtkw_text(rows_of(run, flits, operators), frame_of(run), wave.string(), view));
  files.keep();
}

}  // namespace gossamer::tb
