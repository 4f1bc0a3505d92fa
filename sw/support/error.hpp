#pragma once

#include <stdexcept>
#include <string>

namespace gossamer {

/// Bad input from outside: a topology, an option, a schedule or a suite file. The message is one
/// line that says what is wrong, where, and what would be right: control characters of what is
/// quoted become blanks. The command ends with status 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message);
};

/// What a person is told of an exception that ends the work, whichever it is, in one line.
std::string one_line(const std::exception& error);

}  // namespace gossamer
