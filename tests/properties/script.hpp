#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/schedule.hpp"

namespace gossamer::properties {

/// A transfer as a line of a file.
struct Line {
  std::uint32_t round = 1;
  std::vector<Node> path;
  std::vector<Message> messages;  ///< none unless they are listed
  Carry carry = Carry::Listed;
};

/// A schedule as a file that can be edited.
struct Script {
  Topology topology;
  Collective collective = Collective::Gossip;
  Model model;
  Node root = 0;
  std::vector<Line> lines;
};

/// All translations become lines of their own. Faults are not kept.
Script script_of(const Schedule& schedule);
/// Lines in order of rounds; each keeps its number.
Schedule schedule_of(Script script);
/// The file, for failure messages.
std::string text_of(const Script& script);

}  // namespace gossamer::properties
