#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "driver/rank.hpp"

namespace gossamer {

/// Cycles against flits of a message, both axes logarithmic: a line for each algorithm that was
/// tried, and where the best changes. A stand-alone picture.
std::string rank_svg(const Ranking& ranking, const std::string& title);

/// The page of a ranking: picture and table. `result` is the output of `rank --json`; `command` is
/// the user's command.
std::string rank_page(const Ranking& ranking, const nlohmann::ordered_json& result,
                      const std::string& title, const std::string& command);

}  // namespace gossamer
