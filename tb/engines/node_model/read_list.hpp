#pragma once

#include <cstdint>
#include <vector>

#include "node_setup.hpp"

namespace gossamer::model {

/// Walks a segment list (docs/hardware/table-format.md, "Segment lists"), one word at a time. After
/// the last segment come zeros, as the driver writes them.
class ReadList {
 public:
  /// The list of a node's read channel.
  ReadList(const NodeSetup& setup, unsigned channel);

  /// The next word.
  struct Word {
    bool valid = false;       ///< there is a next word
    bool exhausted = false;   ///< a word is needed, but the list has ended
    bool bad_parity = false;  ///< ... or its segment has a wrong parity
    bool last = false;        ///< the stream of this slot ends with it
    bool run_last = false;    ///< the run ends with it
    bool same = false;        ///< the segment's bit for adaptive nodes
    unsigned log = 0;
    std::uint32_t address = 0;
    std::uint32_t op = rtl::OP_COPY;  ///< combines it with the own word at this address
    std::uint32_t own_address = 0;
    bool keep = false;  ///< ... which the result replaces
  };
  /// The next word of the stream; `last` if the slot needs no more words.
  Word next(bool last);
  /// The word that next() would return, whether or not the slot needs one. Address and `same` only.
  Word pending() const;
  /// The slot ends; a stream that a segment cut short continues with the next segment.
  void end_slot() { stopped_ = false; }
  void start();

 private:
  const Segment& segment() const;

  const std::uint32_t addresses_;  ///< word addresses and counts of words wrap around
  const bool wraps_;               ///< after the last segment comes the first
  std::vector<Segment> list_;
  const Segment behind_the_end_{.count = 0};
  std::size_t index_ = 0;   ///< of the current segment
  std::uint32_t word_ = 0;  ///< words read of this run
  std::uint32_t run_ = 0;   ///< runs read of this segment
  std::uint32_t own_ = 0;   ///< own words that went with them
  bool stopped_ = false;    ///< the stream of this slot has ended early
};

}  // namespace gossamer::model
