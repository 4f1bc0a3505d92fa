#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/schedule.hpp"

namespace gossamer {

/// A message's place in a node's store.
struct Place {
  unsigned log = 0;
  std::uint32_t index = 0;  ///< words before it in the log
};

/// Where the messages of a store are, by message: a table with open addressing, because a store may
/// hold millions.
class Places {
 public:
  /// False if the message of that number has a place already; that stays.
  bool add(std::uint64_t message, Place place);
  /// Null if there is none.
  const Place* find(std::uint64_t message) const;

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};  ///< an origin that is no node
  struct Entry {
    std::uint64_t message = kFree;
    Place place;
  };
  std::size_t at(std::uint64_t message) const {
    return static_cast<std::size_t>(message * 0x9e3779b97f4a7c15 >> shift_);
  }
  /// Where it stands, or would be put.
  std::size_t entry_of(std::uint64_t message) const;
  void grow();
  std::vector<Entry> entries_;  ///< a power of two of them, at most three quarters in use
  std::size_t used_ = 0;
  unsigned shift_ = 64;
};

/// The contents of one node's append-only logs, message by message, or (much smaller) only their
/// lengths.
class StoreModel {
 public:
  StoreModel(unsigned logs, bool contents, MessageNumbers numbers)
      : lengths_(logs), contents_(contents), numbers_(numbers) {}

  /// Appends so many words of unnamed messages. Only without contents.
  void append(unsigned log, std::uint64_t words) { lengths_[log] += words; }
  void append(unsigned log, const Message& message, std::uint32_t words);

  /// Words in a log, copies counted.
  std::uint64_t length(unsigned log) const { return lengths_[log]; }
  /// The place of the first copy of a message; null if the node does not hold it.
  const Place* find(const Message& message) const;
  /// Every message once, log by log in the given order, in order of arrival.
  std::vector<Message> everything(std::span<const unsigned> logs) const;

 private:
  std::vector<std::uint64_t> lengths_;
  bool contents_;
  Places places_;
  MessageNumbers numbers_;
  std::vector<std::vector<std::uint64_t>> arrived_;  ///< by log: first copies, in order
};

}  // namespace gossamer
