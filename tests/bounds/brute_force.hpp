#pragma once

#include <cstdint>

#include "schedule/schedule.hpp"

/// The fewest rounds of any schedule of a collective, by trying everything: the bounds must never
/// exceed it. For very few nodes and messages. Packet or circuit switching, any ports and duplex;
/// with combining a transfer carries everything that its source holds. It shares no code with the
/// bounds.
std::uint64_t fewest_rounds(const gossamer::Topology& topology, gossamer::Collective collective,
                            const gossamer::Model& model, gossamer::Node root = 0);
/// The same for the collective, members, pieces and sizes of a schedule without transfers.
std::uint64_t fewest_rounds(const gossamer::Schedule& schedule);
/// The same for gossip.
std::uint64_t fewest_gossip_rounds(const gossamer::Topology& topology,
                                   const gossamer::Model& model);

/// The arc-forwarding index, by trying all choices of shortest paths with backtracking, from
/// `at_least` upwards. For tori of a few nodes, all of whose ports have links.
std::uint64_t fewest_forwarded_paths(const gossamer::Topology& topology, std::uint64_t at_least);
