#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Algorithm A1: single-port total exchange in products of rings, paths and complete graphs (paper
/// 5, section 4).
extern const Algorithm kA1;

}  // namespace gossamer
