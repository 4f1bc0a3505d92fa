#pragma once

#include <functional>
#include <vector>

#include "schedule/schedule.hpp"

namespace gossamer {

/// Whose parts are in a sum that is sent in a round, or comes to a node in it: in ascending order.
using SumVisitor = std::function<void(Node node, const Message& m, const std::vector<Node>& parts,
                                      std::uint32_t round)>;

/// Follows the sums of a reduction. `sent` takes what each transfer carries, with its source;
/// `comes` what is stored, with the node that does: of one round whole sums last, for they take the
/// place of all else.
void play_sums(const Schedule& schedule, const SumVisitor& sent, const SumVisitor& comes);

}  // namespace gossamer
