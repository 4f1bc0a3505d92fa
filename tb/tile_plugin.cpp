// A variant of the tile engine as a shared library (tb/engine.mk); the macros say which.
#include "Vengine.h"
#include "Vengine___024root.h"
#include "engine_plugin.hpp"
#include "tile_engine.hpp"

namespace {

struct Tile {
  using Model = Vengine;
  static constexpr gossamer::Port kPorts = TILE_PORTS;
  static constexpr unsigned kChannels = TILE_CHANNELS;
  static constexpr bool kSinglePort = TILE_SINGLE_PORT;
  static constexpr bool kHalfDuplex = TILE_HALF_DUPLEX;
  static constexpr unsigned kTableAddrBits = 16;
  static constexpr bool kTrace = VM_TRACE_FST;
};

}  // namespace

gossamer::Fabric* gossamer_make_fabric(std::uint32_t seed) {
  return new gossamer::tb::TileEngine<Tile>(seed);
}
