#pragma once

#include <cstdint>

#include "fabric/fabric.hpp"

/// What every engine library exports: a new fabric whose registers start from values drawn with
/// `seed`. The caller owns it.
extern "C" gossamer::Fabric* gossamer_make_fabric(std::uint32_t seed);
