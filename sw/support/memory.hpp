#pragma once

#include <cstdint>
#include <string>

namespace gossamer {

/// Bytes of memory that the machine, and the limits set for this process and its control group, can
/// still give; a very large number where that is unknown.
std::uint64_t free_memory();

/// "1.2 GB", "340 MB".
std::string in_bytes(double bytes);

}  // namespace gossamer
