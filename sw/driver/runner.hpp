#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "schedule/schedule.hpp"

namespace gossamer {

/// How a schedule is to be run.
struct RunOptions {
  unsigned flits = 1;           ///< flits of a message
  std::string engine = "tile";  ///< tile, flat or systemc
  std::uint32_t seed = 1;       ///< of the registers' initial values and of the messages' contents
  unsigned threads = 1;         ///< 0: as many as pay for a fabric of this size
  /// Stores kept compressed (docs/scale.md); if nobody says, where they would be large.
  std::optional<bool> compressed = std::nullopt;
  bool record = false;          ///< keep what stands on the links, unless that takes too long
  std::string trace;            ///< FST file to write; empty: none
  std::vector<Node> trace_nodes;                      ///< empty: all
  std::uint64_t trace_first = 0;                      ///< cycles
  std::uint64_t trace_last = ~std::uint64_t{0};
  /// Called when cycle 0 is reached, and then now and then, with cycles simulated and cycles
  /// predicted; empty: not at all.
  std::function<void(std::uint64_t, std::uint64_t)> progress;
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

/// What a run showed.
struct RunResult {
  std::uint64_t cycles_predicted = 0;
  std::uint64_t cycles_measured = 0;  ///< last cycle in which a flit stood on a link
  std::uint64_t flits_moved = 0;      ///< flits on links, every hop counted
  std::uint64_t words_checked = 0;    ///< words in all stores, each compared with its origin's
  std::uint64_t link_cycles_checked = 0;  ///< links times cycles compared with the schedule
  std::uint64_t delivered = 0;        ///< (node, message) pairs without a node's own
  std::uint64_t expected = 0;
  std::uint64_t errors = 0;           ///< nodes that raised an error
  std::vector<std::string> problems;  ///< every difference, one line each, the first ones only
  std::uint64_t difference_cycle = 0; ///< first cycle in which a link differed; if has_difference
  bool has_difference = false;
  std::optional<LinkRecord> record;   ///< if it was asked for
  double wall_seconds = 0;            ///< of the simulation alone
  double node_cycles_per_second = 0;
  /// The run was given up (support/interrupt.hpp): of the numbers above, those that were known by
  /// then are set, and `errors` and `problems` hold what had been seen.
  bool interrupted = false;
  std::uint64_t cycles_simulated = 0;
  std::uint32_t rounds_done = 0;  ///< rounds whose slot had ended
  bool passed() const { return problems.empty() && !interrupted; }
};

/// What became of deviations that were planted into runs, to see whether the judges notice them, and
/// of small exports and reports.
struct JudgeCheck {
  std::uint64_t planted = 0;
  std::uint64_t texts = 0;            ///< written for other programs, and compared letter by letter
  std::vector<std::string> problems;  ///< a line for each that was not judged or written as it should be
};

/// Runs schedules on fabrics; the testbench implements it.
class Runner {
 public:
  virtual ~Runner() = default;
  /// Throws InputError if the engine cannot run this topology, or is unknown.
  virtual RunResult run(const Schedule& schedule, const RunOptions& options) = 0;
  /// May several threads call run() at the same time?
  virtual bool side_by_side() const { return true; }
  /// The command ends with this line, because of something wrong anywhere in it.
  virtual void note_failure(const std::string&) {}
  /// The engine that run() will need, if it can be said beforehand and may have to be built; else empty.
  virtual std::string engine_of(const Schedule&, const RunOptions&) { return {}; }
  /// Has that engine built if it is not there; engines may be built side by side. Throws InputError if
  /// it cannot be built, Interrupted.
  virtual void get_engine(const Schedule&, const RunOptions&) {}
  /// Judges small runs into which deviations are planted; takes a moment. Not `all` of them: those
  /// whose engine was needed anyway, so that no other is built for them.
  virtual JudgeCheck check_judges(bool all) = 0;
};

}  // namespace gossamer
