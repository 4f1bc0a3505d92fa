#pragma once

#include <cstdint>
#include <limits>

namespace gossamer::bounds {

/// a / b, rounded up.
constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0); }

/// Sums and products that stay at the largest number instead of wrapping around: a bound computed
/// with them is then at worst too low.
constexpr std::uint64_t add_saturating(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return a > kMost - b ? kMost : a + b;
}
constexpr std::uint64_t multiply_saturating(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return b != 0 && a > kMost / b ? kMost : a * b;
}

}  // namespace gossamer::bounds
