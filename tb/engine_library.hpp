#pragma once

#include <memory>
#include <string>

#include "fabric/fabric.hpp"

namespace gossamer::tb {

/// A fabric of tiles for nodes of this kind. The engine's library is loaded, and built first
/// (tb/engine.mk) if this variant was never needed before. Throws InputError if it cannot be built.
std::unique_ptr<Fabric> make_tile_fabric(const NodeKind& kind, bool trace, std::uint32_t seed);

/// Ports of the tile that serves nodes of `ports` ports: few variants are built.
Port tile_ports(Port ports);

}  // namespace gossamer::tb
