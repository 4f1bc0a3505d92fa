#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/schedule.hpp"

namespace gossamer {

/// A message's place in a node's store.
struct Place {
  unsigned log = 0;
  std::uint32_t index = 0;  ///< messages before it in the log
};

/// Where the messages of a store are, by message: a table with open addressing, because a store may
/// hold millions.
class Places {
 public:
  /// False if the message has a place already; that stays.
  bool add(const Message& m, Place place);
  /// Null if there is none.
  const Place* find(const Message& m) const;

 private:
  struct Entry {
    Message message{kNoNode, kNoNode};  ///< no origin: free
    Place place;
  };
  std::size_t at(const Message& m) const {
    const std::uint64_t key = std::uint64_t{m.origin} << 32 | m.destination;
    return static_cast<std::size_t>(key * 0x9e3779b97f4a7c15 >> shift_);
  }
  /// Where it stands, or would be put.
  std::size_t entry_of(const Message& m) const;
  void grow();
  std::vector<Entry> entries_;  ///< a power of two of them, at most three quarters in use
  std::size_t used_ = 0;
  unsigned shift_ = 64;
};

/// The contents of one node's append-only logs, message by message, or (much smaller) only their
/// lengths.
class StoreModel {
 public:
  StoreModel(unsigned logs, bool contents) : lengths_(logs), contents_(contents) {}

  /// Appends so many unnamed messages. Only without contents.
  void append(unsigned log, std::uint64_t messages) { lengths_[log] += messages; }
  void append(unsigned log, const Message& message);

  /// Messages in a log, copies counted.
  std::uint64_t length(unsigned log) const { return lengths_[log]; }
  /// The place of the first copy of a message; null if the node does not hold it.
  const Place* find(const Message& message) const;
  /// Every message once, log by log in the given order, in order of arrival.
  std::vector<Message> everything(std::span<const unsigned> logs) const;

 private:
  std::vector<std::uint64_t> lengths_;
  bool contents_;
  Places places_;
  std::vector<std::vector<Message>> arrived_;  ///< by log: first copies, in order
};

}  // namespace gossamer
