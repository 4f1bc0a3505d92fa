#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bounds/bounds.hpp"
#include "driver/case.hpp"
#include "driver/loads.hpp"
#include "driver/runner.hpp"
#include "checker/checker.hpp"

namespace gossamer {

/// Everything that is known of a case: what its schedule is, what theory says of it, and what the
/// hardware did. Whatever fails is in `problems`.
struct Report {
  Case asked;
  std::string topology;
  Node nodes = 0;
  Collective collective = Collective::Gossip;
  Model model;
  Node root = 0;
  std::string algorithm;          ///< empty for a user's own schedule
  std::string source;             ///< of the algorithm, e.g. "paper 1, section 3"
  bool algorithm_chosen = false;  ///< by us
  std::optional<unsigned> tolerance;   ///< faults that the algorithm promises to stand
  FaultSet faults;                     ///< what is faulty; who lacks what then says `check.missing`
  std::optional<Initiator> initiator;
  bool adaptive = false;               ///< what is sent is decided when it runs
  std::uint64_t offered = 0;           ///< places in a node's slots, over all rounds; if adaptive
  std::optional<Formula> formula;
  Bound bound;
  /// Of a pipelined schedule: 1 + the last slot in which a link is used - the first.
  std::optional<std::uint32_t> slots;
  CheckReport check;           ///< rounds, sums, what is delivered, broken rules
  bool check_ignored = false;  ///< its faults are no problems: the hardware shall find them
  std::optional<std::uint64_t> cycles_predicted;  ///< none if the schedule cannot be timed
  std::optional<Bound> cycles_bound;  ///< none with faults: what is not delivered takes no cycles
  std::optional<RunResult> run;
  std::optional<Loads> loads;  ///< of the links, if they are asked for
  std::vector<std::string> problems;
  std::string interrupted_in;  ///< what was being done when it was given up: "planning"; else empty
  /// Why nothing more could be checked, one line: the machine has too little memory, an engine
  /// cannot be built. Empty if all was checked; then whatever is wrong stands in `problems`.
  std::string error;

  bool interrupted() const { return !interrupted_in.empty(); }
  bool passed() const { return problems.empty() && error.empty() && !interrupted(); }
  /// "pass", "fail", "error" or "interrupted".
  const char* verdict() const;
  /// Is the one problem that more was faulty than the schedule stands? Then it runs all the same,
  /// to show that the hardware delivers what the model says.
  bool beyond_tolerance() const {
    return adaptive && problems.size() == 1 && !check.missing.empty() && !run;
  }
};

/// What is known of a case before its schedule has been examined: what was asked for.
Report unexamined_report(const Case& c);
/// The same of a case that is given up by then.
Report interrupted_report(const Case& c, std::string in);

/// The checks without hardware: rounds against formula and bound, and the independent checker.
/// With `ignore_faults` the checker's faults are counted but are no problems.
Report examine(const Case& c, const Plan& plan, bool ignore_faults = false);

/// The checks on the hardware: runs the schedule of a report that has no problems yet. Throws
/// InputError if the schedule cannot be written into tables at all. A run that is interrupted leaves
/// what it has found by then.
void measure(Report& report, const Plan& plan, Runner& runner, const RunOptions& options);

/// One object; tests/cli/verbs_test.cpp lists its keys. `measured` adds what only a run can tell, null if
/// there was none; after an interruption, what is not known is left out or null.
nlohmann::ordered_json to_json(const Report& report, bool measured);

/// "gossip (all-gather) on ring:8 by ring (paper 1, section 3; fewest rounds)"
std::string title_of(const Report& report);

/// Can the case be run at all, checked or not?
inline bool can_run(const Report& report) { return report.cycles_predicted.has_value(); }
/// How the case is run: "gossamer run --topology ring:8 ...".
std::string run_command_line(const Report& report, const std::string& program);
/// The same, with a waveform around the
/// first cycle that differed if one did, and without the check if that has refused it.
std::string rerun_command(const Report& report, const std::string& program);

}  // namespace gossamer
