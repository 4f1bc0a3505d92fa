#pragma once

#include <cstdint>
#include <memory>

#include "fabric/fabric.hpp"
#include "fabric/payload.hpp"
#include "schedule/schedule.hpp"
#include "tables/gossip_logs.hpp"

namespace gossamer {

/// Plays a gossip for one node of each class, and notes what arrives in which log. Null where that
/// cannot be said in so few words: for other collectives, for pipelined schedules, for topologies
/// whose digits do not fit, and for schedules without symmetry. `written_out`: as in GossipLogs.
std::shared_ptr<const ExpectedLogs> expected_logs(
    const Schedule& schedule, const NodeKind& kind, const Payload& payload,
    std::uint32_t written_out = GossipLogs::kWrittenOut);

/// Makes the own words of an image's nodes. Of a reduction all nodes have words for all messages,
/// one behind the other: zeros where they have no part.
void add_own_words(FabricImage& image, const Schedule& schedule, const Payload& payload);

}  // namespace gossamer
