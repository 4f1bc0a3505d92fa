// rtl/sequencer.sv against a model that knows only this: a program is a list of slots.
#include <fmt/format.h>

#include "Vsequencer.h"
#include "Vsequencer_half.h"
#include "Vsequencer_single.h"
#include "Vsequencer_single_half.h"
#include "block.hpp"
#include "catch.hpp"
#include "tables/node_program.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

constexpr Port kPorts = 4;
const NodeKind kKind{kPorts, false, false, 1};

/// What the sequencer shows in one cycle.
struct Cycle {
  unsigned local = 0;
  bool last = false;  ///< of interest only while a word is read
  bool close = false;
  unsigned select = 0, forward = 0;
  bool tx_close = false;
  unsigned expect = 0;
  bool rx_open = false, rx_close = false;
  std::uint32_t slot = 0;
  bool done = false, malformed = false, cut = false;
  unsigned limit = 0;

  std::string text() const {
    return fmt::format(
        "local {:04b}{} {} | select {:03x} forward {:04b} {} | expect {:04b} {} {} | slot {} {} {} "
        "{} limit {:04b}",
        local, local != 0 && last ? " last" : "", close ? "close" : "-", select, forward,
        tx_close ? "close" : "-", expect, rx_open ? "open" : "-", rx_close ? "close" : "-", slot,
        done ? "done" : "-", malformed ? "malformed" : "-", cut ? "cut" : "-", limit);
  }
};

/// Runs a table for some cycles, from the start pulse on.
template <class Model>
class Sequencer {
 public:
  explicit Sequencer(std::uint32_t seed) : block_(seed) {}

  std::vector<Cycle> run(const std::vector<SlotEntry>& table, std::size_t cycles) {
    table_.clear();
    for (const SlotEntry& e : table) table_.push_back(encode(e, kKind));
    block_->start_i = 0;
    block_.reset_with([this] { clock(); });
    std::vector<Cycle> seen;
    for (std::size_t t = 0; t < cycles; ++t) {
      block_->start_i = t == 0;
      block_.settle();
      seen.push_back(look());
      clock();
    }
    return seen;
  }

 private:
  /// An edge, at which the table's memory takes the address.
  void clock() {
    block_.settle();
    const bool enable = block_->slot_en_o;
    const std::size_t address = block_->slot_addr_o;
    block_.edge();
    if (!enable) return;
    const auto entry = address < table_.size() ? table_[address] : std::vector<std::uint32_t>(4);
    std::copy(entry.begin(), entry.end(), tb::words(block_->slot_data_i));
  }

  Cycle look() {
    Cycle c;
    c.local = block_->local_o;
    c.last = block_->stream_last_o;
    c.close = block_->slot_close_o;
    c.select = block_->select_o;
    c.forward = block_->forward_o;
    c.tx_close = block_->tx_close_o;
    c.expect = block_->expect_o;
    c.rx_open = block_->rx_open_o;
    c.rx_close = block_->rx_close_o;
    c.slot = block_->slot_o;
    c.done = block_->done_o;
    c.malformed = block_->malformed_o;
    c.cut = block_->cut_o;
    c.limit = block_->limit_o;
    return c;
  }

  Block<Model> block_;
  std::vector<std::vector<std::uint32_t>> table_;
};

unsigned select_bits(const SlotEntry& e) {
  unsigned bits = 0;
  for (Port o = 0; o < kPorts; ++o) bits |= e.select[o] << (3 * o);
  return bits;
}
unsigned local_outputs(const SlotEntry& e) {
  unsigned outputs = 0;
  for (Port o = 0; o < kPorts; ++o) outputs |= (e.select[o] == o) << o;
  return outputs;
}
unsigned forwarded_inputs(const SlotEntry& e) {
  unsigned inputs = 0;
  for (Port o = 0; o < kPorts; ++o) {
    if (e.select[o] != o && e.select[o] < kPorts) inputs |= 1u << e.select[o];
  }
  return inputs;
}

/// What a list of slots should look like, cycle by cycle from the start pulse on: reads in the
/// slot's own cycles, the select one cycle later, the receive window two.
std::vector<Cycle> expected(const std::vector<SlotEntry>& slots, std::size_t tail) {
  std::size_t length = rtl::TIME_START;
  for (const SlotEntry& e : slots) length += e.length;
  std::vector<Cycle> cycles(length + tail);
  const SlotEntry nothing{.select = std::vector<Port>(kPorts, kPorts)};
  for (Cycle& c : cycles) c.select = select_bits(nothing);

  std::size_t begin = rtl::TIME_START;
  for (const SlotEntry& e : slots) {
    const std::size_t end = begin + e.length;
    for (std::size_t t = begin; t < end; ++t) {
      if (t - begin < e.stream) cycles[t].local = local_outputs(e);
      cycles[t].last = t - begin + 1 == e.stream;
      cycles[t + 1].select = select_bits(e);
      cycles[t + 1].forward = forwarded_inputs(e);
      cycles[t + 2].expect = static_cast<unsigned>(e.receive);
    }
    cycles[end - 1].close = true;
    cycles[end].tx_close = true;
    cycles[begin + 2].rx_open = true;
    cycles[end + 1].rx_close = true;
    for (std::size_t t = end; t < cycles.size(); ++t) ++cycles[t].slot;
    begin = end;
  }
  // Done once the last receive window has closed.
  for (std::size_t t = begin + 2; t < cycles.size(); ++t) cycles[t].done = true;
  return cycles;
}

void compare(const std::vector<Cycle>& seen, const std::vector<Cycle>& wanted) {
  for (std::size_t t = 0; t < wanted.size(); ++t) {
    CAPTURE(t);
    REQUIRE(seen[t].text() == wanted[t].text());
  }
}

SlotEntry slot(std::uint32_t length, std::uint32_t stream = 0) {
  SlotEntry e;
  e.length = length;
  e.stream = stream;
  e.select.assign(kPorts, kPorts);
  return e;
}

/// A slot that any sequencer allows: no more than one send or receive.
SlotEntry random_slot(Random& random) {
  SlotEntry e = slot(random.between(1, 5));
  e.stream = random.between(0, e.length);
  const Port output = random.below(kPorts);
  switch (random.below(4)) {
    case 0:
      e.select[output] = output;
      break;
    case 1:
      e.select[output] = (output + 1) % kPorts;
      break;
    case 2:
      e.receive = 1u << output;
      break;
    default:
      break;
  }
  return e;
}

/// A table of entries, repeated entries and loops over them, and the slots that it stands for.
struct Program {
  std::vector<SlotEntry> table, slots;
};

Program random_program(Random& random) {
  Program program;
  const unsigned parts = random.between(1, 4);
  for (unsigned part = 0; part < parts; ++part) {
    const unsigned passes = random.chance(50) ? 1 : random.between(1, 4);
    const unsigned body = random.between(1, 4);
    std::vector<SlotEntry> once;
    for (unsigned i = 0; i < body; ++i) {
      SlotEntry e = random_slot(random);
      e.repeat = random.between(1, 3);
      once.insert(once.end(), e.repeat, e);
      program.table.push_back(e);
    }
    if (passes > 1 || random.chance(20)) {
      program.table.back().loop = true;
      program.table.back().back = body - 1;
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
void run_random_programs() {
  Random random(1);
  Sequencer<Model> sequencer(2);
  for (int i = 0; i < 300; ++i) {
    const Program program = random_program(random);
    const auto wanted = expected(program.slots, 6);
    CAPTURE(i);
    compare(sequencer.run(program.table, wanted.size()), wanted);
  }
}

/// Runs one final entry; what is told in its first cycle.
template <class Model>
Cycle first_cycle(SlotEntry e) {
  e.final = true;
  return Sequencer<Model>(1).run({e}, 2)[rtl::TIME_START];
}

}  // namespace

TEST_CASE("sequencer: a slot of every length, its select one cycle later, its window two") {
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
  REQUIRE(wanted[rtl::TIME_START + kPorts + 2].done);
  compare(Sequencer<Vsequencer>(1).run(table, wanted.size()), wanted);
}

TEST_CASE("sequencer: one entry stands for a whole ring rotation") {
  SlotEntry e = slot(3, 3);
  e.select[0] = 0;
  e.receive = 0b0010;
  const std::vector<SlotEntry> slots(1000, e);
  e.repeat = 1000;
  e.final = true;
  const auto wanted = expected(slots, 6);
  compare(Sequencer<Vsequencer>(1).run({e}, wanted.size()), wanted);
}

TEST_CASE("sequencer: entries, repeats and loops are the slots that they stand for") {
  SECTION("all ports, full duplex") { run_random_programs<Vsequencer>(); }
  SECTION("all ports, half duplex") { run_random_programs<Vsequencer_half>(); }
  SECTION("single port, full duplex") { run_random_programs<Vsequencer_single>(); }
  SECTION("single port, half duplex") { run_random_programs<Vsequencer_single_half>(); }
}

TEST_CASE("sequencer: a final entry that ends a loop is final only after the last pass") {
  SlotEntry a = slot(2, 2), b = slot(3, 1);
  a.select[0] = 0;
  b.select[1] = 1;
  const auto wanted = expected({a, b, a, b, a, b}, 6);
  b.loop = b.final = true;
  b.loops = 3;
  b.back = 1;
  compare(Sequencer<Vsequencer>(1).run({a, b}, wanted.size()), wanted);
}

TEST_CASE("sequencer: a table can be run again after a reset, from its first entry") {
  Random random(5);
  Sequencer<Vsequencer> sequencer(1);
  const Program program = random_program(random);
  const auto wanted = expected(program.slots, 6);
  compare(sequencer.run(program.table, wanted.size()), wanted);
  sequencer.run(program.table, 4);  // broken off
  compare(sequencer.run(program.table, wanted.size()), wanted);
}

TEST_CASE("sequencer: a stream as long as its slot is legal, one flit more is cut") {
  for (std::uint32_t length = 1; length <= 4; ++length) {
    SlotEntry e = slot(length, length);
    e.select[2] = 2;
    CHECK_FALSE(first_cycle<Vsequencer>(e).cut);
    ++e.stream;
    CHECK(first_cycle<Vsequencer>(e).cut);
  }
}

TEST_CASE("sequencer: a malformed entry is told, and ends the table") {
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
      CHECK(seen[t].done == (t >= opening + 2));  // the slot before has closed its window
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
  SECTION("a loop from before the table") {
    bad([](SlotEntry& w) { w.loop = true, w.loops = 1, w.back = 2; });
  }
  for (Port code = kPorts + 1; code < 8; ++code) {
    DYNAMIC_SECTION("select code " << code) {
      bad([&](SlotEntry& w) { w.select[3] = code; });
    }
  }
}

TEST_CASE("sequencer: a loop back to the very first entry is legal, one further is not") {
  SlotEntry e = slot(2);
  SlotEntry end = e;
  end.loop = true;
  end.loops = 2;
  end.back = 1;
  const auto wanted = expected({e, end, e, end, e}, 6);
  SlotEntry last = e;
  last.final = true;
  compare(Sequencer<Vsequencer>(1).run({e, end, last}, wanted.size()), wanted);
  end.back = 2;
  CHECK(Sequencer<Vsequencer>(1).run({e, end, last}, 6)[rtl::TIME_START + 2].malformed);
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
