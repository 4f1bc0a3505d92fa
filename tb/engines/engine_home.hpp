#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gossamer::tb {

/// Where engines come from: the program's build tree, or its installation.
struct EngineHome {
  std::string make;                            ///< the call of engine.mk, with all but the variant
  std::vector<std::filesystem::path> folders;  ///< of libraries (EngineCache)
  std::filesystem::path systemc;  ///< the library of the SystemC engine, if there is one
};

EngineHome engine_home();

}  // namespace gossamer::tb
