#pragma once

#include <string>
#include <vector>

namespace gossamer {

/// A schedule or a suite that must be refused, and why: a test case for the readers and the
/// checker.
struct RefusedCase {
  std::string name;
  bool is_suite = false;
  std::string text;                  ///< the schedule (JSON Lines) or the suite (TOML)
  std::string folder;                ///< the suite file's folder, from which other files are found
  std::vector<std::string> because;  ///< exactly the problems that must be found, in order
  std::string place;                 ///< for messages
};

/// Reads the suite, or reads and examines the schedule. Returns how the result differs from the
/// expectation, in one line; empty if it was refused for exactly these reasons.
std::string judge(const RefusedCase& c);

}  // namespace gossamer
