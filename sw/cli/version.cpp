#include "cli/version.hpp"

namespace gossamer::cli {

std::string_view version() { return GOSSAMER_VERSION; }

}  // namespace gossamer::cli
