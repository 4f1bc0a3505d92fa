#pragma once

#include <cstdint>
#include <vector>

#include "fabric/node_program.hpp"

namespace gossamer {

/// Collects the list of one read channel, joining what is adjacent into runs and equal runs into
/// strided segments.
class SegmentList {
 public:
  /// The next `words` words to be read stand at `base` of `log`.
  void read(unsigned log, std::uint32_t base, std::uint32_t words, bool same = false);
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
  /// So many slots more; their repeat and loop fields are ours.
  void slot(SlotEntry entry, std::uint64_t times = 1);
  NodeProgram finish();

 private:
  void fold_loops();
  std::vector<SlotEntry> slots_;
  std::vector<SegmentList> channels_;
};

}  // namespace gossamer
