#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "schedule/schedule.hpp"

namespace gossamer {

/// A message's place in a node's store.
struct Place {
  unsigned log = 0;
  std::uint32_t index = 0;  ///< messages before it in the log
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
  static std::uint64_t key(const Message& m) {
    return std::uint64_t{m.origin} << 32 | m.destination;
  }
  std::vector<std::uint64_t> lengths_;
  bool contents_;
  std::unordered_map<std::uint64_t, Place> places_;
  std::vector<std::vector<Message>> arrived_;  ///< by log: first copies, in order
};

}  // namespace gossamer
