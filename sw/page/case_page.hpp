#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "driver/report.hpp"

namespace gossamer {

/// All data of the page of a case, as docs/use/report.md describes it. `command` is the user's
/// command, `program` its name. It includes what the monitors saw if the run was recorded.
nlohmann::ordered_json case_data(const Report& report, const Plan& plan, const std::string& program,
                                 const std::string& command);

/// The same as a page.
std::string case_page(const Report& report, const Plan& plan, const std::string& program,
                      const std::string& command);

/// The pictures of the page, each as a stand-alone SVG.
enum class Picture { Fabric, SpaceTime, Knowledge };
/// "fabric", "space-time" or "knowledge"; throws InputError for any other word.
Picture parse_picture(const std::string& word);
/// Throws InputError if the case is too large for it.
std::string picture_svg(Picture picture, const Report& report, const Plan& plan);

}  // namespace gossamer
