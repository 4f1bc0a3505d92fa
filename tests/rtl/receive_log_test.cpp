// rtl/node/receive_log.sv: where arrivals are stored, and which words may be read.
#include <optional>

#include "Vreceive_log.h"
#include "Vreceive_log_single.h"
#include "Vreceive_log_two.h"
#include "block.hpp"
#include "catch.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

constexpr unsigned kPorts = 4, kAddrBits = 8, kLogBits = 3;

unsigned pointer(Block<Vreceive_log>& block, unsigned log) {
  return block->write_addr_o >> (log * kAddrBits) & 0xff;
}

template <class Model>
void start(Block<Model>& block, unsigned own_words, unsigned capacity) {
  block->own_words_i = own_words;
  block->capacity_i = capacity;
  block->take_i = 0;
  block->read_i = block->combine_i = 0;
  block->start_i = 1;
  block.edge();
  block->start_i = 0;
}

/// Does a read of this word in this cycle raise ERR_UNWRITTEN? Of an own word too, if one is named.
template <class Model>
bool unwritten(Block<Model>& block, unsigned log, unsigned addr,
               std::optional<unsigned> own = std::nullopt) {
  block->combine_i = own.has_value();
  block->own_addr_i = own.value_or(0);
  block->read_i = 1;
  block->read_log_i = log;
  block->read_addr_i = addr;
  block.settle();
  block->read_i = 0;
  return block->unwritten_o & 1;
}

}  // namespace

TEST_CASE("receive log: each port has its own, which is filled up to the capacity and no further") {
  Block<Vreceive_log> block(1);
  start(block, 3, 5);
  for (unsigned i = 0; i < 7; ++i) {
    CAPTURE(i);
    block->take_i = 0b0100;
    block.settle();
    CHECK(pointer(block, 2) == std::min(i, 5u));
    CHECK(block->write_o == (i < 5 ? 0b0100 : 0));
    CHECK(block->overflow_o == (i < 5 ? 0 : 0b0100));
    block.edge();
  }
  for (unsigned log : {0u, 1u, 3u}) CHECK(pointer(block, log) == 0);
}

TEST_CASE("receive log: a word may be read from the cycle after it was taken, not one earlier") {
  Block<Vreceive_log> block(1);
  start(block, 3, 100);
  for (unsigned i = 0; i < 10; ++i) {
    CAPTURE(i);
    block->take_i = 0b0010;
    CHECK(unwritten(block, 1, i));  // in the cycle in which it is taken
    block.edge();
    block->take_i = 0;
    CHECK_FALSE(unwritten(block, 1, i));
    CHECK(unwritten(block, 1, i + 1));
    CHECK(unwritten(block, 0, 0));
  }
}

TEST_CASE("receive log: own words are there from the start, and there is no log beyond them") {
  Block<Vreceive_log> block(1);
  start(block, 3, 100);
  CHECK_FALSE(unwritten(block, kPorts, 0));
  CHECK_FALSE(unwritten(block, kPorts, 2));
  CHECK(unwritten(block, kPorts, 3));
  for (unsigned log = kPorts + 1; log < 8; ++log) CHECK(unwritten(block, log, 0));
}

TEST_CASE("receive log: a node of two ports has three logs, its own words in the last one") {
  Block<Vreceive_log_two> block(1);
  start(block, 3, 100);
  block->take_i = 0b10;
  block.edge();
  CHECK_FALSE(unwritten(block, 1, 0));
  CHECK(unwritten(block, 0, 0));
  CHECK_FALSE(unwritten(block, 2, 2));
  CHECK(unwritten(block, 2, 3));
  CHECK(unwritten(block, 3, 0));
}

TEST_CASE("receive log: a single-port node has one log, its own words at the beginning") {
  Block<Vreceive_log_single> block(1);
  start(block, 3, 5);
  CHECK_FALSE(unwritten(block, 0, 2));
  CHECK(unwritten(block, 0, 3));
  for (unsigned i = 0; i < 4; ++i) {
    CAPTURE(i);
    const unsigned port = 1u << i % 3;
    block->take_i = port;
    block.settle();
    CHECK(block->write_o == (i < 2));
    CHECK(block->write_addr_o == std::min(3 + i, 5u));
    CHECK(block->overflow_o == (i >= 2));
    block.edge();
    block->take_i = 0;
    CHECK(unwritten(block, 0, 4) == (i < 1));
    // There is only this log, whichever number is named.
    for (unsigned log = 1; log < 8; ++log) CHECK(unwritten(block, log, 4) == (i < 1));
  }
}

TEST_CASE("receive log: a log without room, or with too many own words, overflows at once") {
  Block<Vreceive_log_single> block(1);
  start(block, GENERATE(5u, 6u, 255u, (1u << 24) - 1), 5);
  block->take_i = 1;
  block.settle();
  CHECK_FALSE(block->write_o);
  CHECK(block->overflow_o == 1);
}

TEST_CASE("receive log: every address of the largest log can be written, up to its capacity") {
  Block<Vreceive_log_single> block(1);
  constexpr unsigned kWords = (1u << 24) - 1;  // blocks.mk
  for (unsigned bits = 1; bits <= 24; ++bits) {
    const unsigned first = kWords >> (24 - bits);
    for (const unsigned capacity : {first, first + 1, kWords}) {
      if (capacity > kWords) continue;
      CAPTURE(first, capacity);
      start(block, first, capacity);
      block->take_i = 1;
      block.settle();
      CHECK(block->write_addr_o == first);
      CHECK(bool(block->write_o) == (first < capacity));
      CHECK(bool(block->overflow_o) == (first >= capacity));
      block.edge();
      block->take_i = 0;
      CHECK_FALSE(unwritten(block, 0, first - 1));
      CHECK(unwritten(block, 0, first) == (first >= capacity));
    }
  }
}

TEST_CASE("receive log: random arrivals and reads on all logs and both channels") {
  Random random(1);
  Block<Vreceive_log> block(2);
  for (int round = 0; round < 50; ++round) {
    const unsigned own = random.below(20), capacity = random.between(1, 40);
    start(block, own, capacity);
    std::vector<unsigned> length(kPorts, 0);
    for (int t = 0; t < 100; ++t) {
      CAPTURE(round, t, length, own, capacity);
      unsigned write = 0, overflow = 0, reads = 0, logs = 0, addrs = 0, wanted = 0;
      const unsigned take = random.below(16);
      for (unsigned p = 0; p < kPorts; ++p) {
        if (take >> p & 1) (length[p] < capacity ? write : overflow) |= 1u << p;
      }
      for (unsigned c = 0; c < 2; ++c) {
        const unsigned log = random.below(8), addr = random.below(45);
        const unsigned there = log < kPorts ? length[log] : log == kPorts ? own : 0;
        const bool read = random.chance(70);
        reads |= read << c;
        logs |= log << (c * kLogBits);
        addrs |= addr << (c * kAddrBits);
        wanted |= (read && addr >= there) << c;
      }
      block->take_i = take;
      block->read_i = reads;
      block->read_log_i = logs;
      block->read_addr_i = addrs;
      block.settle();
      REQUIRE(block->write_o == write);
      REQUIRE(block->overflow_o == overflow);
      REQUIRE(block->unwritten_o == wanted);
      for (unsigned p = 0; p < kPorts; ++p) REQUIRE(pointer(block, p) == length[p]);
      block.edge();
      for (unsigned p = 0; p < kPorts; ++p) length[p] += write >> p & 1;
    }
  }
}

TEST_CASE("receive log: what is combined has arrived, and the own word is one that is there") {
  Block<Vreceive_log> block(1);
  start(block, 3, 5);
  block->take_i = 0b0100;
  for (int i = 0; i < 2; ++i) block.edge();
  block->take_i = 0;
  for (unsigned own = 0; own < 256; ++own) {
    CAPTURE(own);
    CHECK(unwritten(block, 2, 1, own) == (own >= 3));
    CHECK(unwritten(block, 2, 2, own));       // has not arrived
    CHECK(unwritten(block, kPorts, 0, own));  // an own word itself
  }
}
