#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checker/broken_rules.hpp"
#include "schedule/missing_by_node.hpp"

namespace gossamer::checking {

/// What makes the schedule invalid as a whole: a root that is not a node or is faulty; orbits of a
/// collective that has a root (a translation moves the root) or faults; an adaptive schedule that
/// breaks the adaptive rules. Nothing if it is valid.
std::optional<std::string> whole_schedule_fault(const Schedule& schedule);

/// Checks that the path or tree exists, has at least one hop and does not turn back on a link; that
/// a path does not end where it starts, and a tree comes to each node once and ends at nodes that
/// store. With packets it must have one hop. Returns false if the transfer cannot be played
/// at all.
bool check_path(const Schedule& schedule, const Transfer& t, FaultLog& faults);

/// A transfer must carry something, each message once, and only one unless the model combines.
void check_load(const Schedule& schedule, const Transfer& t, FaultLog& faults);

/// Is `m` a message of the collective?
bool check_message(const Schedule& schedule, const Transfer& t, const Message& m, FaultLog& faults);

/// Why the source of `t` cannot send `m` yet: when `m` would arrive, if the listed messages show
/// it.
std::string not_held_text(const Schedule& schedule, const Transfer& t, const Message& m);

/// "message 3" or "message [3,5]".
std::string to_text(const Schedule& schedule, const Message& m);
/// "node 3 lacks message 5", "nodes 3-7 and 12 lack messages 0-48, 50 (50)".
std::string missing_text(const Schedule& schedule, const MissingByNode::Group& lacking);

}  // namespace gossamer::checking
