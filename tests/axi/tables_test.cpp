// Transactions on rtl/axi/axi_fabric.sv: which tables are accepted, and which run.
#include <algorithm>

#include "axi/gossips.hpp"

namespace gossamer::test {

TEST_CASE(
    "AXI: broken tables are refused with a reason, those that run go on, and good ones follow") {
  const FabricImage first = forwards(2), second = backwards(2);
  const auto before = arrivals(first), after = arrivals(second);
  REQUIRE(before != after);
  const auto good = Single(1, 0).tables(second);
  const auto length = static_cast<std::uint32_t>(good.size());
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    Single bench(seed, seed * 10);
    inject_all(bench, first);
    REQUIRE(bench.commit(bench.tables(first)) == kOkay);
    bench.drain();
    bench.start(/*repeat=*/true);

    CHECK(bench.commit(good, length + 1, axi_checksum(good)) == kSlverr);
    CHECK(bench.status(rtl::AXI_BAD_LENGTH));
    CHECK_FALSE(bench.status(rtl::AXI_BAD_CHECKSUM));
    auto broken = good;
    broken[seed * 7 % length].data ^= 1u << seed;
    CHECK(bench.commit(broken, length, axi_checksum(good)) == kSlverr);
    CHECK(bench.status(rtl::AXI_BAD_CHECKSUM));
    auto swapped = good;  // two words of a node exchanged
    std::swap(swapped[1].address, swapped[2].address);
    CHECK(bench.commit(swapped, length, axi_checksum(good)) == kSlverr);
    CHECK_FALSE(bench.status(rtl::AXI_BAD_LENGTH));
    CHECK_FALSE(bench.status(rtl::AXI_PENDING));

    const std::uint32_t refused_at = bench.control(rtl::AXI_PERIODS);
    while (bench.control(rtl::AXI_PERIODS) < refused_at + 3) bench.pass(50);
    CHECK(bench.commit(good) == kOkay);
    while (bench.status(rtl::AXI_PENDING)) bench.pass(10);
    const std::uint32_t swapped_at = bench.control(rtl::AXI_PERIODS);
    while (bench.control(rtl::AXI_PERIODS) < swapped_at + 3) bench.pass(50);
    bench.control(rtl::AXI_RUN, 0);  // this period is the last one
    bench.finish();
    CHECK_FALSE(bench.status(rtl::AXI_ERROR));

    // Period by period, one packet per node: all from the first tables, then all from the second.
    const std::uint32_t periods = bench.control(rtl::AXI_PERIODS);
    for (Node x = 0; x < kNodes; ++x) REQUIRE(bench.packets(x).size() == periods);
    std::uint32_t old_periods = 0;
    bool swapped_already = false, pure = true;
    for (std::uint32_t p = 0; p < periods; ++p) {
      Arrivals period(kNodes);
      for (Node x = 0; x < kNodes; ++x) period[x] = {bench.packets(x)[p]};
      swapped_already = swapped_already || period == after;
      pure = pure && period == (swapped_already ? after : before);
      old_periods += !swapped_already;
    }
    CHECK(pure);
    CHECK(old_periods >= refused_at + 3);
    CHECK(periods - old_periods >= 3);
  }
}

TEST_CASE("AXI: the tables of the last commit that was accepted run, whatever was tried besides") {
  // Two tables with different results; commits between two periods, good and bad, with or without a
  // period in between.
  const std::array<FabricImage, 2> images{forwards(2), backwards(2)};
  std::array<std::vector<AxiWrite>, 2> tables;
  const NodeBuild build = Single(1, 0).build();
  std::array<Arrivals, 2> results;
  for (int i = 0; i < 2; ++i) {
    tables[i] = axi_table_writes(images[i], build);
    results[i] = arrivals(images[i]);
  }
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Single bench(seed, seed % 3 * 20);
    inject_all(bench, images[0]);
    bench.drain();
    REQUIRE(bench.commit(tables[0]) == kOkay);
    int runs = 0;  // the tables that run next
    for (int step = 0; step < 25; ++step) {
      const int next = static_cast<int>(random.below(2));
      const auto& good = tables[next];
      const auto length = static_cast<std::uint32_t>(good.size());
      switch (random.below(5)) {
        case 0:
          REQUIRE(bench.commit(good) == kOkay);
          runs = next;
          break;
        case 1: CHECK(bench.commit(good, length, axi_checksum(good) + 1) == kSlverr); break;
        case 2: CHECK(bench.commit(good, length + 1, axi_checksum(good)) == kSlverr); break;
        case 3:  // words without a commit
          bench.control(rtl::AXI_BEGIN, 1);
          for (const AxiWrite& w : good) REQUIRE(bench.write(w.address, w.data) == kOkay);
          break;
        default:  // twice: the second one has no transaction
          REQUIRE(bench.commit(good) == kOkay);
          CHECK(bench.control(rtl::AXI_COMMIT, 1) == kSlverr);
          runs = next;
      }
      if (random.chance(60)) {
        const auto before = came(bench);
        bench.start();
        bench.finish();
        const auto after = came(bench);
        CAPTURE(step, runs);
        for (Node x = 0; x < kNodes; ++x) {
          REQUIRE(after[x].size() == before[x].size() + 1);
          REQUIRE(after[x].back() == results[runs][x].back());
        }
      }
    }
    CHECK_FALSE(bench.status(rtl::AXI_ERROR));
  }
}

TEST_CASE("AXI: words written while arrivals are being sent out do not run without a commit") {
  const FabricImage first = forwards(2), second = backwards(2);
  Single bench(3, 0);
  inject_all(bench, first);
  bench.drain();
  REQUIRE(bench.commit(bench.tables(first)) == kOkay);
  bench.start(/*repeat=*/true);
  while (bench.control(rtl::AXI_PERIODS) < 2) bench.pass(10);
  for (const bool accepted : {false, true}) {
    CAPTURE(accepted);
    bench.block_sink(0, true);
    bench.pass(200);
    const std::uint32_t held_at = bench.control(rtl::AXI_PERIODS);
    const bool bank = bench.status(rtl::AXI_BANK);
    const auto tables = bench.tables(second);
    REQUIRE(bench.commit(tables, static_cast<std::uint32_t>(tables.size()),
                         axi_checksum(tables) + !accepted) == (accepted ? kOkay : kSlverr));
    CHECK_FALSE(bench.status(rtl::AXI_PENDING));  // no period is running: immediately
    CHECK(bench.status(rtl::AXI_BANK) == (bank != accepted));
    CHECK(bench.control(rtl::AXI_PERIODS) == held_at);
    bench.block_sink(0, false);
    while (bench.control(rtl::AXI_PERIODS) < held_at + 2) bench.pass(10);
    CHECK(came(bench)[1].back() == arrivals(accepted ? second : first)[1].back());
  }
  bench.control(rtl::AXI_RUN, 0);
  bench.finish();
  CHECK_FALSE(bench.status(rtl::AXI_ERROR));
}

TEST_CASE("AXI: words and commits belong to a transaction") {
  const FabricImage image = forwards(2);
  Single bench(4, 20);
  const auto tables = bench.tables(image);
  const auto length = static_cast<std::uint32_t>(tables.size());
  const auto word = [&] { return bench.write(tables[0].address, tables[0].data); };
  const auto commit = [&] { return bench.control(rtl::AXI_COMMIT, 1); };

  // No transaction is open after a reset.
  CHECK(word() == kSlverr);
  CHECK(bench.control(rtl::AXI_LENGTH) == 0);
  bench.control(rtl::AXI_LENGTH, 0);
  bench.control(rtl::AXI_CHECKSUM, 0);
  CHECK(commit() == kSlverr);  // though nothing was announced and nothing came
  CHECK_FALSE((bench.status(rtl::AXI_BAD_LENGTH) || bench.status(rtl::AXI_BAD_CHECKSUM)));
  CHECK_FALSE(bench.status(rtl::AXI_BANK));

  // A refused commit leaves it open: the missing words can follow.
  bench.control(rtl::AXI_LENGTH, length);
  bench.control(rtl::AXI_CHECKSUM, axi_checksum(tables));
  bench.control(rtl::AXI_BEGIN, 1);
  for (std::size_t i = 0; i + 1 < tables.size(); ++i) {
    REQUIRE(bench.write(tables[i].address, tables[i].data) == kOkay);
  }
  CHECK(commit() == kSlverr);
  CHECK(bench.status(rtl::AXI_BAD_LENGTH));
  REQUIRE(bench.write(tables.back().address, tables.back().data) == kOkay);
  CHECK(bench.control(rtl::AXI_LENGTH) == length);
  CHECK(commit() == kOkay);
  CHECK_FALSE((bench.status(rtl::AXI_BAD_LENGTH) || bench.status(rtl::AXI_BAD_CHECKSUM)));
  CHECK(bench.status(rtl::AXI_BANK));

  // An accepted commit closes it.
  CHECK(word() == kSlverr);
  CHECK(commit() == kSlverr);
  CHECK(bench.control(rtl::AXI_LENGTH) == length);  // the count stays readable
  CHECK(bench.control(rtl::AXI_CHECKSUM) == axi_checksum(tables));
  CHECK(bench.status(rtl::AXI_BANK));
}

TEST_CASE("AXI: while tables wait for their swap the next transaction opens, and its words wait") {
  const FabricImage first = forwards(4), second = backwards(4);
  Single bench(5, 0);
  inject_all(bench, first);
  bench.drain();
  REQUIRE(bench.commit(bench.tables(first)) == kOkay);
  // A long period: the table sets the slots' lengths.
  FabricImage slow = first;
  for (NodeProgram& program : slow.programs) {
    for (SlotEntry& e : program.slots) e.length = 5000;
  }
  REQUIRE(bench.commit(bench.tables(slow)) == kOkay);
  bench.start(/*repeat=*/true);
  const auto good = bench.tables(second);
  REQUIRE(bench.commit(good) == kOkay);
  REQUIRE(bench.status(rtl::AXI_PENDING));
  CHECK(bench.control(rtl::AXI_COMMIT, 1) == kSlverr);
  CHECK(bench.control(rtl::AXI_BEGIN, 1) == kOkay);
  CHECK(bench.write(good[0].address, good[0].data) == kSlverr);
  CHECK(bench.control(rtl::AXI_COMMIT, 1) == kSlverr);
  CHECK(bench.control(rtl::AXI_LENGTH) == 0);
  CHECK(bench.status(rtl::AXI_PENDING));
  while (bench.status(rtl::AXI_PENDING)) bench.pass(100);
  CHECK(bench.write(good[0].address, good[0].data) == kOkay);  // it is already open
  const std::uint32_t swapped_at = bench.control(rtl::AXI_PERIODS);
  while (bench.control(rtl::AXI_PERIODS) < swapped_at + 2) bench.pass(100);
  bench.control(rtl::AXI_RUN, 0);
  bench.finish();
  CHECK_FALSE(bench.status(rtl::AXI_ERROR));
  CHECK(came(bench)[2].back() == arrivals(second)[2].back());
}

TEST_CASE("AXI: tables that the nodes would not execute as they stand are not even written") {
  Single bench(1, 0);
  const auto refused = [&](const FabricImage& image, const std::string& why) {
    CHECK_THROWS_WITH(bench.tables(image), why);
  };
  FabricImage image = forwards(2);
  image.programs[0].slots.resize(16, image.programs[0].slots[0]);
  refused(image,
          "node 0: the number of entries in its slot table, with the end behind them, is 17; these "
          "nodes have at most 16");
  refused(forwards(22), "logs of 88 words are needed, but those of these nodes have 64");
  refused(both_ways(2),
          "tables for nodes of 2 ports, all-port full-duplex, 2 read channels, but these have 2 "
          "ports, single-port full-duplex, 1 read channel");
}

}  // namespace gossamer::test
