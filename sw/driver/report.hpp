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
#include "run/runner.hpp"
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

/// Everything that is known of a case. It grows on its way: what is asked, the schedule, the
/// checker's verdict, the bounds, the timing, and what the hardware did. All failures are in
/// `problems`.
struct Facts {
  Case request;  ///< once there is a plan, with the flits and stages of its schedule
  /// None: the case was interrupted, or failed, before it was checked.
  std::optional<Plan> plan = {};
  CheckReport check = {};      ///< rounds, sums, what is delivered, broken rules
  bool check_ignored = false;  ///< broken rules are not problems: the hardware must find them
  Bound bound = {};            ///< of rounds
  /// Of all nodes, the sum of the distances to the others (Dimakopoulos-Dimopoulos 1998); none if
  /// it takes too long.
  std::optional<double> average_status = {};
  std::optional<std::string> why_not = {};           ///< be written into tables
  std::shared_ptr<const ScheduleTiming> timed = {};  ///< null if the schedule cannot be timed
  /// None of adaptive schedules with faults: what is not delivered takes no cycles.
  std::optional<Bound> cycles_bound = {};
  /// Of a case that is planned around what is dead: the cycles if nothing were.
  std::optional<std::uint64_t> whole_cycles = {};
  std::optional<RunResult> run = {};
  std::optional<Loads> loads = {};  ///< of the links, if requested
  std::vector<std::string> problems = {};
  std::string interrupted_in = {};  ///< what was interrupted: "planning"; else empty
  /// Why the checks could not be finished, in one line: too little memory, or an engine that cannot
  /// be built. Empty if everything was checked; failures are then in `problems`.
  std::string error = {};

  const Schedule& schedule() const { return plan->schedule; }
  Node nodes() const { return schedule().topology().nodes(); }
  /// None if the schedule cannot be timed.
  std::optional<std::uint64_t> cycles_predicted() const;
  /// Cycles predicted over the bound; none if either is not known.
  std::optional<double> ratio_to_bound() const;
  bool around_dead() const;       ///< it has faults, which the schedule avoids
  bool adaptive() const;          ///< nodes decide at run time what they send
  std::uint64_t offered() const;  ///< positions in a node's slots, all rounds; if adaptive
  /// Of a pipelined schedule: 1 + the last slot in which a link is used - the first.
  std::optional<std::uint32_t> slots() const;
  bool interrupted() const { return !interrupted_in.empty(); }
  bool passed() const { return problems.empty() && error.empty() && !interrupted(); }
  /// "pass", "fail", "error" or "interrupted".
  const char* verdict() const;
  /// Is the only problem that more elements are faulty than the schedule tolerates? It then runs
  /// nevertheless, to show that the hardware delivers what the model predicts.
  bool beyond_tolerance() const;
  /// Can it run, checked or not?
  bool can_run() const { return timed != nullptr; }
};

/// The checks without hardware: rounds against formula and bound, and the independent checker. With
/// `ignore_faults` broken rules are counted but are not problems.
Facts examine(Case c, Plan plan, bool ignore_faults = false);

/// The options, with what the facts say of a run.
RunOptions run_options(const Facts& facts, RunOptions options);

/// The checks on the hardware: runs the schedule of a report that has no problems yet. Throws
/// InputError if the schedule cannot be written into tables. An interrupted run leaves what it has
/// found so far.
void measure(Facts& facts, Runner& runner, const RunOptions& options);
/// The same for what a run has measured.
void judge_run(Facts& facts, RunResult run);

/// One JSON object; tests/calls.toml lists its keys. `measured` adds what only a run can
/// measure, null without a run; after an interruption, unknown values are left out or null.
nlohmann::ordered_json to_json(const Facts& facts, bool measured);

/// A number, and what it means.
struct Number {
  std::string name, value, meaning;
};
/// What a text and a page show of a case with a plan, in this order.
std::vector<Number> numbers_of(const Facts& facts);
/// "16 nodes, all ports, full duplex, packet switching, one message a transfer, messages of 8
/// flits"
std::string model_of(const Facts& facts);

/// "8 flits" of a message, or "0 to 7 flits"
std::string flits_text(const Facts& facts);

/// "gossip (all-gather) on ring:8 by ring (Dimakopoulos 1999, section 3)", with the reason of a
/// choice
std::string title_of(const Facts& facts);

/// How the case is run: "gossamer run --topology ring:8 ...".
std::string run_command_line(const Facts& facts, const std::string& program);
/// The same, with a waveform around the first cycle that differed if one did, and without the check
/// if that has refused it.
std::string rerun_command(const Facts& facts, const std::string& program);

}  // namespace gossamer
