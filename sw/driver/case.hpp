#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "schedule/schedule.hpp"

namespace gossamer {

/// Flits of a message if nobody says.
inline constexpr unsigned kDefaultFlits = 8;
/// The most: what the stream length of a slot entry can hold is checked when tables are compiled.
inline constexpr unsigned kMaxFlits = 1u << 20;

/// The most faults that can be asked for; how many it stands, an algorithm says itself.
inline constexpr std::uint32_t kMaxTolerance = 1000;

/// A schedule that is asked for, as options or a suite file say it. What is not said is empty and
/// follows the algorithm.
struct Case {
  std::string name;  ///< in a suite
  std::string file;  ///< a schedule to be read; then nothing up to `tolerance` is said
  std::string topology;
  std::string algorithm;
  std::optional<Collective> collective;
  std::optional<PortModel> ports;
  std::optional<Duplex> duplex;
  std::optional<Node> root;
  std::vector<Node> cycle;  ///< a hamiltonian cycle of the user's
  std::optional<unsigned> tolerance;  ///< faults that a fault-tolerant algorithm is asked to stand
  std::string faults;  ///< as parse_faults reads it, with `seed`; a file's own give way to them
  unsigned flits = kDefaultFlits;
  bool flits_said = true;  ///< if not, pipelined schedules run with 1, all that they can have
  std::string engine = "tile";
  std::uint32_t seed = 1;
  std::optional<double> seconds = std::nullopt;  ///< for algorithms that search
};

/// The schedule of a case, and what its paper promises.
struct Plan {
  Schedule schedule;
  std::optional<Formula> formula;        ///< none for a user's own schedule
  const Algorithm* algorithm = nullptr;  ///< null for a user's own schedule
  bool algorithm_chosen = false;         ///< by us: the case named none
  std::optional<unsigned> tolerance = std::nullopt;  ///< of a fault-tolerant algorithm
};

/// Flits of a message of the case, whose schedule is this.
unsigned flits_of(const Case& c, const Schedule& schedule);

/// Plans or reads the schedule of a case. Throws InputError.
///
/// An algorithm that is named brings the model that it is made for: what the case leaves open is
/// taken from the first of gossip, total exchange, broadcast, scatter, gather, then of single and
/// all ports, then of full and half duplex that the algorithm accepts. Without a name it is gossip
/// over full-duplex links, and the algorithm with the fewest rounds of all that serve it, through
/// the ports that are asked for or through either; where faults or a tolerance are asked for, of
/// those that stand faults.
Plan make_plan(const Case& c);

/// "tile", "flat" or "systemc"; throws InputError for an engine that does not exist.
std::string parse_engine(const std::string& text);
/// How the names of an engine's waveforms end: ".fst" or ".vcd".
std::string_view wave_extension(std::string_view engine);

}  // namespace gossamer
