#include "waves/wave_signals.hpp"

#include <fmt/format.h>

#include "gossamer_constants.hpp"

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
          .keeps = at + "keep_o"};
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

std::string WaveSignals::operation(Node x, unsigned channel) const {
  if (engine_ == "systemc") return "";
  return fmt::format("{}i_view.gen_channel[{}].operation[4:0]", scope(x), channel);
}

/// The tile engine's address has 24 bits; those of other engines depend on the run. Adaptive nodes
/// keep messages by number, not one after the other.
std::string WaveSignals::words_in_log(Node x, unsigned log) const {
  if (engine_ != "tile" || adaptive_) return "";
  return fmt::format("{}gen_receive.i_receive_log.gen_log[{}].pointer[23:0]", scope(x), log);
}

}  // namespace gossamer::tb
