#pragma once

#include <vector>

#include "block.hpp"
#include "fabric/node_program.hpp"

namespace gossamer::test {

/// A node of a few ports.
template <class Model>
class SmallNode {
 public:
  explicit SmallNode(const NodeKind& kind) : kind_(kind), block_(1) {
    block_->start_i = block_->cfg_valid_i = block_->link_valid_i = 0;
    block_.reset();
  }

  void write(std::uint32_t region, std::uint32_t address, std::uint32_t word) {
    transfer(true, region << rtl::CFG_REGION_LSB | address, word);
  }
  std::uint32_t read(std::uint32_t region, std::uint32_t address) {
    transfer(false, region << rtl::CFG_REGION_LSB | address, 0);
    block_.settle();
    return block_->cfg_rdata_o;
  }

  /// Loads own words 100, 101, ..., a list for each channel and the slots; then restarts in that
  /// bank of tables.
  void load(std::uint32_t own_words, std::vector<std::vector<Segment>> lists,
            std::vector<SlotEntry> slots, std::uint32_t bank = 0) {
    write(rtl::CFG_REGISTERS, rtl::CFG_OWN_WORDS, own_words);
    for (std::uint32_t i = 0; i < own_words; ++i) {
      write(rtl::CFG_STORE, kind_.own_log() << rtl::CFG_LOG_LSB | i, 100 + i);
    }
    for (std::uint32_t c = 0; c < lists.size(); ++c) {
      lists[c].push_back({0, 0, 0, 0, 0});  // the list's end
      for (std::uint32_t k = 0; k < lists[c].size(); ++k) {
        write_words(rtl::CFG_LISTS,
                    bank << rtl::CFG_BANK_LSB | c << rtl::CFG_CHANNEL_LSB | k << rtl::CFG_SEG_LSB,
                    encode(lists[c][k]));
      }
    }
    slots.back().final = true;
    for (std::uint32_t i = 0; i < slots.size(); ++i) {
      write_words(rtl::CFG_SLOTS, bank << rtl::CFG_BANK_LSB | i << rtl::CFG_SLOT_LSB,
                  encode(slots[i], kind_));
    }
    restart(bank);
  }

  /// The three cycles of a restart.
  void restart(std::uint32_t bank = 0) {
    write(rtl::CFG_REGISTERS, rtl::CFG_CONTROL, bank << 1 | 1);
    block_.edge();
    block_.edge();
  }

  /// Runs the table; the words that left through each port.
  std::vector<std::vector<std::uint32_t>> run(int cycles = 12) {
    std::vector<std::vector<std::uint32_t>> sent(kind_.ports);
    block_->start_i = 1;
    for (int t = 0; t < cycles; ++t) {
      block_.edge();
      block_->start_i = 0;
      for (Port p = 0; p < kind_.ports; ++p) {
        if (block_->link_valid_o >> p & 1) sent[p].push_back(tb::words(block_->link_data_o)[p]);
      }
    }
    return sent;
  }

  Block<Model>& block() { return block_; }
  const NodeKind& kind() const { return kind_; }

  /// Requests a transfer at the configuration port, from here until end_transfer().
  void begin_transfer(bool write, std::uint32_t address, std::uint32_t word) {
    block_->cfg_valid_i = 1;
    block_->cfg_write_i = write;
    block_->cfg_addr_i = address;
    block_->cfg_wdata_i = word;
  }
  void end_transfer() { block_->cfg_valid_i = 0; }

 private:
  void transfer(bool write, std::uint32_t address, std::uint32_t word) {
    begin_transfer(write, address, word);
    block_.edge();
    end_transfer();
  }
  void write_words(std::uint32_t region, std::uint32_t address,
                   const std::vector<std::uint32_t>& words) {
    for (std::uint32_t w = 0; w < words.size(); ++w) write(region, address | w, words[w]);
  }

  NodeKind kind_;
  Block<Model> block_;
};

inline SlotEntry sending(const std::vector<Port>& select) {
  SlotEntry e;
  e.length = e.stream = 1;
  e.select = select;
  return e;
}

}  // namespace gossamer::test
