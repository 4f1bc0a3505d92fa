#include "algorithms/registry.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "algorithms/common/all.hpp"
#include "support/error.hpp"
#include "support/words.hpp"

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
