#pragma once

#include <string>

#include "schedule/schedule.hpp"

namespace gossamer {

/// Gossip as an MSCCL allgather, total exchange as an alltoall, and reductions
/// (docs/use/export.md): the XML that the MSCCL runtime reads, with a threadblock for each peer and
/// direction. Throws InputError for other collectives, for more steps with one peer than the
/// runtime allows, and like deliveries().
std::string msccl_xml(const Schedule& schedule);

}  // namespace gossamer
