#pragma once

#include <memory>

#include "fabric/expected_logs.hpp"
#include "fabric/node_program.hpp"
#include "schedule/schedule.hpp"
#include "tables/gossip_logs.hpp"

namespace gossamer {

/// Plays a gossip for one node of each class, and notes what arrives in which log. Null where that
/// cannot be said in so few words: for other collectives, for pipelined schedules, for topologies
/// whose digits do not fit, and for schedules without symmetry. `written_out`: as in GossipLogs.
std::shared_ptr<const ExpectedLogs> expected_logs(
    const Schedule& schedule, const NodeKind& kind, const Payload& payload,
    std::uint32_t written_out = GossipLogs::kWrittenOut);

}  // namespace gossamer
