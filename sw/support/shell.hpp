#pragma once

#include <string>
#include <string_view>

namespace gossamer {

/// Quotes a word for a shell.
std::string shell_word(std::string_view word);
/// The same for a file's name, which no program takes for an option.
std::string shell_file(const std::string& file);

}  // namespace gossamer
