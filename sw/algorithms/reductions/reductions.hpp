#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "algorithms/common/algorithm.hpp"
#include "gossamer_constants.hpp"

namespace gossamer::reductions {

/// Cycles of a hop over a link without register stages.
inline constexpr std::uint64_t kHop = rtl::TIME_DELTA + rtl::TIME_JOIN;
/// Cycles of a packet round at least: a message that has fewer flits waits until it is added, and
/// can be sent on.
inline constexpr std::uint64_t kRound = rtl::TIME_LAT + rtl::TIME_JOIN + kHop;
/// Of a circuit over one link, besides its flits.
inline constexpr std::uint64_t kCircuit = rtl::TIME_ALPHA + 2 * kHop;

/// The most that a schedule lists: each is a line of its file, and planned, checked and timed by
/// itself.
inline constexpr std::uint64_t kMostTransfers = 20'000'000;

}  // namespace gossamer::reductions

namespace gossamer {

/// What a message of a schedule is called in another one.
using Renamed = std::function<Message(const Message&)>;

/// Plans what is to be done backwards, message by message and link by link: the algorithm with the
/// fewest rounds, if none has a formula the search. Null if none serves the request.
const Algorithm* algorithm_for(const Request& forward);

/// Which nodes hold which origin's message.
class Holders {
 public:
  explicit Holders(Node nodes) : nodes_(nodes), has_(std::size_t{nodes} * nodes, false) {}
  /// False if the node has it already.
  bool add(Node x, Node origin) {
    auto&& has = has_[std::size_t{origin} * nodes_ + x];
    if (x == origin || has) return false;
    has = true;
    return true;
  }

 private:
  Node nodes_;
  std::vector<bool> has_;
};

/// The same graph with its one-way links the other way round.
Topology turned(const Topology& topology);

/// Appends a schedule of packets or circuits backwards in time, as a reduction: where a node sent a
/// message on, it now adds what comes to what it has. Where a message came to a node that had it
/// already it is left out, so that every part is in the sum once. Rounds follow those that are
/// there. Throws std::logic_error for trees and for transfers that do not list what they carry.
void add_backwards(Schedule& to, const Schedule& forward, const Renamed& renamed);

/// Appends it as it is.
void add_forward(Schedule& to, const Schedule& forward, const Renamed& renamed);

}  // namespace gossamer
