#pragma once

#include <string>
#include <vector>

#include "driver/suite.hpp"

namespace gossamer {

/// Something that a suite checks beside its cases.
struct SuiteCheck {
  std::string name;                   ///< "compared", "refused", "judges"
  std::string done;                   ///< what was checked, if there are no problems
  std::vector<std::string> problems;  ///< a line each
};

/// What the results counted and compared, against what the suite expects (`whole`: they are those of
/// all its cases); the schedules that must be refused; and whether the runner's judges notice what is
/// planted.
std::vector<SuiteCheck> check_suite(const Suite& suite, const std::vector<SuiteResult>& results,
                                    bool whole, Runner& runner);

}  // namespace gossamer
