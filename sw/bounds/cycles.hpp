#pragma once

#include <cstdint>

#include "bounds/bounds.hpp"

namespace gossamer {

/// A lower bound of the cycles from the start pulse to the last flit on its last link, for every
/// schedule that delivers `collective` in messages of `flits` flits, with or without combining,
/// whole or in pieces: a flit takes a cycle on each link that it crosses, and a node receives at
/// most one flit per port and cycle. No link has fewer register stages than `stages`.
Bound lower_bound_cycles(const Topology& topology, Collective collective, const Model& model,
                         Node root, unsigned flits, std::uint64_t stages = 0);

}  // namespace gossamer
