#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Algorithm A1: single-port total exchange in products of any graphs, and on Cayley graphs
/// (Dimakopoulos-Dimopoulos 1998, section 4).
extern const Algorithm kA1;

}  // namespace gossamer
