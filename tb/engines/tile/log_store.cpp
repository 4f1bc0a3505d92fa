#include "engines/tile/log_store.hpp"

#include <algorithm>
#include <stdexcept>

namespace gossamer::tb {

void LogStores::load(const FabricImage& image, Node first, Node last) {
  capacity_ = image.capacity;
  expected_ = image.expected;
  different_.clear();
  any_different_ = false;
  const std::size_t nodes = last - first;
  differs_.assign(expected_ ? nodes : 0, 0);
  words_.assign(expected_ ? 0 : nodes * logs_ * capacity_, 0);
  written_.assign(nodes * logs_, {});
  arrived_.assign(adaptive_ ? nodes * logs_ * capacity_ : 0, 0);
  cursors_.assign(expected_ ? nodes * channels_ : 0, {});
  if (expected_) load_shifts(image, first, last);
  load_own(image, first, last);
}

std::vector<std::uint32_t> LogStores::part(Node i, unsigned log, std::uint64_t first,
                                           std::uint64_t most) const {
  const std::uint64_t end =
      std::min<std::uint64_t>(adaptive_ ? capacity_ : length(i, log), first + most);
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

std::vector<bool> LogStores::arrived(Node i, unsigned log) const {
  if (!adaptive_) return {};
  const auto at = arrived_.begin() + static_cast<std::ptrdiff_t>(begin(i, log));
  return {at, at + capacity_};
}

bool LogStores::as_expected(Node i) const {
  if (!expected_) return false;
  for (unsigned g = 0; g < logs_; ++g) {
    if (length(i, g) != expected_->words(class_[i], g)) return false;
  }
  return differs_[i] == 0;
}

Fabric::Compared LogStores::compared() const {
  if (!expected_) return {};
  std::uint64_t words = 0;
  for (const Written& log : written_) words += log.length;
  return {words, different_.size()};
}

void LogStores::begin_run(Words& words, Node i, const ExpectedLogs::Run& run,
                          std::uint32_t message) const {
  words.end = run.end;
  words.at = run.offset + message;
  words.shift = expected_->packing.translate(run.shift, shift_[i]);
}

void LogStores::seek(Cursor& cursor, Node i, unsigned log, std::uint32_t index) const {
  const ExpectedLogs::Log& runs = expected_->runs[class_[i] * logs_ + log];
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

void LogStores::full() { throw std::logic_error("the RTL stored a word in a full log"); }

void LogStores::keep(Node i, std::uint64_t at, std::uint32_t word) {
  const std::lock_guard lock(mutex_);
  if (different_.size() == kMostDifferentWords) {
    throw GaveUp("more than a million words arrived that the schedule does not have there");
  }
  different_[at] = word;
  differs_[i] = 1;
  any_different_ = true;
}

std::uint32_t LogStores::regenerate(Node i, unsigned log, std::uint32_t index) const {
  if (any_different_) {
    const std::lock_guard lock(mutex_);
    const auto it = different_.find(begin(i, log) + index);
    if (it != different_.end()) return it->second;
  }
  return expected_->word(class_[i], shift_[i], log, index);
}

/// A single-port node's log begins with its own words; other nodes have a separate log for them.
void LogStores::load_own(const FabricImage& image, Node first, Node last) {
  own_begin_.assign(1, 0);
  own_.clear();
  for (Node x = first; x < last; ++x) {
    const auto begin_x = image.own_words.begin() + static_cast<std::ptrdiff_t>(image.own_begin[x]);
    own_.insert(own_.end(), begin_x, begin_x + image.own_size(x));
    own_begin_.push_back(static_cast<std::uint32_t>(own_.size()));
    if (!single_) continue;
    for (std::uint32_t k = 0; k < image.own_size(x); ++k) {
      append(written_[at(x - first, 0)], begin(x - first, 0), x - first, 0, begin_x[k]);
    }
  }
}

void LogStores::load_shifts(const FabricImage& image, Node first, Node last) {
  flits_ = expected_->payload.flits();
  class_.clear();
  shift_.clear();
  for (Node x = first; x < last; ++x) {
    class_.push_back(image.program_of[x]);
    shift_.push_back(image.quotient ? 0 : expected_->shift(x, image.program_of[x]));
  }
}

}  // namespace gossamer::tb
