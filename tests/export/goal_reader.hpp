#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace goal_reader {

/// A reader of GOAL texts, independent of the writer: the grammar of txt2bin, and the semantics of
/// LogGOPSim. Throws std::runtime_error with the line for anything that it does not understand.
struct Op {
  bool sends = false;
  std::uint64_t bytes = 0;
  std::uint32_t peer = 0;
  std::uint32_t tag = 0;
  std::uint32_t nic = 0;
  std::vector<std::size_t> requires_;  ///< operations of the same rank that must have ended
  std::vector<std::string> carries;    ///< from the comment before it
  unsigned round = 0;                  ///< from the comment too
};

struct Program {
  std::vector<std::vector<Op>> ranks;
};

Program parse(const std::string& text);

/// What the ranks hold at the end, if each begins with what it is given.
struct Outcome {
  std::vector<std::set<std::string>> held;
  std::vector<std::string> problems;
  std::uint64_t bytes_sent = 0;
};

/// Runs the operations in an order chosen by `seed` among those that are possible. An operation is
/// possible when those that it requires have ended; a send then starts at once, a recv ends when a
/// message from its peer with its tag has arrived. A send must hold what it carries and have its
/// size.
Outcome play(const Program& program, std::vector<std::set<std::string>> begin,
             std::uint64_t bytes_per_message, std::uint32_t seed);

}  // namespace goal_reader
