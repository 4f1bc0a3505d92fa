#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fabric/fabric.hpp"

namespace gossamer::tb {

/// Where engines come from: the program's build tree, or its installation.
struct EngineHome {
  std::filesystem::path sources;               ///< the folder above rtl/
  std::string make;                            ///< the call of engine.mk, with all but the variant
  std::vector<std::filesystem::path> folders;  ///< of libraries (EngineCache)
  std::filesystem::path ready;    ///< engines that came with an installation; empty: none did
  std::filesystem::path systemc;  ///< the library of the SystemC engine, if there is one
};

EngineHome engine_home();

/// A new fabric, whose registers start from values drawn with `seed`. The caller owns it.
using EngineEntry = Fabric* (*)(std::uint32_t seed);

/// The function of an engine library that makes fabrics. Throws InputError if it is not an engine
/// library, or if it and this program were compiled with different headers (fabric/fabric.hpp):
/// their objects would not match.
EngineEntry load_engine(const std::filesystem::path& library);

/// Hashes of everything that engines are made from (engine_hash.mk); libraries are named by them.
struct SourceHashes {
  std::string key;          ///< of RTL, engine sources, flags and tools
  std::string fingerprint;  ///< of the interface between engines and program
  std::string tools;        ///< of versions and flags alone
  std::string shared;       ///< of tools and all C++ that engines include
};

/// Engine libraries, built when they are first needed, and kept.
///
/// The name of a library holds a hash of everything it was made from: the RTL, the engine's
/// sources, flags and versions of the tools. So the library of another checkout or an earlier RTL
/// is never used by mistake. It gets that name only when it is complete, even if the processes that
/// build it are killed.
class EngineCache {
 public:
  /// `make` is the call of engine.mk with all settings but the variant's. Libraries are searched in
  /// all folders, and built in the first writable one. Those in `ready` are called NAME.so: they
  /// fit the program that they came with, and are used on a machine where none could be built.
  EngineCache(std::string make, std::vector<std::filesystem::path> folders,
              std::filesystem::path ready = {})
      : make_(std::move(make)), folders_(std::move(folders)), ready_(std::move(ready)) {}

  /// The library of an engine. Throws InputError if it cannot be built, Interrupted if a signal
  /// stopped the build. Threads that request different engines build them in parallel.
  std::filesystem::path find_or_build(const std::string& name);

  /// The library of an engine, if it is there.
  std::optional<std::filesystem::path> find(const std::string& name);
  std::optional<std::filesystem::path> find_ready(const std::string& name) const;

  /// Throws InputError if it came with no installation, and there are no tools to build it.
  void must_build(const std::string& name) const;

  /// The fingerprint (fabric/fabric.hpp) that a library built now would have.
  const std::string& fingerprint() { return hashes().fingerprint; }

 private:
  const SourceHashes& hashes();
  const std::filesystem::path* home();

  std::string make_;
  std::vector<std::filesystem::path> folders_;
  std::filesystem::path ready_;
  std::mutex mutex_;
  std::optional<SourceHashes> hashes_;
};

/// The function of the cached library that makes fabrics of this engine. Throws InputError if the
/// library does not fit this program (load_engine), because headers have changed since it was
/// compiled.
EngineEntry find_engine(EngineCache& cache, const std::string& name);

/// The engines that a program has loaded. Threads may ask for them at the same time.
class LoadedEngines {
 public:
  /// A faster variant of an engine.
  struct Faster {
    std::string suffix;  ///< of the engine's name
    std::string costs;   ///< what a run costs without it: "takes twice as long"
    bool builds = true;  ///< false: it is taken only if it is there
  };

  /// `say` gets a line for people.
  LoadedEngines(EngineCache& cache, std::function<void(std::string_view)> say)
      : cache_(cache), say_(std::move(say)) {}

  /// An engine, built if it is not there. Throws InputError if it cannot be.
  EngineEntry get(const std::string& name);

  /// The first of these variants that is there or can be built, or else the engine itself. Says
  /// once of each variant that it cannot be. Throws InputError if there is none.
  EngineEntry get_fastest(const std::string& name, const std::vector<Faster>& variants);

 private:
  /// An engine that was requested: one thread gets it, the others wait.
  struct Wanted {
    std::mutex mutex;
    EngineEntry make = nullptr;
    std::string failure;  ///< do not try again what could not be built
  };
  Wanted& wanted(const std::string& name);

  EngineCache& cache_;
  std::function<void(std::string_view)> say_;
  std::mutex mutex_;
  std::map<std::string, Wanted> engines_;
  std::set<std::string> said_;  ///< engines of which something was said
};

}  // namespace gossamer::tb
