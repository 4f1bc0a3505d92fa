#pragma once

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Algorithm A2: all-port total exchange in H^(2^k), H any graph
/// (Dimakopoulos-Dimopoulos 1998, section 5).
extern const Algorithm kA2;

}  // namespace gossamer
