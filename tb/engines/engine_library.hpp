#pragma once

#include <functional>
#include <memory>
#include <string>

#include "fabric/fabric.hpp"
#include "run/runner.hpp"
#include "tables/mem_image.hpp"

namespace gossamer::tb {

/// Which variant of an engine a run takes: the one that is built fastest, the fastest one that is
/// there, or the fastest one, which is built if it is not there: for a run so long that it is worth
/// it. If that one cannot be built (no Verilator on this machine), the next one is used, and a line
/// on stderr says so.
enum class Speed { Plain, AsFound, Fast };

/// A fabric of tiles for nodes of this kind; `staged` if links have register stages. Loads the
/// engine's library, and first builds it (tb/engines/engine.mk) if this variant was never needed
/// before. Throws InputError if it cannot be built.
std::unique_ptr<Fabric> make_tile_fabric(const NodeKind& kind, bool trace, std::uint32_t seed,
                                         bool staged = false, Speed speed = Speed::Plain);

/// The name of the engine that make_tile_fabric uses if the run is not long.
std::string tile_engine(NodeKind kind, bool trace, bool staged = false);
/// The library of an engine without a fabric, so that the engines a suite needs can be built in
/// parallel. Throws like make_tile_fabric.
void get_engine(const std::string& name);

/// torus_fabric, Verilated as a whole for this topology, kind of node (with exactly the topology's
/// ports), depths of its memories and register stages of its links. Throws
/// InputError if torus_fabric does not support the topology, or if its library cannot be built.
std::unique_ptr<Fabric> make_flat_fabric(const Topology& topology, const NodeKind& kind,
                                         const NodeDepths& depths, bool trace, std::uint32_t seed,
                                         const PortStages& stages = {}, Speed speed = Speed::Plain);

/// A fabric written in SystemC (tb/engines/systemc), for any topology and kind of node. Throws
/// InputError if this build has none.
std::unique_ptr<Fabric> make_systemc_fabric();

/// The depths of flat engines unless a schedule needs more: so few variants are built.
inline const NodeDepths kFlatDepths{64, 64, 1024};

/// Ports of the tile for nodes of `ports` ports, rounded up so that few variants are built.
Port tile_ports(Port ports);

/// The folder of the sources that engines are built from, as this program finds it.
std::string source_folder();

/// Makes the fabric for a run; the image is loaded into it later.
using MakeFabric =
    std::function<std::unique_ptr<Fabric>(const RunOptions& options, const FabricImage& image)>;

/// A fabric of the requested engine. Throws InputError if there is none.
std::unique_ptr<Fabric> make_fabric(const RunOptions& options, const FabricImage& image);

}  // namespace gossamer::tb
