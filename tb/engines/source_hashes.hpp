#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gossamer::tb {

/// What engine.mk says of all that engines are made of (engine_hash.mk), by which libraries are named.
struct SourceHashes {
  std::string key;          ///< of RTL, engine sources, flags and tools
  std::string fingerprint;  ///< of the interface between engines and program
  std::string tools;        ///< of versions and flags alone

  /// A file or folder that was looked at, as it was then.
  struct Seen {
    std::filesystem::path path;
    std::int64_t changed = 0;  ///< nanoseconds; -1: it was not there
    std::uint64_t size = 0;
    bool operator==(const Seen&) const = default;
  };
  std::vector<Seen> seen;

  /// Is everything as it was? By times and sizes, which takes no time.
  bool still_hold() const;
  std::int64_t newest() const;  ///< when the last of it changed
};

/// The hashes, computed by `make` (the call of engine.mk), which takes half a second, or read from a
/// note of an earlier time in `folder` (empty: none is kept) if everything that it was made of is as it was. Throws
/// InputError if they cannot be computed, Interrupted.
SourceHashes source_hashes(const std::string& make, const std::filesystem::path& folder);

}  // namespace gossamer::tb
