#pragma once

#include "fabric/fabric.hpp"
#include "fabric/payload.hpp"
#include "schedule/schedule.hpp"

namespace gossamer {

/// Where each node's own words begin in an image; their number is known before they are made.
void place_own_words(FabricImage& image, const Schedule& schedule, const Payload& payload);
/// Makes them. Of a reduction all nodes have words for all messages, one behind the other: zeros
/// where they have no part.
void add_own_words(FabricImage& image, const Schedule& schedule, const Payload& payload);

}  // namespace gossamer
