#pragma once

#include <cstdint>

#include "bounds/bounds.hpp"

namespace gossamer::bounds {

/// The first cycle in which a node can read a word of a sum of so many parts: for its last hop, or
/// to keep it. A word that is sent is an arrival combined with an own word, or one of them. It can
/// be read at the other end TIME_LAT + TIME_OP cycles after it was read here, and as many more as
/// a `hop` is longer than TIME_DELTA; and an own word that an arrival is added to can be read, or
/// be added to, TIME_OP + TIME_KEEP cycles later. So the most parts of words that are sent, have come and
/// are kept follow from those of so many cycles before.
std::uint64_t cycles_to_combine(std::uint64_t parts, std::uint64_t hop);

/// A bound for sums of so many parts, from one that holds for flits that are not combined: they are
/// on each link TIME_OP cycles later. And nothing is whole before all parts can have come together:
/// a node then takes in the `flits` of its sum through at most `ports` ports, and keeps one a
/// cycle.
Bound of_sums(Bound of_flits, std::uint64_t parts, std::uint64_t hop, std::uint64_t flits = 1,
              std::uint64_t ports = 1);

}  // namespace gossamer::bounds
