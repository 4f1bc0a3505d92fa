// rtl/node/switch_node.sv, filled and read over its configuration port: properties that only some
// variants of the node have.
#include "Vswitch_node.h"
#include "Vswitch_node_adaptive.h"
#include "Vswitch_node_half.h"
#include "Vswitch_node_large.h"
#include "Vswitch_node_large_adaptive.h"
#include "Vswitch_node_one_cycle.h"
#include "Vswitch_node_one_cycle_channels.h"
#include "catch.hpp"
#include "errors.hpp"
#include "small_node.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

using Words = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("switch node: built without faults, its outputs cannot be made to fail") {
  const NodeKind kind{2, true, false, 1};
  SmallNode<Vswitch_node> node(kind);
  node.write(rtl::CFG_REGISTERS, rtl::CFG_DEAD, 0b11);
  node.load(2, {{{kind.own_log(), 0, 2}}}, {sending({0, 2}), sending({2, 1})});
  const auto sent = node.run();
  CHECK(sent[0] == Words{100});
  CHECK(sent[1] == Words{101});
  CHECK_FALSE(node.block()->error_o);
  CHECK(node.read(rtl::CFG_ARRIVED, 0) == 0);  // only adaptive nodes have this
  node.write(rtl::CFG_REGISTERS, rtl::CFG_PARTNER, 5);
  CHECK(node.read(rtl::CFG_REGISTERS, rtl::CFG_PARTNER) == 0);
  // An unexpected flit: one error code is enough.
  node.block()->link_valid_i = 1;
  for (int i = 0; i < 2; ++i) node.block().edge();
  CHECK(node.block()->error_o);
}

TEST_CASE("switch node: an output fails after the number of slots written to it") {
  const NodeKind kind{2, true, false, 1};
  SmallNode<Vswitch_node_one_cycle> node(kind);
  node.write(rtl::CFG_REGISTERS, rtl::CFG_DEAD, 0b11);
  node.write(rtl::CFG_REGISTERS, rtl::CFG_DEAD_AFTER, 1);
  node.load(2, {{{kind.own_log(), 0, 2}}}, {sending({0, 2}), sending({2, 1})});
  const auto sent = node.run();
  CHECK(sent[0] == Words{100});
  CHECK(sent[1].empty());
}

TEST_CASE("switch node: one-cycle nodes report a word that is not there at port 0") {
  const NodeKind kind{2, true, false, 1};
  SmallNode<Vswitch_node_one_cycle> node(kind);
  node.load(1, {{{kind.own_log(), 0, 2}}}, {sending({0, 2}), sending({2, 1})});
  node.run();
  CHECK(node.read(rtl::CFG_REGISTERS, rtl::CFG_FIRST_CODE) == code(ERR_UNWRITTEN));
  CHECK(node.read(rtl::CFG_REGISTERS, rtl::CFG_FIRST_SLOT) == 1);
  CHECK(node.read(rtl::CFG_REGISTERS, rtl::CFG_FIRST_PORT) == 0);
}

TEST_CASE("switch node: one-cycle nodes with a channel for each port read for those that send") {
  const NodeKind kind{2, false, false, 2};
  SmallNode<Vswitch_node_one_cycle_channels> node(kind);
  const Segment all{kind.own_log(), 0, 3};
  node.load(3, {{all}, {all}}, {sending({0, 2}), sending({0, 1}), sending({2, 1})});
  const auto sent = node.run();
  CHECK(sent[0] == Words{100, 101});
  CHECK(sent[1] == Words{100, 101});
  CHECK_FALSE(node.block()->error_o);
}

TEST_CASE(
    "switch node: an adaptive node goes through its positions even if no output offers them") {
  const NodeKind kind{2, false, false, 1, true};
  SmallNode<Vswitch_node_adaptive> node(kind);
  node.write(rtl::CFG_REGISTERS, rtl::CFG_PARTNER, 1);
  node.write(rtl::CFG_REGISTERS, rtl::CFG_PARTNER + 1, 2);
  // First message 1, which it does not hold, then its own; only the second slot has an output.
  const Segment list{kind.own_log(), 1, 1, (1u << rtl::SEG_RUN_W) - 1, 2};
  node.load(1, {{list}}, {sending({2, 2}), sending({0, 2})});
  const auto sent = node.run();
  CHECK(sent[0] == Words{100});
  CHECK(sent[1].empty());
}

TEST_CASE("switch node: a stream that ends early continues in the next slot") {
  const NodeKind kind{2, true, false, 1};
  SmallNode<Vswitch_node> node(kind);
  SlotEntry slot = sending({0, 2});
  slot.length = slot.stream = 3;
  Segment one{kind.own_log(), 0, 1}, two{kind.own_log(), 1, 2}, three{kind.own_log(), 3, 3};
  one.stop = two.stop = true;
  node.load(6, {{one, two, three}}, {slot, slot, slot});
  node.block()->start_i = 1;
  std::string on_link;  // flit by flit: gaps, words, last words
  for (int t = 0; t < 12; ++t) {
    node.block().edge();
    node.block()->start_i = 0;
    on_link += !(node.block()->link_valid_o & 1) ? '.' : node.block()->link_last_o & 1 ? 'l' : 'w';
  }
  CHECK(on_link == "..l..wl.wwl.");
  CHECK_FALSE(node.block()->error_o);
}

TEST_CASE("switch node: a log that is full is reported at its port, also if there are but two") {
  const NodeKind kind{2, false, true, 2};
  SmallNode<Vswitch_node_half> node(kind);
  constexpr int kCapacity = 8;  // blocks.mk
  for (const Port port : {0u, 1u}) {
    CAPTURE(port);
    SlotEntry slot;
    slot.length = kCapacity + 2;
    slot.select = {2, 2};
    slot.receive = 1u << port;
    node.load(0, {{}, {}}, {slot});
    node.block()->start_i = 1;
    for (int t = 0; t < 20; ++t) {
      const int flit = t - 3;  // the window opens three cycles after the start pulse
      const bool valid = flit >= 0 && flit <= kCapacity;
      node.block()->link_valid_i = valid ? 1u << port : 0;
      node.block()->link_last_i = flit == kCapacity ? 1u << port : 0;
      node.block().edge();
      node.block()->start_i = 0;
    }
    CHECK(node.read(rtl::CFG_REGISTERS, rtl::CFG_ERRORS) == bit(ERR_OVERFLOW));
    CHECK(node.read(rtl::CFG_REGISTERS, rtl::CFG_FIRST_CODE) == code(ERR_OVERFLOW));
    CHECK(node.read(rtl::CFG_REGISTERS, rtl::CFG_FIRST_PORT) == port);
  }
}

TEST_CASE("switch node: every entry, segment and own word of large memories, on every port") {
  constexpr std::uint32_t kDepth = 64, kStore = 1024;  // blocks.mk
  NodeKind kind{4, false, false, 4};
  kind.reduce = true;
  SmallNode<Vswitch_node_large> node(kind);
  for (const std::uint32_t own_words : {kStore - 1, kStore}) {
    std::vector<std::vector<Segment>> lists(kind.channels);
    std::vector<Words> wanted(kind.ports);
    for (Port p = 0; p < kind.ports; ++p) {
      for (std::uint32_t i = 0; i + 1 < kDepth; ++i) {  // one more ends the list
        const std::uint32_t at = (i * 331 + p * 257) % own_words;
        const std::uint32_t stride = i % 2 == 0 ? at : kStore;  // of a single run it means nothing
        lists[p].push_back({kind.own_log(), at, 1, stride});
        wanted[p].push_back(100 + at);
      }
    }
    node.load(own_words, lists, std::vector<SlotEntry>(kDepth - 1, sending({0, 1, 2, 3})));
    CHECK(node.run(kDepth + 10) == wanted);
    CHECK_FALSE(node.block()->error_o);
  }
  // Addresses can also name the word after the last one.
  const Segment after{kind.own_log(), kStore, 1};
  node.load(kStore, {{after}, {after}, {after}, {after}}, {sending({0, 1, 2, 3})});
  node.run();
  CHECK(node.read(rtl::CFG_REGISTERS, rtl::CFG_ERRORS) == bit(ERR_UNWRITTEN));
}

TEST_CASE(
    "switch node: addresses of an adaptive node's messages have all bits that its logs have") {
  const NodeKind kind{4, false, false, 1, true};
  SmallNode<Vswitch_node_large_adaptive> node(kind);
  constexpr std::uint32_t kFits = (1u << 11) - 1, kSilent = 1u << 31;  // blocks.mk
  std::vector<std::pair<std::uint32_t, std::uint32_t>> registers{
      {rtl::CFG_SHIFT, 31}, {rtl::CFG_INITIATOR, kSilent | kFits}};
  for (Port p = 0; p < kind.ports; ++p) registers.emplace_back(rtl::CFG_PARTNER + p, kFits);
  for (const std::uint32_t pattern : {~0u, 0x55555555u, 0xaaaaaaaau, 0u}) {
    for (const auto& [address, bits] : registers)
      node.write(rtl::CFG_REGISTERS, address, pattern & bits);
    for (const auto& [address, bits] : registers) {
      CAPTURE(address, pattern);
      CHECK(node.read(rtl::CFG_REGISTERS, address) == (pattern & bits));
    }
  }
}

TEST_CASE(
    "switch node: own words are written and read over the configuration port wherever they are") {
  const NodeKind kind{4, false, false, 1, true};
  SmallNode<Vswitch_node_large_adaptive> node(kind);
  const std::uint32_t own = kind.own_log() << rtl::CFG_LOG_LSB;
  for (std::uint32_t at = 1; at <= 1024; at *= 2) node.write(rtl::CFG_STORE, own | (at - 1), at);
  for (std::uint32_t at = 1; at <= 1024; at *= 2) {
    CHECK(node.read(rtl::CFG_STORE, own | (at - 1)) == at);
  }
}

TEST_CASE("switch node: the first error's slot is counted to the last one that a table can have") {
  const NodeKind kind{2, true, false, 1};
  SmallNode<Vswitch_node> node(kind);
  SlotEntry slot = sending({2, 2});
  slot.stream = 0;
  slot.repeat = (1u << rtl::SLOT_REPEAT_W) - 1;
  node.load(0, {{}}, {slot});
  auto& block = node.block();
  block->start_i = 1;
  for (std::uint32_t t = 0; t < slot.repeat + 8; ++t) {
    block->link_valid_i = t == slot.repeat + 2;  // in the last slot's receive window
    block.edge();
    block->start_i = 0;
  }
  CHECK(node.read(rtl::CFG_REGISTERS, rtl::CFG_STATUS) == 0b11);
  CHECK(node.read(rtl::CFG_REGISTERS, rtl::CFG_FIRST_CODE) == code(ERR_UNEXPECTED));
  CHECK(node.read(rtl::CFG_REGISTERS, rtl::CFG_FIRST_SLOT) == slot.repeat - 1);
}
