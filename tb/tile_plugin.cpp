// A variant of the tile engine as a shared library (tb/engine.mk); the macros say which.
#include "Vengine.h"
#include "Vengine___024root.h"
#include "engine_plugin.hpp"
#include "tile_engine.hpp"

#if !VM_TRACE_FST
/// See gossamer::tb::clock. For models with a single clock, of Verilator versions whose steps of an
/// evaluation are these.
template <class Root>
  requires requires(Root& r) {
    requires sizeof(r.__VicoTriggered) == 1 && sizeof(r.__VnbaTriggered) == 1;
    r.__VicoTriggered.at(0) = true;
    r.__VnbaTriggered.at(0) = true;
    Vengine___024root___eval_ico(&r);
    Vengine___024root___eval_nba(&r);
  }
inline void eval_rising_edge(Root& r, bool inputs_changed) {
  r.__VicoTriggered.at(0) = true;
  r.__VnbaTriggered.at(0) = true;
  if (inputs_changed) Vengine___024root___eval_ico(&r);
  Vengine___024root___eval_nba(&r);
}
#endif

namespace {

struct Tile {
  using Model = Vengine;
  using Root = Vengine___024root;
  static constexpr gossamer::Port kPorts = TILE_PORTS;
  static constexpr unsigned kChannels = TILE_CHANNELS;
  static constexpr bool kSinglePort = TILE_SINGLE_PORT;
  static constexpr bool kHalfDuplex = TILE_HALF_DUPLEX;
  static constexpr unsigned kTableAddrBits = 16;
  static constexpr bool kTrace = VM_TRACE_FST;
};

}  // namespace

__attribute__((visibility("default"))) gossamer::Fabric* gossamer_make_fabric(
    std::uint32_t seed) {
  return new gossamer::tb::TileEngine<Tile>(seed);
}
