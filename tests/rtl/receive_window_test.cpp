// rtl/node/receive_window.sv: windows over links with register stages open and close as much later.
#include "Vreceive_window.h"
#include "block.hpp"
#include "catch.hpp"
#include "gossamer_constants.hpp"

using namespace gossamer;
using namespace gossamer::test;

TEST_CASE(
    "receive window: each port's is later by the stages of its link, and counts slots behind") {
  constexpr unsigned kPorts = 8;  // blocks.mk
  struct In {
    unsigned expect = 0;
    bool opens = false, closes = false;
  };
  Random random(1);
  Block<Vreceive_window> block(1);
  for (int run = 0; run < 6; ++run) {
    std::array<unsigned, kPorts> stages{};
    block->stages_i = 0;
    for (unsigned p = 0; p < kPorts; ++p) {
      stages[p] = run == 0 ? rtl::MAX_LINK_STAGES : random.below(rtl::MAX_LINK_STAGES + 1);
      block->stages_i |= std::uint64_t{stages[p]} << p * rtl::LINK_STAGES_W;
    }
    block->expect_next_i = block->open_next_i = block->close_i = 0;
    block.reset();
    std::vector<In> past(rtl::MAX_LINK_STAGES + 1);  // the last one first
    unsigned expected = 0;
    for (int t = 0; t < 300; ++t) {
      const bool often = t < 100;  // slots of one cycle
      const In now{random.below(1u << kPorts), often || random.chance(30),
                   often || random.chance(30)};
      past.insert(past.begin(), now);
      past.pop_back();
      block->expect_next_i = now.expect;
      block->open_next_i = now.opens;
      block->close_i = now.closes;
      block.settle();
      unsigned expect = 0, begin = 0, close = 0;
      std::uint64_t behind = 0;
      for (unsigned p = 0; p < kPorts; ++p) {
        const In& then = past[stages[p]];
        expect |= then.expect & 1u << p;
        begin |= then.opens ? then.expect & 1u << p : 0;
        close |= then.closes << p;
        // Those of the cycles before that are still on their way.
        std::uint64_t slots = 0;
        for (unsigned s = 1; s <= stages[p]; ++s) slots += past[s].closes;
        behind |= slots << p * rtl::LINK_STAGES_W;
      }
      CAPTURE(run, t);
      REQUIRE(block->expect_next_o == expect);
      REQUIRE(block->begin_next_o == begin);
      REQUIRE(block->close_o == close);
      REQUIRE(block->behind_o == behind);
      REQUIRE(bool(block->pending_o) == (behind != 0));
      if (t > 0) REQUIRE(block->expect_o == expected);
      block.edge();
      expected = expect;
    }
  }
}
