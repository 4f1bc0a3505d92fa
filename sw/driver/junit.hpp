#pragma once

#include <string>
#include <vector>

#include "driver/suite.hpp"

namespace gossamer {

/// A report as CI servers read it: one <testcase> for each case, with its problems if it failed.
std::string junit_xml(const std::string& suite, const std::vector<SuiteCase>& cases,
                      const std::vector<SuiteResult>& results);

/// Text as it may stand in XML, in attributes too; what no XML may hold becomes '?'.
std::string xml_escaped(std::string_view text);

}  // namespace gossamer
