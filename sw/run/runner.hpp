#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schedule/schedule.hpp"
#include "tables/programs.hpp"
#include "tables/timing.hpp"

namespace gossamer {

/// Who wants to know how far long work is.
class Job {
 public:
  virtual ~Job() = default;
  /// Another piece of work begins.
  virtual void stage(std::string) {}
  /// So many of its steps are done, which are cycles of so many nodes; 0: other steps.
  virtual void at(std::uint64_t /*done*/, std::uint64_t /*total*/, std::uint64_t /*nodes*/ = 0) {}
};
inline Job nobody;  ///< wants to know

/// What a run is asked for, and a case from its beginning.
struct RunTerms {
  unsigned flits = 1;           ///< of a message
  std::string engine = "tile";  ///< tile, flat or systemc
  std::uint32_t seed = 1;       ///< for the registers' initial values and the messages' contents
  LinkStages stages = {};       ///< register stages of the links
  /// One node of each class of the schedule's translations is simulated, in the place of all of
  /// them (docs/research/scale.md); if nobody says, where that is exact and all would take long:
  /// run() sets it.
  std::optional<bool> symmetric = std::nullopt;
};

/// How to run a schedule.
struct RunOptions : RunTerms {
  /// What the report has worked out of the schedule; the run does so itself if it is missing.
  std::shared_ptr<const ScheduleTiming> timed = nullptr;
  unsigned threads = 1;   ///< 0: as many as help a fabric of this size
  bool long_run = false;  ///< worth an engine that takes longer to compile; run() sets it
  /// Keep stores compressed (docs/research/scale.md); by default if they would be large.
  std::optional<bool> compressed = std::nullopt;
  bool record = false;            ///< keep what is on the links, unless that takes too long
  std::string trace;              ///< FST file to write; empty: none
  std::vector<Node> trace_nodes;  ///< empty: all
  std::uint64_t trace_first = 0;  ///< cycles
  std::uint64_t trace_last = ~std::uint64_t{0};
  Job* job = &nobody;  ///< hears of stages and cycles
};

/// Flits of one message that stood on a link in consecutive cycles.
struct LinkRun {
  std::uint64_t begin = 0;  ///< cycle of the first
  Node from = 0;
  Port port = 0;
  std::uint32_t flits = 0;
  Message message;          ///< origin kNoNode: words that nobody sent
  std::uint32_t first = 0;  ///< which flit of the message the first one is
  auto operator<=>(const LinkRun&) const = default;
};

/// What the monitors saw on all links in cycles 0 to `last`.
struct LinkRecord {
  std::uint64_t last = 0;
  std::vector<LinkRun> runs;
};

/// A piece that did not come whole to a node, which worked out so many of its words from the
/// others.
struct WorkedOut {
  Node node = 0;
  Port port = 0;  ///< at which it did not come
  std::uint32_t piece = 0, words = 0;
};

/// What a run measured.
struct RunResult {
  std::uint64_t cycles_predicted = 0;
  std::uint64_t cycles_measured = 0;  ///< last cycle with a flit on a link
  std::uint64_t nodes_simulated = 0;  ///< all that follows is counted for all nodes
  std::uint64_t flits_moved = 0;      ///< flits on links, every hop counted
  std::uint64_t words_checked = 0;    ///< words in all stores, each compared with its origin's
  std::uint64_t link_cycles_checked =
      0;                        ///< simulated links times cycles compared with the schedule
  std::uint64_t delivered = 0;  ///< (node, message) pairs without a node's own
  std::uint64_t expected = 0;
  std::uint64_t errors = 0;            ///< nodes that raised an error
  std::vector<WorkedOut> worked_out;   ///< of a schedule with a tolerance
  std::vector<std::string> suspects;   ///< what alone, if it is dead, raises all of them
  std::vector<std::string> problems;   ///< the first differences, one line each
  std::uint64_t difference_cycle = 0;  ///< first cycle with a wrong link; if has_difference
  bool has_difference = false;
  std::uint64_t cause_since = ~std::uint64_t{0};  ///< the first cycle in which its cause may lie
  std::optional<LinkRecord> record;               ///< if it was asked for
  double wall_seconds = 0;                        ///< from loading the fabric to the verdict
  double node_cycles_per_second = 0;
  double engine_seconds = 0;  ///< of the simulation alone
  double engine_node_cycles_per_second = 0;
  /// The run was interrupted (support/job.hpp): the numbers above that were known are set,
  /// and `errors` and `problems` hold what was found so far.
  bool interrupted = false;
  std::uint64_t cycles_simulated = 0;
  std::uint32_t rounds_done = 0;  ///< rounds whose slot had ended
  bool passed() const { return problems.empty() && !interrupted; }
};

/// Runs schedules on fabrics; the testbench implements it.
class Runner {
 public:
  virtual ~Runner() = default;
  /// Throws InputError if the engine cannot run this topology, or is unknown.
  virtual RunResult run(const Schedule& schedule, const RunOptions& options) = 0;
  /// Writes all programs into the tables of one fabric, once, and starts them by their numbers. A
  /// result for each start. Throws as run().
  virtual std::vector<RunResult> run_programs(std::span<const Program>,
                                              std::span<const std::size_t>, const RunOptions&) {
    return {};
  }
  /// May several threads call run() at the same time?
  virtual bool side_by_side() const { return true; }
  /// Something in the command failed; it ends with this line.
  virtual void note_failure(const std::string&) {}
  /// The engine that run() will need, if it is known in advance and may have to be built; else
  /// empty. May throw as run().
  virtual std::string engine_of(const Schedule&, const RunOptions&) { return {}; }
  /// Builds it if it is missing; several engines may be built at once. Throws InputError if it
  /// cannot be built, Interrupted.
  virtual void get_engine(const std::string&) {}
  /// The folder above rtl/: with gossamer.core, and what rtl/files.f is relative to.
  virtual std::string sources() const { return {}; }
};

}  // namespace gossamer
