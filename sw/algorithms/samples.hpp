#pragma once

#include <array>

namespace gossamer {

/// Every algorithm accepts a request on at least one of these.
inline constexpr std::array kSampleTopologies = {"ring:8",      "hypercube:4", "torus:5x5",
                                                 "torus:7x7x7", "mesh:3x4",    "torus:3x5",
                                                 "complete:6",  "ghc:3x4",     "ccc:3"};

}  // namespace gossamer
