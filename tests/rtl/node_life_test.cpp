// The life of rtl/node/switch_node.sv: start pulses, restarts and writes at any time change nothing
// but what docs/hardware/table-format.md says. A run that is disturbed is compared with one that is
// not.
#include "Vswitch_node.h"
#include "Vswitch_node_adaptive.h"
#include "Vswitch_node_half.h"
#include "Vswitch_node_in_order.h"
#include "Vswitch_node_one_cycle.h"
#include "Vswitch_node_one_cycle_channels.h"
#include "catch.hpp"
#include "small_node.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

constexpr unsigned kCycles = 24;  // of a run, and some after it
constexpr std::uint32_t kOwnWords = 4;

/// The flits on the links into the node, cycle by cycle: random ones.
struct Stimulus {
  explicit Stimulus(std::uint32_t seed) {
    Random random(seed);
    for (unsigned t = 0; t < kCycles; ++t) {
      unsigned valid = 0;
      for (unsigned p = 0; p < 2; ++p) valid |= random.chance(40) << p;
      cycles.push_back({valid, random.below(4), random.word(), random.word()});
    }
  }
  struct Cycle {
    unsigned valid, last;
    std::uint32_t data[2];
  };
  std::vector<Cycle> cycles;
};

/// A node of one kind, with tables that send and receive on both ports in turn.
template <class Model>
struct Life {
  SmallNode<Model> node;
  std::uint32_t bank = 0;

  explicit Life(const NodeKind& kind, bool one_cycle) : node(kind) {
    SlotEntry left = sending({0, 2}), right = sending({2, 1});
    left.receive = 0b10;
    right.receive = 0b01;
    if (!one_cycle) {
      left.length = 4, left.stream = 2;
      right.length = 3, right.stream = 1;
      left.repeat = 2;
    }
    const Segment words{kind.own_log(), 0, kOwnWords};
    std::vector<std::vector<Segment>> lists(kind.channels, {words});
    if (kind.adaptive) {
      node.write(rtl::CFG_REGISTERS, rtl::CFG_PARTNER, 1);
      node.write(rtl::CFG_REGISTERS, rtl::CFG_PARTNER + 1, 2);
      lists = {{{kind.own_log(), 0, 1, 1, 7}}};
    }
    node.load(kOwnWords, lists, {left, right, right});
  }

  /// The node's outputs in a cycle, and its registers and logs at the end.
  std::vector<std::uint32_t> look() {
    auto& block = node.block();
    std::vector<std::uint32_t> seen{block->link_valid_o, block->done_o, block->error_o};
    for (unsigned p = 0; p < 2; ++p) {
      const bool valid = block->link_valid_o >> p & 1;
      seen.push_back(valid ? block->link_last_o >> p & 1 : 0);
      seen.push_back(valid ? tb::words(block->link_data_o)[p] : 0);
    }
    return seen;
  }
  std::vector<std::uint32_t> registers() {
    std::vector<std::uint32_t> all;
    for (const std::uint32_t r :
         {rtl::CFG_STATUS, rtl::CFG_OWN_WORDS, rtl::CFG_ERRORS, rtl::CFG_FIRST_CODE,
          rtl::CFG_FIRST_SLOT, rtl::CFG_FIRST_PORT, rtl::CFG_SHIFT, rtl::CFG_INITIATOR,
          rtl::CFG_PARTNER, rtl::CFG_PARTNER + 1}) {
      all.push_back(node.read(rtl::CFG_REGISTERS, r));
    }
    for (const std::uint32_t length : lengths()) all.push_back(length);
    for (unsigned m = 0; m < 8; ++m) all.push_back(node.read(rtl::CFG_ARRIVED, m));
    return all;
  }
  std::vector<std::uint32_t> lengths() {
    std::vector<std::uint32_t> all;
    if (node.kind().adaptive) return all;  // there it is the address of the next arrival
    for (unsigned g = 0; g < node.kind().logs(); ++g) {
      all.push_back(node.read(rtl::CFG_REGISTERS, rtl::CFG_LOG_LENGTH + g));
    }
    return all;
  }

  using Trace = std::vector<std::vector<std::uint32_t>>;

  /// A run from its start pulse on; `disturb(t)` may do anything in cycle t.
  template <class Disturb>
  Trace run(const Stimulus& stimulus, Disturb disturb, unsigned cycles = kCycles) {
    auto& block = node.block();
    Trace trace;
    for (unsigned t = 0; t < cycles; ++t) {
      block->start_i = t == 0;
      block->link_valid_i = stimulus.cycles[t].valid;
      block->link_last_i = stimulus.cycles[t].last;
      std::copy_n(stimulus.cycles[t].data, 2, tb::words(block->link_data_i));
      disturb(t);
      block.settle();
      trace.push_back(look());
      block.edge();
      node.end_transfer();
    }
    block->start_i = block->link_valid_i = 0;
    if (cycles == kCycles) trace.push_back(registers());
    return trace;
  }
  Trace run(const Stimulus& stimulus) {
    return run(stimulus, [](unsigned) {});
  }
};

void compare(const std::vector<std::vector<std::uint32_t>>& seen,
             const std::vector<std::vector<std::uint32_t>>& wanted) {
  for (std::size_t t = 0; t < wanted.size(); ++t) {
    CAPTURE(t);
    REQUIRE(seen[t] == wanted[t]);
  }
}

/// A run that nothing disturbs.
template <class Model>
auto undisturbed(const NodeKind& kind, bool one_cycle, const Stimulus& stimulus) {
  return Life<Model>(kind, one_cycle).run(stimulus);
}

template <class Model>
void start_pulses_count_once(const NodeKind& kind, bool one_cycle) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Stimulus stimulus(seed);
    const auto wanted = undisturbed<Model>(kind, one_cycle, stimulus);
    Life<Model> life(kind, one_cycle);
    Random random(seed);
    compare(life.run(stimulus,
                     [&](unsigned t) { life.node.block()->start_i = t == 0 || random.chance(30); }),
            wanted);
    // They are ignored in the cycles of a restart, too: nothing begins, and the logs stay.
    auto& block = life.node.block();
    const auto lengths = life.lengths();
    block->start_i = 1;
    life.node.restart();
    block->start_i = 0;
    for (int t = 0; t < 8; ++t) {
      block.edge();
      CHECK_FALSE((block->link_valid_o || block->done_o || block->error_o));
    }
    CHECK(life.lengths() == lengths);
    compare(life.run(stimulus), wanted);
  }
}

template <class Model>
void restarts_leave_nothing(const NodeKind& kind, bool one_cycle) {
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    const Stimulus stimulus(seed), before(seed + 100);
    const auto wanted = undisturbed<Model>(kind, one_cycle, stimulus);
    Life<Model> life(kind, one_cycle);
    auto& block = life.node.block();
    for (unsigned cut = 1; cut < kCycles; ++cut) {
      CAPTURE(seed, cut);
      life.run(
          before, [](unsigned) {}, cut);
      // The links stay busy in the three cycles.
      life.node.begin_transfer(true, rtl::CFG_CONTROL, 1);
      for (unsigned t = 0; t < 3; ++t) {
        block->link_valid_i = before.cycles[t].valid;
        block->link_last_i = before.cycles[t].last;
        block.edge();
        life.node.end_transfer();
        CHECK_FALSE(block->done_o);
        if (one_cycle || t > 0) CHECK_FALSE(block->error_o);
      }
      CHECK(block->link_valid_o == 0);
      compare(life.run(stimulus), wanted);
      life.node.restart();
    }
  }
}

template <class Model>
void writes_do_not_disturb(const NodeKind& kind, bool one_cycle) {
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    const Stimulus stimulus(seed);
    const auto wanted = undisturbed<Model>(kind, one_cycle, stimulus);
    Life<Model> life(kind, one_cycle);
    Random random(seed);
    // Only until the run has ended: writes after that have an effect.
    std::size_t end = 0;
    while (end < kCycles && wanted[end][1] == 0) ++end;
    const auto disturb = [&](unsigned t) {
      if (t >= end) return;
      const std::uint32_t tables = random.chance(50) ? rtl::CFG_SLOTS : rtl::CFG_LISTS;
      const std::uint32_t registers[] = {rtl::CFG_OWN_WORDS, rtl::CFG_SHIFT, rtl::CFG_INITIATOR,
                                         rtl::CFG_PARTNER, rtl::CFG_PARTNER + 1};
      switch (random.below(4)) {
        case 0:
          life.node.begin_transfer(true, tables << rtl::CFG_REGION_LSB | random.below(64),
                                   random.word());
          break;
        case 1: life.node.begin_transfer(true, registers[random.below(5)], random.below(8)); break;
        case 2:  // a read, even of the store
          life.node.begin_transfer(false, random.below(8) << rtl::CFG_REGION_LSB | random.below(8),
                                   0);
          break;
        default:  // without bit 0 there is no restart
          life.node.begin_transfer(true, rtl::CFG_CONTROL, 2);
      }
    };
    compare(life.run(stimulus, disturb), wanted);
    life.node.restart();  // the tables are unchanged
    compare(life.run(stimulus), wanted);
  }
}

}  // namespace

// Every kind of node, each with its own check.
#define FOR_EVERY_NODE(check)                                                              \
  SECTION("single port") { check<Vswitch_node>({2, true, false, 1}, false); }              \
  SECTION("half duplex, a channel a port, two banks") {                                    \
    check<Vswitch_node_half>({2, false, true, 2}, false);                                  \
  }                                                                                        \
  SECTION("adaptive") { check<Vswitch_node_adaptive>({2, false, false, 1, true}, false); } \
  SECTION("one cycle") { check<Vswitch_node_one_cycle>({2, true, false, 1}, true); }       \
  SECTION("one cycle, a channel a port") {                                                 \
    check<Vswitch_node_one_cycle_channels>({2, false, false, 2}, true);                    \
  }                                                                                        \
  SECTION("one cycle, in order") { check<Vswitch_node_in_order>({2, true, false, 1}, true); }

TEST_CASE("node's life: a start pulse changes nothing unless the node waits for it"){
    FOR_EVERY_NODE(start_pulses_count_once)}

TEST_CASE("node's life: whatever a restart interrupts, the next run is like the first one"){
    FOR_EVERY_NODE(restarts_leave_nothing)}

TEST_CASE("node's life: what is read and written during a run does not disturb it"){
    FOR_EVERY_NODE(writes_do_not_disturb)}

TEST_CASE("node's life: the bank that does not run can be written, and a restart changes to it") {
  const NodeKind kind{2, false, true, 2};
  SmallNode<Vswitch_node_half> node(kind);
  using Words = std::vector<std::uint32_t>;
  const Segment first{kind.own_log(), 0, 1}, second{kind.own_log(), 1, 1};
  SlotEntry slot = sending({0, 2});
  slot.length = 4;
  node.load(2, {{first}, {first}}, {slot}, 1);
  node.load(2, {{first}, {first}}, {slot}, 0);
  node.block()->start_i = 1;
  node.block().edge();  // bank 0 runs
  node.block()->start_i = 0;
  node.load(2, {{second}, {second}}, {slot}, 1);
  CHECK(node.run()[0] == Words{101});
  node.restart(0);
  CHECK(node.run()[0] == Words{100});
  node.restart(1);
  CHECK(node.run()[0] == Words{101});
}

TEST_CASE("node's life: dead outputs stay dead until the next start, however narrow the counter") {
  const NodeKind kind{2, true, false, 1};
  SmallNode<Vswitch_node_in_order> node(kind);  // it counts slots with one bit
  node.write(rtl::CFG_REGISTERS, rtl::CFG_DEAD, 0b01);
  node.write(rtl::CFG_REGISTERS, rtl::CFG_DEAD_AFTER, 1);
  node.load(4, {}, std::vector<SlotEntry>(4, sending({0, 2})));
  for (int again = 0; again < 2; ++again) {
    CHECK(node.run()[0] == std::vector<std::uint32_t>{100});
    node.restart();
  }
  node.write(rtl::CFG_REGISTERS, rtl::CFG_DEAD_AFTER, 2);  // does not fit: still 1
  CHECK(node.run()[0] == std::vector<std::uint32_t>{100});
}

TEST_CASE("node's life: an output that is killed in a run is dead from the next slot on") {
  const NodeKind kind{2, true, false, 1};
  for (unsigned at = 0; at <= 5; ++at) {
    SmallNode<Vswitch_node_one_cycle> node(kind);
    node.load(4, {{{kind.own_log(), 0, 4}}}, std::vector<SlotEntry>(4, sending({0, 2})));
    std::vector<std::uint32_t> sent, wanted;
    for (unsigned t = 0; t < 12; ++t) {
      node.block()->start_i = t == 0;
      if (t == at) node.begin_transfer(true, rtl::CFG_DEAD, 0b01);
      node.block().edge();
      node.end_transfer();
      if (node.block()->link_valid_o & 1) sent.push_back(tb::words(node.block()->link_data_o)[0]);
    }
    // Slot k is cycle 1+k.
    for (unsigned k = 0; k < 4 && 1 + k <= at; ++k) wanted.push_back(100 + k);
    CAPTURE(at);
    CHECK(sent == wanted);
  }
}
