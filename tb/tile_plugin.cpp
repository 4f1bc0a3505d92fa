// A variant of the tile engine as a shared library (tb/engine.mk); the macros say which.
#include "Vengine.h"
#include "Vengine___024root.h"
#include "engine_plugin.hpp"
#include "tile_engine.hpp"

/// Verilator versions with a single clock whose models consist of these functions: there a node can be
/// a root alone, and its evaluation be called step by step (tile_nodes.hpp, verilated_model.hpp).
template <class Root>
concept KnownSteps = requires(Root& r) {
  requires sizeof(r.__VicoTriggered) == 1 && sizeof(r.__VnbaTriggered) == 1;
  r.__VicoTriggered.at(0) = true;
  r.__VnbaTriggered.at(0) = true;
  Root(r.vlSymsp, "");
  Vengine___024root___eval_static(&r);
  Vengine___024root___eval_initial(&r);
  Vengine___024root___eval_settle(&r);
  Vengine___024root___eval_ico(&r);
  Vengine___024root___eval_nba(&r);
};

namespace {

struct Tile {
  using Model = Vengine;
  using Root = Vengine___024root;
  static constexpr gossamer::Port kPorts = TILE_PORTS;
  static constexpr unsigned kChannels = TILE_CHANNELS;
  static constexpr bool kSinglePort = TILE_SINGLE_PORT;
  static constexpr bool kHalfDuplex = TILE_HALF_DUPLEX;
  static constexpr bool kAdaptive = TILE_ADAPTIVE;
  static constexpr unsigned kTableAddrBits = 16;
  static constexpr bool kTrace = VM_TRACE_FST;
  static constexpr bool kArena = !kTrace && KnownSteps<Root>;

  /// A node's state at `where`, with initial values.
  template <class R>
  static void make_root(R* where, Model& model) {
    R* root = new (where) R(model.rootp->vlSymsp, "");
    root->clk_i = 0;
    Vengine___024root___eval_static(root);
    Vengine___024root___eval_initial(root);
    Vengine___024root___eval_settle(root);
  }
  template <class R>
  static void eval_rising_edge(R& r, bool inputs_changed) {
    r.__VicoTriggered.at(0) = true;
    r.__VnbaTriggered.at(0) = true;
    if (inputs_changed) Vengine___024root___eval_ico(&r);
    Vengine___024root___eval_nba(&r);
  }
};

}  // namespace

__attribute__((visibility("default"))) gossamer::Fabric* gossamer_make_fabric(
    std::uint32_t seed) {
  return new gossamer::tb::TileEngine<Tile>(seed);
}
