#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "driver/suite.hpp"

namespace gossamer {

/// The page of a suite. `result` is the output of `suite --json` for these results; `command` is
/// the user's command, `program` its name.
std::string suite_page(const nlohmann::ordered_json& result,
                       const std::vector<SuiteResult>& results, const std::string& program,
                       const std::string& command);

}  // namespace gossamer
