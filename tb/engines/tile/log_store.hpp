#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "fabric/fabric.hpp"

namespace gossamer::tb {

/// A run ends if its compressed stores hold more differing words than this.
inline constexpr std::size_t kMostDifferentWords = 1'000'000;

/// The message stores of a range of nodes. Explicit stores are an array for each log. Compressed
/// ones need an image that says what should arrive: an arriving word is compared with what its
/// origin sent, and kept only if it differs; all others are computed when they are read
/// (docs/scale.md). Either way, one reads what was written, word by word. Different threads may use
/// different nodes at the same time.
///
/// A node has `kLogs` logs, a single one if kSingle; `kChannels` channels read them.
template <unsigned kLogs, bool kSingle, bool kAdaptive, unsigned kChannels>
class LogStore {
 public:
  void load(const FabricImage& image, Node first, Node last) {
    capacity_ = image.capacity;
    expected_ = image.expected;
    different_.clear();
    any_different_ = false;
    const std::size_t nodes = last - first;
    differs_.assign(expected_ ? nodes : 0, 0);
    words_.assign(expected_ ? 0 : nodes * kLogs * capacity_, 0);
    written_.assign(nodes * kLogs, {});
    arrived_.assign(kAdaptive ? nodes * kLogs * capacity_ : 0, 0);
    cursors_.assign(expected_ ? nodes * kChannels : 0, {});
    if (expected_) load_shifts(image, first, last);
    load_own(image, first, last);
  }

  /// For local node `i`.
  std::uint32_t length(Node i, unsigned log) const { return written_[at(i, log)].length; }

  [[gnu::always_inline]] void append(Node i, unsigned log, std::uint32_t word) {
    Written& written = written_[at(i, log)];
    const std::uint32_t index = written.length;
    if (index == capacity_) throw std::logic_error("the RTL stored a word in a full log");
    if (!expected_) {
      std::uint32_t* to = words_.data() + begin(i, log) + index;
      __builtin_prefetch(to + kAhead, 1);
      *to = word;
    } else if (!as_scheduled(written, i, log, word)) {
      keep(i, begin(i, log) + index, word);
    }
    written.length = index + 1;
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
    if (log >= kLogs || index >= (kAdaptive ? capacity_ : length(i, log))) return 0;
    if (!expected_) return words_[begin(i, log) + index];
    if (any_different_) return regenerate(i, log, index);
    Cursor& cursor = cursors_[std::size_t{i} * kChannels + channel];
    if (cursor.index != index || cursor.log != log) {
      seek(cursor, i, log, index);
    } else if (cursor.words.left == 0) {
      next_message(cursor.words, i, log, message(index));
    }
    --cursor.words.left;
    ++cursor.index;
    return Payload::word(cursor.words.number++);
  }

  void prefetch(Node i) const {
    __builtin_prefetch(written_.data() + at(i, 0), 1);
    __builtin_prefetch(cursors_.data() + std::size_t{i} * kChannels, 1);
  }

  /// In order of arrival; for an adaptive node all of it, written or not.
  std::vector<std::uint32_t> log(Node i, unsigned log) const { return part(i, log, 0, capacity_); }

  /// Up to `most` words from word `first` on.
  std::vector<std::uint32_t> part(Node i, unsigned log, std::uint64_t first,
                                  std::uint64_t most) const {
    const std::uint64_t end =
        std::min<std::uint64_t>(kAdaptive ? capacity_ : length(i, log), first + most);
    if (first >= end) return {};
    std::vector<std::uint32_t> words(end - first);
    if (!expected_) {
      const auto from = words_.begin() + static_cast<std::ptrdiff_t>(begin(i, log) + first);
      std::copy_n(from, words.size(), words.begin());
    } else if (any_different_ || end > expected_->words(class_[i], log)) {
      for (std::uint64_t k = first; k < end; ++k) {
        words[k - first] = regenerate(i, log, static_cast<std::uint32_t>(k));
      }
    } else {
      expected_->copy_words(class_[i], shift_[i], log, static_cast<std::uint32_t>(first), words);
    }
    return words;
  }

  /// Adaptive nodes: which words of a log have arrived, by address. Empty for other nodes.
  std::vector<bool> arrived(Node i, unsigned log) const {
    if (!kAdaptive) return {};
    const auto at = arrived_.begin() + static_cast<std::ptrdiff_t>(begin(i, log));
    return {at, at + capacity_};
  }

  /// Does every log of the node hold exactly what the image expects? False for explicit stores,
  /// where nothing was compared.
  bool as_expected(Node i) const {
    if (!expected_) return false;
    for (unsigned g = 0; g < kLogs; ++g) {
      if (length(i, g) != expected_->words(class_[i], g)) return false;
    }
    return differs_[i] == 0;
  }

  /// Words compared so far, if the image says what should arrive.
  Fabric::Compared compared() const {
    if (!expected_) return {};
    std::uint64_t words = 0;
    for (const Written& log : written_) words += log.length;
    return {words, different_.size()};
  }

 private:
  static constexpr std::size_t kAhead = 32;  ///< words that are prefetched

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
    Words words;
  };
  /// Where a channel continues if it reads the next word. The initial index is larger than any log.
  struct Cursor {
    std::uint32_t index = ~std::uint32_t{0}, log = 0;
    Words words;
  };

  static std::size_t at(Node i, unsigned log) { return std::size_t{i} * kLogs + log; }
  std::uint64_t begin(Node i, unsigned log) const { return at(i, log) * capacity_; }
  std::uint32_t own_size(Node i) const { return own_begin_[i + 1] - own_begin_[i]; }

  /// Is this the next word of a log?
  bool as_scheduled(Written& written, Node i, unsigned log, std::uint32_t word) const {
    Words& words = written.words;
    if (words.left == 0 && !next_message(words, i, log, message(written.length))) return false;
    --words.left;
    return Payload::word(words.number++) == word;
  }

  /// Moves to the next message of a log, `message`. False after the last one.
  bool next_message(Words& words, Node i, unsigned log, std::uint32_t message) const {
    if (message >= words.end) {
      const ExpectedLogs::Log& runs = expected_->runs[class_[i] * kLogs + log];
      if (words.run == runs.size()) return false;
      begin_run(words, i, runs[words.run++], message);
    }
    words.number = expected_->first(words.at++, words.shift);
    words.left = flits_;
    return true;
  }

  void begin_run(Words& words, Node i, const ExpectedLogs::Run& run, std::uint32_t message) const {
    words.end = run.end;
    words.at = run.offset + message;
    words.shift = expected_->packing.translate(run.shift, shift_[i]);
  }

  void seek(Cursor& cursor, Node i, unsigned log, std::uint32_t index) const {
    const ExpectedLogs::Log& runs = expected_->runs[class_[i] * kLogs + log];
    const std::uint32_t first = message(index), skipped = flits_ == 1 ? 0 : index % flits_;
    const auto& run = ExpectedLogs::run_of(runs, first);
    cursor.index = index;
    cursor.log = log;
    cursor.words.run = static_cast<std::uint32_t>(&run - runs.data()) + 1;
    begin_run(cursor.words, i, run, first);
    next_message(cursor.words, i, log, first);
    cursor.words.number += skipped;
    cursor.words.left -= skipped;
  }

  std::uint32_t message(std::uint32_t index) const { return flits_ == 1 ? index : index / flits_; }

  void keep(Node i, std::uint64_t at, std::uint32_t word) {
    const std::lock_guard lock(mutex_);
    if (different_.size() == kMostDifferentWords) {
      throw GaveUp("more than a million words arrived that the schedule does not have there");
    }
    different_[at] = word;
    differs_[i] = 1;
    any_different_ = true;
  }

  std::uint32_t regenerate(Node i, unsigned log, std::uint32_t index) const {
    if (any_different_) {
      const std::lock_guard lock(mutex_);
      const auto it = different_.find(begin(i, log) + index);
      if (it != different_.end()) return it->second;
    }
    return expected_->word(class_[i], shift_[i], log, index);
  }

  /// A single-port node's log begins with its own words; other nodes have a separate log for them.
  void load_own(const FabricImage& image, Node first, Node last) {
    own_begin_.assign(1, 0);
    own_.clear();
    for (Node x = first; x < last; ++x) {
      const auto begin_x =
          image.own_words.begin() + static_cast<std::ptrdiff_t>(image.own_begin[x]);
      own_.insert(own_.end(), begin_x, begin_x + image.own_size(x));
      own_begin_.push_back(static_cast<std::uint32_t>(own_.size()));
      if (!kSingle) continue;
      for (std::uint32_t k = 0; k < image.own_size(x); ++k) append(x - first, 0, begin_x[k]);
    }
  }

  void load_shifts(const FabricImage& image, Node first, Node last) {
    flits_ = expected_->payload.flits();
    class_.clear();
    shift_.clear();
    for (Node x = first; x < last; ++x) {
      class_.push_back(image.program_of[x]);
      shift_.push_back(image.quotient ? 0 : expected_->shift(x, image.program_of[x]));
    }
  }

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
};

}  // namespace gossamer::tb
