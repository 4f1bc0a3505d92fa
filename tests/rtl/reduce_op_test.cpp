// rtl/node/reduce_op.sv against what docs/hardware/table-format.md says of each operator, lane by
// lane.
#include <deque>

#include "Vreduce_op.h"
#include "Vreduce_op_narrow.h"
#include "block.hpp"
#include "catch.hpp"
#include "gossamer_constants.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

/// The operator on one lane of `width` bits, in wide numbers.
std::uint64_t expected(unsigned op, std::uint64_t a, std::uint64_t b, unsigned width) {
  const auto number = [width](std::uint64_t word) {  // two's complement
    const auto n = static_cast<std::int64_t>(word);
    return word >> (width - 1) & 1 ? n - (std::int64_t{1} << width) : n;
  };
  const auto sum_of_lanes = [&](unsigned lane) {
    std::uint64_t y = 0;
    for (unsigned at = 0; at < width; at += lane) {
      const std::uint64_t modulo = std::uint64_t{1} << std::min(lane, width - at);
      y |= ((a >> at) % modulo + (b >> at) % modulo) % modulo << at;
    }
    return y;
  };
  switch (op) {
    case rtl::OP_SUM: return sum_of_lanes(32);
    case rtl::OP_SUM16: return sum_of_lanes(16);
    case rtl::OP_SUM8: return sum_of_lanes(8);
    case rtl::OP_MIN: return number(a) <= number(b) ? a : b;
    case rtl::OP_MAX: return number(a) >= number(b) ? a : b;
    case rtl::OP_MINU: return std::min(a, b);
    case rtl::OP_MAXU: return std::max(a, b);
    case rtl::OP_AND: return a & b;
    case rtl::OP_OR: return a | b;
    case rtl::OP_XOR: return a ^ b;
    default: return a;
  }
}

/// A word that is near an edge, or any.
std::uint64_t word(Random& random, unsigned width) {
  const std::uint64_t edges[] = {
      0,      1,      0x7f,       0x80,       0xff,       0x7fff,
      0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, std::uint64_t{1} << (width - 1)};
  const std::uint64_t any = std::uint64_t{random.word()} ^ edges[random.below(12)];
  return (random.chance(40) ? edges[random.below(12)] : any) & ((std::uint64_t{1} << width) - 1);
}

template <class Model>
void compare(unsigned width, unsigned lanes) {
  Block<Model> block(1);
  Random random(7);
  std::deque<std::uint64_t> due;
  for (int i = 0; i < 200'000; ++i) {
    const unsigned op = random.below(16);
    std::uint64_t a = 0, b = 0, y = 0;
    for (unsigned l = 0; l < lanes; ++l) {
      const std::uint64_t left = word(random, width);
      const std::uint64_t right = random.chance(20) ? left : word(random, width);
      a |= left << width * l;
      b |= right << width * l;
      y |= expected(op, left, right, width) << width * l;
    }
    CAPTURE(op, a, b);
    block->op_i = static_cast<CData>(op);
    block->a_i = a;
    block->b_i = b;
    due.push_back(y);
    block.edge();
    if (due.size() < rtl::TIME_OP) continue;
    REQUIRE(std::uint64_t{block->y_o} == due.front());
    due.pop_front();
  }
}

}  // namespace

TEST_CASE("reduce_op: every operator, TIME_OP cycles later, in each lane of its own") {
  SECTION("two lanes of 32 bits") { compare<Vreduce_op>(32, 2); }
  SECTION("a flit of 20 bits") { compare<Vreduce_op_narrow>(20, 1); }
}
