#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gossamer::fuzz {

/// The text with a few changes that keep its form: numbers are replaced, lines are dropped,
/// doubled, moved, or copied with new numbers.
std::string mutated(std::string_view text, std::uint32_t seed);

}  // namespace gossamer::fuzz
