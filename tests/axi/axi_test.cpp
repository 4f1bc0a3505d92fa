// rtl/axi/axi_fabric.sv as software and streams see it; its tables are in tables_test.cpp,
// reductions in sums_test.cpp.
#include <algorithm>

#include "axi/gossips.hpp"

namespace gossamer::test {

TEST_CASE("AXI: streams in, tables over AXI4-Lite, streams out; nothing is lost or duplicated") {
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    const unsigned stall = (seed - 1) % 4 * 30;
    const unsigned flits = 1 + seed % 3;
    check_run<Single>(forwards(flits), seed, stall);
    check_run<Single>(backwards(flits), seed, stall);
    check_run<All>(both_ways(flits), seed, stall);
    check_run<Far>(both_ways(flits, kFar), seed, stall);
    check_run<Torus>(on_torus(flits), seed, stall);
  }
}

TEST_CASE("AXI: cycles and flits of a period are those that the tile engine counts") {
  const auto compare = [](auto& bench, const FabricImage& image) {
    inject_all(bench, image);
    REQUIRE(bench.commit(bench.tables(image)) == kOkay);
    bench.drain();
    const auto expected = period(image);
    for (unsigned again = 0; again < 2; ++again) {  // counted anew in each period
      bench.start();
      bench.finish();
      CHECK(bench.control(rtl::AXI_FLITS) == expected->flits_moved());
      CHECK(bench.control(rtl::AXI_CYCLES) == expected->cycle());
    }
  };
  for (const unsigned flits : {1u, 5u}) {
    Single single(flits, 30);
    compare(single, forwards(flits));
    All all(flits, 0);
    compare(all, both_ways(flits));
    Far far(flits, 10);
    compare(far, both_ways(flits, kFar));
    Torus torus(flits, 20);
    compare(torus, on_torus(flits));
  }
}

TEST_CASE("AXI: between two periods there are 6T + 1 cycles more if the nodes are T stages away") {
  const auto between = [](auto& bench, const FabricImage& image) {
    inject_all(bench, image);
    REQUIRE(bench.commit(bench.tables(image)) == kOkay);
    bench.drain();
    bench.start(/*repeat=*/true);
    while (bench.control(rtl::AXI_PERIODS) < 3) bench.pass(1);
    bench.control(rtl::AXI_RUN, 0);
    bench.finish();
    const auto& out = bench.taken(0).out;
    const std::size_t words = out.size() / bench.control(rtl::AXI_PERIODS);
    CHECK(out[2 * words] - out[words] == out[words] - out[0]);
    return out[words] - out[0] - bench.control(rtl::AXI_CYCLES);
  };
  All near(1, 0);
  Far far(1, 0);
  CHECK(between(far, both_ways(4, kFar)) == between(near, both_ways(4)) + 6 * 2 + 1);
}

TEST_CASE("AXI: an enabled interrupt holds the pin until it is cleared") {
  constexpr std::uint32_t kEnded = 1 << rtl::AXI_IRQ_ENDED, kRest = 1 << rtl::AXI_IRQ_REST,
                          kError = 1 << rtl::AXI_IRQ_ERROR;
  Single bench(3, 20);
  const FabricImage image = forwards(2);
  inject_all(bench, image);
  REQUIRE(bench.commit(bench.tables(image)) == kOkay);
  bench.drain();
  bench.control(rtl::AXI_IRQ_ENABLE, kRest | ~7u);
  CHECK(bench.control(rtl::AXI_IRQ_ENABLE) == kRest);
  CHECK(bench.control(rtl::AXI_IRQ) == 0);
  CHECK_FALSE(bench.interrupt());
  bench.start();
  CHECK_FALSE(bench.interrupt());
  while (!bench.interrupt()) bench.pass(1);
  CHECK_FALSE(bench.status(rtl::AXI_RUNNING));
  CHECK(bench.control(rtl::AXI_IRQ) == (kEnded | kRest));
  bench.control(rtl::AXI_IRQ, kRest);
  CHECK(bench.control(rtl::AXI_IRQ) == kEnded);
  CHECK_FALSE(bench.interrupt());
  bench.control(rtl::AXI_IRQ_ENABLE, kEnded);
  bench.pass(1);
  CHECK(bench.interrupt());
  bench.control(rtl::AXI_IRQ, ~0u);
  bench.pass(1);
  CHECK_FALSE(bench.interrupt());
  // Tables that nobody has written are malformed: an error, which also ends the period.
  bench.reset();
  CHECK(bench.control(rtl::AXI_IRQ_ENABLE) == 0);
  bench.control(rtl::AXI_BEGIN, 1);
  for (Node x = 0; x < kNodes; ++x) {
    bench.write(axi_address(x, rtl::CFG_SLOTS, 0), 0);
  }
  bench.control(rtl::AXI_IRQ_ENABLE, kError);
  bench.control(rtl::AXI_LENGTH, kNodes);
  bench.control(rtl::AXI_CHECKSUM, bench.control(rtl::AXI_CHECKSUM));
  REQUIRE(bench.control(rtl::AXI_COMMIT, 1) == kOkay);
  bench.start(/*repeat=*/true);
  bench.finish();
  CHECK(bench.interrupt());
  CHECK(bench.control(rtl::AXI_IRQ) == (kEnded | kRest | kError));
  CHECK(bench.control(rtl::AXI_PERIODS) == 1);
}

TEST_CASE("AXI4-Lite reports the shape of the torus and of its addresses") {
  Single bench(1, 0);
  CHECK(bench.control(rtl::AXI_DIMS) == 1);
  CHECK(bench.control(rtl::AXI_INDEX_BITS) == rtl::AXI_INDEX_W);
  CHECK(bench.control(rtl::AXI_RADIX) == (kNodes | 1u << rtl::AXI_RING));
  for (unsigned d = 1; d < 16; ++d) CHECK(bench.control(rtl::AXI_RADIX + d) == 0);
  CHECK(bench.control(rtl::AXI_TREE) == 0);

  Torus torus(1, 0);
  CHECK(torus.control(rtl::AXI_DIMS) == 2);
  CHECK(torus.control(rtl::AXI_RADIX) == (3 | 1u << rtl::AXI_RING));
  CHECK(torus.control(rtl::AXI_RADIX + 1) == (2 | 1u << rtl::AXI_RING));
  for (unsigned d = 2; d < 16; ++d) CHECK(torus.control(rtl::AXI_RADIX + d) == 0);
  CHECK(torus.control(rtl::AXI_NODES) == 6);
}

TEST_CASE("AXI4-Lite reports how the nodes are built") {
  Single bench(1, 30);
  const auto built = [&](Node x, unsigned what) {
    return bench.read(axi_address(x, rtl::CFG_REGISTERS, what)).data;
  };
  for (Node x = 0; x < kNodes; ++x) {
    CHECK(built(x, rtl::CFG_PORTS) == 2);
    CHECK(built(x, rtl::CFG_MODEL) ==
          (1u << rtl::MODEL_SINGLE_PORT | 1u << rtl::MODEL_DOUBLE_BUFFERED));
    CHECK(built(x, rtl::CFG_FLIT_W) == 32);
    CHECK(built(x, rtl::CFG_LEN_W) == rtl::SLOT_LEN_W);
    CHECK(built(x, rtl::CFG_REPEAT_W) == rtl::SLOT_REPEAT_W);
    CHECK(built(x, rtl::CFG_SLOT_DEPTH) == 16);
    CHECK(built(x, rtl::CFG_CAPACITY) == 64);
  }
  CHECK(bench.control(rtl::AXI_NODES) == kNodes);
  CHECK(bench.control(rtl::AXI_STATUS) == 0);
}

TEST_CASE("AXI4-Lite answers what does not exist with an error and changes nothing") {
  const unsigned stall = GENERATE(0u, 40u);
  Single bench(2, stall);
  using namespace rtl;
  const std::uint64_t own_words = axi_address(1, CFG_REGISTERS, CFG_OWN_WORDS);
  REQUIRE(bench.write(own_words, 5) == kOkay);
  const std::uint32_t own_log = 0;
  for (const std::uint64_t address : {
           axi_address(kNodes, CFG_REGISTERS, CFG_OWN_WORDS),  // no such node
           axi_address(0, 9, 0),                               // region
           axi_address(0, CFG_REGISTERS, CFG_STATUS),          // read only
           axi_address(0, CFG_REGISTERS, CFG_CONTROL),         // only axi_period writes it
           axi_address(0, CFG_REGISTERS, CFG_FLIT_W),          // read only
           axi_address(0, CFG_REGISTERS, CFG_DEAD_AFTER + 1),  // register
           axi_address(0, CFG_REGISTERS, CFG_LOG_LENGTH + 1),  // log
           axi_address(0, CFG_SLOTS, 16u << CFG_SLOT_LSB),     // entry
           axi_address(0, CFG_SLOTS, 5),                       // word of an entry
           axi_address(0, CFG_LISTS, 16u << CFG_SEG_LSB),      // segment
           axi_address(0, CFG_LISTS, 1u << CFG_CHANNEL_LSB),   // channel
           axi_address(0, CFG_STORE, own_log | 64),            // word of the store
           axi_address(0, CFG_STORE, 1u << CFG_LOG_LSB),       // log
           axi_control(AXI_STATUS),                            // read only
           axi_control(AXI_PERIODS),
           axi_control(AXI_NODES),
           axi_address(1, AXI_CONTROL, AXI_RUN),  // another node's control
           axi_control(AXI_REGISTERS),            // control register
           own_words + 2,                         // within a word
       }) {
    INFO(std::hex << address);
    CHECK(bench.write(address, 0) == kSlverr);
  }
  for (const std::uint64_t address : {
           axi_address(kNodes, CFG_REGISTERS, CFG_OWN_WORDS),
           axi_address(0, CFG_REGISTERS, CFG_CONTROL),
           axi_address(0, CFG_REGISTERS, CFG_DEAD_AFTER + 1),
           axi_address(0, CFG_SLOTS, 0),  // write only
           axi_address(0, CFG_LISTS, 0),
           axi_address(0, CFG_STORE, 64),
           axi_control(AXI_REGISTERS),
       }) {
    INFO(std::hex << address);
    CHECK(bench.read(address) == Single::Read{0, kSlverr});
  }
  CHECK(bench.write(own_words, 9, 0x7) == kSlverr);                // part of a word
  CHECK(bench.write(own_words, 9, 0x0) == kOkay);                  // no part of it
  CHECK(bench.write(axi_control(AXI_COMMIT), 1, 0x0) == kSlverr);  // no transaction is open
  for (unsigned byte = 0; byte < 4; ++byte) {                      // a read of some bytes of a word
    CHECK(bench.read(own_words + byte) == Single::Read{5, kOkay});
  }
  CHECK(bench.write(axi_address(3, CFG_STORE, 63), 0x12345678) == kOkay);
  CHECK(bench.read(axi_address(3, CFG_STORE, 63)) == Single::Read{0x12345678, kOkay});
}

TEST_CASE("AXI: values that do not fit their register are refused") {
  Single bench(6, 10);
  const auto at = [](unsigned what) { return axi_address(2, rtl::CFG_REGISTERS, what); };
  struct Case {
    unsigned reg;
    std::uint32_t fits;
    std::vector<std::uint32_t> too_much;
  };
  for (const Case& c :
       {Case{rtl::CFG_OWN_WORDS, 64, {65, 128, 1u << 31}},
        Case{rtl::CFG_DEAD_AFTER, (1u << rtl::SLOT_REPEAT_W) - 1, {1u << rtl::SLOT_REPEAT_W, ~0u}},
        Case{rtl::CFG_DEAD, 3, {}}}) {
    CAPTURE(c.reg);
    CHECK(bench.write(at(c.reg), c.fits) == kOkay);
    for (const std::uint32_t word : c.too_much) {
      CHECK(bench.write(at(c.reg), word) == kSlverr);
      CHECK(bench.write(at(c.reg), word, 0) == kOkay);  // without strobes nothing is written
    }
    CHECK(bench.read(at(c.reg)).data == c.fits);
  }
  // Elsewhere any value is accepted.
  CHECK(bench.write(axi_address(2, rtl::CFG_STORE, rtl::CFG_OWN_WORDS), ~0u) == kOkay);
  CHECK(bench.control(rtl::AXI_LENGTH, ~0u) == kOkay);
}

TEST_CASE("AXI: what must not be touched while a period runs is not") {
  const FabricImage image = forwards(3);
  Single bench(5, 0);
  inject_all(bench, image);
  REQUIRE(bench.commit(bench.tables(image)) == kOkay);
  bench.drain();
  bench.block_sink(2, true);
  bench.start();
  bench.inject(2, {1, 2, 3});
  bench.pass(10);
  CHECK(bench.waiting(2) == 3);  // the stream in waits
  CHECK(bench.write(axi_address(0, rtl::CFG_STORE, 0), 7) == kSlverr);
  CHECK(bench.write(axi_address(0, rtl::CFG_REGISTERS, rtl::CFG_OWN_WORDS), 7) == kSlverr);
  bench.pass(200);
  CHECK(bench.waiting(2) == 3);  // ... until everything is sent
  CHECK(bench.status(rtl::AXI_RUNNING));
  bench.block_sink(2, false);
  bench.finish();
  bench.drain();
  CHECK(came(bench) == arrivals(image));
  CHECK(bench.read(axi_address(2, rtl::CFG_STORE, 1)).data == 2);
}

TEST_CASE("AXI: a receiver that stalls holds back its node's streams and the next period alone") {
  const FabricImage image = forwards(3);
  const Node slow = GENERATE(0u, 3u);
  Single bench(5, 0);
  inject_all(bench, image);
  REQUIRE(bench.commit(bench.tables(image)) == kOkay);
  bench.drain();
  bench.block_sink(slow, true);
  bench.start(/*repeat=*/true);
  inject_all(bench, image);
  bench.pass(200);
  const Arrivals once = arrivals(image);
  for (Node x = 0; x < kNodes; ++x) {
    INFO("node " << x);
    CHECK(bench.packets(x) == (x == slow ? std::vector<Packet>{} : once[x]));
    CHECK(bench.waiting(x) == (x == slow ? 3 : 0));
  }
  CHECK(bench.control(rtl::AXI_PERIODS) == 1);
  bench.block_sink(slow, false);
  bench.pass(200);
  CHECK(bench.control(rtl::AXI_PERIODS) > 2);
  CHECK(bench.waiting(slow) == 0);
  bench.control(rtl::AXI_RUN, 0);
  bench.finish();
  CHECK_FALSE(bench.status(rtl::AXI_ERROR));
}

TEST_CASE("AXI: the streams of all nodes move at once, a word a cycle") {
  const FabricImage image = forwards(7);
  Single bench(6, 0);
  inject_all(bench, image);
  bench.drain();
  REQUIRE(bench.commit(bench.tables(image)) == kOkay);
  bench.start();
  bench.finish();
  REQUIRE(came(bench) == arrivals(image));
  for (Node x = 0; x < kNodes; ++x) {
    INFO("node " << x);
    const auto& taken = bench.taken(x);
    for (const auto* cycles : {&taken.in, &taken.out}) {
      const auto& first = cycles == &taken.in ? bench.taken(0).in : bench.taken(0).out;
      REQUIRE(cycles->size() == (cycles == &taken.in ? 7u : 3u * 7u));
      CHECK(cycles->front() == first.front());
      CHECK(cycles->back() == cycles->front() + cycles->size() - 1);
    }
  }
}

TEST_CASE(
    "AXI: of packets that come period after period none is lost, and none overtakes another") {
  // Word w of packet k of node x; every node receives those of the other three in the order of the
  // ring.
  constexpr unsigned kFlits = 3, kPackets = 12;
  const auto word = [](Node x, unsigned k, unsigned w) { return x << 16 | k << 8 | w; };
  const FabricImage image = forwards(kFlits);
  for (std::uint32_t seed = 1; seed <= 5; ++seed) {
    INFO("seed " << seed);
    Single bench(seed, (seed - 1) * 20);
    REQUIRE(bench.commit(bench.tables(image)) == kOkay);
    for (Node x = 0; x < kNodes; ++x) {
      for (unsigned k = 0; k < kPackets; ++k) {
        bench.inject(x, {word(x, k, 0), word(x, k, 1), word(x, k, 2)});
      }
    }
    const auto first_is_in = [&](Node x) { return bench.waiting(x) == kFlits * (kPackets - 1); };
    while (!(first_is_in(0) && first_is_in(1) && first_is_in(2) && first_is_in(3))) bench.pass(1);
    bench.start(/*repeat=*/true);
    bench.drain();
    bench.pass(20);
    bench.control(rtl::AXI_RUN, 0);
    bench.finish();
    bench.start();  // so that the last packets are sent too
    bench.finish();
    CHECK_FALSE(bench.status(rtl::AXI_ERROR));
    const std::uint32_t periods = bench.control(rtl::AXI_PERIODS);
    std::array<unsigned, kNodes> packet{};  // that each node sends in this period
    for (std::uint32_t p = 0; p < periods; ++p) {
      for (Node x = 0; x < kNodes; ++x) {
        const Words& at_next = bench.packets((x + 1) % kNodes).at(p).words;
        const unsigned k = at_next.at(0) >> 8 & 0xff;
        const bool follows = k == packet[x] || (p > 0 && k == packet[x] + 1);
        if (!follows) FAIL_CHECK("node " << x << ": packet " << k << " after " << packet[x]);
        packet[x] = k;
      }
      bool whole = true;
      for (Node y = 0; y < kNodes; ++y) {
        Words expected;
        for (Node back = 1; back < kNodes; ++back) {
          const Node x = (y + kNodes - back) % kNodes;
          for (unsigned w = 0; w < kFlits; ++w) expected.push_back(word(x, packet[x], w));
        }
        whole = whole && bench.packets(y).at(p).words == expected;
      }
      CHECK(whole);
    }
    for (Node x = 0; x < kNodes; ++x) CHECK(packet[x] == kPackets - 1);
    if (seed == 1) CHECK(periods == kPackets + 1);  // without stalls: one packet per period
  }
}

TEST_CASE("AXI: a packet that is too long is dropped and reported; others are not") {
  const std::uint32_t seed = GENERATE(7u, 8u, 9u);
  const Node bad = seed % kNodes;
  Single bench(seed, 20);
  const auto own = [&](Node x) {
    return bench.read(axi_address(x, rtl::CFG_REGISTERS, rtl::CFG_OWN_WORDS)).data;
  };
  for (Node x = 0; x < kNodes; ++x) {
    REQUIRE(bench.write(axi_address(x, rtl::CFG_REGISTERS, rtl::CFG_OWN_WORDS), 2) == kOkay);
    bench.inject(x, x == bad ? Words(65, 1) : Words{21, 22, 23});
  }
  bench.drain();
  bench.pass(5);
  CHECK(bench.status(rtl::AXI_BAD_PACKET));
  CHECK(bench.control(rtl::AXI_STATUS) >> rtl::AXI_BAD_NODE == bad);
  for (Node x = 0; x < kNodes; ++x) CHECK(own(x) == (x == bad ? 2 : 3));

  bench.inject(bad, Words(64, 5));  // the longest possible packet
  bench.drain();
  bench.pass(5);
  CHECK(own(bad) == 64);
  CHECK(bench.read(axi_address(bad, rtl::CFG_STORE, 63)).data == 5);
  bench.start();
  CHECK((bench.control(rtl::AXI_STATUS) & ~(1u << rtl::AXI_RUNNING)) == 0);
}

TEST_CASE("AXI: the status names the node of the first dropped packet, whichever of six it is") {
  Torus bench(1, 10);
  for (Node bad = 0; bad < Torus::kNodes; ++bad) {
    CAPTURE(bad);
    bench.reset();
    bench.inject(bad, Words(65, 1));
    bench.drain();
    bench.pass(5);
    CHECK(bench.status(rtl::AXI_BAD_PACKET));
    CHECK(bench.control(rtl::AXI_STATUS) >> rtl::AXI_BAD_NODE == bad);
  }
}

TEST_CASE("AXI: counters of periods, cycles, flits and words count on through all of their bits") {
  const FabricImage image = forwards(3);
  Single bench(1, 0);
  auto& root = *bench.block()->rootp;
  auto& periods = root.axi_fabric__DOT__periods;
  auto& cycles = root.axi_fabric__DOT__cycles;
  auto& flits = root.axi_fabric__DOT__flits_q;
  auto& words = root.axi_fabric__DOT__count;
  REQUIRE(bench.commit(bench.tables(image)) == kOkay);
  const auto run =
      [&](std::uint32_t add) {  // what is counted by the end, if so much more was before
        inject_all(bench, image);
        bench.drain();
        bench.start();
        bench.pass(12);
        REQUIRE(cycles < 20);
        cycles += add;
        flits += add;
        periods += add;
        bench.finish();
        return std::array{bench.control(rtl::AXI_CYCLES), bench.control(rtl::AXI_FLITS)};
      };
  const auto usual = run(0);
  std::uint32_t ended = 1;
  for (unsigned bit = 6; bit < 32; ++bit) {
    CAPTURE(bit);
    const std::uint32_t add = (1u << bit) - 4;
    CHECK(run(add) == std::array{usual[0] + add, usual[1] + add});
    CHECK(bench.control(rtl::AXI_PERIODS) == (ended += add + 1));
    bench.control(rtl::AXI_BEGIN, 1);
    words += (1u << bit) - 1;
    REQUIRE(bench.write(axi_address(0, rtl::CFG_SLOTS, 0), 0) == kOkay);
    CHECK(bench.control(rtl::AXI_LENGTH) == 1u << bit);
    REQUIRE(bench.commit(bench.tables(image)) == kOkay);
  }
}

TEST_CASE("AXI: a packet of another length than the schedule sends is dropped and reported") {
  const FabricImage image = forwards(3);
  const auto length = [](Node x) { return axi_address(x, rtl::AXI_PACKET, 0); };
  Single bench(4, 10);
  REQUIRE(bench.commit(bench.tables(image)) == kOkay);
  for (Node x = 0; x < kNodes; ++x) REQUIRE(bench.write(length(x), 3) == kOkay);
  CHECK(bench.write(length(0), 65) == kSlverr);
  CHECK(bench.write(length(0) + 4, 3) == kSlverr);
  unsigned periods = 0;
  for (const unsigned words : {1u, 2u, 3u, 4u, 5u, 64u, 65u, 70u, 3u}) {
    CAPTURE(words);
    const bool right = words == 3;
    for (Node x = 0; x < kNodes; ++x)
      bench.inject(x, x == 2 ? Words(words, 7) : own_words(image, x));
    bench.drain();
    bench.pass(5);
    CHECK(bench.status(rtl::AXI_BAD_PACKET) == !right);
    CHECK(bench.control(rtl::AXI_STATUS) >> rtl::AXI_BAD_NODE == (right ? 0 : 2));
    if (!right) {  // the right one is taken then
      bench.inject(2, own_words(image, 2));
      bench.drain();
    }
    bench.start();
    bench.finish();
    CHECK(bench.control(rtl::AXI_PERIODS) == ++periods);
    CHECK_FALSE(bench.status(rtl::AXI_ERROR));
    CHECK((bench.packets(3).back() == arrivals(image)[3].back()) == !right);
    CHECK(bench.read(axi_address(2, rtl::CFG_REGISTERS, rtl::CFG_OWN_WORDS)).data == 3);
  }
  REQUIRE(bench.write(length(2), 0) == kOkay);  // any length
  bench.inject(2, Words(64, 7));
  bench.drain();
  bench.pass(5);
  CHECK_FALSE(bench.status(rtl::AXI_BAD_PACKET));
}

TEST_CASE("AXI: if a packet's length is written within the packet, the one at each word counts") {
  // Words sent before each length is written, words sent after the last one; words taken, or none.
  struct Case {
    std::vector<std::array<std::uint32_t, 2>> lengths;
    std::size_t rest;
    std::uint32_t taken;
  };
  const std::uint64_t length = axi_address(1, rtl::AXI_PACKET, 0);
  for (const Case& c : {Case{{{3, 2}}, 7, 0}, Case{{{3, 2}}, 127, 0}, Case{{{3, 3}}, 1, 0},
                        Case{{{3, 2}, {0, 5}}, 2, 5}, Case{{{3, 2}, {1, 10}}, 6, 0},
                        Case{{{0, 3}, {3, 5}}, 2, 5}, Case{{{0, 5}, {3, 0}}, 5, 8}}) {
    Single bench(1, 10);
    REQUIRE(bench.write(axi_address(1, rtl::CFG_REGISTERS, rtl::CFG_OWN_WORDS), 1) == kOkay);
    for (const auto& [before, words] : c.lengths) {
      bench.inject(1, Words(before, 7), /*whole=*/false);
      bench.drain();
      REQUIRE(bench.write(length, words) == kOkay);
    }
    bench.inject(1, Words(c.rest, 7));
    bench.drain();
    bench.pass(5);
    CAPTURE(c.lengths, c.rest);
    CHECK(bench.status(rtl::AXI_BAD_PACKET) == (c.taken == 0));
    CHECK(bench.read(axi_address(1, rtl::CFG_REGISTERS, rtl::CFG_OWN_WORDS)).data ==
          std::max(c.taken, 1u));
  }
}

TEST_CASE(
    "AXI: a period waits for the end of a packet that has begun, also of one that is dropped") {
  const FabricImage image = forwards(3);
  const std::size_t begun = GENERATE(1u, 70u);
  Single bench(4, 10);
  inject_all(bench, image);
  REQUIRE(bench.commit(bench.tables(image)) == kOkay);
  bench.drain();
  bench.start();
  bench.finish();  // the packets have been sent, others may follow
  bench.inject(1, Words(begun, 9), /*whole=*/false);
  bench.drain();
  bench.start();
  bench.pass(100);
  CHECK(bench.control(rtl::AXI_PERIODS) == 1);
  CHECK(bench.packets(0).size() == 1);
  bench.inject(1, {9});
  bench.finish();
  CHECK(bench.control(rtl::AXI_PERIODS) == 2);
  CHECK(bench.packets(0).size() == 2);
}

TEST_CASE("AXI: the next period that begins answers all starts that were written before") {
  const FabricImage image = forwards(2);
  for (unsigned later = 0; later <= 200; later += 10) {
    Single bench(3, 0);
    inject_all(bench, image);
    REQUIRE(bench.commit(bench.tables(image)) == kOkay);
    bench.drain();
    bench.start(/*repeat=*/true);
    bench.start(/*repeat=*/true);  // requests one more period, which the repetition brings
    while (bench.control(rtl::AXI_PERIODS) < 3) bench.pass(1);
    bench.pass(later);
    REQUIRE(bench.write(axi_control(rtl::AXI_RUN), 0) == kOkay);
    const std::uint32_t stopped = bench.control(rtl::AXI_PERIODS);
    bench.finish();
    INFO("stopped " << later << " cycles after a period's end");
    CHECK(bench.control(rtl::AXI_PERIODS) <= stopped + 1);  // the running period is the last one
  }
}

TEST_CASE("AXI: a link can be killed, and its neighbour reports it") {
  const FabricImage image = forwards(2);
  Single bench(9, 10);
  const std::uint64_t dead = axi_address(0, rtl::CFG_REGISTERS, rtl::CFG_DEAD);
  inject_all(bench, image);
  REQUIRE(bench.commit(bench.tables(image)) == kOkay);
  bench.drain();
  for (const std::uint32_t ports : {3u, 0u}) {
    CHECK(bench.write(dead, ports) == kOkay);
    CHECK(bench.read(dead).data == ports);
    bench.start();
    bench.finish();
    CHECK(bench.status(rtl::AXI_ERROR) == (ports != 0));
    bench.control(rtl::AXI_IRQ, ~0u);
  }
}

TEST_CASE("AXI: a period with an error is the last one, and the error can be read") {
  FabricImage image = forwards(2);
  for (NodeProgram& program : image.programs) program.slots.front().receive = 0;
  Single bench(8, 10);
  inject_all(bench, image);
  REQUIRE(bench.commit(bench.tables(image)) == kOkay);
  bench.drain();
  bench.start(/*repeat=*/true);
  bench.finish();
  CHECK(bench.status(rtl::AXI_ERROR));
  CHECK(bench.control(rtl::AXI_PERIODS) == 1);
  CHECK(bench.read(axi_address(0, rtl::CFG_REGISTERS, rtl::CFG_FIRST_CODE)).data ==
        static_cast<unsigned>(rtl::error_e::ERR_UNEXPECTED));
}

TEST_CASE("AXI: one read names the lowest node that has failed") {
  const auto check = [](auto& bench, const FabricImage& good) {
    for (Node bad = 0; bad < good.topology.nodes(); ++bad) {
      FabricImage image = good;
      image.programs.push_back(image.programs[image.program_of[bad]]);
      image.programs.back().slots.front().receive = 0;
      image.program_of[bad] = static_cast<std::uint32_t>(image.programs.size()) - 1;
      bench.reset();
      CHECK(bench.control(rtl::AXI_FAILED) == 0);
      inject_all(bench, image);
      REQUIRE(bench.commit(bench.tables(image)) == kOkay);
      bench.drain();
      bench.start();
      bench.finish();
      Node lowest = 0;
      while (bench.read(axi_address(lowest, rtl::CFG_REGISTERS, rtl::CFG_ERRORS)).data == 0)
        ++lowest;
      CHECK(bench.control(rtl::AXI_FAILED) == lowest);
      CHECK(bench.control(rtl::AXI_FAILED, 0) == kSlverr);
    }
  };
  Single single(4, 20);
  check(single, forwards(2));
  Far far(5, 0);
  check(far, both_ways(2, kFar));
  Torus torus(6, 0);
  check(torus, on_torus(2));
}

TEST_CASE("AXI: no start erases an error that software has not cleared") {
  const FabricImage good = forwards(2);
  FabricImage bad = good;
  for (NodeProgram& program : bad.programs) program.slots.front().receive = 0;
  const bool repeat = GENERATE(false, true);
  const unsigned later = GENERATE(0u, 20u, 40u, 60u, 300u);  // the second start
  CAPTURE(repeat, later);
  Single bench(8, 0);
  inject_all(bench, good);
  REQUIRE(bench.commit(bench.tables(bad)) == kOkay);
  bench.drain();
  bench.start(repeat);
  bench.pass(later);
  bench.start(repeat);
  bench.finish();
  for (unsigned again = 0; again < 3; ++again) {
    CHECK(bench.status(rtl::AXI_ERROR));
    CHECK(bench.control(rtl::AXI_PERIODS) == 1);
    CHECK(bench.read(axi_address(0, rtl::CFG_REGISTERS, rtl::CFG_FIRST_CODE)).data ==
          static_cast<unsigned>(rtl::error_e::ERR_UNEXPECTED));
    CHECK(bench.start(repeat) == kSlverr);
    bench.finish();
  }
  REQUIRE(bench.commit(bench.tables(good)) == kOkay);
  bench.control(rtl::AXI_IRQ, 1u << rtl::AXI_IRQ_ERROR);
  for (std::uint32_t period = 2; period <= 3; ++period) {
    CHECK(bench.start() == kOkay);
    bench.finish();
    CHECK_FALSE(bench.status(rtl::AXI_ERROR));
    CHECK(bench.control(rtl::AXI_PERIODS) == period);
    CHECK(bench.packets(1).back() == arrivals(good)[1].back());
  }
}

}  // namespace gossamer::test
