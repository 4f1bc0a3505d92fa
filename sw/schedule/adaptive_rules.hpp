#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "schedule/schedule.hpp"

namespace gossamer {

/// Adaptive schedules (Chau-Fu): who sends to whom in which round is fixed, but the content of a
/// transfer is decided at run time, from what has arrived and what has crossed that link. All
/// transfers are then Carry::New.
bool adaptive(const Schedule& schedule);

/// The most nodes of an adaptive schedule's topology: the lists of origins grow with the square of
/// the nodes.
inline constexpr Node kMaxAdaptiveNodes = 1024;
/// The most rounds of an adaptive schedule.
inline constexpr std::uint32_t kMaxAdaptiveRounds = 1u << 16;

/// Why the schedule breaks the rules below, in one line; nothing if it keeps them or is not
/// adaptive at all. The rules: every transfer is new, gossip or broadcast, packet switching, full
/// duplex, combining, a hypercube (all radices 2, so that neighbours' numbers differ in one bit) of
/// at most kMaxAdaptiveNodes nodes, at most kMaxAdaptiveRounds rounds, no orbits; an initiator only
/// in adaptive gossip, and it is a node.
std::optional<std::string> adaptive_fault(const Schedule& schedule);

}  // namespace gossamer
