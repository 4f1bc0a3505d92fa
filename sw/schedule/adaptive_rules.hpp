#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "schedule/schedule.hpp"

namespace gossamer {

/// Adaptive schedules (paper 3): who sends to whom in which round is fixed, but what a transfer
/// carries is decided when it runs, by what has really arrived and what has really crossed that
/// link. All transfers are Carry::New then.
bool adaptive(const Schedule& schedule);

/// The most nodes of an adaptive schedule's topology: lists of origins grow with their square.
inline constexpr Node kMaxAdaptiveNodes = 1024;
/// And the most rounds.
inline constexpr std::uint32_t kMaxAdaptiveRounds = 1u << 16;

/// Why the schedule mixes what cannot be mixed, in one line; nothing if it is adaptive by the rules
/// or not adaptive at all. The rules: every transfer is new, gossip or broadcast, packet switching,
/// full duplex, combining, a hypercube (all radices 2, so that neighbours' numbers differ in one
/// bit) of at most kMaxAdaptiveNodes nodes, at most kMaxAdaptiveRounds rounds, no orbits; an
/// initiator only in adaptive gossip, and it is a node.
std::optional<std::string> adaptive_fault(const Schedule& schedule);

}  // namespace gossamer
