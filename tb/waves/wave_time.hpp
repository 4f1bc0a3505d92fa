#pragma once

#include <cstdint>

namespace gossamer::tb {

/// Units of time in a waveform file for one cycle. Verilator's files count in picoseconds: a cycle
/// takes a nanosecond, and the time axis reads as cycle numbers.
inline constexpr std::uint64_t kWaveUnitsPerCycle = 1000;

}  // namespace gossamer::tb
