#include "checks/link_recorder.hpp"

#include <algorithm>
#include <memory>

#include "checks/verdict.hpp"
#include "support/job.hpp"

namespace gossamer::tb {
namespace {

/// Links times cycles; about a second.
constexpr std::uint64_t kLinkCyclesToRecord = 50'000'000;
/// The most runs that are kept, some 80 MB.
constexpr std::size_t kMostRuns = 2'000'000;

/// Is this the next flit of the run?
bool continues(const LinkRun& run, std::uint64_t cycle, const Message& message,
               std::uint32_t index) {
  if (run.flits == 0 || run.begin + run.flits != cycle || run.message != message) return false;
  return message.origin == kNoNode || run.first + run.flits == index;
}

}  // namespace

LinkRecord record_links(Fabric& fabric, const Topology& topology, const Payload& payload,
                        std::uint64_t limit, const LinkOracle* sums) {
  LinkRecord record;
  std::vector<LinkRun> open(std::size_t{topology.nodes()} * topology.ports());
  const auto close = [&record](LinkRun& run) {
    if (run.flits != 0) record.runs.push_back(run);
    run.flits = 0;
  };
  const auto look = [&] {
    stop_if_interrupted();
    const std::uint64_t cycle = record.last = fabric.cycle();
    for (Node x = 0; x < topology.nodes(); ++x) {
      for (Port p = 0; p < topology.ports(); ++p) {
        if (!topology.peer(x, p).connected()) continue;
        LinkRun& run = open[std::size_t{x} * topology.ports() + p];
        const Flit flit = fabric.link(x, p);
        if (!flit.valid) {
          close(run);
          continue;
        }
        const FlitId id = (sums != nullptr ? sums->flit_of_sum(x, p, cycle, flit.data)
                                           : payload.identify(flit.data))
                              .value_or(FlitId{{kNoNode, kNoNode}, 0});
        if (!continues(run, cycle, id.message, id.index)) {
          close(run);
          run = {cycle, x, p, 0, id.message, id.index};
        }
        ++run.flits;
      }
    }
    return record.runs.size() < kMostRuns;
  };
  if (fabric.cycle() <= limit && look()) fabric.run_and_look(limit - fabric.cycle(), look);
  for (LinkRun& run : open) close(run);
  return record;
}

namespace {

std::uint64_t most_cycles(const Topology& topology) {
  return kLinkCyclesToRecord / (std::uint64_t{topology.nodes()} * topology.ports());
}

}  // namespace

bool can_record(const Topology& topology, std::uint64_t cycles) {
  return cycles <= most_cycles(topology);
}

void record_run(const CompiledSchedule& compiled, const Payload& payload, const Schedule& schedule,
                const RunOptions& options, const MakeFabric& make, unsigned threads,
                std::uint64_t limit, RunResult& result) {
  const Topology& topology = compiled.image.topology;
  if (result.passed() && !can_record(topology, result.cycles_predicted)) return;
  if (payload.adds() && !WatchedRun::possible(compiled, schedule)) return;
  RunOptions untraced = options;
  untraced.trace.clear();
  const std::unique_ptr<Fabric> fabric = make(untraced, compiled.image);
  fabric->use_threads(threads);
  fabric->load(compiled.image);
  std::optional<LinkOracle> sums;
  if (payload.adds()) sums.emplace(oracle_of(compiled, payload, schedule));
  result.record = record_links(*fabric, topology, payload, std::min(limit, most_cycles(topology)),
                               sums ? &*sums : nullptr);
}

}  // namespace gossamer::tb
