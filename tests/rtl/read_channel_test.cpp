// rtl/node/read_channel.sv against lists expanded word by word.
#include <optional>

#include "Vread_channel.h"
#include "Vread_channel_reduce.h"
#include "Vread_channel_stays.h"
#include "block.hpp"
#include "catch.hpp"
#include "fabric/node_program.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

constexpr std::uint32_t kAddresses = 1 << 24;  // blocks.mk

/// A word that a list asks for.
struct Word {
  unsigned log = 0;
  std::uint32_t addr = 0;
  bool stops = false;  ///< the slot's stream ends with it
  bool ends_run = false;
  bool same = false;  ///< the segment's bit for adaptive nodes
};

std::vector<Word> expand(const std::vector<Segment>& list) {
  std::vector<Word> words;
  for (const Segment& s : list) {
    for (std::uint32_t run = 0; run < s.count; ++run) {
      for (std::uint32_t i = 0; i < s.run; ++i) {
        words.push_back(
            {s.log, (s.base + run * s.stride + i) % kAddresses, false, i + 1 == s.run, s.same});
      }
    }
    words.back().stops = s.stop;
  }
  return words;
}

/// A slot: its cycles, and in how many of them, from the first one on, a word is read.
struct Slot {
  unsigned length = 1, stream = 0;
};

template <class Model>
class Channel {
 public:
  explicit Channel(const std::vector<Segment>& list, bool changed) : block_(1), changed_(changed) {
    for (const Segment& s : list) list_.push_back(encode(s));
    // The list's end: a segment without runs, whatever its other fields are.
    // Or one of which a bit has changed.
    list_.push_back(encode(Segment{1, 5, 3, 7, changed ? 2u : 0u, false, false, changed}));
    block_->read_i = block_->last_i = block_->slot_close_i = 0;
    block_->prime_i = 1;
    block_->start_i = 0;
    for (int i = 0; i < 2; ++i) clock();
    block_->start_i = 1;
    clock();
    block_->prime_i = block_->start_i = 0;
  }

  /// Runs a slot, and requires these words, then nothing, or ERR_EXHAUSTED if so many are not
  /// there; ERR_PARITY, if the list has changed.
  void run(const Slot& slot, const std::vector<Word>& words, bool exhausted) {
    for (unsigned t = 0; t < slot.length; ++t) {
      CAPTURE(t, slot.length, slot.stream, words.size());
      const bool read = t < slot.stream;
      block_->read_i = read;
      block_->last_i = t + 1 == slot.stream;
      block_->slot_close_i = t + 1 == slot.length;
      block_.settle();
      const bool word = t < words.size();
      REQUIRE(bool(block_->store_en_o) == word);
      REQUIRE(bool(block_->exhausted_o) == (read && !word && exhausted && !changed_));
      REQUIRE(bool(block_->parity_o) == (read && !word && exhausted && changed_));
      if (word) {
        REQUIRE(block_->store_log_o == words[t].log);
        REQUIRE(block_->store_addr_o == words[t].addr);
        REQUIRE(bool(block_->same_o) == words[t].same);
      }
      // After the list's end, for adaptive nodes.
      if (std::is_same_v<Model, Vread_channel_stays> && read && !word && exhausted) {
        if (!end_) end_ = block_->store_addr_o;
        REQUIRE(block_->store_addr_o == *end_);
      }
      clock();
      REQUIRE(bool(block_->word_valid_o) == word);
      if (word) {
        const bool last = t + 1 == slot.stream || words[t].stops;
        REQUIRE(bool(block_->word_last_o) == last);
        REQUIRE(bool(block_->run_last_o) == words[t].ends_run);
      }
    }
  }

 private:
  void clock() {
    block_.settle();
    const bool enable = block_->list_en_o;
    const std::size_t address = block_->list_addr_o;
    block_.edge();
    if (!enable) return;
    const auto segment = address < list_.size() ? list_[address] : std::vector<std::uint32_t>(4);
    std::copy(segment.begin(), segment.end(), tb::words(block_->list_data_i));
  }

  Block<Model> block_;
  const bool changed_;
  std::vector<std::vector<std::uint32_t>> list_;
  std::optional<std::uint32_t> end_;  ///< the address after all words
};

/// Runs slots one after the other; all words of the list must come, in order.
template <class Model>
void run_on(const std::vector<Segment>& list, const std::vector<Slot>& slots, bool changed) {
  Channel<Model> channel(list, changed);
  const std::vector<Word> all = expand(list);
  std::size_t next = 0;
  for (std::size_t k = 0; k < slots.size(); ++k) {
    CAPTURE(k, next);
    std::vector<Word> words;
    while (words.size() < slots[k].stream && next < all.size()) {
      words.push_back(all[next++]);
      if (words.back().stops) break;
    }
    const bool stopped = !words.empty() && words.back().stops;
    channel.run(slots[k], words, !stopped);
  }
}

void run(const std::vector<Segment>& list, const std::vector<Slot>& slots) {
  for (const bool changed : {false, true}) {
    CAPTURE(changed);
    run_on<Vread_channel>(list, slots, changed);
    run_on<Vread_channel_stays>(list, slots, changed);
  }
}

Segment segment(unsigned log, std::uint32_t base, std::uint32_t run, std::uint32_t stride = 0,
                std::uint32_t count = 1, bool stop = false) {
  return {log, base, run, stride, count, stop};
}

}  // namespace

TEST_CASE("read channel: a run, in one slot or in many of one cycle") {
  run({segment(2, 10, 6)}, {{6, 6}});
  run({segment(2, 10, 6)}, {{8, 6}});
  run({segment(2, 10, 6)}, std::vector<Slot>(6, Slot{1, 1}));
}

TEST_CASE("read channel: a stream continues in the next slot from where it stopped") {
  run({segment(0, 0, 3), segment(1, 7, 2, 5, 3)}, {{2, 2}, {3, 0}, {4, 3}, {1, 1}, {5, 3}});
}

TEST_CASE("read channel: strides between runs, forwards, backwards and none at all") {
  run({segment(1, 100, 2, 8, 4)}, {{8, 8}});
  run({segment(1, 100, 1, 0, 4)}, {{4, 4}});                // the same word four times
  run({segment(1, 100, 3, kAddresses - 10, 3)}, {{9, 9}});  // from 100, 90 and 80
}

TEST_CASE("read channel: words anywhere in a log, in a list of many segments") {
  constexpr unsigned kSegments = (1 << 15) + 1;  // in a table of 2^16 (blocks.mk)
  std::vector<Segment> list;
  for (unsigned i = 0; i < kSegments; ++i) list.push_back(segment(i % 6, i * 0x9e3779b9u >> 8, 1));
  run_on<Vread_channel>(list, {{kSegments, kSegments}}, false);
}

TEST_CASE(
    "read channel: with an operator the own words from the stride on go with those of the run") {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    Segment one = segment(1, random.below(kAddresses), 3, random.below(kAddresses - 3));
    one.op = random.between(rtl::OP_SUM, rtl::REDUCE_OPS - 1);
    one.keep = random.chance(50);
    const auto words = encode(one);
    Block<Vread_channel_reduce> block(1);
    std::copy(words.begin(), words.end(), tb::words(block->list_data_i));
    block->read_i = block->last_i = block->slot_close_i = block->start_i = 0;
    block->prime_i = 1;
    for (int t = 0; t < 2; ++t) block.edge();
    block->start_i = 1;
    block.edge();
    block->prime_i = block->start_i = 0;
    block->read_i = 1;
    for (unsigned t = 0; t < 3; ++t) {
      CAPTURE(i, t);
      block.settle();
      CHECK(block->combine_o);
      CHECK(bool(block->keep_o) == one.keep);
      CHECK(block->store_addr_o == (one.base + t) % kAddresses);
      CHECK(block->own_addr_o == one.stride + t);
      block.edge();
      CHECK(block->op_o == one.op);
    }
  }
}

TEST_CASE("read channel: segments of one word follow one another without a gap") {
  std::vector<Segment> list;
  for (unsigned i = 0; i < 20; ++i) list.push_back(segment(i % 5, 3 * i, 1));
  run(list, {{20, 20}});
}

TEST_CASE("read channel: a stop ends the slot's stream before the slot's own length") {
  run({segment(0, 0, 2, 0, 1, true), segment(0, 50, 4)}, {{5, 4}, {4, 4}});
  // Stops in the slot's very last cycle, and in slots of one cycle.
  run({segment(0, 0, 2, 0, 1, true), segment(0, 50, 4)}, {{2, 2}, {4, 4}});
  run({segment(0, 0, 1, 1, 3, true), segment(0, 50, 1)}, {{1, 1}, {1, 1}, {1, 1}, {1, 1}});
}

TEST_CASE("read channel: exhausted in every cycle in which the list has no words left") {
  run({segment(0, 0, 2)}, {{4, 4}, {2, 2}});
  run({}, {{1, 0}, {3, 2}});
  run({segment(0, 0, 2, 0, 1, true)}, {{4, 4}, {1, 1}});  // the stop comes first
}

TEST_CASE("read channel: random lists and slots") {
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    CAPTURE(i);
    std::vector<Segment> list;
    const unsigned segments = random.below(8);
    for (unsigned k = 0; k < segments; ++k) {
      list.push_back(segment(random.below(6), random.below(1000), random.between(1, 4),
                             random.below(20), random.between(1, 3), random.chance(20)));
      list.back().same = random.chance(50);
    }
    std::vector<Slot> slots;
    for (int k = 0; k < 15; ++k) {
      const unsigned length = random.between(1, 8);
      slots.push_back({length, random.between(0, length)});
    }
    run(list, slots);
  }
}
