// Formulas as printed in paper 2 against what its own recursion gives: evidence for
// docs/research/errata.md.

#include <cstdint>

#include "delmas_play.hpp"

using delmas_test::cost;

namespace {

std::int64_t power_of_7(unsigned e) { return e == 0 ? 1 : 7 * power_of_7(e - 1); }

/// g_tau as printed, with N = 7^(3i), for `a` = 57 (proposition 5.17) or 22 (proposition 6.4) and
/// `b` = 7^3 or 19*7: [a/49 (7^(i-1) - 1) + b / 7^(2i) - 1 / 7^(3i)] N / 6.
/// Both quotients by 6 are whole, and 64 bits are enough up to i = 6.
std::int64_t printed(unsigned i, std::int64_t a, std::int64_t b) {
  const std::int64_t n = power_of_7(i);
  return a * ((power_of_7(i - 1) - 1) / 6) * (n * n * n / 49) + (b * n - 1) / 6;
}

std::int64_t tau(unsigned i, bool split) {
  return static_cast<std::int64_t>(cost(i, split).tau_sum);
}

/// The fewest rounds g that proposition 4.5 allows on TM(n)^3, n = 7^i: the first with
/// (2/6 + 2t - g) 7^(g-t) - 2/6 >= pi/N = floor(n^2/4) / (2n), where t = 3i. Both sides times 6n.
unsigned bound_of_proposition_4_5(unsigned i) {
  const std::int64_t n = power_of_7(i);
  const unsigned t = 3 * i;
  for (unsigned g = t; g <= 2 * t; ++g) {
    const std::int64_t left = (2 + 6 * std::int64_t{2 * t - g}) * power_of_7(g - t) * n - 2 * n;
    if (left >= 3 * (n * n / 4)) return g;
  }
  return 2 * t + 1;
}

}  // namespace

TEST_CASE("The steps of paper 2 satisfy its recursion for g_tau up to i = 6") {
  for (unsigned i = 1; i <= 6; ++i) {
    const std::int64_t nodes = power_of_7(3 * i);
    const std::int64_t inner = i == 1 ? 0 : 7 * tau(i - 1, false);
    const std::int64_t inner_split = i == 1 ? 0 : 7 * tau(i - 1, true);
    CHECK(tau(i, false) == inner + 1 + nodes / 49 + nodes / 7 + nodes);
    CHECK(tau(i, true) == inner_split + 1 + nodes / 49 + nodes / 7 + 2 * (nodes / 7));
  }
}

TEST_CASE("The corrected closed forms of g_tau hold up to i = 6") {
  for (unsigned i = 1; i <= 6; ++i) {
    const std::int64_t n = power_of_7(i);
    CHECK(48 * tau(i, false) == 57 * n * n * n - 49 * n - 8);
    CHECK(24 * tau(i, true) == 11 * n * n * n - 7 * n - 4);
  }
}

TEST_CASE("The printed closed forms of g_tau hold for i = 1 and 2 and are too large from i = 3") {
  for (unsigned i = 1; i <= 2; ++i) {
    CHECK(printed(i, 57, 343) == tau(i, false));
    CHECK(printed(i, 22, 133) == tau(i, true));
  }
  for (unsigned i = 3; i <= 6; ++i) {
    CHECK(printed(i, 57, 343) > tau(i, false));
    CHECK(printed(i, 22, 133) > tau(i, true));
  }
  CHECK(printed(3, 57, 343) == 375555216);
  CHECK(tau(3, false) == 47919558);
  CHECK(printed(3, 22, 133) == 144951171);
  CHECK(tau(3, true) == 18495303);
}

TEST_CASE("Charging each level with N of the whole torus gives the printed closed forms") {
  for (unsigned i = 1; i <= 6; ++i) {
    const std::int64_t nodes = power_of_7(3 * i);
    std::int64_t whole = 400;
    std::int64_t split = 155;
    for (unsigned j = 2; j <= i; ++j) {
      whole = 7 * whole + 1 + 57 * (nodes / 49);
      split = 7 * split + 1 + 22 * (nodes / 49);
    }
    CHECK(printed(i, 57, 343) == whole);
    CHECK(printed(i, 22, 133) == split);
  }
}

TEST_CASE("Proposition 4.5 allows fewer rounds than paper 2 needs") {
  CHECK(bound_of_proposition_4_5(1) == 3);
  CHECK(bound_of_proposition_4_5(2) == 7);
  CHECK(bound_of_proposition_4_5(3) == 10);
  for (unsigned i = 1; i <= 5; ++i) CHECK(bound_of_proposition_4_5(i) < cost(i, false).rounds);
}
