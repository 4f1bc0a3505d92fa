#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bounds/bounds.hpp"
#include "checker/checker.hpp"
#include "driver/case.hpp"
#include "driver/loads.hpp"
#include "run/runner.hpp"

namespace gossamer {

/// Everything that is known of a case: its schedule, the theory's numbers, and what the hardware
/// did. All failures are in `problems`.
struct Report {
  Case request;
  std::string topology;
  Node nodes = 0;
  std::vector<std::string> names;  ///< of the nodes, if they have any
  Collective collective = Collective::Gossip;
  Model model;
  Node root = 0;
  std::uint32_t pieces = 1;           ///< of a message
  Members members;                    ///< who takes part
  Sizes sizes;                        ///< of messages that are not equally long
  std::string algorithm;              ///< empty for a schedule file
  std::string source;                 ///< of the algorithm, e.g. "Dimakopoulos 1999, section 3"
  std::string chosen;                 ///< why this algorithm or port model, if there was a choice
  std::optional<RunnerUp> runner_up;  ///< of a choice by cycles
  std::optional<unsigned> tolerance;  ///< faults that the algorithm tolerates
  FaultSet faults;                    ///< what is faulty; `check.missing` says who lacks what
  std::optional<Initiator> initiator;
  bool adaptive = false;      ///< nodes decide at run time what they send
  std::uint64_t offered = 0;  ///< positions in a node's slots, all rounds; if adaptive
  std::optional<Formula> formula;
  Bound bound;
  /// Of all nodes, the sum of the distances to the others (Dimakopoulos-Dimopoulos 1998); none if
  /// it takes too long.
  std::optional<double> average_status;
  /// Of a pipelined schedule: 1 + the last slot in which a link is used - the first.
  std::optional<std::uint32_t> slots;
  CheckReport check;           ///< rounds, sums, what is delivered, broken rules
  bool check_ignored = false;  ///< broken rules are not problems: the hardware must find them
  std::shared_ptr<const ScheduleTiming>
      timed;  ///< handed on to the run and the page; none: not timed
  std::optional<std::uint64_t> cycles_predicted;  ///< none if the schedule cannot be timed
  std::optional<Bound> cycles_bound;  ///< none with faults: what is not delivered takes no cycles
  std::optional<RunResult> run;
  std::optional<Loads> loads;  ///< of the links, if requested
  std::vector<std::string> problems;
  std::string interrupted_in;  ///< what was interrupted: "planning"; else empty
  /// Why the checks could not be finished, in one line: too little memory, or an engine that cannot
  /// be built. Empty if everything was checked; failures are then in `problems`.
  std::string error;

  bool interrupted() const { return !interrupted_in.empty(); }
  bool passed() const { return problems.empty() && error.empty() && !interrupted(); }
  /// "pass", "fail", "error" or "interrupted".
  const char* verdict() const;
  /// Is the only problem that more elements are faulty than the schedule tolerates? It then runs
  /// nevertheless, to show that the hardware delivers what the model predicts.
  bool beyond_tolerance() const {
    return adaptive && problems.size() == 1 && !check.missing.empty() && !run;
  }
};

/// A report before the schedule is examined: it holds what was requested.
Report unexamined_report(const Case& c);
/// The same for a case that was interrupted before.
Report interrupted_report(const Case& c, std::string in);

/// Cycles predicted over the bound; none if either is not known.
std::optional<double> ratio_to_bound(const Report& report);

/// The checks without hardware: rounds against formula and bound, and the independent checker. With
/// `ignore_faults` broken rules are counted but are not problems.
Report examine(const Case& c, const Plan& plan, bool ignore_faults = false);

/// The options, with what the case says of its runs.
RunOptions run_options(const Case& c, const Schedule& schedule, RunOptions options);

/// The checks on the hardware: runs the schedule of a report that has no problems yet. Throws
/// InputError if the schedule cannot be written into tables. An interrupted run leaves what it has
/// found so far.
void measure(Report& report, const Plan& plan, Runner& runner, const RunOptions& options);

/// One JSON object; tests/calls.toml lists its keys. `measured` adds what only a run can
/// measure, null without a run; after an interruption, unknown values are left out or null.
nlohmann::ordered_json to_json(const Report& report, bool measured);

/// "8 flits" of a message, or "0 to 7 flits"
std::string flits_text(const Report& report);

/// "gossip (all-gather) on ring:8 by ring (Dimakopoulos 1999, section 3)", with the reason of a
/// choice
std::string title_of(const Report& report);

/// Can the case run, checked or not? With faults only adaptive schedules do.
inline bool can_run(const Report& report) {
  return report.cycles_predicted && (report.faults.empty() || report.adaptive);
}
/// How the case is run: "gossamer run --topology ring:8 ...".
std::string run_command_line(const Report& report, const std::string& program);
/// The same, with a waveform around the
/// first cycle that differed if one did, and without the check if that has refused it.
std::string rerun_command(const Report& report, const std::string& program);

}  // namespace gossamer
