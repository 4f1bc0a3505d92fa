#pragma once

#include <string_view>

namespace gossamer::cli {

/// "1.0.0", as in gossamer.core.
std::string_view version();

}  // namespace gossamer::cli
