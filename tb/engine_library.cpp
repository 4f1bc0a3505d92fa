#include "engine_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>

#include "engine_plugin.hpp"
#include "fabric/torus_shape.hpp"
#include "support/error.hpp"

namespace gossamer::tb {
namespace {

namespace fs = std::filesystem;

/// Where libraries that the build did not foresee are kept: beside the others if that is ours to
/// write, else in the user's cache.
fs::path cache_folder() {
  if (access(GOSSAMER_ENGINE_DIR, W_OK) == 0) return GOSSAMER_ENGINE_DIR;
  if (const char* xdg = std::getenv("XDG_CACHE_HOME")) return fs::path(xdg) / "gossamer";
  if (const char* home = std::getenv("HOME")) return fs::path(home) / ".cache/gossamer";
  return fs::temp_directory_path() / "gossamer";
}

std::string quoted(const std::string& s) { return "'" + s + "'"; }

/// Builds the library unless it is there already and up to date.
void build(const fs::path& library, const std::string& variables) {
  fs::create_directories(library.parent_path());
  const fs::path log = library.string() + ".log";
  const std::string command = fmt::format(
      "make -s -f {} OUT={} INCLUDES={} {} > {} 2>&1",
      quoted(GOSSAMER_SOURCE_DIR "/tb/engine.mk"), quoted(library),
      quoted("-I" GOSSAMER_GENERATED_DIR), variables, quoted(log));
  if (!fs::exists(library) && isatty(STDERR_FILENO)) {
    fmt::print(stderr, "building engine {} ...\n", library.stem().string());
  }
  if (std::system(command.c_str()) != 0) {
    throw InputError(fmt::format("engine {} cannot be built; see {}", library.stem().string(),
                                 log.string()));
  }
  fs::remove(log);
}

using Maker = Fabric* (*)(std::uint32_t);

/// The library's maker of fabrics; loaded once and kept. The caller holds the lock.
Maker load(const fs::path& library) {
  static std::map<fs::path, Maker> loaded;
  if (const auto it = loaded.find(library); it != loaded.end()) return it->second;
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    throw InputError(fmt::format("engine {} cannot be loaded: {}", library.string(), dlerror()));
  }
  const auto maker = reinterpret_cast<Maker>(dlsym(handle, "gossamer_make_fabric"));
  if (maker == nullptr) {
    throw InputError(fmt::format("{} is no engine library", library.string()));
  }
  return loaded[library] = maker;
}

std::unique_ptr<Fabric> make_fabric(const std::string& name, const std::string& variables,
                                    std::uint32_t seed) {
  // Cases of a suite run side by side; one of them builds and loads a variant, the others wait.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  fs::path library = fs::path(GOSSAMER_ENGINE_DIR) / (name + ".so");
  if (!fs::exists(library)) {
    library = cache_folder() / (name + ".so");
    build(library, variables);
  }
  return std::unique_ptr<Fabric>(load(library)(seed));
}

}  // namespace

Port tile_ports(Port ports) { return ports + ports % 2; }

std::unique_ptr<Fabric> make_tile_fabric(const NodeKind& kind, bool trace, std::uint32_t seed) {
  const std::string name =
      fmt::format("tile_{}p{}c_{}_{}{}", kind.ports, kind.channels,
                  kind.single_port ? "single" : "all", kind.half_duplex ? "half" : "full",
                  trace ? "_trace" : "");
  const std::string variables =
      fmt::format("KIND=tile PORTS={} CHANNELS={} SINGLE_PORT={} HALF_DUPLEX={} TRACE={}",
                  kind.ports, kind.channels, kind.single_port ? 1 : 0, kind.half_duplex ? 1 : 0,
                  trace ? 1 : 0);
  return make_fabric(name, variables, seed);
}

std::unique_ptr<Fabric> make_flat_fabric(const Topology& topology, const NodeKind& kind,
                                         const NodeDepths& depths, bool trace, std::uint32_t seed) {
  const std::string shape = torus_shape(topology).name();
  const std::string name = fmt::format(
      "flat_{}_{}c_{}_{}_{}_{}_{}{}", shape, kind.channels, kind.single_port ? "single" : "all",
      kind.half_duplex ? "half" : "full", depths.slots, depths.segments, depths.words,
      trace ? "_trace" : "");
  const std::string variables = fmt::format(
      "KIND=flat SHAPE={} CHANNELS={} SINGLE_PORT={:d} HALF_DUPLEX={:d} SLOT_DEPTH={} "
      "LIST_DEPTH={} STORE_DEPTH={} TRACE={:d}",
      shape, kind.channels, kind.single_port, kind.half_duplex, depths.slots, depths.segments,
      depths.words, trace);
  return make_fabric(name, variables, seed);
}

}  // namespace gossamer::tb
