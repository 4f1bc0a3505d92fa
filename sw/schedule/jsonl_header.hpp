#pragma once

#include "schedule/jsonl_line.hpp"
#include "schedule/schedule.hpp"

namespace gossamer::jsonl {

/// The schedule, still without transfers, that the first line of a file describes. The names of
/// edge lists are relative to `folder`.
Schedule read_header(const Place& place, const Json& json, const std::string& folder);

}  // namespace gossamer::jsonl
