#pragma once

#include <stdexcept>
#include <string>

namespace gossamer {

/// The text with blanks for its control characters, line ends among them.
inline std::string without_control_characters(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
  }
  return text;
}

/// Bad input from outside: a topology, an option, a schedule or a suite file. The message is one
/// line that says what is wrong, where, and what would be right: control characters of what is
/// quoted become blanks. The command ends with status 2.
class InputError : public std::runtime_error {
 public:
  // Here and not in error.cpp: engines, which are libraries of their own, throw it, too.
  explicit InputError(const std::string& message)
      : std::runtime_error(without_control_characters(message)) {}
};

/// What a person is told of an exception that ends the work, whichever it is, in one line.
std::string one_line(const std::exception& error);

}  // namespace gossamer
