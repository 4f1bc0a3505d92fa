#include "engines/loaded_engines.hpp"

#include <fmt/format.h>

#include <utility>

#include "support/error.hpp"

namespace gossamer::tb {

LoadedEngines::Wanted& LoadedEngines::wanted(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return engines_[name];
}

/// Cases of a suite run in parallel, and engines are built in parallel.
EngineEntry LoadedEngines::get(const std::string& name) {
  Wanted& engine = wanted(name);
  const std::lock_guard lock(engine.mutex);
  if (!engine.failure.empty()) throw InputError(engine.failure);
  try {
    if (engine.make == nullptr) engine.make = find_engine(cache_, name);
  } catch (const InputError& error) {
    engine.failure = error.what();
    throw;
  }
  return engine.make;
}

EngineEntry LoadedEngines::get_fastest(const std::string& name,
                                       const std::vector<Faster>& variants) {
  std::vector<std::pair<std::string, std::string>> failures;  // of which variant, what to say
  // Only a run that goes on has lost time: otherwise the error says it all.
  const auto got = [&](EngineEntry engine) {
    for (const auto& [variant, line] : failures) say_once(variant, line);
    return engine;
  };
  for (const Faster& faster : variants) {
    const std::string variant = name + faster.suffix;
    if (!faster.builds && !cache_.find(variant)) continue;
    try {
      return got(get(variant));
    } catch (const InputError& error) {
      failures.emplace_back(variant,
                            fmt::format("{}; the run goes on, and {}", error.what(), faster.costs));
    }
  }
  return got(get(name));
}

void LoadedEngines::say_once(const std::string& name, const std::string& line) {
  {
    const std::lock_guard lock(mutex_);
    if (!said_.insert(name).second) return;
  }
  say_(line);
}

}  // namespace gossamer::tb
