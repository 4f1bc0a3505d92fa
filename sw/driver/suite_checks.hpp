#pragma once

#include <string>
#include <vector>

#include "driver/suite.hpp"

namespace gossamer {

/// A check of a suite beside its cases.
struct SuiteCheck {
  std::string name;                   ///< "compared", "refused"
  std::string done;                   ///< what was checked, if there are no problems
  std::vector<std::string> problems;  ///< one line each
};

/// Compares the results' counts with the suite's (`whole`: these are the results of all its cases),
/// and checks the schedules that must be refused.
std::vector<SuiteCheck> check_suite(const Suite& suite, const std::vector<SuiteResult>& results,
                                    bool whole);

}  // namespace gossamer
