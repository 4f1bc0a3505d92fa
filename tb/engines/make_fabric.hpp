#pragma once

#include <functional>
#include <memory>

#include "driver/runner.hpp"
#include "fabric/fabric.hpp"

namespace gossamer::tb {

/// Makes the fabric that a run is simulated on, to be loaded with the image.
using MakeFabric =
    std::function<std::unique_ptr<Fabric>(const RunOptions& options, const FabricImage& image)>;

/// A fabric of the engine asked for. Throws InputError if it cannot be had.
std::unique_ptr<Fabric> make_fabric(const RunOptions& options, const FabricImage& image);

}  // namespace gossamer::tb
