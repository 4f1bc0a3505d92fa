#pragma once

#include <cstdint>
#include <vector>

#include "fabric/digit_packing.hpp"
#include "fabric/payload.hpp"

namespace gossamer {

/// What the logs of a gossip hold if all goes as the schedule says: who is stored where. It is held
/// for one node of each class of the schedule's symmetry; the logs of the others are its
/// translations. An engine that has it keeps only the words that differ (docs/scale.md).
struct ExpectedLogs {
  Payload payload;
  DigitPacking packing;
  unsigned logs = 1;
  /// By class and log: the origins of the messages, in order of arrival, as the representative has
  /// them; packed. A single-port node's log begins with its own message.
  std::vector<std::vector<std::uint32_t>> origins;
  std::vector<std::uint32_t> back;  ///< by class: what takes its representative to node 0; packed

  /// The translation that makes node `x` of class `c` of the class's representative.
  std::uint32_t shift(Node x, Node c) const { return packing.translate(packing.pack(x), back[c]); }
  std::size_t messages(Node c, unsigned log) const { return origins[c * logs + log].size(); }
  std::uint64_t words(Node c, unsigned log) const {
    return std::uint64_t{messages(c, log)} * payload.flits();
  }
  /// Word `index` of a log of the node that the packed translation `shift` makes of the
  /// representative of class `c`. The index must be one of words().
  std::uint32_t word(Node c, std::uint32_t shift, unsigned log, std::uint32_t index) const {
    return word(origins[c * logs + log].data(), shift, index);
  }
  /// The same of the list of origins itself.
  std::uint32_t word(const std::uint32_t* list, std::uint32_t shift, std::uint32_t index) const {
    const std::uint32_t message = index / payload.flits();
    return Payload::word(first(list, shift, message) + index % payload.flits());
  }
  /// The number of the first flit of message `message` of a list.
  std::uint32_t first(const std::uint32_t* list, std::uint32_t shift, std::uint32_t message) const {
    const std::uint32_t origin = packing.translate(list[message], shift);
    return payload.first({packing.node(origin), kNoNode});
  }
};

}  // namespace gossamer
