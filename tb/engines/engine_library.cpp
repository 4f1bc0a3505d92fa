#include "engines/engine_library.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string_view>
#include <vector>

#include "engines/engine_cache.hpp"
#include "fabric/torus_shape.hpp"
#include "support/file.hpp"
#include "support/refuse.hpp"

namespace gossamer::tb {
namespace {

namespace fs = std::filesystem;

/// On a terminal it takes the place of the line that shows the progress, which is drawn again
/// below.
void say(std::string_view line) {
  const char* clear = is_terminal(STDERR_FILENO) ? "\r\033[K" : "";
  std::fputs(fmt::format("{}gossamer: {}\n", clear, line).c_str(), stderr);
}

LoadedEngines& engines() {
  static const EngineHome home = engine_home();
  static EngineCache cache(home.make, home.folders, home.ready);
  static LoadedEngines engines(cache, say);
  return engines;
}

/// A fabric of this engine, or of a faster variant. `lanes`: there is one in lanes.
std::unique_ptr<Fabric> make(const std::string& name, Speed speed, bool lanes, std::uint32_t seed) {
  std::vector<LoadedEngines::Faster> variants;
  const bool builds = speed == Speed::Fast;
  if (speed != Speed::Plain) {
    if (lanes) variants.push_back({"_lanes", "takes two to four times as long", builds});
    variants.push_back({"_fast", "takes up to 1.1 times as long", builds});
  }
  return std::unique_ptr<Fabric>(engines().get_fastest(name, variants)(seed));
}

/// Can such nodes be evaluated in lanes (engines/tile/lanes.hpp)?
bool in_lanes(const NodeKind& kind) {
#ifdef __x86_64__
  return __builtin_cpu_supports("avx2") && kind.ports <= 8 && !kind.adaptive && !kind.join;
#else
  (void)kind;
  return false;
#endif
}

/// What engines for such nodes are called, as engine.mk reads it; `depths` of a flat fabric.
std::string named(const std::string& shape, const NodeKind& kind, const std::string& depths) {
  std::string name = fmt::format("{}{}c{}", shape, kind.channels, depths);
  for (const NodeParameter& p : kNodeParameters) {
    if (kind.*p.value != 0) name += fmt::format("_{}", p.engine);
    if (kind.*p.value > 1) name += std::to_string(kind.*p.value);
  }
  return name;
}

}  // namespace

Port tile_ports(Port ports) { return ports + ports % 2; }

std::string tile_engine(NodeKind kind, bool trace, bool staged) {
  kind.programs = 0;  // tiles hold as many as there can be
  return named(fmt::format("tile_{}p", kind.ports), kind, "") + (staged ? "_staged" : "") +
         (trace ? "_trace" : "");
}

void get_engine(const std::string& name) { engines().get(name); }

std::unique_ptr<Fabric> make_tile_fabric(const NodeKind& kind, bool trace, std::uint32_t seed,
                                         bool staged, Speed speed) {
  return make(tile_engine(kind, trace, staged), trace ? Speed::Plain : speed, in_lanes(kind), seed);
}

std::unique_ptr<Fabric> make_flat_fabric(const Topology& topology, const NodeKind& kind,
                                         const NodeDepths& depths, bool trace, std::uint32_t seed,
                                         const PortStages& stages, Speed speed) {
  const std::string shape = torus_shape(topology).name();
  std::string length;  // of the links of each dimension, two hex digits each, dimension 0 last
  for (std::size_t f = 0; !stages.empty() && f < topology.factors().size(); ++f) {
    length = fmt::format("{:02x}", stages[topology.first_port(f)]) + length;
  }
  const std::string name =
      named(fmt::format("flat_{}_", shape), kind,
            fmt::format("_{}_{}_{}", depths.slots, depths.segments, depths.words)) +
      (length.empty() ? "" : "_stages" + length) + (trace ? "_trace" : "");
  return make(name, trace ? Speed::Plain : speed, false, seed);
}

std::unique_ptr<Fabric> make_systemc_fabric() {
  static const fs::path library = engine_home().systemc;
  if (!fs::exists(library)) {
    throw InputError(
        "the systemc engine is not part of this build: SystemC (Debian: libsystemc-dev) was not "
        "found when it was configured");
  }
  static const EngineEntry make = load_engine(library);
  return std::unique_ptr<Fabric>(make(0));
}

std::string source_folder() { return engine_home().sources.string(); }

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
  refuse("unknown engine '{}': known are tile, flat and systemc", options.engine);
}

}  // namespace gossamer::tb
