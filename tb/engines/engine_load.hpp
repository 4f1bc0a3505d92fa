#pragma once

#include <cstdint>
#include <filesystem>

#include "fabric/fabric.hpp"

namespace gossamer::tb {

/// A new fabric, whose registers start from values drawn with `seed`. The caller owns it.
using MakeFabric = Fabric* (*)(std::uint32_t seed);

/// What makes fabrics in an engine library. Null if the library and this program were compiled with
/// different headers (engine_plugin.hpp): its objects would not be what the program takes them for.
/// Throws InputError if it is no engine library at all.
MakeFabric load_engine(const std::filesystem::path& library);

}  // namespace gossamer::tb
