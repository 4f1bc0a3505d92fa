#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schedule/jsonl.hpp"

namespace gossamer::fuzz {

/// The schedule in a text; nothing if it is refused.
std::optional<Schedule> read_schedule(std::string_view text);

/// Its file.
std::string text_of(const Schedule& schedule, Orbits orbits);

}  // namespace gossamer::fuzz
