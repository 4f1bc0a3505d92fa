#include "engines/engine_load.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string_view>

#include "engine_fingerprint.hpp"
#include "support/error.hpp"

namespace gossamer::tb {

EngineEntry load_engine(const std::filesystem::path& library) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    throw InputError(fmt::format("engine {} cannot be loaded: {}", library.string(), dlerror()));
  }
  const auto make = reinterpret_cast<EngineEntry>(dlsym(handle, "gossamer_make_fabric"));
  if (make == nullptr) {
    dlclose(handle);
    throw InputError(fmt::format("{} is no engine library", library.string()));
  }
  const auto fingerprint = static_cast<const char*>(dlsym(handle, "gossamer_engine_fingerprint"));
  if (fingerprint == nullptr || fingerprint != std::string_view(GOSSAMER_ENGINE_FINGERPRINT)) {
    dlclose(handle);
    return nullptr;
  }
  return make;
}

}  // namespace gossamer::tb
