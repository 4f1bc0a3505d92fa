#pragma once

#include <random>

#include "script.hpp"

namespace gossamer::properties {

/// A random legal schedule of any collective and model on a small topology of any family: either
/// one of the algorithms', or transfers drawn at random that keep the rules of
/// docs/use/schedule-format.md until everything has arrived. `ports` limits the topology.
Script legal_script(std::mt19937& random, Port ports);

}  // namespace gossamer::properties
