#pragma once

#include <random>
#include <string>

#include "script.hpp"

namespace gossamer::properties {

/// Plants one to three random mistakes into a script: a transfer is dropped, doubled, moved in
/// time, reversed, lengthened or shortened; a message, a hop, a round or the model is changed; two
/// transfers are swapped; rounds are merged or split. Returns a description.
std::string mutate(Script& script, std::mt19937& random);

}  // namespace gossamer::properties
