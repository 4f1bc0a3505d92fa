#pragma once

#include <string>

#include "checker/checker.hpp"

namespace gossamer::test {

/// What the checker says against a schedule, a line each; nothing if it is in order. To be compared
/// with what is expected, so that a test that fails shows it.
inline std::string broken_rules(const CheckReport& report) {
  std::string lines;
  for (const BrokenRule& fault : report.faults) lines += to_string(fault) + "\n";
  return lines;
}
inline std::string broken_rules(const Schedule& schedule) { return broken_rules(check(schedule)); }

}  // namespace gossamer::test
