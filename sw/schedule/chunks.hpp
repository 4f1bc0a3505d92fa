#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "schedule/schedule.hpp"

namespace gossamer {

/// A collective is a list of chunks: messages, or the pieces of them, each with the node that holds
/// it at the start and the nodes that must hold it in the end. If the collective reduces, all
/// members hold a part of each chunk at the start, and what must be held in the end is their sum.
/// These functions make the list from the collective, its members, its root, the sizes and the
/// pieces; nothing else needs to know which collective it is.

using ChunkVisitor = std::function<void(const Message&)>;
/// Every chunk that `node` holds before round 1.
void for_each_initial(const Schedule& schedule, Node node, const ChunkVisitor& visit);
/// Every chunk that `node` must hold at the end and did not hold before round 1, until `visit`
/// returns false.
void for_each_expected(const Schedule& schedule, Node node,
                       const std::function<bool(const Message&)>& visit);
/// Every node that must hold a chunk in the end and did not hold it before round 1.
void for_each_receiver(const Schedule& schedule, const Message& m,
                       const std::function<void(Node)>& visit);

/// Of a reduction: how many members' parts are in the sum of a chunk.
std::uint32_t contributors(const Schedule& schedule, const Message& m);
/// Of a reduction: the origins of all messages, in the order in which nodes keep their parts.
std::vector<Node> origins_of_sums(const Schedule& schedule);

/// The same for a single chunk, among those that exist; and their number, of what is expected in
/// whole messages.
bool is_initial(const Schedule& schedule, Node node, const Message& m);
bool is_expected(const Schedule& schedule, Node node, const Message& m);
std::uint64_t count_initial(const Schedule& schedule, Node node);
std::uint64_t initial_flits(const Schedule& schedule, Node node, const ChunkFlits& flits);
std::uint64_t count_expected(const Schedule& schedule, Node node);

/// Why `m` is none of the chunks; nothing if it is one.
std::optional<std::string> why_no_chunk(const Schedule& schedule, const Message& m);
/// Why a schedule like this, which has no transfers yet, cannot have messages of these sizes: they
/// name some that nobody has. Nothing if it can.
std::optional<std::string> why_no_sizes(Schedule schedule, const Sizes& sizes);

}  // namespace gossamer
