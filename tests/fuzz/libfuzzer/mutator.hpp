#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gossamer::fuzz {

/// The text with a few changes that keep its form: numbers become others, lines are dropped,
/// doubled, moved, or made from another by new numbers.
std::string mutated(std::string_view text, std::uint32_t seed);

}  // namespace gossamer::fuzz
