#pragma once

#include <memory>
#include <string>

#include "fabric/fabric.hpp"
#include "tables/mem_image.hpp"

namespace gossamer::tb {

/// A fabric of tiles for nodes of this kind. The engine's library is loaded, and built first
/// (tb/engines/engine.mk) if this variant was never needed before. Throws InputError if it cannot be built.
std::unique_ptr<Fabric> make_tile_fabric(const NodeKind& kind, bool trace, std::uint32_t seed);

/// The name of the engine that make_tile_fabric takes, and its library alone, ready for it: engines
/// that are known to be needed can so be built side by side. Throws as make_tile_fabric.
std::string tile_engine(const NodeKind& kind, bool trace);
void get_tile_engine(const NodeKind& kind, bool trace);
/// Has this program loaded it?
bool tile_engine_is_loaded(const NodeKind& kind, bool trace);

/// torus_fabric, Verilated as a whole for this topology, kind of node (of exactly the topology's
/// ports) and depths of its memories. Throws InputError if torus_fabric cannot be that topology, or
/// if its library cannot be built.
std::unique_ptr<Fabric> make_flat_fabric(const Topology& topology, const NodeKind& kind,
                                         const NodeDepths& depths, bool trace, std::uint32_t seed);

/// A fabric written in SystemC (tb/systemc), of any topology and kind of node. Throws InputError if
/// this build has none.
std::unique_ptr<Fabric> make_systemc_fabric();

/// The depths of flat engines, where a schedule does not need more: few variants are built.
inline constexpr NodeDepths kFlatDepths{64, 64, 1024};

/// Ports of the tile that serves nodes of `ports` ports: few variants are built.
Port tile_ports(Port ports);

}  // namespace gossamer::tb
