#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gossamer::tb {

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

}  // namespace gossamer::tb
