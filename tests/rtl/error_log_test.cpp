// rtl/error_log.sv: what sticks, and what is told of the first error.
#include "Verror_log.h"
#include "block.hpp"
#include "catch.hpp"
#include "errors.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

constexpr unsigned kPorts = 4;

/// The ports at which each error stands in a cycle, and the cut that the entry itself shows.
struct Errors {
  std::array<unsigned, rtl::ERROR_CODES> at{};
  bool short_slot = false;
};

/// How many cycles after the reads an error is found: 1 where the select acts, 2 at the receivers.
unsigned delay(unsigned error) {
  switch (error) {
    case code(ERR_COLLISION):
    case code(ERR_TURNAROUND): return 1;
    case code(ERR_UNEXPECTED):
    case code(ERR_MISSING):
    case code(ERR_CUT):
    case code(ERR_OVERFLOW): return 2;
    default: return 0;
  }
}

void drive(Block<Verror_log>& block, const Errors& e) {
  block->collision_i = e.at[code(ERR_COLLISION)];
  block->turnaround_i = e.at[code(ERR_TURNAROUND)];
  block->unexpected_i = e.at[code(ERR_UNEXPECTED)];
  block->missing_i = e.at[code(ERR_MISSING)];
  block->cut_i = e.at[code(ERR_CUT)];
  block->limit_i = e.at[code(ERR_LIMIT)];
  block->unwritten_i = e.at[code(ERR_UNWRITTEN)];
  block->overflow_i = e.at[code(ERR_OVERFLOW)];
  block->malformed_i = e.at[code(ERR_MALFORMED)] != 0;
  block->exhausted_i = e.at[code(ERR_EXHAUSTED)];
  block->short_slot_i = e.short_slot;
}

void clear(Block<Verror_log>& block) {
  drive(block, {});
  block->clear_i = 0;
  block->slot_i = 0;
  block->tx_close_i = block->rx_close_i = 0;
  block.reset();
}

}  // namespace

TEST_CASE("error log: each code has its bit, and sticks with the slot and port of the first") {
  for (unsigned k = 1; k < rtl::ERROR_CODES; ++k) {
    for (unsigned port = 0; port < kPorts; ++port) {
      CAPTURE(k, port);
      Block<Verror_log> block(k);
      clear(block);
      CHECK(block->seen_o == 0);
      CHECK(block->first_code_o == code(ERR_NONE));
      Errors e;
      e.at[k] = 1u << port;
      drive(block, e);
      block->slot_i = 1000;
      block.edge();
      drive(block, {});
      block->slot_i = 2000;
      for (int i = 0; i < 3; ++i) block.edge();
      CHECK(block->seen_o == 1u << k);
      CHECK(block->first_code_o == k);
      CHECK(block->first_slot_o == 1000);
      CHECK(block->first_port_o == (k == code(ERR_MALFORMED) ? 0 : port));
    }
  }
}

TEST_CASE("error log: a run begins without errors") {
  Block<Verror_log> block(1);
  clear(block);
  Errors e;
  e.at[code(ERR_CUT)] = 1;
  drive(block, e);
  block.edge();
  REQUIRE(block->seen_o != 0);
  drive(block, {});
  block->clear_i = 1;
  block.edge();
  CHECK(block->seen_o == 0);
  CHECK(block->first_code_o == code(ERR_NONE));
}

TEST_CASE("error log: random errors, several at once, in slots of one cycle and longer ones") {
  Random random(1);
  Block<Verror_log> block(1);
  for (int run = 0; run < 2000; ++run) {
    clear(block);
    unsigned seen = 0, first = 0, first_slot = 0, first_port = 0;
    unsigned closed = 0, closed_before = 0, slot = 10;
    for (int t = 0; t < 6; ++t) {
      CAPTURE(run, t);
      Errors e;
      for (unsigned k = 1; k < rtl::ERROR_CODES; ++k) {
        if (random.chance(10)) e.at[k] = random.between(1, 15);
      }
      e.short_slot = random.chance(10);
      drive(block, e);
      block->slot_i = slot;
      block->tx_close_i = closed;
      block->rx_close_i = closed_before;
      unsigned now = 0;
      for (unsigned k = 1; k < rtl::ERROR_CODES; ++k) now |= (e.at[k] != 0) << k;
      if (e.short_slot) now |= bit(ERR_CUT);
      if (seen == 0 && now != 0) {
        first = static_cast<unsigned>(std::countr_zero(now));
        const bool by_entry = first == code(ERR_CUT) && e.short_slot;
        const unsigned late = by_entry ? 0 : delay(first);
        first_slot = slot - (late > 0 ? closed : 0) - (late > 1 ? closed_before : 0);
        const bool of_node = by_entry || first == code(ERR_MALFORMED);
        first_port = of_node ? 0 : static_cast<unsigned>(std::countr_zero(e.at[first]));
      }
      seen |= now;
      block.edge();
      REQUIRE(block->seen_o == seen);
      REQUIRE(block->first_code_o == first);
      REQUIRE(block->first_slot_o == first_slot);
      REQUIRE(block->first_port_o == first_port);
      closed_before = closed;
      closed = random.chance(50);
      slot += closed;
    }
  }
}
