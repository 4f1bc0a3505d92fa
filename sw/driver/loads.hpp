#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "checker/checker.hpp"
#include "schedule/schedule.hpp"

namespace gossamer {

/// What one direction of a link carries.
struct LinkLoad {
  std::uint32_t round = 0;  ///< 0: in all rounds together
  Node from = 0, to = 0;
  Port port = 0;               ///< of `from`: of several links to a node each has its loads
  std::uint64_t messages = 0;  ///< or pieces
  std::uint64_t cycles = 0;    ///< in which it carries a flit
  auto operator<=>(const LinkLoad&) const = default;
};

/// The loads of all links, orbits written out.
struct Loads {
  unsigned flits = 1;              ///< of a message
  std::vector<LinkLoad> by_round;  ///< of links that carry something, by round, then link
  std::vector<LinkLoad> in_sum;    ///< all rounds: all links, both directions, by link
};

/// `checked` is check()'s report on the schedule, with these flits. With pipelined switching the
/// rounds are slots. Throws InputError if they do not fit into memory.
Loads link_loads(const Schedule& schedule, const CheckReport& checked, unsigned flits);

/// "round,from,to,messages,cycles" and a line for each load, the sums last; their round is "sum".
/// Several links between two nodes are lines one after the other.
std::string loads_csv(const Loads& loads);

/// {"flits":8,"rounds":[{"round":1,"links":[{"from":0,"to":1,"messages":1,"cycles":8},...]},...],
/// "sum":[...]}. With `heard` it throws Interrupted if a signal was received.
nlohmann::ordered_json loads_json(const Loads& loads, bool heard = true);

}  // namespace gossamer
