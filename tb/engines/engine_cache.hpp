#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engines/engine_load.hpp"
#include "engines/source_hashes.hpp"

namespace gossamer::tb {

/// Engine libraries, built when they are first needed, and kept.
///
/// The name of a library holds a hash of all that it was made of: the RTL, the engine's sources,
/// flags and versions of the tools. So what another checkout or an earlier RTL left is never taken for it.
/// It gets that name once it is complete, whatever happens to the processes that build it.
class EngineCache {
 public:
  /// `make` is the call of engine.mk with all settings but the variant's. A library is looked for in
  /// all folders, and built in the first that can be written.
  EngineCache(std::string make, std::vector<std::filesystem::path> folders)
      : make_(std::move(make)), folders_(std::move(folders)) {}

  /// The library of an engine; `variables` tell engine.mk which. Throws InputError if it cannot be
  /// built, Interrupted if that is what ended it. Threads that call it for several engines build them
  /// side by side.
  std::filesystem::path find_or_build(const std::string& name, const std::string& variables);

  /// The fingerprint (engine_plugin.hpp) that a library built now would have.
  const std::string& fingerprint() { return hashes().fingerprint; }

 private:
  const SourceHashes& hashes();
  const std::filesystem::path* home();
  void build(const std::filesystem::path& library, const std::string& name,
             const std::string& variables, int lock);

  std::string make_;
  std::vector<std::filesystem::path> folders_;
  std::mutex mutex_;
  std::optional<SourceHashes> hashes_;
};

/// What makes fabrics of an engine, of the cache's library. Throws InputError if that does not fit this
/// program (load_engine), because headers have changed since it was compiled.
MakeFabric find_engine(EngineCache& cache, const std::string& name, const std::string& variables);

}  // namespace gossamer::tb
