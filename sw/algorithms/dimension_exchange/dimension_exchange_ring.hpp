#pragma once

#include "algorithms/dimension_exchange/dimension_exchange.hpp"

namespace gossamer::dimension_exchange {

/// Total exchange on a ring of n >= 4 nodes in floor(n^2/4) rounds, all nodes doing the same.
Exchange ring_single_port(Node n);

/// In (n^2-1)/8 rounds, all nodes doing the same, or in ceil(n^2/8), every other node doing the
/// same.
Exchange ring_all_port(Node n);

}  // namespace gossamer::dimension_exchange
