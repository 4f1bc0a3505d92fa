#pragma once

#include <string>
#include <vector>

#include "driver/suite.hpp"

namespace gossamer {

/// A report for CI servers (the schema of Jenkins' xUnit plugin): one <testcase> for each case,
/// with a <failure> if a check failed, and an <error> if it ended before all was checked. The
/// results may be fewer than the cases: the remaining cases did not run and count as <skipped>. The
/// checks beside the cases are test cases too.
std::string junit_xml(const std::string& suite, const std::vector<SuiteCase>& cases,
                      const std::vector<SuiteResult>& results,
                      const std::vector<SuiteCheck>& checks);

/// Text for XML, attributes included; a control character or a byte that is not UTF-8 becomes '?',
/// because XML allows neither.
std::string xml_escaped(std::string_view text);

}  // namespace gossamer
