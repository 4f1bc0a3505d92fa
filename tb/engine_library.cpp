#include "engine_library.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <vector>

#include "engine_cache.hpp"
#include "engine_load.hpp"
#include "fabric/torus_shape.hpp"
#include "support/error.hpp"

namespace gossamer::tb {
namespace {

namespace fs = std::filesystem;

/// Where the others are kept: below the build's if that is ours to write, else in the user's cache.
std::vector<fs::path> cache_folders() {
  std::vector<fs::path> folders = {GOSSAMER_ENGINE_DIR "/on_demand"};
  if (const char* xdg = std::getenv("XDG_CACHE_HOME")) {
    folders.push_back(fs::path(xdg) / "gossamer");
  } else if (const char* home = std::getenv("HOME")) {
    folders.push_back(fs::path(home) / ".cache/gossamer");
  }
  return folders;
}

/// Is the library one of the build's? What else may lie there, of an earlier build, is out of date.
bool built_with_us(const std::string& name) {
  return std::string_view(" " GOSSAMER_ENGINES " ").find(" " + name + " ") != std::string_view::npos;
}

MakeFabric find(const std::string& name, const std::string& variables) {
  static EngineCache cache("make -s -f '" GOSSAMER_SOURCE_DIR "/tb/engine.mk' " GOSSAMER_ENGINE_SETTINGS,
                           cache_folders());
  const fs::path ours = fs::path(GOSSAMER_ENGINE_DIR) / (name + ".so");
  return find_engine(built_with_us(name) ? ours : fs::path(), cache, name, variables);
}

std::unique_ptr<Fabric> make_fabric(const std::string& name, const std::string& variables,
                                    std::uint32_t seed) {
  // Cases of a suite run side by side; one of them builds and loads a variant, the others wait.
  static std::mutex mutex;
  static std::map<std::string, MakeFabric> loaded;
  const std::lock_guard lock(mutex);
  MakeFabric& make = loaded[name];
  if (make == nullptr) make = find(name, variables);
  return std::unique_ptr<Fabric>(make(seed));
}

}  // namespace

Port tile_ports(Port ports) { return ports + ports % 2; }

std::unique_ptr<Fabric> make_tile_fabric(const NodeKind& kind, bool trace, std::uint32_t seed) {
  const std::string name =
      fmt::format("tile_{}p{}c_{}_{}{}{}", kind.ports, kind.channels,
                  kind.single_port ? "single" : "all", kind.half_duplex ? "half" : "full",
                  kind.adaptive ? "_adaptive" : "", trace ? "_trace" : "");
  const std::string variables =
      fmt::format("KIND=tile PORTS={} CHANNELS={} SINGLE_PORT={:d} HALF_DUPLEX={:d} ADAPTIVE={:d} "
                  "TRACE={:d}",
                  kind.ports, kind.channels, kind.single_port, kind.half_duplex, kind.adaptive,
                  trace);
  return make_fabric(name, variables, seed);
}

std::unique_ptr<Fabric> make_flat_fabric(const Topology& topology, const NodeKind& kind,
                                         const NodeDepths& depths, bool trace, std::uint32_t seed) {
  const std::string shape = torus_shape(topology).name();
  const std::string name = fmt::format(
      "flat_{}_{}c_{}_{}_{}_{}_{}{}{}", shape, kind.channels, kind.single_port ? "single" : "all",
      kind.half_duplex ? "half" : "full", depths.slots, depths.segments, depths.words,
      kind.adaptive ? "_adaptive" : "", trace ? "_trace" : "");
  const std::string variables = fmt::format(
      "KIND=flat SHAPE={} CHANNELS={} SINGLE_PORT={:d} HALF_DUPLEX={:d} ADAPTIVE={:d} "
      "SLOT_DEPTH={} LIST_DEPTH={} STORE_DEPTH={} TRACE={:d}",
      shape, kind.channels, kind.single_port, kind.half_duplex, kind.adaptive, depths.slots,
      depths.segments, depths.words, trace);
  return make_fabric(name, variables, seed);
}

std::unique_ptr<Fabric> make_systemc_fabric() {
  if (!fs::exists(GOSSAMER_ENGINE_DIR "/systemc.so")) {
    throw InputError(
        "the systemc engine is not part of this build: SystemC (Debian: libsystemc-dev) was not "
        "found when it was configured");
  }
  static const MakeFabric make = load_engine(GOSSAMER_ENGINE_DIR "/systemc.so");
  if (make == nullptr) {
    throw InputError(GOSSAMER_ENGINE_DIR "/systemc.so was compiled with other headers than this "
                     "program: build the program anew");
  }
  return std::unique_ptr<Fabric>(make(0));
}

}  // namespace gossamer::tb
