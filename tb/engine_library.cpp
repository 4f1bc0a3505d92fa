#include "engine_library.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
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

/// Where libraries that the build did not foresee are kept: below the others if that is ours to
/// write, else in the user's cache. The build does not know them, so that before their use each is
/// compared with its sources.
fs::path cache_folder() {
  if (access(GOSSAMER_ENGINE_DIR, W_OK) == 0) return GOSSAMER_ENGINE_DIR "/on_demand";
  if (const char* xdg = std::getenv("XDG_CACHE_HOME")) return fs::path(xdg) / "gossamer";
  if (const char* home = std::getenv("HOME")) return fs::path(home) / ".cache/gossamer";
  return fs::temp_directory_path() / "gossamer";
}

std::string quoted(const std::string& s) { return "'" + s + "'"; }

/// Held by one process at a time; the others wait.
class FileLock {
 public:
  explicit FileLock(const fs::path& file) : fd_(open(file.c_str(), O_CREAT | O_RDWR, 0666)) {
    if (fd_ < 0) throw InputError(file.string() + ": cannot be written");
    flock(fd_, LOCK_EX);
  }
  ~FileLock() { close(fd_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int fd_;
};

/// Builds the library unless it is there already and up to date.
void build(const fs::path& library, const std::string& variables) {
  fs::create_directories(library.parent_path());
  const FileLock lock(library.string() + ".lock");
  const fs::path log = library.string() + ".log";
  const std::string command = fmt::format(
      "make -s -f {} OUT={} INCLUDES={} {} > {} 2>&1",
      quoted(GOSSAMER_SOURCE_DIR "/tb/engine.mk"), quoted(library),
      quoted("-I" GOSSAMER_GENERATED_DIR), variables, quoted(log));
  if (!fs::exists(library) && isatty(STDERR_FILENO)) {
    fmt::print(stderr, "building engine {}, once, some 10 s ...\n", library.stem().string());
  }
  if (std::system(command.c_str()) != 0) {
    throw InputError(fmt::format("engine {} cannot be built; see {}", library.stem().string(),
                                 log.string()));
  }
  fs::remove(log);
}

/// Is the library one of the build's? What else may lie there, of an earlier build, is out of date.
bool built_with_us(const std::string& name) {
  return std::string_view(" " GOSSAMER_ENGINES " ").find(" " + name + " ") != std::string_view::npos;
}

using Maker = Fabric* (*)(std::uint32_t);

Maker load(const fs::path& library) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    throw InputError(fmt::format("engine {} cannot be loaded: {}", library.string(), dlerror()));
  }
  const auto maker = reinterpret_cast<Maker>(dlsym(handle, "gossamer_make_fabric"));
  if (maker == nullptr) {
    throw InputError(fmt::format("{} is no engine library", library.string()));
  }
  return maker;
}

std::unique_ptr<Fabric> make_fabric(const std::string& name, const std::string& variables,
                                    std::uint32_t seed) {
  // Cases of a suite run side by side; one of them builds and loads a variant, the others wait.
  static std::mutex mutex;
  static std::map<std::string, Maker> loaded;
  const std::lock_guard lock(mutex);
  Maker& maker = loaded[name];
  if (maker == nullptr) {
    fs::path library = fs::path(GOSSAMER_ENGINE_DIR) / (name + ".so");
    if (!built_with_us(name) || !fs::exists(library)) {
      library = cache_folder() / (name + ".so");
      build(library, variables);
    }
    maker = load(library);
  }
  return std::unique_ptr<Fabric>(maker(seed));
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
  static const Maker maker = load(GOSSAMER_ENGINE_DIR "/systemc.so");
  return std::unique_ptr<Fabric>(maker(0));
}

}  // namespace gossamer::tb
