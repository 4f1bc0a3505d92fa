#include "engines/source_hashes.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "engines/child_process.hpp"
#include "support/error.hpp"
#include "support/file.hpp"

namespace gossamer::tb {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kSecond = 1'000'000'000;
/// Two changes of a file within this time may leave it with the same time stamp.
constexpr std::int64_t kTellApart = 2 * kSecond;
/// The clock for time stamps may be late by this much.
constexpr std::int64_t kTick = kSecond / 50;

std::int64_t now() {
  timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

SourceHashes::Seen look_at(const fs::path& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return {path, -1, 0};
#ifdef __APPLE__
  const timespec& time = status.st_mtimespec;
#else
  const timespec& time = status.st_mtim;
#endif
  return {path, time.tv_sec * kSecond + time.tv_nsec, static_cast<std::uint64_t>(status.st_size)};
}

/// The environment and the call that decide which files are hashed.
std::string identity(const std::string& make) {
  std::string text = make;
  for (const char* name : {"PATH", "CPATH", "CPLUS_INCLUDE_PATH", "VERILATOR_ROOT"}) {
    const char* value = std::getenv(name);
    text += fmt::format(" {}={}", name, value == nullptr ? "" : value);
  }
  return text;
}

/// Reads four words and a list of files; returns false if `in` holds anything else.
bool read_hashes(std::istream& in, SourceHashes& hashes) {
  return static_cast<bool>(in >> hashes.key >> hashes.fingerprint >> hashes.tools >> hashes.shared);
}

bool read_note(const fs::path& file, const std::string& identity, SourceHashes& hashes) {
  if (!file.has_parent_path()) return false;
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line) || line != identity || !read_hashes(in, hashes)) return false;
  for (SourceHashes::Seen seen; in >> seen.changed >> seen.size >> seen.path;) {
    hashes.seen.push_back(seen);
  }
  return in.eof() && !hashes.seen.empty() && hashes.still_hold();
}

/// A note that cannot be written does no harm.
void write_note(const fs::path& file, const std::string& identity, const SourceHashes& hashes) {
  if (!file.has_parent_path()) return;
  try {
    write_file(file.string(), [&](std::ostream& out) {
      out << identity << '\n'
          << hashes.key << ' ' << hashes.fingerprint << ' ' << hashes.tools << ' ' << hashes.shared
          << '\n';
      for (const SourceHashes::Seen& seen : hashes.seen) {
        out << seen.changed << ' ' << seen.size << ' ' << seen.path << '\n';
      }
    });
  } catch (const InputError&) {
  }
}

/// Files that engine.mk names, and their folders, because a new file there may count too.
std::vector<SourceHashes::Seen> look_at_all(std::istream& names) {
  std::set<fs::path> paths;
  for (std::string name; std::getline(names, name);) {
    if (name.empty()) continue;
    paths.insert(name);
    paths.insert(fs::path(name).parent_path());
  }
  std::vector<SourceHashes::Seen> seen;
  for (const fs::path& path : paths) seen.push_back(look_at(path));
  return seen;
}

}  // namespace

bool SourceHashes::still_hold() const {
  return std::ranges::all_of(seen, [](const Seen& s) { return look_at(s.path) == s; });
}

std::int64_t SourceHashes::newest() const {
  std::int64_t newest = -1;
  for (const Seen& s : seen) newest = std::max(newest, s.changed);
  return newest;
}

SourceHashes source_hashes(const std::string& make, const fs::path& folder) {
  const std::string identity = tb::identity(make);
  const fs::path note = folder / fmt::format("sources-{:016x}", std::hash<std::string>()(identity));
  SourceHashes hashes;
  if (read_note(note, identity, hashes)) return hashes;

  std::int64_t begin = 0;
  do {  // repeat if a file changed meanwhile, because its hash is then uncertain
    begin = now() - kTick;
    const Outcome asked = run_in_shell(fmt::format("exec 2>/dev/null; {} key", make));
    std::istringstream in(asked.output);
    hashes = {};
    if (!asked.succeeded || !read_hashes(in, hashes)) {
      const std::string said = run_in_shell(fmt::format("exec 2>&1; {} key", make)).output;
      throw InputError(fmt::format("engines cannot be built: `{} key` failed: {}", make,
                                   said.substr(0, said.find('\n'))));
    }
    hashes.seen = look_at_all(in);
  } while (hashes.newest() >= begin && hashes.newest() < now());
  if (hashes.newest() < begin - kTellApart) write_note(note, identity, hashes);
  return hashes;
}

}  // namespace gossamer::tb
