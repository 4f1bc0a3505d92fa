#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/node_program.hpp"
#include "schedule/schedule.hpp"

namespace gossamer {

/// Collects the list of one read channel, joining what is adjacent into runs and equal runs into
/// strided segments.
class SegmentList {
 public:
  /// The next `words` words to be read stand at `base` of `log`.
  void read(unsigned log, std::uint32_t base, std::uint32_t words, bool same = false);
  /// They are combined with own words, from `own` on, which the result may replace.
  void combine(unsigned log, std::uint32_t base, std::uint32_t words, std::uint32_t own,
               std::uint32_t op, bool keep);
  /// The stream ends here, before the slot's stream length.
  void stop();
  /// What is read next is a run of its own.
  void end_run() { close_run(); }
  std::vector<Segment> finish();

 private:
  void close_run();
  std::vector<Segment> segments_;
  bool open_ = false;  ///< the last segment is a run that may still grow
};

/// Collects a node's program slot by slot, and keeps it as short as the schedule is regular: equal
/// slots in a row become one repeated entry, equal sequences in a row a loop.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(unsigned channels) : channels_(channels) {}

  SegmentList& channel(unsigned c) { return channels_[c]; }
  /// One more slot; its repeat and loop fields are ours.
  void slot(SlotEntry entry);
  NodeProgram finish();

 private:
  void fold_loops();
  std::vector<SlotEntry> slots_;
  std::vector<SegmentList> channels_;
};

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
