#pragma once

#include <optional>
#include <string>

#include "schedule/schedule.hpp"

namespace gossamer {

/// The schedule of any-graph on one factor of a product: what an algorithm for products uses in a
/// dimension that it has no rule for. It is planned once in a program.
const Schedule& factor_plan(const Graph& graph, Collective collective, PortModel ports,
                            Duplex duplex);

/// Why any-graph does not serve the factor; nothing if it does.
std::optional<std::string> factor_refusal(const Graph& graph, Collective collective,
                                          PortModel ports, Duplex duplex);

}  // namespace gossamer
