#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "export/export.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
#include "tables/compiler.hpp"
#include "tables/mem_image.hpp"
#include "views/rows.hpp"

namespace gossamer {
namespace {

/// More would be slow to open; all signals are in the viewer's tree.
constexpr Node kMostNodesOfView = 64;
constexpr Node kOpenNodes = 2;
constexpr unsigned kFlitBits = 32;
/// GTKWave's measure of the first view, which shows some 30 cycles of 10 ns if the waveform counts
/// picoseconds. What a cycle is in the user's waveform, nobody knows.
constexpr double kUnitsOnScreen = 50'000;

std::string vector(const std::string& signal, unsigned width) {
  return width == 1 ? signal : fmt::format("{}[{}:0]", signal, width - 1);
}

std::string bit(const std::string& signal, unsigned width, unsigned index) {
  return width == 1 ? signal : GtkwFile::bit_of(signal, width, index);
}

/// The RTL's outputs keep their words after a flit. Those, with a 0 for valid, are shown as
/// nothing.
std::string with_old_words(const std::string& names) {
  std::string text = names + "0xxxxxxxx ?black?\n";
  std::istringstream lines(names);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('1')) text += fmt::format("0{} ?black?\n", line.substr(1, 8));
  }
  return text;
}

}  // namespace

std::string OwnSignals::node_scope(Node x) const {
  return fmt::format("{}.gen_node[{}].i_node.", scope_, x);
}

std::string OwnSignals::clock(Node) const { return scope_ + ".clk_i"; }

NodeSignals OwnSignals::node(Node x) const {
  const std::string at = core(x);
  const auto table_bits = static_cast<unsigned>(std::bit_width(depths_.slots - 1));
  return {.start = at + "start_i",
          .done = at + "done_o",
          .state = at + "gen_slots.i_sequencer.state_q[1:0]",
          .next_entry = vector(at + "gen_slots.i_sequencer.addr_q", table_bits),
          .slots_finished = vector(at + "slot", rtl::SLOT_REPEAT_W),
          .cycle = vector(at + "gen_slots.i_sequencer.cycle", rtl::SLOT_LEN_W),
          .first_error = at + "first_error_o[3:0]",
          .error_slot = vector(at + "first_error_slot_o", rtl::SLOT_REPEAT_W),
          .error_port = at + "first_error_port_o[7:0]",
          .errors = at + "errors_o",
          .operation = at + "lane_op[3:0]"};
}

/// The flits on a node's links are parts of long vectors.
PortSignals OwnSignals::port(Node x, Port p) const {
  const Port ports = ports_(x);
  const auto flit = [&](const char* direction) {
    std::string bits = bit(core(x) + "link_valid_" + direction, ports, p);
    for (unsigned b = kFlitBits; b-- > 0;) {
      bits += " " + bit(core(x) + "link_data_" + direction, kFlitBits * ports, kFlitBits * p + b);
    }
    return bits;
  };
  const auto last = [&](const char* direction) {
    return bit(core(x) + "link_last_" + direction, ports, p);
  };
  const std::string link = core(x) + (kind_.half_duplex ? "gen_half.i_link." : "gen_full.i_link.");
  const std::string state = fmt::format("gen_port[{}].state[1:0]", p);
  return {.link = link + state,
          .out = flit("o"),
          .out_last = last("o"),
          .receiver = link + "i_rx." + state,
          .in = flit("i"),
          .in_last = last("i")};
}

std::string OwnSignals::words_in_log(Node x, unsigned log) const {
  if (kind_.adaptive) return "";  // these keep messages by number, not one after the other
  const auto address_bits = static_cast<unsigned>(std::bit_width(depths_.words));
  return vector(fmt::format("{}gen_receive.i_receive_log.gen_log[{}].pointer", core(x), log),
                address_bits);
}

OwnView own_view(const Schedule& schedule, const FabricImage& image, const Payload& payload,
                 const OwnSignals& signals, const std::string& base) {
  OwnView view;
  view.names[".flits"] = with_old_words(flit_names(schedule, payload, {}));
  view.names[".sequencer"] = names_file(kSequencerStates);
  view.names[".link"] =
      image.kind.half_duplex ? names_file(kHalfLinkStates) : names_file(kFullLinkStates);
  view.names[".receiver"] = names_file(kReceiverStates);
  view.names[".errors"] = names_file(rtl::error_e_table);
  if (image.kind.join) view.names[".operators"] = operation_names();
  const RowsOf of{.schedule = schedule,
                  .image = image,
                  .signals = signals,
                  .flits = base + ".flits",
                  .states = {base + ".sequencer", base + ".link", base + ".receiver",
                             base + ".errors", base + ".operators"},
                  .idle = true};
  Rows rows(of);
  rows.clock(0);
  for (Node x = 0; x < std::min(schedule.topology().nodes(), kMostNodesOfView); ++x) {
    rows.node(x, /*closed=*/x >= kOpenNodes, /*seen=*/0);
  }
  view.rows = fmt::format("[timestart] 0\n*{:f} -1\n[sst_expanded] 0\n[signals_width] 250\n",
                          -std::log2(kUnitsOnScreen)) +
              rows.file().rows();
  return view;
}

void export_gtkw(const Schedule& schedule, unsigned flits, std::uint32_t seed,
                 const std::string& scope, const std::string& file, const PortStages& stages) {
  const Payload payload(schedule, flits, seed);
  const FabricImage image =
      compile(schedule, flits, schedule.topology().ports(), false, nullptr, nullptr, stages).image;
  const std::string base =
      std::filesystem::absolute(file).replace_extension().lexically_normal().string();
  const OwnSignals signals(scope, image.kind, depths_for(image),
                           [&](Node) { return image.kind.ports; });
  const OwnView view = own_view(schedule, image, payload, signals, base);
  NewFiles files;
  for (const auto& [extension, text] : view.names) files.write(base + extension, text);
  files.write(file, view.rows);
  files.keep();
}

}  // namespace gossamer
