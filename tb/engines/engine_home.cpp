#include "engines/engine_home.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>

#include "support/words.hpp"

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

/// make, and the shell that it calls, read some names as several, or as something else.
bool is_plain(const fs::path& path) {
  return path.string().find_first_of(" \t\n\"#$%&'()*;<>?[\\]`|~:=!{}") == std::string::npos;
}

/// Another name of a folder, for make: a link to it in a folder of our own, if its name is not
/// plain; the folder is made, for nobody can make it by the link. The same on each run, so that
/// what was hashed under it still holds.
fs::path plain(const fs::path& path) {
  if (is_plain(path)) return path;
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  const fs::path links = (error ? "/tmp" : temporary) / fmt::format("gossamer-{}", geteuid());
  const fs::path link = links / fmt::format("{:016x}", std::hash<std::string>()(path.string()));
  mkdir(links.c_str(), 0700);
  fs::create_directories(path, error);
  struct stat made;
  const bool ours = lstat(links.c_str(), &made) == 0 && S_ISDIR(made.st_mode) &&
                    made.st_uid == geteuid() && (made.st_mode & 022) == 0;
  if (!ours || !is_plain(links)) return path;
  if (fs::read_symlink(link, error) != path) {
    fs::remove(link, error);
    fs::create_directory_symlink(path, link, error);
  }
  return fs::read_symlink(link, error) == path ? link : path;
}

/// The folders for a user's caches.
std::vector<fs::path> user_caches() {
  const auto in = [](const char* variable, const char* below) -> std::vector<fs::path> {
    const char* folder = std::getenv(variable);
    if (folder == nullptr || *folder == '\0') return {};
    return {plain(fs::absolute(folder) / below)};
  };
  const auto xdg = in("XDG_CACHE_HOME", "gossamer");
  return xdg.empty() ? in("HOME", ".cache/gossamer") : xdg;
}

/// The call of engine.mk for these sources and generated headers.
std::string make_in(const fs::path& sources, const fs::path& generated) {
  return fmt::format("make -s -f {} {} INCLUDES=-I{}",
                     shell_word((plain(sources) / "tb/engines/engine.mk").string()),
                     GOSSAMER_ENGINE_SETTINGS, shell_word(plain(generated).string()));
}

}  // namespace

EngineHome engine_home() {
  EngineHome home;
  if (const fs::path program = installed_in(); !program.empty()) {
    const fs::path share = fs::canonical(program / GOSSAMER_SHARE);
    const fs::path libraries = (program / GOSSAMER_LIBRARIES).lexically_normal();
    home.make = make_in(share, share / "generated");
    home.folders = user_caches();
    home.folders.push_back(plain(libraries));  // not for users' engines, even if writable
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
