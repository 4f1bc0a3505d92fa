#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/payload.hpp"

namespace gossamer::tb {

/// The words that the transfers of a reduction carry, worked out from the schedule and the parts of
/// the members alone: what comes to a node is added to what it has, and a sum of all members takes
/// its place.
class PartialSums {
 public:
  PartialSums(const Schedule& schedule, const Payload& payload);
  /// Bytes that it takes, while it is made. `own`: words of all nodes at the start.
  static double bytes(const Schedule& schedule, std::size_t own);
  /// By the number of the transfer.
  std::span<const std::uint32_t> of(std::size_t transfer) const {
    return std::span(words_).subspan(begin_[transfer], begin_[transfer + 1] - begin_[transfer]);
  }

 private:
  std::vector<std::uint32_t> words_;
  std::vector<std::size_t> begin_;
};

/// What all members have of a message, combined one after the other, whatever the order in which
/// the transfers do it: with the schedule's operators any order gives the same bits.
std::vector<std::uint32_t> whole_sum(const Schedule& schedule, const Payload& payload,
                                     const Message& m);

}  // namespace gossamer::tb
