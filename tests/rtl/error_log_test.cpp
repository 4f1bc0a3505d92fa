// rtl/node/error_log.sv: sticky errors, and the details of the first one.
#include <array>
#include <bit>

#include "Verror_log.h"
#include "Verror_log_bare.h"
#include "Verror_log_hardware.h"
#include "Verror_log_late.h"
#include "Verror_log_one.h"
#include "Verror_log_staged.h"
#include "block.hpp"
#include "catch.hpp"
#include "errors.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

/// Ports of each block (blocks.mk).
template <class Model>
constexpr unsigned kPorts = std::is_same_v<Model, Verror_log>            ? 10
                            : std::is_same_v<Model, Verror_log_staged>   ? 8
                            : std::is_same_v<Model, Verror_log_hardware> ? rtl::MAX_PORTS
                                                                         : 4;
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
                             Input{ERR_EXHAUSTED, 0, false, false, true},
                             Input{ERR_PARITY, 0, true, true},
                             Input{ERR_PARITY, 0, true}};

/// The ports of each input.
using Ports = std::array<std::uint64_t, kInputs.size()>;
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
  block->overflow_i = at[9] != 0;
  block->overflow_at_i = at[9];
  block->malformed_i = at[10] != 0;
  block->exhausted_i = kOwnChannels<Model> ? at[kExhausted] : at[kExhausted] != 0;
  block->slot_parity_i = at[12] != 0;
  block->list_parity_i = at[13] != 0;
  block->local_i = kOwnChannels<Model> ? 0 : at[kUnwritten] | at[kExhausted];
}

/// Slots finished, in this cycle and the two before.
struct Slots {
  unsigned now = 0, before = 0, two_before = 0;
  unsigned of(unsigned late) const { return late == 0 ? now : late == 1 ? before : two_before; }
};

/// A cycle with these errors; `close`: it is the last one of its slot.
template <class Model>
void cycle(Block<Model>& block, Slots& slots, const Ports& at, bool close) {
  drive(block, at);
  block->rx_close_i = slots.before != slots.two_before;
  block.edge();
  slots = {slots.now + close, slots.now, slots.before};
}

template <class Model>
void clear(Block<Model>& block) {
  drive(block, {});
  block->clear_i = 0;
  block->rx_close_i = 0;
  block.reset();
}

/// Nothing is shown in the next cycles.
void stays_empty(Block<Verror_log>& block) {
  for (int i = 0; i < 4; ++i) {
    CHECK(block->seen_o == 0);
    CHECK(block->first_code_o == code(ERR_NONE));
    CHECK(block->first_slot_o == 0);
    CHECK(block->first_port_o == 0);
    block.edge();
  }
}

}  // namespace

TEST_CASE("error log: each code has its bit, and sticks with the slot and port of the first") {
  for (std::size_t k = 0; k < kInputs.size(); ++k) {
    for (unsigned port = 0; port < kPorts<Verror_log>; ++port) {
      CAPTURE(k, port);
      Block<Verror_log> block(
          static_cast<std::uint32_t>(k * 100 + port));  // other random registers each time
      clear(block);
      CHECK(block->seen_o == 0);
      CHECK(block->first_code_o == code(ERR_NONE));
      Slots slots;
      for (int slot = 0; slot < 7; ++slot) cycle(block, slots, {}, true);
      Ports at{};
      at[k] = std::uint64_t{1} << port;
      const unsigned slot = slots.of(kInputs[k].late);
      cycle(block, slots, at, true);
      for (int i = 0; i < 5; ++i) cycle(block, slots, {}, true);
      CHECK(block->seen_o == bit(kInputs[k].error));
      CHECK(block->first_code_o == code(kInputs[k].error));
      CHECK(block->first_slot_o == slot);
      CHECK(block->first_port_o == (kInputs[k].of_node ? 0 : port));
    }
  }
}

TEST_CASE("error log: a run begins without errors") {
  Block<Verror_log> block(1);
  clear(block);
  drive(block, {0b100});
  block.edge();
  CHECK(block->seen_o == 0);
  block.edge();
  REQUIRE(block->seen_o != 0);
  block.edge();
  REQUIRE(block->first_port_o == 2);
  block->clear_i = 1;  // what is raised in this cycle, or was in the one before, is not of the run
  block.edge();
  drive(block, {});
  block->clear_i = 0;
  block.edge();  // it comes from a register
  stays_empty(block);
}

TEST_CASE("error log: the first error of before a run leaves no details behind") {
  for (int before = 0; before <= 3; ++before) {  // so many cycles before the start
    CAPTURE(before);
    Block<Verror_log> block(1);
    clear(block);
    for (int t = before; t >= 0; --t) {
      block->clear_i = t == 0;
      drive(block, t == before ? Ports{0, 0, 0b100} : Ports{});
      block.edge();
    }
    drive(block, {});
    block->clear_i = 0;
    block.edge();
    stays_empty(block);
  }
}

TEST_CASE("error log: the first cycle of a run counts") {
  Block<Verror_log> block(1);
  clear(block);
  block->clear_i = 1;
  block.edge();
  block->clear_i = 0;
  drive(block, {1});
  block.edge();
  drive(block, {});
  block.edge();
  CHECK(block->seen_o == bit(ERR_COLLISION));
  CHECK(block->first_code_o == code(ERR_COLLISION));
}

namespace {

template <class Model>
void report_random_errors() {
  constexpr bool kEntriesLate = std::is_same_v<Model, Verror_log_late>;
  constexpr bool kAtOnce = kEntriesLate;
  constexpr bool kStaged = std::is_same_v<Model, Verror_log_staged>;
  constexpr unsigned kSlots = (1u << 20) - 1;  // blocks.mk
  constexpr std::uint64_t kAll = ~std::uint64_t{0} >> (64 - kPorts<Model>);
  constexpr bool kDetail = !std::is_same_v<Model, Verror_log_bare>;
  Random random(1);
  Block<Model> block(1);
  for (int run = 0; run < 2000; ++run) {
    clear(block);
    Slots slots;
    unsigned seen = 0, first = 0, first_slot = 0, first_port = 0;  // of the cycles before
    unsigned until_slot = 0;  // the first error's slot is shown in so many cycles ...
    unsigned port_shown = 0;  // ... its port in the next one
    const int chance = random.chance(50) ? 10 : 2;
    for (int t = 0; t < 13; ++t) {
      CAPTURE(run, t);
      Ports at{};
      unsigned now = 0, first_now = 0, slot = 0, port = 0, late_now = 0;
      const auto some_ports = [&] {  // few of them as often as many
        std::uint64_t some = 0;
        while (some == 0) {
          some = kAll;
          for (unsigned i = random.between(1, 6); i > 0; --i)
            some &= std::uint64_t{random.word()} << 32 | random.word();
        }
        return some;
      };
      const std::uint64_t local = some_ports();
      // Where links have stages, receivers may be behind by more slots.
      std::array<unsigned, kPorts<Model>> behind{};
      for (unsigned p = 0; p < kPorts<Model>; ++p) {
        behind[p] = random.below(1 << rtl::LINK_STAGES_W);
        tb::set_bits(block->behind_i, p * rtl::LINK_STAGES_W, behind[p], rtl::LINK_STAGES_W);
      }
      for (std::size_t k = kInputs.size(); k-- > 0;) {
        const auto [error, late, of_node, of_entry, of_words] = kInputs[k];
        const bool entry_late = of_entry && kEntriesLate;
        if (!random.chance(chance) || t >= 8 || (entry_late && t == 0)) continue;
        at[k] = of_words && !kOwnChannels<Model> ? local : some_ports();
        now |= bit(error);
        first_now = code(error);
        late_now = entry_late ? 1 : late;
        slot = slots.of(late_now);
        if (kStaged && late == 2) {
          slot = (slot - behind[static_cast<unsigned>(std::countr_zero(at[k]))]) & kSlots;
        }
        port = of_node || (k == kUnwritten && kEntriesLate)
                   ? 0
                   : static_cast<unsigned>(std::countr_zero(at[k]));
      }
      cycle(block, slots, at, kEntriesLate || random.chance(50));
      const auto count = [&] {
        if (seen == 0 && now != 0) {
          first = first_now;
          first_slot = slot;
          first_port = port;
          until_slot = 3 - late_now;
        }
        seen |= now;
      };
      if (kAtOnce) count();
      REQUIRE(block->seen_o == seen);
      REQUIRE(block->first_code_o == (kDetail ? first : 0));
      REQUIRE(block->first_slot_o == (kDetail && until_slot == 0 ? first_slot : 0));
      REQUIRE(block->first_port_o == (kDetail ? port_shown : 0));
      port_shown = first_port;
      if (until_slot > 0) --until_slot;
      if (!kAtOnce) count();
    }
  }
}

}  // namespace

TEST_CASE("error log: random errors, several at once, in slots of one cycle and longer ones") {
  SECTION("a read channel per port") { report_random_errors<Verror_log>(); }
  SECTION("nodes with default parameters") { report_random_errors<Verror_log_one>(); }
  SECTION("links with register stages") { report_random_errors<Verror_log_staged>(); }
  SECTION("one-cycle nodes, which check entries late") { report_random_errors<Verror_log_late>(); }
  SECTION("the text for hardware") { report_random_errors<Verror_log_hardware>(); }
  SECTION("nodes that keep no details of the first error") {
    report_random_errors<Verror_log_bare>();
  }
}
