#pragma once

#include <string>
#include <vector>

namespace gossamer {

/// A schedule or a suite that must be refused, and why: a case for the readers and the checker, as
/// a suite has cases for the hardware.
struct RefusedCase {
  std::string name;
  bool is_suite = false;
  std::string text;                  ///< of the schedule (JSON Lines) or of the suite (TOML)
  std::string folder;                ///< of the suite file: other files are looked for there
  std::vector<std::string> because;  ///< each problem that must be found, in order, and no others
  std::string place;                 ///< for messages
};

/// Reads the suite, or reads and examines the schedule. What is wrong with how it was judged, in
/// one line; empty if it was refused for these reasons.
std::string judge(const RefusedCase& c);

}  // namespace gossamer
