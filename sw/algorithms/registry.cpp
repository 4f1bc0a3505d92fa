#include "algorithms/registry.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "algorithms/any_graph/any_graph.hpp"
#include "algorithms/bertsekas/bertsekas.hpp"
#include "algorithms/broadcast_trees/broadcast_trees.hpp"
#include "algorithms/chau_fu/chau_fu.hpp"
#include "algorithms/cut_through/cut_through.hpp"
#include "algorithms/delmas_perennes/delmas_perennes.hpp"
#include "algorithms/dimension_exchange/a1.hpp"
#include "algorithms/dimension_exchange/a2.hpp"
#include "algorithms/dimension_exchange/two_orders.hpp"
#include "algorithms/edge_colouring/edge_colouring.hpp"
#include "algorithms/lee_code/lee_code.hpp"
#include "algorithms/reductions/reversed.hpp"
#include "algorithms/reductions/dimension_reduce.hpp"
#include "algorithms/reductions/doubling.hpp"
#include "algorithms/reductions/ring_reduce.hpp"
#include "algorithms/reductions/tree_reduce.hpp"
#include "algorithms/single_port/hamiltonian.hpp"
#include "algorithms/single_port/product.hpp"
#include "algorithms/single_port/ring.hpp"
#include "algorithms/tdm/tdm_search.hpp"
#include "algorithms/translation/translation.hpp"
#include "support/error.hpp"
#include "support/nearest_name.hpp"

namespace gossamer {

std::span<const Algorithm> algorithms() {
  // Filled at the first call, when all of these are initialised. The papers come first, in order.
  static const std::vector<Algorithm> all = {kRing,
                                             kHamiltonian,
                                             kProduct,
                                             kDelmasPerennes,
                                             kDelmasPerennesSplit,
                                             kChauFu,
                                             kChauFuInitiated,
                                             kBertsekas,
                                             kA1,
                                             kA2,
                                             kEdgeColouring,
                                             kTwoOrders,
                                             kTranslation,
                                             kLeeCode,
                                             kTdmSearch,
                                             kBroadcastTrees,
                                             kCutThrough,
                                             kReversed,
                                             kDoubling,
                                             kTreeReduce,
                                             kRingReduce,
                                             kDimensionReduce,
                                             kAnyGraph};
  return all;
}

const Algorithm& algorithm(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Algorithm& candidate : algorithms()) {
    if (candidate.name == name) return candidate;
    names.push_back(candidate.name);
  }
  throw InputError(fmt::format("unknown algorithm '{}': {}", name, suggestion(name, names)));
}

}  // namespace gossamer
