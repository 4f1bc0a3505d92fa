#pragma once

#include <optional>

#include "algorithms/tdm/timetable.hpp"

namespace gossamer::tdm {

/// The square tori that have one.
inline constexpr std::uint32_t kSmallestInTable = 3, kLargestInTable = 12;

/// The timetable that the search found for a torus, if the table has it.
std::optional<Timetable> timetable_in_table(const Torus& torus);

}  // namespace gossamer::tdm
