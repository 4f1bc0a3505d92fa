#pragma once

#include "algorithms/tdm/attempt.hpp"

namespace gossamer::tdm {

/// The search: any timetable first, which takes a moment, then attempt after attempt with one slot
/// less than the best so far, each as long as those of its number are, until there are `bound`
/// slots or the limit has come. What is tried, and in which order, depends on the seed alone; the
/// limit decides how much of it. The sides are 3 to 32 nodes.
Timetable fewest_slots(const Torus& torus, std::uint32_t bound, std::uint32_t seed,
                       const Limit& limit);

}  // namespace gossamer::tdm
