#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "driver/suite.hpp"

namespace gossamer {

/// The page of a suite. `result` is what `suite --json` prints of these results; `command` is what
/// the user called, `program` how.
std::string suite_page(const nlohmann::ordered_json& result, const std::vector<SuiteResult>& results,
                       const std::string& program, const std::string& command);

}  // namespace gossamer
