#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checks/link_oracle.hpp"
#include "engines/engine_library.hpp"
#include "fabric/fabric.hpp"
#include "fabric/payload.hpp"
#include "run/runner.hpp"
#include "schedule/schedule.hpp"
#include "tables/compiler.hpp"
#include "tables/timing.hpp"

namespace gossamer::tb {

/// What a fabric runs: a schedule in its tables, and the words of its messages.
struct Loaded {
  const Schedule& schedule;
  RunOptions options;
  Payload payload;
  CompiledSchedule compiled;
};

/// The first errors that nodes raised, each as a problem.
void add_errors(const Fabric& fabric, const FabricImage& image, RunResult& result);

/// The checks of a run that has ended: all nodes are at rest, there are no errors, cycles and flits
/// are as predicted, and the scoreboard accepts every word. It reads on so many threads. `links`:
/// what was seen on them, if the run was watched.
void judge(const Fabric& fabric, const Loaded& run, unsigned threads, const LinkComparison* links,
           RunResult& result);

/// The result of a run that is given up, as far as it is known.
void judge_interrupted(const Fabric& fabric, const Loaded& run, RunResult& result);

/// What should be on the links of the simulated nodes.
LinkOracle oracle_of(const Loaded& run);

/// Compares every link in every cycle with the schedule while the run goes on.
class WatchedRun {
 public:
  /// Is the run short enough, and is there enough memory?
  static bool possible(const Loaded& run);
  explicit WatchedRun(const Loaded& run);

  /// Runs the fabric for up to `cycles` cycles, or until it is done.
  void run(Fabric& fabric, std::uint64_t cycles);
  const LinkComparison& seen() const { return watch_.result(); }
  double seconds() const { return seconds_; }  ///< spent on comparing

 private:
  bool look(const Fabric& fabric);
  LinkOracle oracle_;
  LinkWatch watch_;
  bool begun_ = false;
  double seconds_ = 0;
};

/// Adds the result of comparing the links to that of the run, which has ended or is given up.
void report_links(const LinkComparison& links, const Fabric& fabric, RunResult& result);

/// A fabric for the same run once more, without a waveform.
std::unique_ptr<Fabric> again(const Loaded& run, const MakeFabric& make, unsigned threads);

/// For a run that was not watched: a second one that compares every link in every cycle with the
/// schedule. It is left out only if it would take long and everything else is right. After a failed
/// run it compares as much as time and memory allow, and says so.
void watch_links(const Loaded& run, const MakeFabric& make, unsigned threads, std::uint64_t limit,
                 RunResult& result);

/// Explicit stores of all nodes.
double store_bytes(const FabricImage& image);

/// Throws TooLarge if the machine's memory cannot hold so many nodes; call it before any are made.
void refuse_too_many_nodes(const Topology& topology, unsigned ranks);

/// The same for everything that the run will hold.
void refuse_too_large(const FabricImage& image, unsigned ranks);

/// "link 0-1", "node 3": the links and nodes each of which, if it alone is dead from the first
/// round on, makes just these nodes raise just these first errors. Nothing of schedules that adapt.
std::vector<std::string> suspects(const Schedule& schedule, const ScheduleTiming& timed,
                                  const std::vector<NodeError>& errors);

}  // namespace gossamer::tb
