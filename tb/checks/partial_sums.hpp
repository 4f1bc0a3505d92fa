#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fabric/payload.hpp"

namespace gossamer::tb {

/// Does any order of combining give the same bits, with every operator of combined()? With one of
/// your own whose order matters, such as a sum of floating-point numbers, say false: the scoreboard
/// then combines in the order of the schedule.
inline constexpr bool kAnyOrder = true;

/// The words that the transfers of a reduction carry, worked out from the schedule and the parts of
/// the members alone: what comes to a node is added to what it has, and a sum of all members takes
/// its place.
class PartialSums {
 public:
  PartialSums(const Schedule& schedule, const Payload& payload);
  /// Bytes that it takes, while it is made. `own`: words of all nodes at the start.
  static double bytes(const Schedule& schedule, std::size_t own);
  /// The words from this one of a transfer on, up to the end of its message; null if the sender
  /// holds no part of it. Those of a join come hop by hop.
  const std::uint32_t* of(std::size_t transfer, std::size_t word) const {
    const std::size_t at = begin_[transfer] + word;
    return held_[at] ? &words_[at] : nullptr;
  }
  /// What a node has of a message in the end.
  const std::vector<std::uint32_t>& last(Node x, const Message& m) const {
    return last_.at({x, m});
  }

 private:
  std::vector<std::uint32_t> words_;
  std::vector<bool> held_;  ///< by word
  std::vector<std::size_t> begin_;
  std::map<std::pair<Node, Message>, std::vector<std::uint32_t>> last_;
};

/// What all members have of a message, combined one after the other, whatever the order in which
/// the transfers do it.
std::vector<std::uint32_t> whole_sum(const Schedule& schedule, const Payload& payload,
                                     const Message& m);

/// All nodes that have a part of a message.
std::vector<Node> adding(const Schedule& schedule, const Message& m);
/// Whose parts are in what a transfer carries of a message; a join on one of its hops.
std::vector<Node> parts_carried(const Schedule& schedule, const Transfer& transfer,
                                std::uint32_t hop, const Message& m);

/// What makes a flit of the sum of these nodes' parts be `is`: ": node 3's part is missing", ": the
/// parts of nodes 3-5 are there twice"; empty if that is not plain.
std::string wrong_parts(const Schedule& schedule, const Payload& payload, const Message& m,
                        const std::vector<Node>& parts, std::uint32_t flit, std::uint32_t is);

}  // namespace gossamer::tb
