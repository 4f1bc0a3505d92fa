// rtl/node/error_log.sv: sticky errors, and the details of the first one.
#include "Verror_log.h"
#include "Verror_log_bare.h"
#include "Verror_log_late.h"
#include "Verror_log_one.h"
#include "block.hpp"
#include "catch.hpp"
#include "errors.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

constexpr unsigned kPorts = 4;
template <class Model>
constexpr bool kOwnChannels = std::is_same_v<Model, Verror_log>;

/// An input of the error log: the error that it reports, and how many cycles after its slot's
/// reads. Errors of the node as a whole are at port 0.
struct Input {
  rtl::error_e error;
  unsigned late;
  bool of_node = false;
  bool of_entry = false;  ///< in one-cycle nodes: reported one slot late
  bool of_words = false;  ///< of a read channel: at all ports for which that channel reads
};
// If several come in one cycle, the first in this list is the first error.
constexpr std::array kInputs{Input{ERR_COLLISION, 1},
                             Input{ERR_TURNAROUND, 1},
                             Input{ERR_UNEXPECTED, 2},
                             Input{ERR_MISSING, 2},
                             Input{ERR_CUT, 0, true},
                             Input{ERR_CUT, 1},
                             Input{ERR_CUT, 2},
                             Input{ERR_LIMIT, 0, false, true},
                             Input{ERR_UNWRITTEN, 0, false, false, true},
                             Input{ERR_OVERFLOW, 2},
                             Input{ERR_MALFORMED, 0, true, true},
                             Input{ERR_EXHAUSTED, 0, false, false, true}};

/// The ports of each input.
using Ports = std::array<unsigned, kInputs.size()>;
constexpr std::size_t kUnwritten = 8, kExhausted = 11;

template <class Model>
void drive(Block<Model>& block, const Ports& at) {
  block->collision_i = at[0];
  block->turnaround_i = at[1];
  block->unexpected_i = at[2];
  block->missing_i = at[3];
  block->short_slot_i = at[4] != 0;
  block->tx_cut_i = at[5];
  block->cut_i = at[6];
  block->limit_i = at[7];
  block->unwritten_i = kOwnChannels<Model> ? at[kUnwritten] : at[kUnwritten] != 0;
  block->overflow_i = at[9];
  block->malformed_i = at[10] != 0;
  block->exhausted_i = kOwnChannels<Model> ? at[kExhausted] : at[kExhausted] != 0;
  block->local_i = kOwnChannels<Model> ? 0 : at[kUnwritten] | at[kExhausted];
}

template <class Model>
void clear(Block<Model>& block) {
  drive(block, {});
  block->clear_i = 0;
  block->slot_i = 0;
  block->tx_close_i = block->rx_close_i = 0;
  block.reset();
}

}  // namespace

TEST_CASE("error log: each code has its bit, and sticks with the slot and port of the first") {
  for (std::size_t k = 0; k < kInputs.size(); ++k) {
    for (unsigned port = 0; port < kPorts; ++port) {
      CAPTURE(k, port);
      Block<Verror_log> block(1);
      clear(block);
      CHECK(block->seen_o == 0);
      CHECK(block->first_code_o == code(ERR_NONE));
      Ports at{};
      at[k] = 1u << port;
      drive(block, at);
      block->slot_i = 1000;
      block.edge();
      drive(block, {});
      block->slot_i = 2000;
      for (int i = 0; i < 3; ++i) block.edge();
      CHECK(block->seen_o == bit(kInputs[k].error));
      CHECK(block->first_code_o == code(kInputs[k].error));
      CHECK(block->first_slot_o == 1000);
      CHECK(block->first_port_o == (kInputs[k].of_node ? 0 : port));
    }
  }
}

TEST_CASE("error log: a run begins without errors") {
  Block<Verror_log> block(1);
  clear(block);
  drive(block, {1});
  block.edge();
  REQUIRE(block->seen_o != 0);
  drive(block, {});
  block->clear_i = 1;
  block.edge();
  CHECK(block->seen_o == 0);
  CHECK(block->first_code_o == code(ERR_NONE));
  CHECK(block->first_slot_o == 0);
  CHECK(block->first_port_o == 0);
}

namespace {

template <class Model>
void report_random_errors() {
  constexpr bool kEntriesLate = std::is_same_v<Model, Verror_log_late>;
  constexpr bool kDetail = !std::is_same_v<Model, Verror_log_bare>;
  Random random(1);
  Block<Model> block(1);
  for (int run = 0; run < 2000; ++run) {
    clear(block);
    unsigned seen = 0, first = 0, first_slot = 0, first_port = 0;
    unsigned closed = 0, closed_before = 0, slot = 10;
    for (int t = 0; t < 6; ++t) {
      CAPTURE(run, t);
      Ports at{};
      unsigned now = 0;
      const unsigned local = random.between(1, 15);
      for (std::size_t k = kInputs.size(); k-- > 0;) {
        if (!random.chance(10)) continue;
        at[k] = kInputs[k].of_words && !kOwnChannels<Model> ? local : random.between(1, 15);
        now |= bit(kInputs[k].error);
        if (seen != 0) continue;
        const auto [error, late, of_node, of_entry, _] = kInputs[k];
        first = code(error);
        first_slot = slot - (late > 0 ? closed : 0) - (late > 1 ? closed_before : 0) -
                     (of_entry && kEntriesLate);
        first_port = of_node || (k == kUnwritten && kEntriesLate)
                         ? 0
                         : static_cast<unsigned>(std::countr_zero(at[k]));
      }
      if (!kDetail) first = first_slot = first_port = 0;
      seen |= now;
      drive(block, at);
      block->slot_i = slot;
      block->tx_close_i = closed;
      block->rx_close_i = closed_before;
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

}  // namespace

TEST_CASE("error log: random errors, several at once, in slots of one cycle and longer ones") {
  SECTION("a read channel per port") { report_random_errors<Verror_log>(); }
  SECTION("nodes with default parameters") { report_random_errors<Verror_log_one>(); }
  SECTION("one-cycle nodes, which check entries late") { report_random_errors<Verror_log_late>(); }
  SECTION("nodes that keep no details of the first error") {
    report_random_errors<Verror_log_bare>();
  }
}
