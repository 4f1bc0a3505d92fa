#include "engines/engine_home.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace gossamer::tb {
namespace {

namespace fs = std::filesystem;

/// The installation of this program: GOSSAMER_SHARE and GOSSAMER_LIBRARIES are folders relative to
/// its own. Empty if it runs in a build tree.
fs::path installed_in() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path folder = program.parent_path();
  return fs::exists(folder / GOSSAMER_SHARE "/tb/engines/engine.mk") ? folder : fs::path();
}

/// The folders for a user's caches.
std::vector<fs::path> user_caches() {
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && *xdg != '\0') {
    return {fs::path(xdg) / "gossamer"};
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
    return {fs::path(home) / ".cache/gossamer"};
  }
  return {};
}

/// The call of engine.mk for these sources and generated headers.
std::string make_in(const fs::path& sources, const fs::path& generated) {
  return fmt::format("make -s -f '{}' {} INCLUDES=-I'{}'",
                     (sources / "tb/engines/engine.mk").string(), GOSSAMER_ENGINE_SETTINGS,
                     generated.string());
}

}  // namespace

EngineHome engine_home() {
  EngineHome home;
  if (const fs::path program = installed_in(); !program.empty()) {
    const fs::path share = fs::canonical(program / GOSSAMER_SHARE);
    const fs::path libraries = (program / GOSSAMER_LIBRARIES).lexically_normal();
    home.make = make_in(share, share / "generated");
    home.folders = user_caches();
    home.folders.push_back(libraries);  // not for users' engines, even if writable
    home.systemc = libraries / "systemc.so";
  } else {
    home.make = make_in(GOSSAMER_SOURCE_DIR, GOSSAMER_GENERATED_DIR);
    home.folders = user_caches();
    home.folders.insert(home.folders.begin(), GOSSAMER_ENGINE_DIR);
    home.systemc = GOSSAMER_ENGINE_DIR "/systemc.so";
  }
  return home;
}

}  // namespace gossamer::tb
