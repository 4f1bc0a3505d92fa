#pragma once

#include <stdexcept>

namespace gossamer {

/// Bad input from outside: a topology, an option, a schedule or a suite file. The message is one
/// line that says what is wrong, where, and what would be right. The command ends with status 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace gossamer
