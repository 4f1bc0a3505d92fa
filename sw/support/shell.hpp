#pragma once

#include <string>
#include <string_view>

namespace gossamer {

/// A word as a shell takes it back.
std::string shell_word(std::string_view word);

}  // namespace gossamer
