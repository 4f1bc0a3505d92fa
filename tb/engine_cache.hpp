#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine_load.hpp"

namespace gossamer::tb {

/// Engine libraries that the build did not foresee: built when they are first needed, and kept.
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
  /// built, Interrupted if that is what ended it.
  std::filesystem::path library(const std::string& name, const std::string& variables);

  /// The fingerprint (engine_plugin.hpp) that a library built now would have.
  const std::string& fingerprint() { return hashes().fingerprint; }

 private:
  struct Hashes {
    std::string key, fingerprint;
  };
  const Hashes& hashes();

  std::string make_;
  std::vector<std::filesystem::path> folders_;
  Hashes hashes_;
};

/// What makes fabrics of an engine: the library `built` if it is there and fits this program
/// (load_engine), else the cache's. Throws InputError if that does not fit either, because the sources
/// have changed since the program was compiled.
MakeFabric find_engine(const std::filesystem::path& built, EngineCache& cache,
                       const std::string& name, const std::string& variables);

}  // namespace gossamer::tb
