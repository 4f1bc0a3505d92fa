#pragma once

#include <string>
#include <vector>

namespace gossamer {

/// A schedule that must be refused, and why: a case for the reader and the checker, as a suite has
/// cases for the hardware.
struct RefusedCase {
  std::string name;
  std::string schedule;              ///< JSON Lines
  std::vector<std::string> because;  ///< each problem that must be found, in order, and no others
  std::string place;                 ///< for messages
};

/// Reads and examines the schedule. What is wrong with how it was judged, in one line; empty if it
/// was refused for these reasons.
std::string judge(const RefusedCase& c);

}  // namespace gossamer
