#include "engines/make_fabric.hpp"

#include <fmt/format.h>

#include "engines/engine_library.hpp"
#include "support/error.hpp"

namespace gossamer::tb {

std::unique_ptr<Fabric> make_fabric(const RunOptions& options, const FabricImage& image) {
  const bool trace = !options.trace.empty();
  const Speed speed = options.long_run ? Speed::Fast : Speed::AsFound;
  if (options.engine == "tile") {
    return make_tile_fabric(image.kind, trace, options.seed, image.most_stages() != 0, speed);
  }
  if (options.engine == "flat") {
    return make_flat_fabric(image.topology, image.kind, depths_for(image, kFlatDepths), trace,
                            options.seed, image.stages, speed);
  }
  if (options.engine == "systemc") return make_systemc_fabric();
  throw InputError(
      fmt::format("unknown engine '{}': known are tile, flat and systemc", options.engine));
}

}  // namespace gossamer::tb
