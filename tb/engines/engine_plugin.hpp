#pragma once

#include <cstdint>

#include "fabric/fabric.hpp"

/// What every engine library exports: a new fabric whose registers start from values drawn with
/// `seed`. The caller owns it.
extern "C" gossamer::Fabric* gossamer_make_fabric(std::uint32_t seed);

/// A hash of this header and all that it includes, computed when the library was compiled
/// (engine_hash.mk). The program loads only libraries with its own hash.
extern "C" const char gossamer_engine_fingerprint[];
