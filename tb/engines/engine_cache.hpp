#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fabric/fabric.hpp"

namespace gossamer::tb {

/// A new fabric, whose registers start from values drawn with `seed`. The caller owns it.
using EngineEntry = Fabric* (*)(std::uint32_t seed);

/// The function of an engine library that makes fabrics. Throws InputError if it is not an engine
/// library, or if it and this program were compiled with different headers (engine_plugin.hpp):
/// their objects would not match.
EngineEntry load_engine(const std::filesystem::path& library);

/// Hashes of everything that engines are made from (engine_hash.mk); libraries are named by them.
struct SourceHashes {
  std::string key;          ///< of RTL, engine sources, flags and tools
  std::string fingerprint;  ///< of the interface between engines and program
  std::string tools;        ///< of versions and flags alone
  std::string shared;       ///< of tools and all C++ that engines include

  /// The state of a file or folder when it was hashed.
  struct Seen {
    std::filesystem::path path;
    std::int64_t changed = 0;  ///< nanoseconds; -1: did not exist
    std::uint64_t size = 0;
    bool operator==(const Seen&) const = default;
  };
  std::vector<Seen> seen;

  /// Is everything unchanged? Compares times and sizes, which is fast.
  bool still_hold() const;
  std::int64_t newest() const;  ///< time of the latest change
};

/// The hashes, computed by `make` (the call of engine.mk), which takes half a second, or read from
/// an earlier note in `folder` (empty: no notes) if nothing has changed since. Throws InputError if
/// they cannot be computed, Interrupted.
SourceHashes source_hashes(const std::string& make, const std::filesystem::path& folder);

/// Engine libraries, built when they are first needed, and kept.
///
/// The name of a library holds a hash of everything it was made from: the RTL, the engine's
/// sources, flags and versions of the tools. So the library of another checkout or an earlier RTL
/// is never used by mistake. It gets that name only when it is complete, even if the processes that
/// build it are killed.
class EngineCache {
 public:
  /// `make` is the call of engine.mk with all settings but the variant's. Libraries are searched in
  /// all folders, and built in the first writable one.
  EngineCache(std::string make, std::vector<std::filesystem::path> folders)
      : make_(std::move(make)), folders_(std::move(folders)) {}

  /// The library of an engine. Throws InputError if it cannot be built, Interrupted if a signal
  /// stopped the build. Threads that request different engines build them in parallel.
  std::filesystem::path find_or_build(const std::string& name);

  /// The library of an engine, if it is there.
  std::optional<std::filesystem::path> find(const std::string& name);

  /// The fingerprint (engine_plugin.hpp) that a library built now would have.
  const std::string& fingerprint() { return hashes().fingerprint; }

 private:
  const SourceHashes& hashes();
  const std::filesystem::path* home();
  void build(const std::filesystem::path& library, const std::string& name, int lock);

  std::string make_;
  std::vector<std::filesystem::path> folders_;
  std::mutex mutex_;
  std::optional<SourceHashes> hashes_;
};

/// The function of the cached library that makes fabrics of this engine. Throws InputError if the
/// library does not fit this program (load_engine), because headers have changed since it was
/// compiled.
EngineEntry find_engine(EngineCache& cache, const std::string& name);

}  // namespace gossamer::tb
