// rtl/node/node_table.sv and rtl/node/message_store.sv against plain arrays: the configuration port
// fills them, the core reads and appends.
#include "Vmessage_store.h"
#include "Vmessage_store_even.h"
#include "Vmessage_store_single.h"
#include "Vnode_table.h"
#include "Vnode_table_double.h"
#include "Vnode_table_even.h"
#include "block.hpp"
#include "catch.hpp"
#include "gossamer_constants.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

using Line = std::vector<std::uint32_t>;  // the 32-bit words of a memory's word

Line take(const std::uint32_t* words, std::size_t count) { return {words, words + count}; }

/// A table of 4 ports and 2 channels, with slots of 112 bits.
template <class Model, unsigned kSlots, unsigned kSegments>
void fill_and_read_table() {
  constexpr unsigned kChannels = 2, kWords = 4;
  Block<Model> block(1);
  Random random(1);
  block->slot_en_i = block->list_en_i = 0;
  std::vector<Line> slots(kSlots, Line(kWords));
  std::vector<std::vector<Line>> lists(kChannels, std::vector<Line>(kSegments, Line(kWords)));

  const auto write = [&](bool list, std::uint32_t address, std::uint32_t word) {
    block->cfg_slot_write_i = !list;
    block->cfg_list_write_i = list;
    block->cfg_addr_i = address;
    block->cfg_wdata_i = word;
    block.edge();
    block->cfg_slot_write_i = block->cfg_list_write_i = 0;
  };
  block->cfg_slot_write_i = block->cfg_list_write_i = 0;
  for (unsigned i = 0; i < 20; ++i) {  // addresses after the end must not wrap around
    for (unsigned w = 0; w < kWords + 1; ++w) {
      const std::uint32_t word = random.word();
      write(false, i << rtl::CFG_SLOT_LSB | w, word);
      if (i < kSlots && w < kWords) slots[i][w] = word;
    }
  }
  for (unsigned c = 0; c < 5; ++c) {
    for (unsigned i = 0; i < 20; ++i) {
      for (unsigned w = 0; w < kWords; ++w) {
        const std::uint32_t word = random.word();
        write(true, c << rtl::CFG_CHANNEL_LSB | i << rtl::CFG_SEG_LSB | w, word);
        if (c < kChannels && i < kSegments) lists[c][i][w] = word;
      }
    }
  }

  block.edge();  // words are written one cycle later
  for (int t = 0; t < 200; ++t) {
    const unsigned slot = random.below(kSlots), a = random.below(kSegments),
                   b = random.below(kSegments);
    block->slot_en_i = 1;
    block->list_en_i = 3;
    block->slot_addr_i = slot;
    block->list_addr_i = a | b << std::bit_width(kSegments - 1);
    block.edge();
    // Without an enable the word that was read stays.
    block->slot_en_i = block->list_en_i = 0;
    block->slot_addr_i = block->list_addr_i = 0;
    block.edge();
    Line entry = slots[slot];
    entry[3] &= 0xffff;  // 112 bits
    REQUIRE(take(tb::words(block->slot_data_o), kWords) == entry);
    REQUIRE(take(tb::words(block->list_data_o), kWords) == lists[0][a]);
    REQUIRE(take(tb::words(block->list_data_o) + kWords, kWords) == lists[1][b]);
  }
}

}  // namespace

TEST_CASE("node table: written word by word, read entry by entry; no words after its end") {
  SECTION("6 slots, 5 segments") { fill_and_read_table<Vnode_table, 6, 5>(); }
  SECTION("4 slots, 4 segments") { fill_and_read_table<Vnode_table_even, 4, 4>(); }
}

namespace {

/// A message store, and a copy of what it should hold. Flits have kWords configuration words.
template <class Model, bool kSingle, unsigned kChannels, unsigned kWords, unsigned kWordsOfLog = 6>
class Store {
 public:
  static constexpr unsigned kPorts = 2, kDepth = kWordsOfLog, kLogBits = 2, kAddrBits = 3;
  static constexpr unsigned kFlitWords = kWords;
  static constexpr unsigned kLogs = kSingle ? 1 : kPorts;
  static constexpr unsigned kOwnLog = kSingle ? 0 : kPorts;

  Store() : block_(1) {
    idle();
    for (unsigned log = 0; log <= kOwnLog; ++log) {
      lines_.emplace_back(kDepth, Line(kWords));
    }
  }

  void config_write(unsigned log, unsigned index, unsigned word, std::uint32_t data) {
    block_->cfg_write_i = 1;
    block_->cfg_addr_i = log << rtl::CFG_LOG_LSB | (index * kWords + word);
    block_->cfg_wdata_i = data;
    block_.edge();
    idle();
    if (log == kOwnLog && index < kDepth) lines_[log][index][word] = data;
  }
  std::uint32_t config_read(unsigned log, unsigned index, unsigned word) {
    block_->cfg_read_i = 1;
    block_->cfg_addr_i = log << rtl::CFG_LOG_LSB | (index * kWords + word);
    block_.edge();
    idle();
    return block_->cfg_rdata_o;
  }
  /// An arrival on every log. A word that the configuration writes to the same log in the same
  /// cycle is lost.
  void append(unsigned index, Random& random) {
    block_->write_en_i = (1u << kLogs) - 1;
    std::uint32_t addresses = 0;
    for (unsigned g = 0; g < kLogs; ++g) {
      addresses |= index << (g * kAddrBits);
      for (unsigned w = 0; w < kWords; ++w) {
        const std::uint32_t data = random.word();
        lines_[g][index][w] = data;
        tb::words(block_->write_data_i)[g * kWords + w] = data;
      }
    }
    block_->write_addr_i = addresses;
    const unsigned own = random.below(kDepth), word = random.below(kWords);
    block_->cfg_write_i = random.chance(50);
    block_->cfg_addr_i = kOwnLog << rtl::CFG_LOG_LSB | (own * kWords + word);
    block_->cfg_wdata_i = random.word();
    if (block_->cfg_write_i && !kSingle) lines_[kOwnLog][own][word] = block_->cfg_wdata_i;
    block_.edge();
    idle();
  }
  /// Reads a word for every channel at once, while the configuration may want to read, too.
  void read(Random& random) {
    std::uint32_t logs = 0, addresses = 0;
    std::vector<Line> wanted;
    for (unsigned c = 0; c < kChannels; ++c) {
      const unsigned log = random.below(kOwnLog + 1), index = random.below(kDepth);
      logs |= (kSingle ? random.below(4) : log) << (c * kLogBits);  // a single log is always meant
      addresses |= index << (c * kAddrBits);
      wanted.push_back(lines_[log][index]);
    }
    block_->read_en_i = (1u << kChannels) - 1;
    block_->read_log_i = logs;
    block_->read_addr_i = addresses;
    block_->cfg_read_i = random.chance(50);
    block_->cfg_addr_i =
        random.below(kOwnLog + 1) << rtl::CFG_LOG_LSB | random.below(kDepth * kWords);
    block_.edge();
    idle();
    for (unsigned c = 0; c < kChannels; ++c) {
      REQUIRE(take(tb::words(block_->read_data_o) + c * kWords, kWords) == wanted[c]);
    }
  }
  /// An own word is replaced by a result, while another one is read beside a log.
  void keep(Random& random) {
    static_assert(kWords == 2);
    const unsigned index = random.below(kDepth), own = (index + 1) % kDepth;
    block_->keep_i = 1;
    block_->keep_addr_i = index;
    block_->keep_data_i = std::uint64_t{random.word()} << 32 | random.word();
    block_->combine_i = 1;
    block_->own_addr_i = own;
    lines_[kOwnLog][index] = take(tb::words(block_->keep_data_i), kWords);
    block_.edge();
    idle();
    REQUIRE(take(tb::words(block_->own_data_o), kWords) == lines_[kOwnLog][own]);
  }
  std::uint32_t held(unsigned log, unsigned index, unsigned word) const {
    return lines_[log][index][word];
  }

 private:
  void idle() {
    block_->combine_i = block_->keep_i = 0;
    block_->cfg_write_i = block_->cfg_read_i = 0;
    block_->read_en_i = block_->write_en_i = 0;
  }

  Block<Model> block_;
  std::vector<std::vector<Line>> lines_;  ///< per log
};

template <class S>
void exercise() {
  S store;
  Random random(1);
  // The configuration fills the own words; it cannot write other logs or words after the end.
  for (unsigned log = 0; log <= S::kOwnLog; ++log) {
    for (unsigned i = 0; i < S::kDepth; ++i) store.append(i, random);
  }
  for (unsigned i = 0; i < S::kDepth; ++i) {
    for (unsigned w = 0; w < S::kFlitWords; ++w)
      store.config_write(S::kOwnLog, i, w, random.word());
  }
  for (int i = 0; i < 200; ++i) {
    store.config_write(random.below(S::kOwnLog + 1), random.below(20), random.below(S::kFlitWords),
                       random.word());
  }
  for (unsigned i = 1; i < S::kDepth; i += 2) store.append(i, random);
  if constexpr (S::kFlitWords == 2) {
    for (int i = 0; i < 50; ++i) store.keep(random);
  }
  for (int i = 0; i < 200; ++i) store.read(random);
  for (unsigned log = 0; log <= S::kOwnLog; ++log) {
    for (unsigned i = 0; i < S::kDepth; ++i) {
      for (unsigned w = 0; w < S::kFlitWords; ++w) {
        CAPTURE(log, i, w);
        REQUIRE(store.config_read(log, i, w) == store.held(log, i, w));
      }
    }
  }
}

}  // namespace

TEST_CASE("node table: a write goes to the bank that is addressed, whichever bank runs") {
  Block<Vnode_table_double> block(1);
  block->bank_i = GENERATE(0, 1);
  const auto write = [&](unsigned bank, std::uint32_t word) {
    block->cfg_bank_i = bank;
    block->cfg_addr_i = 1 << rtl::CFG_SLOT_LSB;
    block->cfg_wdata_i = word;
    block->cfg_slot_write_i = 1;
    block.edge();
    block->cfg_slot_write_i = 0;
    block->cfg_addr_i = 1 << rtl::CFG_SEG_LSB;
    block->cfg_wdata_i = word + 1;
    block->cfg_list_write_i = 1;
    block.edge();
    block->cfg_list_write_i = 0;
  };
  block->cfg_slot_write_i = block->cfg_list_write_i = 0;
  write(0, 10);
  write(1, 20);
  block.edge();  // words are written one cycle later
  for (const unsigned runs : {0, 1}) {
    block->bank_i = runs;
    block->slot_en_i = block->list_en_i = 1;
    block->slot_addr_i = block->list_addr_i = 1;
    block.edge();
    CHECK(tb::words(block->slot_data_o)[0] == (runs == 0 ? 10 : 20));
    CHECK(tb::words(block->list_data_o)[0] == (runs == 0 ? 11 : 21));
  }
}

TEST_CASE(
    "message store: a log per port and the own words, flits of 64 bits, two channels, results") {
  exercise<Store<Vmessage_store, false, 2, 2>>();
}

TEST_CASE("message store: a single log that begins with the own words") {
  exercise<Store<Vmessage_store_single, true, 1, 1>>();
}

TEST_CASE("message store: logs of as many words as their addresses can name") {
  exercise<Store<Vmessage_store_even, false, 1, 1, 4>>();
}
