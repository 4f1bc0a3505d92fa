// A variant of the flat engine as a shared library (tb/engines/engine.mk).
#include "Vengine.h"
#include "Vengine___024root.h"
#include "engines/engine_plugin.hpp"
#include "engines/flat/flat_engine.hpp"

__attribute__((visibility("default"))) gossamer::Fabric* gossamer_make_fabric(std::uint32_t seed) {
  return new gossamer::tb::FlatEngine<Vengine>(seed);
}

extern "C" __attribute__((visibility("default"))) const char gossamer_engine_fingerprint[] =
    GOSSAMER_ENGINE_FINGERPRINT;
