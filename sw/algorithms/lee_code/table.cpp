// The codes and their dipaths. search.cpp finds the dipaths again; the test "lee-code: the search
// finds the dipaths of the table" compares.

#include "algorithms/lee_code/lee_code.hpp"

namespace gossamer::lee_code {

std::span<const Code> codes() {
  static const std::vector<Code> table = {
      {.dimensions = 1,
       .side = 3,
       .modulus = 3,
       .weights = {{{1, 0}}},
       .components = 1,
       .nests = true,
       .gossip = {}},
      // The code's other vertices modulo 5 are (1,2), (2,-1) and their opposites.
      {.dimensions = 2,
       .side = 5,
       .modulus = 5,
       .weights = {{{1, 0}, {2, 0}}},
       .components = 1,
       .nests = true,
       .gossip = {{{1, 1, -2}, {2, 2, 1}}}},
      // 5 and 4 hops: one less than paper 2's 5 and 5.
      {.dimensions = 3,
       .side = 7,
       .modulus = 7,
       .weights = {{{1, 0}, {2, 0}, {3, 0}}},
       .components = 1,
       .nests = true,
       .gossip = {{{1, 2, 2, 2}, {2, 2, 1, 1, 1}, {3, -2, 1, 1, -3}},
                  {{2, -3, -3, -3}, {3, 3, 1}, {1, -3, 2}}}},
      // The ternary Hamming code (tetracode): weights are the 4 directions of the plane over 3.
      {.dimensions = 4,
       .side = 3,
       .modulus = 3,
       .weights = {{{1, 0}, {0, 1}, {1, 1}, {1, 2}}},
       .components = 2,
       .nests = true,
       .gossip = {{{1, 2, -3}, {2, -1, 4}, {3, 4, 1}, {4, -3, -2}}}},
      // The same code, with two of its levels in 5 rounds instead of 6. The first round has dipaths
      // to 3 times the code and uses every arc, the second goes 3 hops along each axis, and the
      // third is the one above.
      {.dimensions = 4,
       .side = 9,
       .modulus = 3,
       .weights = {{{1, 0}, {0, 1}, {1, 1}, {1, 2}}},
       .components = 2,
       .nests = false,
       .gossip = {{{1, 1, 2, 1, 2, -3, 2, -3, -3},
                   {2, -1, -1, -1, 4, 4, 2, 4, 2},
                   {4, 3, 3, 1, 1, 3, 4, 4, 1},
                   {3, 2, 2, 2, -4, 3, 3, -4, -4}},
                  {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}},
                  {{1, 2, -3}, {2, -1, 4}, {3, 4, 1}, {4, -3, -2}}}},
  };
  return table;
}

}  // namespace gossamer::lee_code
