#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "schedule/schedule.hpp"

namespace gossamer {

/// Flits of a message if nobody says.
inline constexpr unsigned kDefaultFlits = 8;
/// The most: what the stream length of a slot entry can hold is checked when tables are compiled.
inline constexpr unsigned kMaxFlits = 1u << 20;

/// A schedule that is asked for, as options or a suite file say it. What is not said is empty and
/// follows the algorithm.
struct Case {
  std::string name;  ///< in a suite
  std::string file;  ///< a schedule to be read; then nothing up to `cycle` is said
  std::string topology;
  std::string algorithm;
  std::optional<Collective> collective;
  std::optional<PortModel> ports;
  std::optional<Duplex> duplex;
  std::optional<Node> root;
  std::vector<Node> cycle;  ///< a hamiltonian cycle of the user's
  unsigned flits = kDefaultFlits;
  std::string engine = "tile";
  std::uint32_t seed = 1;
};

/// The schedule of a case, and what its paper promises.
struct Plan {
  Schedule schedule;
  std::optional<Formula> formula;        ///< none for a user's own schedule
  const Algorithm* algorithm = nullptr;  ///< null for a user's own schedule
  bool algorithm_chosen = false;         ///< by us: the case named none
};

/// Plans or reads the schedule of a case. Throws InputError.
///
/// An algorithm that is named brings the model that it is made for: what the case leaves open is
/// taken from the first of gossip, total exchange, broadcast, scatter, gather, then of single and
/// all ports, then of full and half duplex that the algorithm accepts. Without a name it is gossip
/// through single ports over full-duplex links, through all ports where no algorithm does with
/// one, and the algorithm with the fewest rounds.
Plan make_plan(const Case& c);

/// "tile", "flat" or "systemc"; throws InputError for an engine that does not exist.
std::string parse_engine(const std::string& text);

}  // namespace gossamer
