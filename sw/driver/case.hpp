#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/registry.hpp"
#include "run/runner.hpp"
#include "schedule/schedule.hpp"
#include "tables/link_stages.hpp"
#include "tables/timing.hpp"
#include "topology/topology.hpp"

namespace gossamer {

/// Flits of a message if none are given.
inline constexpr unsigned kDefaultFlits = 8;

/// The most faults that can be requested; an algorithm has its own limit.
inline constexpr std::uint32_t kMaxTolerance = 1000;

/// What a choice of algorithms looks for.
enum class Best { Cycles, Rounds, Tables };

/// "cycles", "rounds" or "tables"; throws InputError.
Best parse_best(const std::string& text);

/// The name of an all-reduce of one flit, beside those of the collectives.
inline constexpr std::string_view kBarrier = "barrier";

/// A schedule to be made, as options or a suite file describe it. What is not given is empty and
/// follows the algorithm.
struct Case : RunTerms {
  Case() { flits = kDefaultFlits; }

  std::string name;  ///< in a suite
  std::string file;  ///< a schedule file; the fields up to `tolerance` are then empty
  std::string topology;
  std::string algorithm;
  std::optional<Collective> collective;
  bool barrier = false;  ///< an all-reduce of one flit was asked for by this name
  std::optional<PortModel> ports;
  std::optional<Duplex> duplex;
  std::string root;                     ///< a node's number or name
  std::optional<std::uint32_t> pieces;  ///< of a message
  std::string members;                  ///< for parse_members
  std::string sizes;                    ///< for read_sizes
  std::optional<Operator> op;           ///< of a reduction
  Best best = Best::Cycles;             ///< of the algorithms, if none is named
  std::vector<Node> cycle;              ///< a hamiltonian cycle of the user's
  std::optional<unsigned> tolerance;    ///< faults that a fault-tolerant algorithm must tolerate
  std::string faults;       ///< for parse_faults, with `seed`; replaces a file's own faults
  bool flits_given = true;  ///< if not, pipelined schedules run with 1, the only value they allow
  std::optional<double> seconds = std::nullopt;  ///< for algorithms that search
  bool joins = false;  ///< its nodes join, because other cases of a job reduce
};

/// The schedule of a case, and its paper's promises.
struct Plan {
  Schedule schedule;
  std::optional<Formula> formula;        ///< none for a schedule file
  const Algorithm* algorithm = nullptr;  ///< null for a schedule file
  std::string chosen = {};               ///< why this one, if there was a choice
  /// Of a choice by cycles: what would have been chosen instead.
  std::optional<Candidate> runner_up = std::nullopt;
  std::optional<unsigned> tolerance = std::nullopt;  ///< of a fault-tolerant algorithm
  /// With the flits and stages for which it was chosen by its cycles; else null.
  std::shared_ptr<const ScheduleTiming> timed = nullptr;
};

/// Throws InputError for a topology that is none, and for a root outside it.
Topology topology_of(const Case& c);
/// Nothing if the case names none. Throws InputError.
std::optional<Node> root_of(const Case& c, const Topology& topology);
/// What the case asks of an algorithm; what it leaves open has the default, the first one.
Request default_request(const Case& c);
/// The ports that the case asks for; if it leaves them open, both.
std::vector<PortModel> ports_of(const Case& c);
/// Throws InputError for a root in a collective that has none, `by` an algorithm.
void refuse_meaningless_root(const Case& c, Collective collective, const std::string& by = {});
/// Sets the operator, if the case names one. Throws InputError if nothing is reduced.
void set_operator(const Case& c, Schedule& schedule);
/// Throws InputError for sizes of messages that nobody sends, and for a root without a meaning,
/// which are not ignored. `named` is the algorithm, if one is.
void check_meaning(const Case& c, const Request& request, const Algorithm* named);

/// Flits of a message of the case; `schedule` is its schedule. What the case leaves open is what
/// the schedule was planned for, if it says so, and else enough for its pieces.
unsigned flits_of(const Case& c, const Schedule& schedule);

/// Plans or reads the schedule of a case. Throws InputError.
///
/// A named algorithm brings its model: what the case leaves open is taken from the first of gossip,
/// total exchange, broadcast, scatter, gather, then of single and all ports, then of full and half
/// duplex that the algorithm accepts; but of the ports those with which it takes the fewest cycles.
/// Without a name the case means gossip over full-duplex links, and the algorithm with the fewest
/// cycles of all that serve it, for these flits and link stages, through the ports given or through
/// either. Slow searches of large graphs are not tried where another algorithm serves, and
/// Plan::chosen says so. Best::Rounds means the fewest rounds instead, of those whose rounds can be
/// compared, and of a named algorithm the first ports; Best::Tables the fewest words of tables.
/// Faults are planned around. If a tolerance is given, or they begin later, only fault-tolerant
/// algorithms are choices, and nodes find out.
///
/// If it is planned to run, what cannot run for its size is refused before the planning begins.
enum class PlannedTo { Look, Run };
Plan make_plan(const Case& c, PlannedTo what = PlannedTo::Look);

/// The case, or if its faults are "each:link" and the like, a case for each class of them, with
/// what is dead in its name, and how many sets of faults are so. Where there is a root no two are
/// alike.
std::vector<std::pair<Case, std::uint64_t>> each_case(const Case& c);

/// The cycles of a case that has no schedule file, if nothing is dead.
std::uint64_t whole_cycles(Case c);

/// "tile", "flat" or "systemc"; throws InputError for an engine that does not exist.
std::string parse_engine(const std::string& text);
/// The extension of an engine's waveforms: ".fst" or ".vcd".
inline std::string_view wave_extension(std::string_view engine) {
  return engine == "systemc" ? ".vcd" : ".fst";
}

/// The value of a field as somebody wrote it.
struct Given {
  std::string what;  ///< "--flits" or "flits", for messages
  std::string text;
  std::string folder = {};  ///< in which its files are; empty: the current one
};

/// What a request can say, once for all who read or print it: the command line, suites, lists of
/// cases and the command that runs a case again.
struct CaseField {
  std::string_view name;  ///< "link_stages" in a suite, --link-stages on the command line
  std::string help;
  bool plans = false;  ///< a schedule file already gives it
  bool bare = false;   ///< in a suite: numbers or true and false, and no text
  /// Throws InputError "--flits: what is wrong".
  void (*read)(Case&, const Given&);
  /// As `read` takes it, but of files with their folder; empty: not given.
  std::string (*text)(const Case&);
};

/// In the order in which they are printed.
const std::vector<CaseField>& case_fields();
/// The field of this name, which exists.
const CaseField& case_field(std::string_view name);
/// "--link-stages"
std::string option_of(const CaseField& field);

/// " --topology ring:8 --ports all" for a shell, without the file and what that gives.
std::string options_text(const Case& c);

/// The value of an option as a whole number. Throws InputError "--flits: 'x' is no whole number
/// from 1 to 1048576".
std::uint64_t number(const std::string& option, std::string_view text, std::uint64_t least,
                     std::uint64_t most);

/// Seconds, above 0 and at most a day, as in "2.5".
double seconds(const std::string& option, std::string_view text);

/// "3-7" or "5", as first and last.
std::pair<std::uint64_t, std::uint64_t> range_of(const std::string& option, std::string_view text,
                                                 std::uint64_t least, std::uint64_t most);

/// "0,3,5-7" as a list of nodes.
std::vector<Node> node_list(const std::string& option, const std::string& text, Node nodes);

/// Node numbers separated by commas or blanks, or a file that holds them (brackets are ignored, so
/// a JSON list works too).
std::vector<Node> cycle(const std::string& option, const std::string& text);

}  // namespace gossamer
