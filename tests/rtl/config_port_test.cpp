// rtl/node/config_port.sv: every register and region of the configuration port.
#include <map>

#include "Vconfig_port.h"
#include "Vconfig_port_double.h"
#include "block.hpp"
#include "catch.hpp"
#include "gossamer_constants.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

// blocks.mk: an adaptive node of 34 ports, so that its faults take two registers.
constexpr unsigned kPorts = 34, kAddrBits = 7, kCapacity = 100, kSlots = 64, kSegments = 32;
constexpr unsigned kLenBits = 9, kRepeatBits = 10;

std::uint32_t region(std::uint32_t region, std::uint32_t rest = 0) {
  return region << rtl::CFG_REGION_LSB | rest;
}

template <class Model>
class PortOf {
 public:
  PortOf() : block_(1) {
    block_->valid_i = block_->write_i = block_->done_i = block_->busy_i = 0;
    block_->errors_i = 0;
    block_.reset();
  }
  Model* operator->() { return block_.operator->(); }
  Block<Model>& block() { return block_; }

  /// The port's requests to the other modules in the cycle of a transfer.
  struct Asked {
    bool slot = false, list = false, store_write = false, store_read = false, restart = false;
    bool operator==(const Asked&) const = default;
  };

  Asked write(std::uint32_t address, std::uint32_t word) { return transfer(true, address, word); }
  std::uint32_t read(std::uint32_t address, Asked* asked = nullptr) {
    const Asked now = transfer(false, address, ~0u);
    if (asked != nullptr) *asked = now;
    block_->store_rdata_i = kFromStore;
    block_.settle();
    return block_->rdata_o;
  }
  static constexpr std::uint32_t kFromStore = 0xdecade;

 private:
  Asked transfer(bool write, std::uint32_t address, std::uint32_t word) {
    block_->valid_i = 1;
    block_->write_i = write;
    block_->addr_i = address;
    block_->wdata_i = word;
    block_.settle();
    const Asked asked{bool(block_->slot_write_o), bool(block_->list_write_o),
                      bool(block_->store_write_o), bool(block_->store_read_o),
                      bool(block_->restart_o)};
    block_.edge();
    block_->valid_i = 0;
    return asked;
  }

  Block<Model> block_;
};
using Port = PortOf<Vconfig_port>;
using DoublePort = PortOf<Vconfig_port_double>;

}  // namespace

TEST_CASE("configuration: a transfer goes to the memory of its region, and to no other") {
  Port port;
  using Asked = Port::Asked;
  for (std::uint32_t r = 0; r < 16; ++r) {
    CAPTURE(r);
    const std::uint32_t address = region(r, 0x123);
    CHECK(port.write(address, 1) ==
          Asked{r == rtl::CFG_SLOTS, r == rtl::CFG_LISTS, r == rtl::CFG_STORE, false, false});
    Asked asked;
    const std::uint32_t word = port.read(address, &asked);
    CHECK(asked == Asked{false, false, false, r == rtl::CFG_STORE, false});
    if (r == rtl::CFG_STORE) {
      CHECK(word == Port::kFromStore);
    } else if (r != rtl::CFG_ARRIVED) {
      CHECK(word == 0);
    }
    port->write_i = r % 2;  // no transfer: nothing may be requested
    port.block().settle();
    CHECK_FALSE((port->slot_write_o || port->list_write_o || port->store_write_o ||
                 port->store_read_o || port->restart_o));
  }
  // A word that was read stays until the next read.
  port->first_error_i = 9;
  CHECK(port.read(region(0, rtl::CFG_FIRST_CODE)) == 9);
  port.write(region(rtl::CFG_STORE), 5);
  port->addr_i = region(rtl::CFG_STORE);
  port->write_i = 0;
  port.block().edge();
  CHECK(port->rdata_o == 9);
}

TEST_CASE("configuration: a restart takes three cycles and chooses the bank of tables") {
  DoublePort port;
  // Cycles of reset that follow the transfer's cycle.
  const auto more = [&] {
    unsigned cycles = 0;
    for (port.block().settle(); port->restart_o && cycles < 10; ++cycles) port.block().edge();
    return cycles;
  };
  const auto control = [&](std::uint32_t word) {
    return port.write(region(0, rtl::CFG_CONTROL), word).restart;
  };
  CHECK_FALSE(port->bank_o);
  CHECK(more() == 0);
  CHECK(control(0b11));
  CHECK(port->bank_o);
  CHECK(more() == 2);
  CHECK_FALSE(control(0b00));  // no restart, so the bank stays
  CHECK(port->bank_o);
  DoublePort::Asked asked;
  port.read(region(0, rtl::CFG_CONTROL), &asked);
  CHECK_FALSE(asked.restart);
  CHECK_FALSE(port.write(region(0, rtl::CFG_CONTROL + 2), 1).restart);
  CHECK_FALSE(port.write(region(rtl::CFG_SLOTS, rtl::CFG_CONTROL), 1).restart);
  CHECK_FALSE(port.write(region(8, rtl::CFG_CONTROL), 1).restart);
  CHECK(port->bank_o);
  CHECK(more() == 0);
  CHECK(control(0b01));
  CHECK_FALSE(port->bank_o);
  for (const unsigned gap : {0, 1}) {  // a restart within the three cycles begins them again
    CHECK(control(0b11));
    for (unsigned i = 0; i < gap; ++i) port.block().edge();
    port.block().settle();
    CHECK(port->restart_o);
    CHECK(control(0b11));
    CHECK(more() == 2);
  }
  port->busy_i = 1;  // in a run, too
  CHECK(control(0b11));
  port.block().reset();
  CHECK_FALSE(port->bank_o);
  CHECK(more() == 0);
}

TEST_CASE("configuration: tables go to the bank that is addressed, unless that bank runs") {
  // The bank that is written: in a node with one bank, and in one with two, of which `runs` runs.
  const auto check = [](auto& port, bool two, unsigned runs) {
    for (const bool busy : {false, true}) {
      for (std::uint32_t r = 0; r < 16; ++r) {
        for (const bool write : {false, true}) {
          CAPTURE(two, runs, busy, r, write);
          port->busy_i = busy;
          typename std::remove_reference_t<decltype(port)>::Asked asked;
          if (write) {
            asked = port.write(region(r, 0x123), 4);
          } else {
            port.read(region(r, 0x123), &asked);
          }
          const unsigned bank = r >> 3;
          const bool free = two ? !busy || bank != runs : !busy && bank == 0;
          CHECK(asked.slot == (write && free && (r & 7) == rtl::CFG_SLOTS));
          CHECK(asked.list == (write && free && (r & 7) == rtl::CFG_LISTS));
          CHECK(asked.store_write == (write && r == rtl::CFG_STORE));
          CHECK(asked.store_read == (!write && r == rtl::CFG_STORE));
        }
      }
    }
    port->busy_i = 0;
  };
  Port one;
  check(one, false, 0);
  DoublePort two;
  check(two, true, 0);
  two.write(region(0, rtl::CFG_CONTROL), 0b11);
  check(two, true, 1);
}

TEST_CASE(
    "configuration: a register keeps its value if the new one does not fit, or if a run is using "
    "it") {
  Port port;
  const auto partner = rtl::CFG_PARTNER + 33;
  struct Case {
    std::uint32_t address, fits;
    std::vector<std::uint32_t> too_much;
    bool in_run;  ///< can be written while the table runs
  };
  const std::uint32_t high = 1u << 31;
  const std::vector<Case> cases{
      {rtl::CFG_OWN_WORDS, kCapacity, {kCapacity + 1, kCapacity + 128, high, high | 3}, false},
      {rtl::CFG_DEAD_AFTER, (1u << kRepeatBits) - 1, {1u << kRepeatBits, high, high | 3}, true},
      {rtl::CFG_DEAD, high | 5, {}, true},
      {rtl::CFG_DEAD + 1, 3, {}, true},
      {rtl::CFG_SHIFT, 31, {32, 64, high, high | 3}, false},
      {rtl::CFG_INITIATOR, high | 127, {128, high | 128, 1u << 30, high | 1u << 30}, false},
      {partner, 127, {128, 1u << 30, high, high | 3}, false}};
  for (const Case& c : cases) {
    CAPTURE(c.address);
    const auto value = [&] { return port.read(region(0, c.address)); };
    port.write(region(0, c.address), 2);
    CHECK(value() == 2);
    for (const std::uint32_t word : c.too_much) {
      CAPTURE(word);
      port.write(region(0, c.address), word);
      CHECK(value() == 2);
    }
    port->busy_i = 1;
    port.write(region(0, c.address), 1);
    CHECK(value() == (c.in_run ? 1 : 2));
    port->busy_i = 0;
    port.write(region(0, c.address), c.fits);
    CHECK(value() == c.fits);
    port.write(region(8, c.address), 0);  // with the bank's bit set there is no register
    CHECK(value() == c.fits);
    CHECK(port.read(region(8, c.address)) == 0);
  }
}

TEST_CASE("configuration: registers that a node is built without read as 0") {
  DoublePort port;  // neither adaptive, nor with faults
  for (const std::uint32_t address :
       {rtl::CFG_DEAD, rtl::CFG_DEAD + 1, rtl::CFG_DEAD_AFTER, rtl::CFG_SHIFT, rtl::CFG_INITIATOR,
        rtl::CFG_MESSAGES, rtl::CFG_PARTNER, rtl::CFG_PARTNER + 1}) {
    CAPTURE(address);
    port.write(region(0, address), 1);
    CHECK(port.read(region(0, address)) == 0);
  }
  CHECK((port->dead_o == 0 && port->dead_after_o == 0 && port->shift_o == 0));
  CHECK((port->partner_o == 0 && !port->initiated_o && port->initiator_o == 0));
  CHECK(port.read(region(0, rtl::CFG_MODEL)) == 1u << rtl::MODEL_DOUBLE_BUFFERED);
  CHECK(port.read(region(0, rtl::CFG_FLIT_W)) == 64);
  CHECK(port.read(region(0, rtl::CFG_LEN_W)) == rtl::SLOT_LEN_W);
  CHECK(port.read(region(0, rtl::CFG_REPEAT_W)) == rtl::SLOT_REPEAT_W);
}

TEST_CASE(
    "configuration: each register keeps the word written to it, not those written to others") {
  Port port;
  Random random(1);
  // Each register, and the bits that it keeps; those of faults keep one bit per port.
  std::map<std::uint32_t, std::uint32_t> mask{
      {rtl::CFG_OWN_WORDS, 63}, {rtl::CFG_DEAD, ~0u},
      {rtl::CFG_DEAD + 1, ~0u}, {rtl::CFG_DEAD_AFTER, (1u << kRepeatBits) - 1},
      {rtl::CFG_SHIFT, 31},     {rtl::CFG_INITIATOR, 1u << 31 | ((1u << kAddrBits) - 1)}};
  for (unsigned p = 0; p < kPorts; ++p) mask[rtl::CFG_PARTNER + p] = (1u << kAddrBits) - 1;
  std::map<std::uint32_t, std::uint32_t> kept;
  for (const auto& [address, bits] : mask) kept[address] = 0;
  port.write(region(0, rtl::CFG_OWN_WORDS), 0);
  const auto compare = [&] {
    for (const auto& [address, word] : kept) {
      CAPTURE(address);
      REQUIRE(port.read(region(0, address)) == word);
    }
    REQUIRE(port->own_words_o == kept[rtl::CFG_OWN_WORDS]);
    REQUIRE(port->dead_o == (std::uint64_t{kept[rtl::CFG_DEAD + 1]} << 32 | kept[rtl::CFG_DEAD]));
    REQUIRE(port->dead_after_o == kept[rtl::CFG_DEAD_AFTER]);
    REQUIRE(port->shift_o == kept[rtl::CFG_SHIFT]);
    REQUIRE(port->initiated_o == kept[rtl::CFG_INITIATOR] >> 31);
    REQUIRE(port->initiator_o == (kept[rtl::CFG_INITIATOR] & 0x7f));
    for (unsigned p = 0; p < kPorts; ++p) {
      REQUIRE(tb::get_field(port->partner_o, p * kAddrBits, kAddrBits) ==
              kept[rtl::CFG_PARTNER + p]);
    }
  };
  compare();
  for (int round = 0; round < 8; ++round) {
    for (const auto& [address, bits] : mask) {
      const std::uint32_t word = random.word() & bits;
      port.write(region(0, address), word);
      port.write(region(rtl::CFG_LISTS, address), ~word & bits);  // another region
      port.read(region(0, address));                              // a read changes nothing
      kept[address] = address == rtl::CFG_DEAD + 1 ? word & 0b11 : word;
    }
    compare();
  }
  port.write(region(0, rtl::CFG_INITIATOR), ~0u);
  port.block().reset();
  for (auto& [address, word] : kept) {
    if (address != rtl::CFG_OWN_WORDS) word = 0;  // kept, as the memories are
  }
  compare();
}

TEST_CASE("configuration: registers that can only be read") {
  Port port;
  Random random(2);
  for (int round = 0; round < 20; ++round) {
    const std::uint32_t errors = random.chance(50) ? 1u << random.below(rtl::ERROR_CODES) : 0;
    const bool done = random.chance(50);
    const std::uint32_t slot = random.below(1 << kRepeatBits);
    port->errors_i = errors;
    port->done_i = done;
    port->first_error_i = random.below(11);
    port->first_error_slot_i = slot;
    port->first_error_port_i = random.below(62);
    port->arrived_i = round * 0x123456789 & 0x3ffffffff;
    std::vector<std::uint32_t> lengths;
    auto* words = tb::words(port->log_length_i);
    for (unsigned w = 0; w < (kPorts * kAddrBits + 31) / 32; ++w) words[w] = random.word();
    for (unsigned g = 0; g < kPorts; ++g) {
      lengths.push_back(tb::get_field(port->log_length_i, g * kAddrBits, kAddrBits));
    }
    const std::map<std::uint32_t, std::uint32_t> wanted{
        {rtl::CFG_CONTROL, 0},
        {rtl::CFG_STATUS, (errors != 0) << 1 | done},
        {rtl::CFG_ERRORS, errors},
        {rtl::CFG_FIRST_CODE, port->first_error_i},
        {rtl::CFG_FIRST_SLOT, slot},
        {rtl::CFG_FIRST_PORT, port->first_error_port_i},
        {rtl::CFG_FLIT_W, 32},
        {rtl::CFG_PORTS, kPorts},
        {rtl::CFG_CHANNELS, 1},
        {rtl::CFG_MODEL, 1u << rtl::MODEL_ADAPTIVE},
        {rtl::CFG_SLOT_DEPTH, kSlots},
        {rtl::CFG_LIST_DEPTH, kSegments},
        {rtl::CFG_CAPACITY, kCapacity},
        {rtl::CFG_LEN_W, kLenBits},
        {rtl::CFG_REPEAT_W, kRepeatBits},
        {rtl::CFG_MESSAGES, rtl::ADAPTIVE_MESSAGES},
        {rtl::CFG_MESSAGES + 1, 0},
        {rtl::CFG_LOG_LENGTH - 1, 0},
        {rtl::CFG_LOG_LENGTH + kPorts, 0},
        {rtl::CFG_PARTNER + kPorts, 0}};
    for (const auto& [address, word] : wanted) {
      CAPTURE(address);
      CHECK(port.read(region(0, address)) == word);
    }
    for (unsigned g = 0; g < kPorts; ++g) {
      CHECK(port.read(region(0, rtl::CFG_LOG_LENGTH + g)) == lengths[g]);
    }
    CHECK(port.read(region(rtl::CFG_ARRIVED, 7)) ==
          static_cast<std::uint32_t>(port->arrived_i & 0xffffffff));
    CHECK(port.read(region(rtl::CFG_ARRIVED, 1u << rtl::CFG_ARRIVED_LSB | 7)) ==
          port->arrived_i >> 32);
    CHECK(port.read(region(rtl::CFG_ARRIVED, 1u << (rtl::CFG_ARRIVED_LSB + 1) | 7)) == 0);
    CHECK(port.read(region(8 | rtl::CFG_ARRIVED, 7)) == 0);
  }
}
