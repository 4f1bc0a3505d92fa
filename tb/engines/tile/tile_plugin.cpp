// A variant of the tile engine as a shared library (tb/engines/engine.mk); the macros say which.
#include "Vengine.h"
#include "Vengine___024root.h"
#include "engines/tile/tile_engine.hpp"
#include "fabric/fabric.hpp"
#if TILE_LANES
#include "engines/tile/lane_model.hpp"
#include "engines/tile/tile_lanes.hpp"
#endif

/// Verilator versions with a single clock whose models consist of these functions: there a node can
/// be a root alone, and its evaluation be called step by step (tile_nodes.hpp,
/// verilated_model.hpp). In older ones there is one trigger before each step. Newer ones have a
/// trigger for each input, which a step sets before it does its body.
template <class Root>
concept OlderSteps = requires(Root& r) {
  requires sizeof(r.__VicoTriggered) == 1 && sizeof(r.__VnbaTriggered) == 1;
  Vengine___024root___eval_settle(&r);
  Vengine___024root___eval_ico(&r);
  Vengine___024root___eval_nba(&r);
};
template <class Root>
concept NewerSteps = requires(Root& r) {
  requires sizeof(r.__VnbaTriggered) == 8;
  Vengine___024root___eval_stl(&r, true);
  Vengine___024root___eval_body__ico(&r);
  Vengine___024root___eval_body__nba(&r);
};
template <class Root>
concept KnownSteps = (OlderSteps<Root> || NewerSteps<Root>)&&requires(Root& r) {
  r.__VicoTriggered;
  Root(r.vlSymsp, "");
  Vengine___024root___eval_static(&r);
  Vengine___024root___eval_initial(&r);
};

/// Sets all triggers. They stay set: what is called below does not clear them.
template <class Triggers>
void trigger(Triggers& triggers) {
  triggers.at(0) = true;
}
template <template <class, std::size_t> class Array, class Word, std::size_t kWords>
void trigger(Array<Word, kWords>& triggers) {
  for (std::size_t i = 0; i < kWords; ++i) triggers[i] = ~Word{0};
}

/// The logic after the inputs, and that at the rising edge, of a node or of nodes in lanes.
template <class R>
[[gnu::always_inline]] inline void eval_inputs(R& r) {
  if constexpr (requires { Vengine___024root___eval_body__ico(&r); }) {
    Vengine___024root___eval_body__ico(&r);
  } else {
    Vengine___024root___eval_ico(&r);
  }
}
template <class R>
[[gnu::always_inline]] inline void eval_edge(R& r) {
  if constexpr (requires { Vengine___024root___eval_body__nba(&r); }) {
    Vengine___024root___eval_body__nba(&r);
  } else {
    Vengine___024root___eval_nba(&r);
  }
}

/// The registers that show whether a node is idle, under Verilator's names. Half-duplex links and
/// adaptive nodes have more such registers, so they never count as idle.
#define CORE(name) switch_tile__DOT__i_core__DOT__##name
#define SEQUENCER(name) CORE(gen_slots__DOT__i_sequencer__DOT__##name)
#define ERRORS(name) CORE(i_error_log__DOT__##name)
#define RECEIVING CORE(gen_full__DOT__i_link__DOT__i_rx__DOT__begun_q)
template <class Root>
concept KnownRegisters = requires(Root& r) {
  r.SEQUENCER(state_q) | r.SEQUENCER(first_q) | r.CORE(rx_begin_next_now) | r.SEQUENCER(closed_q) |
      r.SEQUENCER(last_q) | r.CORE(rx_close_now) | r.CORE(word_valid) |
      (r.SEQUENCER(stream_now_q) & r.SEQUENCER(sends_q)) | r.RECEIVING | r.ERRORS(raised_q) |
      r.ERRORS(new_q) | r.ERRORS(wait_q);
  r.SEQUENCER(cycle_n_q) -= r.SEQUENCER(len_q) + r.SEQUENCER(stream_q);
  r.SEQUENCER(stream_now_q) = r.SEQUENCER(stream_last_q) = false;
  r.SEQUENCER(cycle_end_q) = r.SEQUENCER(stream_end_q) = false;
};

namespace {

struct Tile {
  using Model = Vengine;
  using Root = Vengine___024root;
  static constexpr gossamer::Port kPorts = TILE_PORTS;
  static constexpr unsigned kChannels = TILE_CHANNELS;
  static constexpr std::uint32_t kModel = TILE_MODEL;
  static constexpr bool kSinglePort = kModel >> gossamer::rtl::MODEL_SINGLE_PORT & 1;
  static constexpr bool kHalfDuplex = kModel >> gossamer::rtl::MODEL_HALF_DUPLEX & 1;
  static constexpr bool kAdaptive = kModel >> gossamer::rtl::MODEL_ADAPTIVE & 1;
  static constexpr bool kStaged = TILE_STAGED;
  static constexpr bool kJoin = kModel >> gossamer::rtl::MODEL_JOIN & 1;
  static constexpr unsigned kTableAddrBits = TILE_LENGTH_BITS != 0 ? TILE_LENGTH_BITS : 16;
  static constexpr std::uint32_t kLengths =
      (std::uint32_t{1} << (TILE_LENGTH_BITS != 0 ? TILE_LENGTH_BITS : gossamer::rtl::SLOT_LEN_W)) -
      1;
  static constexpr bool kTrace = VM_TRACE_FST;
  static constexpr bool kArena = !kTrace && KnownSteps<Root>;

  static constexpr bool kSkips = kArena && !kAdaptive && !kStaged && !kJoin && KnownRegisters<Root>;

  /// For a node without flits on its inputs: in how many cycles from now on nothing will change but
  /// the count of the slot's cycles, unless something arrives. The slot's last cycle does not
  /// count.
  template <class R>
  static std::uint64_t idle_cycles(const R& r) {
    if (r.link_valid_o | r.taken_o | r.SEQUENCER(first_q) | r.CORE(rx_begin_next_now) |
        r.SEQUENCER(closed_q) | r.SEQUENCER(last_q) | r.CORE(rx_close_now) | r.CORE(word_valid) |
        (r.SEQUENCER(stream_now_q) & r.SEQUENCER(sends_q)) | r.RECEIVING | r.ERRORS(raised_q) |
        r.ERRORS(new_q) | r.ERRORS(wait_q)) {
      return 0;
    }
    constexpr unsigned kRun = 0, kDone = 1;
    if (r.SEQUENCER(state_q) == kDone) return r.done_o ? ~std::uint64_t{0} : 0;
    if (r.SEQUENCER(state_q) != kRun) return 0;
    const std::uint32_t length = r.SEQUENCER(len_q);
    const std::uint32_t next = (~r.SEQUENCER(cycle_n_q) & kLengths) - 1;  // cycle, from 1 on
    return length > next ? length - next : 0;
  }
  /// Idle cycles that were not simulated.
  template <class R>
  static void skip(R& r, std::uint64_t cycles) {
    const std::uint32_t count =
        (~r.SEQUENCER(cycle_n_q) & kLengths) + static_cast<std::uint32_t>(cycles);
    r.SEQUENCER(cycle_n_q) = ~count & kLengths;
    const std::uint64_t stream = r.SEQUENCER(stream_q);
    // The first cycle counts as 3.
    r.SEQUENCER(stream_now_q) &= count < stream + 3;
    r.SEQUENCER(stream_last_q) = count > stream + 1;
    r.SEQUENCER(stream_end_q) = count > stream;
    r.SEQUENCER(cycle_end_q) = count > r.SEQUENCER(len_q);
  }

#if TILE_LANES
  static constexpr bool kLanes = true;
  using InLanes = gossamer::tb::TileLanes<Tile>;
  static_assert(kArena);
  using LaneModel = gossamer::tb::NodeLanes;

  static void into_lane(LaneModel& to, unsigned lane, const Root& from) {
    gossamer::tb::into_lane(to, lane, from);
    trigger(to.__VicoTriggered);
    trigger(to.__VnbaTriggered);
  }
  static void from_lane(Root& to, unsigned lane, const LaneModel& from) {
    gossamer::tb::from_lane(to, lane, from);
  }
  [[gnu::always_inline]] static void eval_lanes(LaneModel& m, bool inputs_changed) {
    if (inputs_changed) eval_inputs(m);
    eval_edge(m);
  }
#else
  static constexpr bool kLanes = false;
  using InLanes = gossamer::tb::NoLanes<Tile>;
#endif

  /// A node's state at `where`, with initial values.
  template <class R>
  static void make_root(R* where, Model& model) {
    R* root = new (where) R(model.rootp->vlSymsp, "");
    root->clk_i = 0;
    Vengine___024root___eval_static(root);
    Vengine___024root___eval_initial(root);
    if constexpr (OlderSteps<R>) {
      Vengine___024root___eval_settle(root);
    } else {
      for (bool first = true; Vengine___024root___eval_stl(root, first);) first = false;
    }
    trigger(root->__VicoTriggered);
    trigger(root->__VnbaTriggered);
  }
  template <class R>
  static void eval_inputs(R& r) {
    ::eval_inputs(r);
  }
  template <class R>
  static void eval_rising_edge(R& r, bool inputs_changed) {
    if (inputs_changed) ::eval_inputs(r);
    eval_edge(r);
  }
};

}  // namespace

__attribute__((visibility("default"))) gossamer::Fabric* gossamer_make_fabric(std::uint32_t seed) {
  return new gossamer::tb::TileEngine<Tile>(seed);
}

extern "C" __attribute__((visibility("default"))) const char gossamer_engine_fingerprint[] =
    GOSSAMER_ENGINE_FINGERPRINT;
