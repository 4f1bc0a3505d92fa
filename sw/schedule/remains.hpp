#pragma once

#include <vector>

#include "schedule/schedule.hpp"

namespace gossamer {

/// What is asked of a topology, something of which is dead.
struct Whole {
  Schedule schedule;        ///< with faults and without transfers; no dead node is a member
  std::vector<Node> nodes;  ///< the numbers of those that remain, in ascending order
};

/// Which nodes take part in a schedule, or pass on what others send.
std::vector<bool> nodes_used(const Schedule& schedule);

/// Takes the dead nodes out of the members, and their messages out of the sizes. Throws InputError
/// if a root is dead, or nobody is left.
void take_out_dead(Schedule& schedule);

/// What is left of a schedule that has faults, without its transfers: planners and bounds work on
/// that as if it were all there is. Its topology is a graph of the nodes that the members reach and
/// that reach them, with new numbers but the same ports. `nodes`, if given, become their numbers
/// before. Throws InputError for members that are cut off from others.
Schedule remains_of(const Schedule& whole, std::vector<Node>* nodes = nullptr);

/// What was planned for the remains, with the numbers of the whole.
Schedule in_whole(const Schedule& planned, const Whole& whole);

}  // namespace gossamer
