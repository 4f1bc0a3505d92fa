#pragma once

#include "algorithms/tdm/attempt.hpp"

namespace gossamer::tdm {

/// The search: any timetable first, which is quick, then attempt after attempt with one slot less
/// than the best so far, with insertions that depend on the attempt's number, until there are
/// `bound` slots or the limit is reached. The seed alone decides what is tried and in which order;
/// the limit decides how much. The sides are 3 to 32 nodes.
Timetable fewest_slots(const Torus& torus, std::uint32_t bound, std::uint32_t seed,
                       const Limit& limit);

}  // namespace gossamer::tdm
