#pragma once

#include "bounds/bounds.hpp"
#include "schedule/schedule.hpp"

namespace gossamer {

/// A lower bound of the rounds of any schedule of the same chunks, of a group of members at least:
/// distances, what each node must send or receive through its ports, and the hops that all chunks
/// make at least. Weaker than strongest_bound() where all nodes take part.
Bound chunk_bound(const Schedule& schedule);

/// The same in cycles, with messages of so many flits: see lower_bound_cycles().
Bound chunk_bound_cycles(const Schedule& schedule, unsigned flits, std::uint64_t stages);

}  // namespace gossamer
