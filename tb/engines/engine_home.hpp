#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gossamer::tb {

/// Where engines come from: of the build tree of this program, or of where it is installed.
struct EngineHome {
  std::string make;                            ///< the call of engine.mk, with all but the variant
  std::vector<std::filesystem::path> folders;  ///< of libraries (EngineCache)
  std::filesystem::path systemc;               ///< the library of the SystemC engine, if there is one
};

EngineHome engine_home();

}  // namespace gossamer::tb
