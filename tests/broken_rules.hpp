#pragma once

#include <string>

#include "checker/checker.hpp"

namespace gossamer::test {

/// The broken rules that the checker reports, one line each; empty if there are none. Compare it
/// with the expected text, so that a failing test shows it.
inline std::string broken_rules(const CheckReport& report) {
  std::string lines;
  for (const BrokenRule& fault : report.faults) lines += to_string(fault) + "\n";
  return lines;
}
inline std::string broken_rules(const Schedule& schedule) { return broken_rules(check(schedule)); }

}  // namespace gossamer::test
