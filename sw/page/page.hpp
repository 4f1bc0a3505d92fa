#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "driver/rank.hpp"
#include "driver/report.hpp"
#include "driver/suite.hpp"

namespace gossamer {

/// All data of the page of a case, as docs/use/report.md describes it. `command` is the user's
/// command, `program` its name. It includes what the monitors saw if the run was recorded.
nlohmann::ordered_json case_data(const Facts& facts, const std::string& program,
                                 const std::string& command);

/// The same as a page.
std::string case_page(const Facts& facts, const std::string& program, const std::string& command);

/// The pictures of the page, each as a stand-alone SVG.
enum class Picture { Fabric, SpaceTime, Knowledge };
/// "fabric", "space-time" or "knowledge"; throws InputError for any other word.
Picture parse_picture(const std::string& word);
/// Throws InputError if the case is too large for it.
std::string picture_svg(Picture picture, const Facts& facts);

/// Cycles against flits of a message, both axes logarithmic: a line for each algorithm that was
/// tried, and where the best changes. A stand-alone picture.
std::string rank_svg(const Ranking& ranking, const std::string& title);

/// The page of a ranking: picture and table. `result` is the output of `rank --json`; `command` is
/// the user's command.
std::string rank_page(const Ranking& ranking, const nlohmann::ordered_json& result,
                      const std::string& title, const std::string& command);

/// The page of a suite. `result` is the output of `suite --json` for these results; `command` is
/// the user's command, `program` its name.
std::string suite_page(const nlohmann::ordered_json& result,
                       const std::vector<SuiteResult>& results, const std::string& program,
                       const std::string& command);

}  // namespace gossamer
