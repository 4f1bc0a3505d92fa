#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "play/stores.hpp"
#include "schedule/schedule.hpp"
#include "tables/link_stages.hpp"

namespace gossamer {

/// Where a node has a message, or a sum, when the run has ended.
struct Held {
  Node node = 0;
  Message message;
  LogPlace place;
};

/// How the nodes of a reduction by packets or circuits add up. What comes to the end of a path is
/// added to what the node holds of it, as it comes: an output that sends nothing in this round
/// takes both, and stores the sum in its log. What comes at the same time by several ports is added
/// at once. A whole sum is stored as it comes.
struct SumLanes {
  struct Sum {
    Node node = 0;
    Message message;
    std::uint64_t begin = 0;   ///< cycles from the round's first read to the first flit's sum
    std::uint64_t inputs = 0;  ///< a bit for each port by which it comes
    std::uint64_t whole = 0;   ///< of these by which the whole sum comes; all else is nothing then
    bool adds = false;         ///< an output adds it, else it is stored as it comes
    bool held = false;         ///< ... to what the node holds of it
    Port lane = kNoPort;       ///< that output
  };
  using Round = std::map<std::pair<Node, Message>, Sum>;

  /// Throws InputError where no output is left to add, or sums come at different times in a round.
  SumLanes(const Schedule& schedule, unsigned flits, const PortStages& stages);

  std::vector<Round> rounds;         ///< what comes, from round 1 on
  std::vector<std::uint64_t> end;    ///< by round: cycles until all is added; 0: nothing is
  std::vector<std::uint64_t> least;  ///< by round: the cycles that it must take for this
};

/// Outputs that nodes need so that one can send, and one add what comes by a third one's port.
Port ports_that_add(const Topology& topology);

}  // namespace gossamer
