#pragma once

#include <cstdint>
#include <optional>

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// Gossip on a ring in the fewest steps (Dimakopoulos 1999, section 3).
extern const Algorithm kRing;

/// The ring's algorithm, place by place, for any caller with a ring of `n` >= 2 places: place i
/// sends only to i+1 (mod n), first its own message and then what it received, in order of arrival.
namespace ring_algorithm {

/// n-1 (full duplex), 2(n-1) (half duplex, n even), 2n (half duplex, n odd).
Formula formula(Node n, Duplex duplex);
/// The number of messages that place `i` has sent before `step` if it sends in `step`; else
/// nothing.
std::optional<std::uint32_t> send(Node n, Duplex duplex, std::uint32_t step, Node i);
/// Rotating by this many places changes nothing: 1 (full), 2 (half, n even); 0 (half, n odd): no
/// rotation.
Node period(Node n, Duplex duplex);

}  // namespace ring_algorithm
}  // namespace gossamer
