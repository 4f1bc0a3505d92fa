#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "fabric/fabric.hpp"

namespace gossamer::tb {

/// A run ends if its compressed stores hold more differing words than this.
inline constexpr std::size_t kMostDifferentWords = 1'000'000;

/// The message stores of a range of nodes. Explicit stores are an array for each log. Compressed
/// ones need an image that says what should arrive: an arriving word is compared with what its
/// origin sent, and kept only if it differs; all others are computed when they are read
/// (docs/research/scale.md). Either way, one reads what was written, word by word. Different
/// threads may use different nodes at the same time.
///
/// What is done in every cycle is in LogStore below, which is compiled for each kind of node.
class LogStores {
 public:
  void load(const FabricImage& image, Node first, Node last);

  /// All logs of arrivals begin again.
  void forget() {
    for (Written& w : written_)
      w = {.length = single_ ? own_size(static_cast<Node>(&w - written_.data())) : 0};
  }
  /// Writes a word of a log that is explicit, or an own one.
  void set_word(Node i, unsigned log, std::uint32_t index, std::uint32_t word) {
    (log < logs_ ? words_[begin(i, log) + index] : own_[own_begin_[i] + index]) = word;
  }
  /// For local node `i`.
  std::uint32_t length(Node i, unsigned log) const { return written_[at(i, log)].length; }

  /// In order of arrival; for an adaptive node all of it, written or not. Behind the logs of
  /// arrivals are the own words.
  std::vector<std::uint32_t> log(Node i, unsigned log) const {
    if (log < logs_) return part(i, log, 0, capacity_);
    return {own_.begin() + own_begin_[i], own_.begin() + own_begin_[i + 1]};
  }

  /// Up to `most` words from word `first` on.
  std::vector<std::uint32_t> part(Node i, unsigned log, std::uint64_t first,
                                  std::uint64_t most) const;

  /// Adaptive nodes: which words of a log have arrived, by address. Empty for other nodes.
  std::vector<bool> arrived(Node i, unsigned log) const;

  /// Does every log of the node hold exactly what the image expects? False for explicit stores,
  /// where nothing was compared.
  bool as_expected(Node i) const;

  /// Words compared so far, if the image says what should arrive.
  Fabric::Compared compared() const;

 protected:
  LogStores(unsigned logs, bool single, bool adaptive, unsigned channels)
      : logs_(logs), channels_(channels), single_(single), adaptive_(adaptive) {}

  /// The next words of a log that the image expects: the numbers (Payload) of the rest of a
  /// message's flits, and where to find the messages after it. Initially both are empty.
  struct Words {
    std::uint32_t number = 0, left = 0;  ///< of the next flit; how many
    std::uint32_t run = 0, end = 0;  ///< the next run of messages; messages of the log before it
    std::uint32_t at = 0,
                  shift = 0;  ///< of this run: the next message's origin, and the translation
  };
  /// The end of a log, and the words that should come next.
  struct Written {
    std::uint32_t length = 0;
    Words words = {};
  };
  /// Where a channel continues if it reads the next word. The initial index is larger than any log.
  struct Cursor {
    std::uint32_t index = ~std::uint32_t{0}, log = 0;
    Words words;
  };

  std::size_t at(Node i, unsigned log) const { return std::size_t{i} * logs_ + log; }
  std::uint64_t begin(Node i, unsigned log) const { return at(i, log) * capacity_; }
  std::uint32_t own_size(Node i) const { return own_begin_[i + 1] - own_begin_[i]; }

  /// Appends to the log whose end is `written`, and which begins at word `begin` of an explicit
  /// store.
  [[gnu::always_inline]] void append(Written& written, std::uint64_t begin, Node i, unsigned log,
                                     std::uint32_t word) {
    const std::uint32_t index = written.length;
    if (index == capacity_) full();
    if (!expected_) {
      std::uint32_t* to = words_.data() + begin + index;
      __builtin_prefetch(to + kAhead, 1);
      *to = word;
    } else if (!as_scheduled(written, i, log, word)) {
      keep(i, begin + index, word);
    }
    written.length = index + 1;
  }

  /// What a channel reads of a compressed store. The word was written.
  [[gnu::always_inline]] std::uint32_t read_on(Cursor& cursor, Node i, unsigned log,
                                               std::uint32_t index) {
    if (any_different_) return regenerate(i, log, index);
    if (cursor.index != index || cursor.log != log) {
      seek(cursor, i, log, index);
    } else if (cursor.words.left == 0) {
      next_message(cursor.words, i, log, message(index));
    }
    --cursor.words.left;
    ++cursor.index;
    return Payload::word(cursor.words.number++);
  }

  /// Is this the next word of a log?
  bool as_scheduled(Written& written, Node i, unsigned log, std::uint32_t word) const {
    Words& words = written.words;
    if (words.left == 0 && !next_message(words, i, log, message(written.length))) return false;
    --words.left;
    return Payload::word(words.number++) == word;
  }

  /// Moves to the next message of a log, `message`. False after the last one.
  bool next_message(Words& words, Node i, unsigned log, std::uint32_t message) const {
    if (!find_run(words, i, log, message)) return false;
    words.number = expected_->first(words.at++, words.shift);
    words.left = flits_;
    return true;
  }

  /// Moves to the run of the next message of a log. False after the last one.
  bool find_run(Words& words, Node i, unsigned log, std::uint32_t message) const {
    if (message >= words.end) {
      const ExpectedLogs::Log& runs = expected_->runs[class_[i] * logs_ + log];
      if (words.run == runs.size()) return false;
      begin_run(words, i, runs[words.run++], message);
    }
    return true;
  }

  void begin_run(Words& words, Node i, const ExpectedLogs::Run& run, std::uint32_t message) const;
  void seek(Cursor& cursor, Node i, unsigned log, std::uint32_t index) const;

  std::uint32_t message(std::uint32_t index) const { return flits_ == 1 ? index : index / flits_; }

  [[noreturn]] static void full();
  void keep(Node i, std::uint64_t at, std::uint32_t word);
  std::uint32_t regenerate(Node i, unsigned log, std::uint32_t index) const;

  static constexpr std::size_t kAhead = 32;  ///< words that are prefetched
  const unsigned logs_, channels_;           ///< of a node
  const bool single_, adaptive_;
  std::uint32_t capacity_ = 0;
  std::vector<std::uint32_t> words_;  ///< explicit: nodes x logs x capacity
  std::vector<Written> written_;      ///< nodes x logs
  std::vector<std::uint8_t>
      arrived_;  ///< adaptive, as words_; a byte each, because threads write different ones
  std::vector<std::uint32_t> own_, own_begin_;
  std::shared_ptr<const ExpectedLogs> expected_;
  std::uint32_t flits_ = 1;                                     ///< compressed: of a message
  std::vector<Cursor> cursors_;                                 ///< compressed: nodes x channels
  std::vector<std::uint32_t> class_, shift_;                    ///< compressed: by node
  std::unordered_map<std::uint64_t, std::uint32_t> different_;  ///< by place in the logs
  std::vector<std::uint8_t>
      differs_;  ///< compressed: by node; a byte each, because threads write different ones
  std::atomic<bool> any_different_ = false;
  mutable std::mutex mutex_;

 private:
  void load_own(const FabricImage& image, Node first, Node last);
  void load_shifts(const FabricImage& image, Node first, Node last);
};

/// The same for nodes with `kLogs` logs, a single one with the own words if kSingle, which
/// `kChannels` channels read.
template <unsigned kLogs, bool kSingle, bool kAdaptive, unsigned kChannels>
class LogStore : public LogStores {
 public:
  LogStore() : LogStores(kLogs, kSingle, kAdaptive, kChannels) {}

  [[gnu::always_inline]] void append(Node i, unsigned log, std::uint32_t word) {
    const std::size_t at = std::size_t{i} * kLogs + log;
    LogStores::append(written_[at], at * capacity_, i, log, word);
  }

  /// Adaptive nodes say where a word belongs.
  void put(Node i, unsigned log, std::uint32_t index, std::uint32_t word) {
    words_[begin(i, log) + index] = word;
    arrived_[begin(i, log) + index] = 1;
  }

  /// What a channel reads; 0 where nothing was written yet.
  [[gnu::always_inline]] std::uint32_t read(Node i, unsigned channel, unsigned log,
                                            std::uint32_t index) {
    if (!kSingle && log == kLogs) {
      return index < own_size(i) ? own_[own_begin_[i] + index] : 0;
    }
    const std::size_t at = std::size_t{i} * kLogs + log;
    if (log >= kLogs || index >= (kAdaptive ? capacity_ : written_[at].length)) return 0;
    if (!expected_) return words_[at * capacity_ + index];
    return read_on(cursors_[std::size_t{i} * kChannels + channel], i, log, index);
  }

  void prefetch(Node i) const {
    __builtin_prefetch(written_.data() + std::size_t{i} * kLogs, 1);
    __builtin_prefetch(cursors_.data() + std::size_t{i} * kChannels, 1);
  }
};

/// That of the nodes of a tile engine.
template <class Tile>
using TileStore = LogStore<Tile::kSinglePort ? 1 : Tile::kPorts, Tile::kSinglePort, Tile::kAdaptive,
                           Tile::kChannels>;

}  // namespace gossamer::tb
