#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gossamer {

/// The text with control characters, line ends included, replaced by spaces.
inline std::string without_control_characters(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
  }
  return text;
}

/// Bad input from outside: a topology, an option, a schedule or a suite file. The message is one
/// line that says what is wrong, where, and what would be right; control characters in quoted text
/// become spaces. The command ends with status 2.
class InputError : public std::runtime_error {
 public:
  // Defined here and not in error.cpp because engines, which are separate libraries, throw it too.
  explicit InputError(const std::string& message)
      : std::runtime_error(without_control_characters(message)) {}
};

/// 1234567 as "1,234,567".
std::string grouped(std::uint64_t value);

/// The text, or the beginning of a long one and "...".
std::string shortened(std::string_view text);

/// One line that describes any exception that ended the work.
std::string one_line(const std::exception& error);

}  // namespace gossamer
