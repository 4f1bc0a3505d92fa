// Nodes whose slots are one cycle long (ONE_CYCLE, IN_ORDER): how their blocks differ from others.
#include "Vlink_full_one_cycle.h"
#include "Vread_channel_in_order.h"
#include "Vsequencer_one_cycle.h"
#include "Vsequencer_one_cycle_single.h"
#include "Vsequencer_one_cycle_six.h"
#include "Vsequencer_one_cycle_unchecked.h"
#include "sequencer_runs.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

/// A slot that one-cycle nodes accept: it reads a word if an output asks for one. The length of the
/// stream does not matter then.
SlotEntry random_slot(Random& random, unsigned receives) {
  SlotEntry e = slot(1);
  for (Port o = 0; o < kPorts; ++o) {
    const Port source = random.below(2 * kPorts);
    if (source < kPorts) e.select[o] = source;
  }
  e.stream = local_outputs(e) != 0 ? random.between(1, 3) : 0;
  for (unsigned i = 0; i < receives; ++i) e.receive |= 1u << random.below(kPorts);
  return e;
}

/// The errors of one entry, the last one of its table. They are reported a cycle late.
template <class Model>
Cycle reported(SlotEntry e) {
  e.final = true;
  return Sequencer<Model>(1).run({slot(1), e}, 4)[rtl::TIME_START + 2];
}

}  // namespace

namespace {

template <class Model>
void run_random_tables() {
  Random random(1);
  Sequencer<Model> sequencer(2);
  for (int i = 0; i < 200; ++i) {
    std::vector<SlotEntry> table;
    const unsigned slots = random.between(1, 40);
    for (unsigned k = 0; k < slots; ++k) table.push_back(random_slot(random, 2));
    table.back().final = true;
    auto wanted = expected(table, 6, false, true);
    for (Cycle& c : wanted) c.last = true;  // every flit is a stream
    CAPTURE(i);
    compare(sequencer.run(table, wanted.size()), wanted);
  }
}

}  // namespace

TEST_CASE("one cycle: the sequencer walks its table an entry a cycle") {
  run_random_tables<Vsequencer_one_cycle>();
}

TEST_CASE(
    "one cycle: an entry that is longer, repeated or looped is malformed, reported one cycle "
    "late") {
  SlotEntry e = slot(1);
  e.select[2] = 2;
  e.stream = 1;
  CHECK_FALSE(reported<Vsequencer_one_cycle>(e).malformed);
  const auto bad = [&](auto change) {
    SlotEntry wrong = e;
    change(wrong);
    const auto seen = Sequencer<Vsequencer_one_cycle>(1).run({e, wrong, e, e, e}, 9);
    const std::size_t late = rtl::TIME_START + 2;
    for (std::size_t t = 0; t < seen.size(); ++t) {
      CAPTURE(t);
      CHECK(seen[t].malformed == (t == late));
      CHECK(seen[t].done == (t > late + 2));  // the next entry has begun already
      CHECK_FALSE(seen[t].cut);
    }
  };
  SECTION("no length") {
    bad([](SlotEntry& w) { w.length = 0; });
  }
  SECTION("two cycles long") {
    bad([](SlotEntry& w) { w.length = 2; });
  }
  SECTION("not even once") {
    bad([](SlotEntry& w) { w.repeat = 0; });
  }
  SECTION("twice") {
    bad([](SlotEntry& w) { w.repeat = 2; });
  }
  SECTION("a loop") {
    bad([](SlotEntry& w) { w.loop = true, w.loops = 1; });
  }
  SECTION("a word is sent but not read") {
    bad([](SlotEntry& w) { w.stream = 0; });
  }
  SECTION("a word is read but not sent") {
    bad([](SlotEntry& w) { w.select[2] = 1; });
  }
  for (Port code = kPorts + 1; code < 8; ++code) {
    DYNAMIC_SECTION("select code " << code) {
      bad([&](SlotEntry& w) { w.select[3] = code; });
    }
  }
}

TEST_CASE("one cycle: nodes built without checks of entries report nothing about one") {
  SlotEntry e = slot(1);
  e.repeat = 2;
  e.receive = 0b1111;
  for (const std::uint32_t stream : {0u, 1u}) {
    e.stream = stream;
    const Cycle seen = reported<Vsequencer_one_cycle_unchecked>(e);
    CHECK(reported<Vsequencer_one_cycle_single>(e).malformed);
    CHECK(reported<Vsequencer_one_cycle_single>(e).limit != 0);
    CHECK_FALSE(seen.malformed);
    CHECK(seen.limit == 0);
  }
}

TEST_CASE("one cycle: a loop ends nothing later than its table's final entry") {
  SlotEntry e = slot(1);
  e.final = e.loop = true;
  e.loops = 2;
  const auto seen = Sequencer<Vsequencer_one_cycle>(1).run({e, slot(1), slot(1)}, 8);
  CHECK(seen[rtl::TIME_START + 1].malformed);
  CHECK(seen.back().slot == 1);
}

TEST_CASE("one cycle: a single port of six, whichever two are used") {
  for (Port a = 0; a < 6; ++a) {
    for (Port b = 0; b < 6; ++b) {
      const NodeKind kind{6, true, false, 1};
      SlotEntry e;
      e.length = e.stream = 1;
      e.select.assign(6, select_none(kind));
      e.select[a] = select_local(a);
      e.select[b] = select_local(b);
      e.receive = 1u << a | 1u << b;
      Block<Vsequencer_one_cycle_six> block(1);
      const auto entry = encode(e, kind);
      std::copy(entry.begin(), entry.end(), tb::words(block->slot_data_i));
      block->start_i = 0;
      block.reset();
      block->start_i = 1;
      block.edge();
      block->start_i = 0;
      block.edge();
      block.settle();
      CAPTURE(a, b);
      CHECK(block->limit_o == (a == b ? 0 : e.receive));
    }
  }
}

TEST_CASE("one cycle: six ports, each output with each input, and with none once it has failed") {
  const NodeKind kind{6, true, false, 1};
  for (Port output = 0; output < 6; ++output) {
    for (Port source = 0; source < 6; ++source) {
      for (const bool fails : {false, true}) {
        CAPTURE(output, source, fails);
        SlotEntry e;
        e.length = 1;
        e.stream = source == output;
        e.select.assign(6, select_none(kind));
        e.select[output] = source;
        Block<Vsequencer_one_cycle_six> block(1);
        const auto entry = encode(e, kind);
        std::copy(entry.begin(), entry.end(), tb::words(block->slot_data_i));
        block->dead_i = fails ? 1u << output : 0;
        block->dead_after_i = 0;
        block->start_i = 0;
        block.reset();
        block->start_i = 1;
        block.edge();
        block->start_i = 0;
        block.edge();
        block.settle();
        for (Port o = 0; o < 6; ++o) {
          CHECK((block->select_o >> 3 * o & 7) == (o == output && !fails ? source : 6));
        }
        CHECK(block->forward_o ==
              (source == output ? 0 : 1u << source));  // it is taken all the same
      }
    }
  }
}

TEST_CASE("one cycle: the largest table, in which an output fails late or never") {
  constexpr unsigned kEntries = 1 << 16;  // blocks.mk
  std::vector<SlotEntry> table(kEntries, slot(1));
  for (unsigned i = 0; i < kEntries; ++i) table[i].select[3] = i % 3;
  table.back().final = true;
  Sequencer<Vsequencer_one_cycle> sequencer(1);
  for (const unsigned after : {50'000u, (1u << rtl::SLOT_REPEAT_W) - 1}) {
    sequencer.fail(0b1000, after);
    const auto seen = sequencer.run(table, rtl::TIME_START + kEntries + 4);
    std::size_t wrong = 0;
    for (std::size_t k = 0; k < kEntries; ++k) {
      const Cycle& cycle = seen[rtl::TIME_START + k];
      const unsigned source = k >= after ? 4 : table[k].select[3];
      wrong += cycle.slot != k || cycle.done || cycle.malformed ||
               seen[rtl::TIME_START + k + 1].select >> 9 != source;
    }
    CHECK(wrong == 0);
    CHECK(seen.back().slot == kEntries);
    CHECK(seen.back().done);
  }
}

TEST_CASE("one cycle: a node with a single port sends and receives once a slot") {
  for (unsigned outputs = 0; outputs < 16; ++outputs) {
    for (unsigned inputs = 0; inputs < 16; ++inputs) {
      SlotEntry e = slot(1);
      for (Port o = 0; o < kPorts; ++o) {
        if (outputs >> o & 1) e.select[o] = o;
      }
      e.stream = outputs != 0;
      e.receive = inputs;
      unsigned limit = 0;
      if (std::popcount(outputs) > 1) limit |= outputs;
      if (std::popcount(inputs) > 1) limit |= inputs;
      CAPTURE(outputs, inputs);
      CHECK(reported<Vsequencer_one_cycle_single>(e).limit == limit);
      CHECK(reported<Vsequencer_one_cycle>(e).limit == 0);
    }
  }
}

TEST_CASE("one cycle: an output that failed has no source, and the rest goes on") {
  std::vector<SlotEntry> table;
  for (int k = 0; k < 6; ++k) {
    SlotEntry e = slot(1, 1);
    e.select = {0, 0, 3, 1};
    table.push_back(e);
  }
  table.back().final = true;
  auto wanted = expected(table, 6, false, true);
  for (Cycle& c : wanted) c.last = true;
  SlotEntry without = table[0];
  without.select[0] = without.select[2] = kPorts;
  for (int k = 2; k < 6; ++k) wanted[rtl::TIME_START + k + 1].select = select_bits(without);
  Sequencer<Vsequencer_one_cycle> sequencer(1);
  sequencer.fail(0b0101, 2);
  compare(sequencer.run(table, wanted.size()), wanted);
}

TEST_CASE("one cycle: own words are read one after the other, without a list") {
  Random random(1);
  Block<Vread_channel_in_order> block(1);
  for (int run = 0; run < 5; ++run) {
    block->read_i = block->slot_close_i = 0;
    block->prime_i = 1;
    block.edge();
    block->prime_i = 0;
    std::uint32_t next = 0;
    for (int t = 0; t < 100; ++t) {
      CAPTURE(run, t);
      const bool read = random.chance(60), last = random.chance(50);
      block->read_i = read;
      block->last_i = last;
      block->slot_close_i = random.chance(50);
      // With anything on the list's port, even short runs, whose ends mean nothing here.
      for (unsigned w = 0; w < 4; ++w) tb::words(block->list_data_i)[w] = random.word();
      tb::words(block->list_data_i)[rtl::segment_t::run.lsb / 32] = random.between(1, 20)
                                                                    << rtl::segment_t::run.lsb % 32;
      block.settle();
      REQUIRE(bool(block->store_en_o) == read);
      REQUIRE_FALSE(block->exhausted_o);
      REQUIRE_FALSE(block->list_en_o);
      REQUIRE(block->store_log_o == 4);
      if (read) REQUIRE(block->store_addr_o == next++);
      block.edge();
      REQUIRE(bool(block->word_valid_o) == read);
      if (read) REQUIRE(bool(block->word_last_o) == last);
    }
  }
}

TEST_CASE("one cycle: every flit on a link is a stream, and every cycle a window") {
  Random random(1);
  Block<Vlink_full_one_cycle> block(1);
  block->tx_valid_i = block->link_valid_i = block->rx_begin_next_i = block->rx_expect_i =
      block->rx_forward_i = 0;
  block.reset();
  unsigned sent = 0, sent_last = 0, expect = 0;
  for (int t = 0; t < 5000; ++t) {
    CAPTURE(t);
    const unsigned flits = random.below(8), expect_next = random.below(8),
                   forward = random.below(8);
    const unsigned tx = random.below(8), tx_last = random.below(8);
    block->rx_close_i = random.chance(50);
    block->tx_close_i = random.chance(50);
    block->rx_begin_next_i = expect_next;
    block->rx_expect_i = expect;
    block->rx_forward_i = forward;
    block->link_valid_i = flits;
    block->link_last_i = random.below(8);
    block->tx_valid_i = tx;
    block->tx_last_i = tx_last;
    block.settle();
    REQUIRE(block->rx_take_o == (flits & expect));
    REQUIRE(block->missing_o == (expect & ~flits));
    REQUIRE(block->unexpected_o == (flits & ~expect & ~forward));
    REQUIRE(block->cut_o == 0);
    REQUIRE(block->tx_cut_o == 0);
    REQUIRE(block->link_valid_o == sent);
    REQUIRE((block->link_last_o & sent) == sent_last);
    block.edge();
    sent = tx;
    sent_last = tx & tx_last;
    expect = expect_next;
  }
}
