// How a period of rtl/axi/axi_fabric.sv, or a packet, that does not end is ended.
#include "axi/gossips.hpp"

namespace gossamer::test {
namespace {

/// Aborts in every cycle of a period and after it: everything is at rest within `bound` cycles, and
/// the next tables and starts work.
template <class Bench>
void check_abort(const FabricImage& first, const FabricImage& second, unsigned bound) {
  const std::uint32_t cycles = period(first)->cycle();
  const Arrivals before = arrivals(first), after = arrivals(second);
  for (unsigned later = 0; later < cycles + 30; ++later) {
    CAPTURE(later, cycles);
    Bench bench(later, 0);
    REQUIRE(bench.commit(bench.tables(first)) == kOkay);
    inject_all(bench, first);
    bench.drain();
    bench.pass(5);
    bench.control(rtl::AXI_IRQ_ENABLE, 1u << rtl::AXI_IRQ_REST);
    bench.start(/*repeat=*/true);
    bench.pass(later);
    bench.start();  // requested, and cancelled
    bench.abort();  // returns two cycles after the abort
    unsigned took = 2;
    while (!bench.interrupt()) bench.pass(1), ++took;
    const std::uint32_t ended = bench.control(rtl::AXI_PERIODS);
    if (ended == 0) REQUIRE(took <= bound);
    REQUIRE_FALSE(bench.status(rtl::AXI_RUNNING));
    REQUIRE(came(bench) == arrivals(first, ended));
    const std::uint32_t flits = bench.control(rtl::AXI_FLITS);
    bench.pass(20);
    REQUIRE(bench.control(rtl::AXI_FLITS) == flits);
    REQUIRE_FALSE(bench.status(rtl::AXI_ERROR));
    REQUIRE(bench.control(rtl::AXI_PERIODS) == ended);
    REQUIRE(bench.commit(bench.tables(second)) == kOkay);
    REQUIRE_FALSE(bench.status(rtl::AXI_PENDING));
    for (unsigned again = 1; again <= 2; ++again) {
      inject_all(bench, second);
      bench.drain();
      REQUIRE(bench.start() == kOkay);
      bench.finish();
      REQUIRE_FALSE(bench.status(rtl::AXI_ERROR));
      for (Node x = 0; x < Bench::kNodes; ++x) {
        REQUIRE(bench.packets(x).size() == ended * before[x].size() + again * after[x].size());
        REQUIRE(bench.packets(x).back() == after[x].back());
      }
    }
  }
}

}  // namespace

TEST_CASE("AXI: an abort in any cycle stops all nodes, and the next tables and starts work") {
  // 2 T + S + 1 cycles from the next one on, one until the interrupt, one until its pin.
  check_abort<Single>(forwards(2), backwards(2), 4);
  check_abort<All>(both_ways(3), both_ways(2), 4);
  check_abort<Far>(both_ways(3, kFar), both_ways(2, kFar), 2 * 2 + 3 + 4);
  check_abort<Torus>(on_torus(2), on_torus(1), 1 + 4);
}

TEST_CASE("AXI: a table that does not end is stopped by the limit, which names its node") {
  const FabricImage good = both_ways(2, kFar);
  const Node bad = GENERATE(0u, 2u);
  FabricImage endless = good;  // a program each
  for (Node x = 0; x < kNodes; ++x) {
    endless.programs.push_back(good.programs[good.program_of[x]]);
    endless.program_of[x] = static_cast<std::uint32_t>(endless.programs.size() - 1);
  }
  SlotEntry& last = endless.programs[endless.program_of[bad]].slots.back();
  last.length = (1u << rtl::SLOT_LEN_W) - 1;
  last.repeat = (1u << rtl::SLOT_REPEAT_W) - 1;
  const auto cycles = static_cast<std::uint32_t>(period(good)->cycle());
  Far bench(bad, 0);
  inject_all(bench, good);
  bench.drain();
  for (unsigned again = 1; again <= 3; ++again) {
    // What a period takes is not too long ...
    REQUIRE(bench.commit(bench.tables(good)) == kOkay);
    bench.control(rtl::AXI_LIMIT, cycles);
    CHECK(bench.control(rtl::AXI_LIMIT) == cycles);
    bench.start();
    bench.finish();
    CHECK(bench.control(rtl::AXI_PERIODS) == again);
    CHECK_FALSE(bench.status(rtl::AXI_LATE));
    // ... for a limit of one cycle less it is, and without end for any.
    for (const bool runaway : {false, true}) {
      CAPTURE(again, runaway);
      if (runaway) REQUIRE(bench.commit(bench.tables(endless)) == kOkay);
      bench.control(rtl::AXI_LIMIT, runaway ? 500 : cycles - 1);
      CHECK(bench.start(/*repeat=*/true) == kOkay);
      CHECK_FALSE(bench.status(rtl::AXI_LATE));
      bench.finish();
      CHECK(bench.status(rtl::AXI_LATE));
      if (runaway) CHECK(bench.control(rtl::AXI_STATUS) >> rtl::AXI_BAD_NODE == bad);
      CHECK(bench.control(rtl::AXI_IRQ) >> rtl::AXI_IRQ_ERROR == 1);
      CHECK(bench.control(rtl::AXI_PERIODS) == again);
      CHECK(bench.start() == kSlverr);
      bench.control(rtl::AXI_IRQ, ~0u);
    }
    // Without a limit the host ends it.
    bench.control(rtl::AXI_LIMIT, 0);
    CHECK(bench.start() == kOkay);
    bench.pass(2000);
    CHECK(bench.status(rtl::AXI_RUNNING));
    bench.abort();
    bench.finish();
    CHECK_FALSE(bench.status(rtl::AXI_LATE));
    CHECK(came(bench) == arrivals(good, again));
  }
}

TEST_CASE("AXI: a packet that never ends can be cancelled, and the next one is taken") {
  const FabricImage image = forwards(3);
  const std::size_t begun = GENERATE(1u, 63u, 64u, 70u);
  Single bench(4, 10);
  inject_all(bench, image);
  REQUIRE(bench.commit(bench.tables(image)) == kOkay);
  bench.drain();
  bench.start();
  bench.finish();
  for (unsigned again = 1; again < 7; again += 2) {
    CAPTURE(begun, again);
    bench.inject(1, Words(begun, 9), /*whole=*/false);
    bench.drain();
    bench.start();
    bench.pass(100);
    CHECK(bench.control(rtl::AXI_PERIODS) == again);
    CHECK(bench.control(rtl::AXI_CANCEL, kNodes) == kSlverr);
    CHECK(bench.control(rtl::AXI_CANCEL, 0) == kOkay);  // no packet has begun there
    bench.pass(100);
    CHECK(bench.control(rtl::AXI_PERIODS) == again);
    CHECK(bench.control(rtl::AXI_CANCEL, 1) == kOkay);
    if (begun <= 64) {  // a longer one was reported before the start
      CHECK(bench.control(rtl::AXI_STATUS) >> rtl::AXI_BAD_NODE == 1);
      CHECK(bench.status(rtl::AXI_BAD_PACKET));
    }
    bench.finish();
    CHECK(bench.control(rtl::AXI_PERIODS) == again + 1);
    CHECK(bench.read(axi_address(1, rtl::CFG_REGISTERS, rtl::CFG_OWN_WORDS)).data == 3);
    inject_all(bench, image);
    bench.drain();
    bench.pass(5);
    CHECK(bench.read(axi_address(1, rtl::CFG_STORE, 0)).data == own_words(image, 1)[0]);
    bench.start();
    bench.finish();
    CHECK(bench.packets(2).back() == arrivals(image)[2].back());
  }
}

}  // namespace gossamer::test
