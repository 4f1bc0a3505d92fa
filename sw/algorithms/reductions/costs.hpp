#pragma once

#include <cstdint>

#include "gossamer_constants.hpp"

namespace gossamer::reductions {

/// Cycles of a packet round at least: a message that has fewer flits waits until it can be sent on.
inline constexpr std::uint64_t kRound = rtl::TIME_LAT + rtl::TIME_OP;
/// Of a circuit over one link, besides its flits.
inline constexpr std::uint64_t kCircuit = rtl::TIME_ALPHA + rtl::TIME_OP + rtl::TIME_DELTA;
/// From one merge at a node to the next of the same words, at least.
inline constexpr std::uint64_t kMerge = rtl::TIME_OP + rtl::TIME_KEEP;

/// The most that a schedule lists: each is a line of its file, and planned, checked and timed by
/// itself.
inline constexpr std::uint64_t kMostTransfers = 20'000'000;

}  // namespace gossamer::reductions
