#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "fabric/fabric.hpp"

namespace gossamer::tb {

/// The message stores of a range of nodes. Explicit: an array per log. Compressed, if the image says
/// what should arrive: an arriving word is compared with what its origin sent, and only a word that
/// differs is kept; every other one is worked out again when it is read (docs/scale.md). What is
/// read is what was written, word by word, either way. Different nodes may be used by different
/// threads at the same time.
class LogStore {
 public:
  void load(const FabricImage& image, Node first, Node last) {
    logs_ = image.kind.logs();
    single_ = image.kind.single_port;
    adaptive_ = image.kind.adaptive;
    capacity_ = image.capacity;
    expected_ = image.expected;
    different_.clear();
    any_different_ = false;
    const std::size_t logs = std::size_t{last - first} * logs_;
    words_.assign(expected_ ? 0 : logs * capacity_, 0);
    length_.assign(logs, 0);
    arrived_.assign(adaptive_ ? logs * capacity_ : 0, 0);
    if (expected_) load_shifts(image, first, last);
    load_own(image, first, last);
  }

  /// Of local node `i`.
  std::uint32_t length(Node i, unsigned log) const { return length_[std::size_t{i} * logs_ + log]; }

  void append(Node i, unsigned log, std::uint32_t word) {
    std::uint32_t& length = length_[std::size_t{i} * logs_ + log];
    if (length == capacity_) throw std::logic_error("the RTL stored a word in a full log");
    const std::uint32_t index = length++;
    if (!expected_) {
      words_[begin(i, log) + index] = word;
    } else if (!as_scheduled(i, log, index, word)) {
      keep(begin(i, log) + index, word);
    }
  }

  /// Adaptive nodes say where a word belongs.
  void put(Node i, unsigned log, std::uint32_t index, std::uint32_t word) {
    words_[begin(i, log) + index] = word;
    arrived_[begin(i, log) + index] = 1;
  }

  /// 0 where nothing was written yet.
  std::uint32_t read(Node i, unsigned log, std::uint32_t index) const {
    if (log == logs_ && !single_) return index < own_size(i) ? own_[own_begin_[i] + index] : 0;
    if (log >= logs_ || index >= (adaptive_ ? capacity_ : length(i, log))) return 0;
    return expected_ ? regenerate(i, log, index) : words_[begin(i, log) + index];
  }

  /// In order of arrival; of an adaptive node all of it, written or not.
  std::vector<std::uint32_t> log(Node i, unsigned log) const {
    std::vector<std::uint32_t> words(adaptive_ ? capacity_ : length(i, log));
    for (std::uint32_t k = 0; k < words.size(); ++k) words[k] = read(i, log, k);
    return words;
  }

  /// Adaptive nodes: which words of a log have arrived, by address. Empty for all others.
  std::vector<bool> arrived(Node i, unsigned log) const {
    if (!adaptive_) return {};
    const auto at = arrived_.begin() + static_cast<std::ptrdiff_t>(begin(i, log));
    return {at, at + capacity_};
  }

  /// Every log of the node holds just what the image expects, no word less, more or different. False
  /// for explicit stores, which nothing is known of without looking.
  bool as_expected(Node i) const {
    if (!expected_) return false;
    for (unsigned g = 0; g < logs_; ++g) {
      if (length(i, g) != expected_->words(class_[i], g)) return false;
    }
    if (!any_different_) return true;
    for (const auto& [at, word] : different_) {
      if (at / capacity_ / logs_ == i) return false;
    }
    return true;
  }

  /// All words so far, if the image says what should arrive.
  Fabric::Compared compared() const {
    if (!expected_) return {};
    return {std::reduce(length_.begin(), length_.end(), std::uint64_t{0}), different_.size()};
  }

 private:
  std::uint64_t begin(Node i, unsigned log) const {
    return (std::uint64_t{i} * logs_ + log) * capacity_;
  }
  std::uint32_t own_size(Node i) const { return own_begin_[i + 1] - own_begin_[i]; }

  bool as_scheduled(Node i, unsigned log, std::uint32_t index, std::uint32_t word) const {
    const List& list = lists_[class_[i] * logs_ + log];
    return index < list.words && expected_->word(list.origins, shift_[i], index) == word;
  }

  /// A run that goes wrong in more places than this ends here.
  static constexpr std::size_t kMostDifferent = 1'000'000;

  void keep(std::uint64_t at, std::uint32_t word) {
    const std::lock_guard lock(mutex_);
    if (different_.size() == kMostDifferent) {
      throw std::runtime_error("a million words arrived that the schedule does not have there");
    }
    different_[at] = word;
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

  /// A single-port node's log begins with its own words; elsewhere they have a log of their own.
  void load_own(const FabricImage& image, Node first, Node last) {
    own_begin_.assign(1, 0);
    own_.clear();
    for (Node x = first; x < last; ++x) {
      const auto begin_x = image.own_words.begin() + static_cast<std::ptrdiff_t>(image.own_begin[x]);
      own_.insert(own_.end(), begin_x, begin_x + image.own_size(x));
      own_begin_.push_back(static_cast<std::uint32_t>(own_.size()));
      if (!single_) continue;
      for (std::uint32_t k = 0; k < image.own_size(x); ++k) append(x - first, 0, begin_x[k]);
    }
  }

  void load_shifts(const FabricImage& image, Node first, Node last) {
    lists_.clear();
    for (const auto& origins : expected_->origins) {
      const std::uint64_t words = std::uint64_t{origins.size()} * expected_->payload.flits();
      lists_.push_back({origins.data(), static_cast<std::uint32_t>(words)});
    }
    class_.clear();
    shift_.clear();
    for (Node x = first; x < last; ++x) {
      class_.push_back(image.program_of[x]);
      shift_.push_back(expected_->shift(x, image.program_of[x]));
    }
  }

  unsigned logs_ = 1;
  bool single_ = false, adaptive_ = false;
  std::uint32_t capacity_ = 0;
  std::vector<std::uint32_t> words_;   ///< explicit: nodes x logs x capacity
  std::vector<std::uint32_t> length_;  ///< nodes x logs: words written
  std::vector<std::uint8_t> arrived_;  ///< adaptive, as words_; a byte each, for the threads' sake
  std::vector<std::uint32_t> own_, own_begin_;
  std::shared_ptr<const ExpectedLogs> expected_;
  /// What a log will hold: expected_->origins, side by side.
  struct List {
    const std::uint32_t* origins = nullptr;
    std::uint32_t words = 0;
  };
  std::vector<List> lists_;                   ///< compressed: by class and log
  std::vector<std::uint32_t> class_, shift_;  ///< compressed: by node
  std::unordered_map<std::uint64_t, std::uint32_t> different_;  ///< by place in the logs
  std::atomic<bool> any_different_ = false;
  mutable std::mutex mutex_;
};

}  // namespace gossamer::tb
