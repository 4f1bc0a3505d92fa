#pragma once

#include <string>
#include <string_view>

namespace gossamer {

/// Quotes a word for a shell.
std::string shell_word(std::string_view word);

}  // namespace gossamer
