#pragma once

#include <string>
#include <vector>

#include "driver/suite.hpp"
#include "driver/suite_checks.hpp"

namespace gossamer {

/// A report as CI servers read it (the schema of Jenkins' xUnit plugin): one <testcase> for each
/// case, with a <failure> if a check failed, and an <error> if it ended before all was checked. The
/// results may be fewer than the cases: those after them were not run and count as <skipped>. The
/// checks beside the cases are test cases too.
std::string junit_xml(const std::string& suite, const std::vector<SuiteCase>& cases,
                      const std::vector<SuiteResult>& results,
                      const std::vector<SuiteCheck>& checks);

/// Text as it may stand in XML, in attributes too; what no XML may hold, a control character or a
/// byte that is no UTF-8, becomes '?'.
std::string xml_escaped(std::string_view text);

}  // namespace gossamer
