#include "bounds/claims.hpp"

#include "catch.hpp"

using namespace gossamer;

TEST_CASE("paper 3: the rounds of a gossip that tolerates faults have the printed values") {
  // Of the d-cube with up to k faults, d from 1 and k from 0 to d-1.
  const std::vector<std::vector<std::uint64_t>> single = {
      {1}, {2, 4}, {3, 5, 6}, {4, 6, 7, 8}, {5, 7, 8, 9, 10}};
  const std::vector<std::vector<std::uint64_t>> all = {
      {1}, {2, 3}, {3, 3, 4}, {4, 4, 4, 5}, {5, 5, 5, 5, 6}};
  for (unsigned d = 1; d <= 5; ++d) {
    for (unsigned k = 0; k < d; ++k) {
      CAPTURE(d, k);
      CHECK(bounds::fault_tolerant_rounds(d, k, PortModel::Single) == single[d - 1][k]);
      CHECK(bounds::fault_tolerant_rounds(d, k, PortModel::All) == all[d - 1][k]);
    }
  }
}
