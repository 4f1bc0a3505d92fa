#pragma once

#include "algorithms/registry.hpp"

namespace gossamer {

/// The best choice for the ports of the request.
inline const Algorithm& best_algorithm(const Request& request) {
  return *best_choice(request, {&request.ports, 1}).algorithm;
}

}  // namespace gossamer
