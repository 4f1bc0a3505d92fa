#pragma once

#include "algorithms/dimension_exchange/dimension_exchange.hpp"

namespace gossamer::dimension_exchange {

/// Total exchange on a path of n >= 3 nodes in floor(n/2) ceil(n/2) rounds: the load of the link in
/// the middle, bound (4).
Exchange path_all_port(Node n);

/// In n^2/2 - 1 (n even) or (n^2-1)/2 (n odd) rounds: what a node in the middle has to send.
Exchange path_single_port(Node n);

}  // namespace gossamer::dimension_exchange
