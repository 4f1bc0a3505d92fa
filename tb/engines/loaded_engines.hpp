#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/engine_cache.hpp"

namespace gossamer::tb {

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
  void say_once(const std::string& name, const std::string& line);

  EngineCache& cache_;
  std::function<void(std::string_view)> say_;
  std::mutex mutex_;
  std::map<std::string, Wanted> engines_;
  std::set<std::string> said_;  ///< engines of which something was said
};

}  // namespace gossamer::tb
