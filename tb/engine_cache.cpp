#include "engine_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>

#include "engine_fingerprint.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"

namespace gossamer::tb {
namespace {

namespace fs = std::filesystem;

/// A library that nobody used for so long goes when another one is built.
constexpr std::chrono::hours kKept{24 * 30};

std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }

/// What a make that calls us, if one does, wants from its own calls is not for ours.
constexpr std::string_view kAlone = "MAKEFLAGS= MFLAGS= MAKELEVEL= ";

/// Held by one process at a time; the others wait. The compilers that the process starts hold it
/// too, so that they end before another one begins, even if the process is killed.
class FileLock {
 public:
  explicit FileLock(const fs::path& file) : fd_(open(file.c_str(), O_CREAT | O_RDWR, 0666)) {
    if (fd_ < 0) {
      throw InputError(fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno)));
    }
    while (flock(fd_, LOCK_EX) != 0 && errno == EINTR) stop_if_interrupted();
  }
  ~FileLock() { close(fd_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int fd_;
};

bool can_be_written(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  return access(folder.c_str(), W_OK) == 0;
}

/// Of what a failed build said, the line that says why.
std::string reason(const fs::path& log) {
  std::ifstream in(log);
  std::string first, line;
  while (std::getline(in, line)) {
    if (line.find("rror") != std::string::npos) return line;
    if (first.empty()) first = line;
  }
  return first.empty() ? "nothing was said" : first;
}

void remove_unused(const fs::path& folder) {
  std::error_code ignored;
  const auto now = fs::file_time_type::clock::now();
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".so") continue;
    if (now - entry.last_write_time(ignored) > kKept) fs::remove(entry.path(), ignored);
  }
}

void note_use(const fs::path& library) {
  std::error_code ignored;
  fs::last_write_time(library, fs::file_time_type::clock::now(), ignored);
}

/// Runs a command of a shell; true if it succeeded.
bool run(const std::string& command) {
  const int status = std::system(command.c_str());
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM)) {
    throw Interrupted();
  }
  return status == 0;
}

}  // namespace

/// Sources may change while we run; what was loaded by then stays as it is.
const EngineCache::Hashes& EngineCache::hashes() {
  if (!hashes_.key.empty()) return hashes_;
  FILE* pipe = popen(fmt::format("{}{} key", kAlone, make_).c_str(), "r");
  char key[32] = "", fingerprint[32] = "";
  const bool read = pipe != nullptr && std::fscanf(pipe, "%31s %31s", key, fingerprint) == 2;
  if (pipe == nullptr || pclose(pipe) != 0 || !read) {
    throw InputError(fmt::format("engines cannot be built: `{} key` failed", make_));
  }
  return hashes_ = {key, fingerprint};
}

fs::path EngineCache::library(const std::string& name, const std::string& variables) {
  const std::string file = fmt::format("{}-{}.so", name, hashes().key);
  std::optional<fs::path> home;
  for (const fs::path& folder : folders_) {
    if (fs::exists(folder / file)) {
      note_use(folder / file);
      return folder / file;
    }
    if (!home && can_be_written(folder)) home = folder;
  }
  if (!home) {
    throw InputError(fmt::format("engine {} cannot be built: no folder to keep it in can be written; "
                                 "set XDG_CACHE_HOME to one",
                                 name));
  }

  const fs::path library = *home / file;
  const FileLock lock(*home / (name + ".lock"));
  if (fs::exists(library)) return library;  // built while we waited
  if (isatty(STDERR_FILENO)) {
    fmt::print(stderr, "building engine {}, once, some 10 s ...\n", name);
  }
  remove_unused(*home);
  const fs::path log = *home / (name + ".log");
  const bool built = run(fmt::format("{}{} OUT={} {} > {} 2>&1", kAlone, make_, quoted(library),
                                     variables, quoted(log)));
  std::error_code ignored;
  fs::remove_all(fs::path(library).replace_extension(".d"), ignored);
  fs::remove(library.string() + ".dep", ignored);
  if (!built || !fs::exists(library)) {
    fs::remove(library.string() + ".part", ignored);
    throw InputError(fmt::format("engine {} cannot be built: {} (all of it: {})", name, reason(log),
                                 log.string()));
  }
  fs::remove(log, ignored);
  return library;
}

MakeFabric find_engine(const fs::path& built, EngineCache& cache, const std::string& name,
                       const std::string& variables) {
  const bool stale = !built.empty() && fs::exists(built);
  if (stale) {
    if (const MakeFabric make = load_engine(built)) return make;
  }
  if (cache.fingerprint() != GOSSAMER_ENGINE_FINGERPRINT) {
    throw InputError(fmt::format("engine {} cannot be had: its headers have changed since this program "
                                 "was compiled; build the program again",
                                 name));
  }
  if (stale) {
    fmt::print(stderr, "{} was compiled with other headers than this program: engine {} is built anew\n",
               built.string(), name);
  }
  const fs::path library = cache.library(name, variables);
  if (const MakeFabric make = load_engine(library)) return make;
  throw InputError(fmt::format("{} was compiled with other headers than this program; build the program "
                               "again",
                               library.string()));
}

}  // namespace gossamer::tb
