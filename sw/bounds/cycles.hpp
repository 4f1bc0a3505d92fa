#pragma once

#include <cstdint>

#include "bounds/bounds.hpp"

namespace gossamer {

/// Cycles from the start pulse to the last flit on its last link, below which no schedule can be that
/// delivers `collective` in messages of `flits` flits, whatever it combines: a flit takes a cycle on
/// each link that it crosses, and a node takes in no more at once than its ports let in.
Bound lower_bound_cycles(const Topology& topology, Collective collective, const Model& model,
                         Node root, unsigned flits);

}  // namespace gossamer
