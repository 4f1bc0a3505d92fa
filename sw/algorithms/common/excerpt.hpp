#pragma once

#include <optional>
#include <string>

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// A group of the nodes is served by what an algorithm plans for all of them, and so are messages
/// that are not equally long: of that schedule what the group needs is kept, in the same order.
/// Others only pass on what members need.

/// Why an algorithm does not serve a request in this way; nothing if it does, as far as its plan
/// for all nodes goes.
std::optional<std::string> why_no_excerpt(const Algorithm& algorithm, const Request& request);

/// The request of all nodes, with messages of one length.
Request for_all_nodes(Request request);

/// What is needed of a schedule for all nodes.
Schedule excerpt(const Schedule& all, const Request& request);

}  // namespace gossamer
