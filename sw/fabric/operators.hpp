#pragma once

#include <cstdint>

#include "schedule/model.hpp"

namespace gossamer {

/// What a reduce node makes of two words.
std::uint32_t combined(Operator op, std::uint32_t a, std::uint32_t b);

}  // namespace gossamer
