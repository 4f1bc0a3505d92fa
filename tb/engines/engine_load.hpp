#pragma once

#include <cstdint>
#include <filesystem>

#include "fabric/fabric.hpp"

namespace gossamer::tb {

/// A new fabric, whose registers start from values drawn with `seed`. The caller owns it.
using EngineEntry = Fabric* (*)(std::uint32_t seed);

/// The function of an engine library that makes fabrics. Null if the library and this program were
/// compiled with different headers (engine_plugin.hpp): their objects would not match. Throws
/// InputError if it is not an engine library.
EngineEntry load_engine(const std::filesystem::path& library);

}  // namespace gossamer::tb
