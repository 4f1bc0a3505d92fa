// rtl/node/sequencer.sv against a simple model: a program is a list of slots.
#include "Vsequencer.h"
#include "Vsequencer_adaptive.h"
#include "Vsequencer_half.h"
#include "Vsequencer_long.h"
#include "Vsequencer_narrow.h"
#include "Vsequencer_single.h"
#include "Vsequencer_single_half.h"
#include "Vsequencer_unchecked.h"
#include "sequencer_runs.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

/// A node whose slots may be so long that a loop's count has no room beside them.
const NodeKind kWide = [] {
  NodeKind kind = kKind;
  kind.wide = true;
  return kind;
}();

/// A slot that any sequencer allows: no more than one send or receive.
SlotEntry random_slot(Random& random) {
  SlotEntry e = slot(random.between(1, 5));
  e.stream = random.between(0, e.length);
  const Port output = random.below(kPorts);
  switch (random.below(4)) {
    case 0: e.select[output] = output; break;
    case 1: e.select[output] = (output + 1) % kPorts; break;
    case 2: e.receive = 1u << output; break;
    default: break;
  }
  return e;
}

/// A table of entries, repeated entries and loops over them, and the slots that it means.
struct Program {
  std::vector<SlotEntry> table, slots;
};

Program random_program(Random& random) {
  Program program;
  const unsigned parts = random.between(1, 4);
  for (unsigned part = 0; part < parts; ++part) {
    const unsigned body = random.between(1, 4);
    const unsigned passes = body == 1 || random.chance(50) ? 1 : random.between(1, 6);
    std::vector<SlotEntry> once;
    for (unsigned i = 0; i < body; ++i) {
      SlotEntry e = random_slot(random);
      e.repeat = random.between(1, 3);
      once.insert(once.end(), e.repeat, e);
      program.table.push_back(e);
    }
    if (passes > 1) {
      program.table.back().loop = true;
      program.table[program.table.size() - body].begins = true;
      program.table.back().loops = passes;
    }
    for (unsigned p = 0; p < passes; ++p) {
      program.slots.insert(program.slots.end(), once.begin(), once.end());
    }
  }
  program.table.back().final = true;
  return program;
}

template <class Model>
void run_random_programs(bool adaptive = false, const NodeKind& kind = kKind) {
  Random random(1);
  Sequencer<Model> sequencer(2, kind);
  for (int i = 0; i < 300; ++i) {
    const Program program = random_program(random);
    const auto wanted = expected(program.slots, 6, adaptive);
    CAPTURE(i);
    compare(sequencer.run(program.table, wanted.size()), wanted);
  }
}

/// Runs one final entry; returns the errors of its first cycle.
template <class Model>
Cycle first_cycle(SlotEntry e) {
  e.final = true;
  return Sequencer<Model>(1).run({e}, 2)[rtl::TIME_START];
}

}  // namespace

TEST_CASE(
    "sequencer: a slot of any length has its select one cycle later and its window two cycles "
    "later") {
  for (std::uint32_t length = 1; length <= 9; ++length) {
    for (std::uint32_t stream = 0; stream <= length; ++stream) {
      SlotEntry e = slot(length, stream);
      e.select[1] = 1;
      e.receive = 0b0100;
      e.final = true;
      const auto wanted = expected({e}, 6);
      CAPTURE(length, stream);
      compare(Sequencer<Vsequencer>(length).run({e}, wanted.size()), wanted);
    }
  }
}

TEST_CASE("sequencer: slots of one cycle follow one another without a gap") {
  std::vector<SlotEntry> table;
  for (Port p = 0; p < kPorts; ++p) {
    SlotEntry e = slot(1, p % 2);
    e.select[p] = p;
    e.receive = 1u << (p ^ 1);
    table.push_back(e);
  }
  table.back().final = true;
  const auto wanted = expected(table, 6);
  REQUIRE(wanted[rtl::TIME_START + kPorts + 4].done);
  compare(Sequencer<Vsequencer>(1).run(table, wanted.size()), wanted);
}

TEST_CASE("sequencer: one entry describes a whole ring rotation") {
  SlotEntry e = slot(3, 3);
  e.select[0] = 0;
  e.receive = 0b0010;
  const std::vector<SlotEntry> slots(1000, e);
  e.repeat = 1000;
  e.final = true;
  const auto wanted = expected(slots, 6);
  compare(Sequencer<Vsequencer>(1).run({e}, wanted.size()), wanted);
}

TEST_CASE("sequencer: entries, repeats and loops become the right slots") {
  SECTION("all ports, full duplex") { run_random_programs<Vsequencer>(); }
  SECTION("all ports, half duplex") { run_random_programs<Vsequencer_half>(); }
  SECTION("single port, full duplex") { run_random_programs<Vsequencer_single>(); }
  SECTION("single port, half duplex") { run_random_programs<Vsequencer_single_half>(); }
  SECTION("adaptive") { run_random_programs<Vsequencer_adaptive>(/*adaptive=*/true); }
  SECTION("lengths of 26 bits, whose upper ones stand where a loop has its count") {
    run_random_programs<Vsequencer_long>(/*adaptive=*/false, kWide);
  }
}

TEST_CASE("sequencer: a loop's count is no upper part of a length or of a stream") {
  SlotEntry a = slot(2, 1), b = slot(1, 1);
  a.select[0] = 0;
  b.select[1] = 1;
  a.begins = b.loop = b.final = true;
  b.loops = 0x3ff;  // ones where others have the upper bits of both
  std::vector<SlotEntry> slots;
  for (std::uint32_t pass = 0; pass < b.loops; ++pass) slots.insert(slots.end(), {a, b});
  const auto wanted = expected(slots, 6);
  compare(Sequencer<Vsequencer_long>(1, kWide).run({a, b}, wanted.size()), wanted);
}

TEST_CASE("sequencer: the upper bits of a length and of a stream count") {
  constexpr std::uint32_t kUpper = 1u << rtl::SLOT_LEN_W;
  constexpr std::uint32_t kSome = 100;  // cycles that are looked at
  const auto sends = [](std::uint32_t length, std::uint32_t stream) {
    SlotEntry e = slot(length, stream);
    e.select[0] = 0;
    e.final = true;
    return e;
  };
  const auto first = [](std::vector<Cycle> cycles) {
    cycles.resize(kSome);
    return cycles;
  };
  SECTION("of both") {
    const auto wanted = first(expected({sends(2 * kSome, 2 * kSome)}, 6));
    compare(Sequencer<Vsequencer_long>(1, kWide).run({sends(3 * kUpper, 3 * kUpper)}, kSome),
            wanted);
  }
  SECTION("of the length alone") {
    const auto wanted = first(expected({sends(2 * kSome, 5)}, 6));
    compare(Sequencer<Vsequencer_long>(1, kWide).run({sends(2 * kUpper + 5, 5)}, kSome), wanted);
  }
}

TEST_CASE("sequencer: a final entry that ends a loop is final only after the last pass") {
  SlotEntry a = slot(2, 2), b = slot(3, 1);
  a.select[0] = 0;
  b.select[1] = 1;
  const auto wanted = expected({a, b, a, b, a, b}, 6);
  b.loop = b.final = true;
  b.loops = 3;
  a.begins = true;
  compare(Sequencer<Vsequencer>(1).run({a, b}, wanted.size()), wanted);
}

TEST_CASE("sequencer: a table can be run again after a reset, from its first entry") {
  Random random(5);
  Sequencer<Vsequencer> sequencer(1);
  const Program program = random_program(random);
  const auto wanted = expected(program.slots, 6);
  compare(sequencer.run(program.table, wanted.size()), wanted);
  sequencer.run(program.table, 4);  // not to its end
  compare(sequencer.run(program.table, wanted.size()), wanted);
}

TEST_CASE("sequencer: a stream as long as its slot is legal, one flit more is cut") {
  for (std::uint32_t length = 1; length <= 4; ++length) {
    for (std::uint32_t stream = 0; stream <= length + 2; ++stream) {
      for (const Port source : {2u, 3u, kPorts}) {  // the store, an input, nothing: all the same
        SlotEntry e = slot(length, stream);
        e.select[2] = source;
        e.repeat = 2;
        e.final = true;
        const auto seen = Sequencer<Vsequencer>(1).run({e}, 2 * length + 4);
        for (std::size_t t = 0; t < seen.size(); ++t) {
          CAPTURE(length, stream, source, t);
          const std::size_t first_end = rtl::TIME_START + length - 1;
          const bool slot_ends = t == first_end || t == first_end + length;
          CHECK(seen[t].cut == (stream > length && slot_ends));
        }
      }
    }
  }
}

TEST_CASE("sequencer: lengths around the largest number that the node can count") {
  for (const std::uint32_t length : {13u, 14u, 15u}) {  // it counts in 4 bits
    for (const std::uint32_t stream : {0u, 1u, 2u, 13u, 14u, 15u}) {
      SlotEntry e = slot(length, stream);
      e.select[1] = 1;
      e.final = true;
      const auto seen = Sequencer<Vsequencer_narrow>(1).run({e}, length + 6);
      for (std::size_t t = 0; t < seen.size(); ++t) {
        CAPTURE(length, stream, t);
        const bool reads = t >= rtl::TIME_START && t < rtl::TIME_START + std::min(length, stream);
        const bool ends = t == rtl::TIME_START + length - 1;
        CHECK(seen[t].read == reads);
        CHECK(seen[t].close == ends);
        CHECK(seen[t].cut == (ends && stream > length));
      }
    }
  }
}

TEST_CASE("sequencer: a malformed entry is reported, and ends the table") {
  SlotEntry e = slot(3);
  const auto bad = [&](auto change) {
    SlotEntry wrong = e;
    change(wrong);
    Sequencer<Vsequencer> sequencer(1);
    const auto seen = sequencer.run({e, wrong, e}, 12);
    const std::size_t opening = rtl::TIME_START + e.length;
    for (std::size_t t = 0; t < seen.size(); ++t) {
      CAPTURE(t);
      CHECK(seen[t].malformed == (t == opening));
      CHECK(seen[t].done == (t >= opening + 5));  // as after a slot of one cycle
    }
  };
  SECTION("no length") {
    bad([](SlotEntry& w) { w.length = 0; });
  }
  SECTION("no repetition") {
    bad([](SlotEntry& w) { w.repeat = 0; });
  }
  SECTION("a loop without a pass") {
    bad([](SlotEntry& w) { w.loop = true, w.loops = 0; });
  }
  SECTION("a loop with a single pass") {
    bad([](SlotEntry& w) { w.loop = true, w.loops = 1; });
  }
  SECTION("a loop that begins where it ends") {
    bad([](SlotEntry& w) { w.begins = w.loop = true, w.loops = 2; });
  }
  for (Port code = kPorts + 1; code < 8; ++code) {
    DYNAMIC_SECTION("select code " << code) {
      bad([&](SlotEntry& w) { w.select[3] = code; });
    }
  }
}

TEST_CASE("sequencer: the largest table, whose last two entries are a loop") {
  constexpr unsigned kEntries = 1 << 16, kPasses = 3;  // blocks.mk
  std::vector<SlotEntry> table(kEntries, slot(1));
  for (unsigned i = 0; i < kEntries; ++i) table[i].receive = i * 0x9e3779b9u >> 28;
  table[kEntries - 2].begins = table.back().loop = table.back().final = true;
  table.back().loops = kPasses;
  constexpr std::size_t kSlots = kEntries + 2 * (kPasses - 1);
  const auto seen = Sequencer<Vsequencer>(1).run(table, rtl::TIME_START + kSlots + 6);
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < kSlots; ++k) {
    const std::size_t entry = k < kEntries ? k : kEntries - 2 + k % 2;
    const Cycle& cycle = seen[rtl::TIME_START + k];
    wrong += cycle.slot != k || cycle.done || cycle.malformed ||
             seen[rtl::TIME_START + k + 2].expect != table[entry].receive;
  }
  CHECK(wrong == 0);
  CHECK(seen.back().slot == kSlots);
  CHECK(seen.back().done);
}

TEST_CASE("sequencer: a loop begins with the entry that says so, the first one with the table") {
  for (const bool begins : {false, true}) {
    SlotEntry a = slot(2), b = slot(1), c = slot(3), end = slot(1);
    b.begins = begins;
    end.loop = true;
    end.loops = 2;
    SlotEntry last = slot(4);
    last.final = true;
    const auto wanted = begins ? expected({a, b, c, end, b, c, end, last}, 6)
                               : expected({a, b, c, end, a, b, c, end, last}, 6);
    compare(Sequencer<Vsequencer>(1).run({a, b, c, end, last}, wanted.size()), wanted);
  }
  SlotEntry alone = slot(1), last = slot(3);  // entry 0 in a loop of its own
  alone.loop = last.final = true;
  alone.loops = 3;
  const auto wanted = expected({alone, alone, alone, last}, 6);
  compare(Sequencer<Vsequencer>(1).run({alone, last}, wanted.size()), wanted);
}

TEST_CASE("sequencer: port and duplex limits") {
  SlotEntry two_sends = slot(2, 2);
  two_sends.select[1] = 1;
  two_sends.select[3] = 3;
  CHECK(first_cycle<Vsequencer>(two_sends).limit == 0);
  CHECK(first_cycle<Vsequencer_half>(two_sends).limit == 0);
  CHECK(first_cycle<Vsequencer_single>(two_sends).limit == 0b1010);
  CHECK(first_cycle<Vsequencer_single_half>(two_sends).limit == 0b1010);

  SlotEntry two_receives = slot(2);
  two_receives.receive = 0b0101;
  CHECK(first_cycle<Vsequencer>(two_receives).limit == 0);
  CHECK(first_cycle<Vsequencer_half>(two_receives).limit == 0);
  CHECK(first_cycle<Vsequencer_single>(two_receives).limit == 0b0101);

  SlotEntry both_ways = slot(2, 2);  // on one link
  both_ways.select[2] = 2;
  both_ways.receive = 0b0100;
  CHECK(first_cycle<Vsequencer>(both_ways).limit == 0);
  CHECK(first_cycle<Vsequencer_single>(both_ways).limit == 0);
  CHECK(first_cycle<Vsequencer_half>(both_ways).limit == 0b0100);
  CHECK(first_cycle<Vsequencer_single_half>(both_ways).limit == 0b0100);

  SlotEntry send_and_receive = slot(2, 2);  // on two links
  send_and_receive.select[2] = 2;
  send_and_receive.receive = 0b0001;
  CHECK(first_cycle<Vsequencer_half>(send_and_receive).limit == 0);
  CHECK(first_cycle<Vsequencer_single>(send_and_receive).limit == 0);
  CHECK(first_cycle<Vsequencer_single_half>(send_and_receive).limit == 0b0101);

  SlotEntry back_and_forth = slot(2);  // a circuit that comes and goes on one half-duplex link
  back_and_forth.select[0] = 1;
  back_and_forth.select[1] = 0;
  CHECK(first_cycle<Vsequencer>(back_and_forth).limit == 0);
  CHECK(first_cycle<Vsequencer_half>(back_and_forth).limit == 0b0011);
}

TEST_CASE("sequencer: without a loop its count means nothing") {
  SlotEntry e = slot(2);
  e.loops = 0;
  CHECK_FALSE(first_cycle<Vsequencer>(e).malformed);
}

TEST_CASE("sequencer: dead outputs have no source from their slot on; everything else continues") {
  SlotEntry e = slot(3, 2);
  e.select = {0, 0, 3, 4};
  e.repeat = 6;
  e.final = true;
  auto wanted = expected(std::vector<SlotEntry>(6, e), 6);
  SlotEntry without = e;
  without.select[0] = without.select[2] = kPorts;
  for (std::size_t t = rtl::TIME_START + 2 * 3; t < rtl::TIME_START + 6 * 3; ++t) {
    wanted[t + 1].select = select_bits(without);
  }
  Sequencer<Vsequencer> sequencer(1);
  sequencer.fail(0b0101, 2);
  compare(sequencer.run({e}, wanted.size()), wanted);
}

TEST_CASE("sequencer: an entry that needs more bits than the node counts in is malformed") {
  // This node has 4 bits for each, and 8 entries.
  const auto malformed = [](auto change) {
    SlotEntry e = slot(15, 15);
    e.repeat = e.loops = 15;
    change(e);
    return first_cycle<Vsequencer_narrow>(e).malformed;
  };
  CHECK_FALSE(malformed([](SlotEntry&) {}));
  for (unsigned bit = 4; bit < rtl::SLOT_LEN_W; ++bit) {
    CAPTURE(bit);
    CHECK(malformed([&](SlotEntry& e) { e.length |= 1u << bit; }));
    CHECK(malformed([&](SlotEntry& e) { e.stream |= 1u << bit; }));
    if (bit >= rtl::SLOT_REPEAT_W) continue;
    CHECK(malformed([&](SlotEntry& e) { e.repeat |= 1u << bit; }));
    CHECK(malformed([&](SlotEntry& e) { e.loops |= 1u << bit; }));
  }
}

TEST_CASE("sequencer: dead outputs stay dead when the number of slots wraps around") {
  SlotEntry e = slot(1, 1);
  e.select[0] = 0;
  const std::vector<SlotEntry> slots(40, e);  // the number has 4 bits
  auto wanted = expected(slots, 6);
  e.repeat = 10;
  SlotEntry last = e;
  last.loop = last.final = true;
  last.loops = 2;
  e.begins = true;
  SlotEntry without = e;
  without.select[0] = kPorts;
  Sequencer<Vsequencer_narrow> sequencer(1);
  sequencer.fail(0b0001, 3);
  for (std::size_t t = 0; t < wanted.size(); ++t) wanted[t].slot %= 16;
  for (std::size_t t = rtl::TIME_START + 3; t < rtl::TIME_START + 40; ++t) {
    wanted[t + 1].select = select_bits(without);
  }
  for (int again = 0; again < 2; ++again) {  // in the next run they live again
    compare(sequencer.run({e, last}, wanted.size()), wanted);
  }
}

TEST_CASE("sequencer: built without the checks of entries it reports nothing") {
  SlotEntry e = slot(1, 5);
  e.select = {0, 1, 7, 4};
  e.receive = 0b1111;
  e.repeat = 0;
  const Cycle seen = first_cycle<Vsequencer_unchecked>(e);
  CHECK_FALSE(seen.malformed);
  CHECK_FALSE(seen.cut);
  CHECK(seen.limit == 0);
}
