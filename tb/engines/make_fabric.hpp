#pragma once

#include <functional>
#include <memory>

#include "fabric/fabric.hpp"
#include "run/runner.hpp"

namespace gossamer::tb {

/// Makes the fabric for a run; the image is loaded into it later.
using MakeFabric =
    std::function<std::unique_ptr<Fabric>(const RunOptions& options, const FabricImage& image)>;

/// A fabric of the requested engine. Throws InputError if there is none.
std::unique_ptr<Fabric> make_fabric(const RunOptions& options, const FabricImage& image);

}  // namespace gossamer::tb
