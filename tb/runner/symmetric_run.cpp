#include "runner/symmetric_run.hpp"

#include <fmt/format.h>

#include "checks/link_recorder.hpp"
#include "schedule/adaptive_rules.hpp"
#include "support/error.hpp"

namespace gossamer::tb {
namespace {

/// A full run of fewer nodes takes little time, unless it has so many node-cycles: ten seconds.
constexpr Node kLarge = 4096;
constexpr std::uint64_t kLong = std::uint64_t{1} << 28;

bool large(const Schedule& schedule, const RunOptions& options) {
  const Node nodes = schedule.topology().nodes();
  return nodes >= kLarge ||
         (options.timed != nullptr && options.timed->time.last_arrival >= kLong / nodes);
}

/// Only nodes that are simulated have waveforms. The reason why these options ask for others.
std::string untraceable(const Schedule& schedule, const RunOptions& options) {
  if (options.trace_nodes.empty() && !options.symmetric) return "all nodes are traced";
  const Symmetry& symmetry = schedule.symmetry();
  for (const Node x : options.trace_nodes) {
    const Node simulated = symmetry.representative(symmetry.class_of(x));
    if (x != simulated) {
      return fmt::format("node {} is traced, and in its place node {} is simulated", x, simulated);
    }
  }
  return "";
}

/// The reason why one node of each class is not enough, if there is one.
std::string reason(const Schedule& schedule, const RunOptions& options, bool several_ranks) {
  if (options.engine != "tile")
    return fmt::format("the {} engine simulates all nodes", options.engine);
  if (several_ranks) return "several machines share the nodes of a full run";
  if (!schedule.faults.empty()) return "faults make nodes of one class differ";
  if (adaptive(schedule)) return "an adaptive node chooses by whose messages it has";
  if (reduces(schedule.collective())) {
    return "a sum does not say whose parts are in it, so it cannot be translated";
  }
  if (has_root(schedule.collective())) {
    return fmt::format("a {} has a root, which no other node is like",
                       to_string(schedule.collective()));
  }
  if (schedule.symmetry().order() == 1) {
    return "the schedule has no translations, so that each node is a class of its own; a schedule "
           "file names its own (plan --orbits)";
  }
  // Of a run that is too long to be recorded it shows none.
  const bool recorded =
      options.record && (options.timed == nullptr ||
                         can_record(schedule.topology(), options.timed->time.last_arrival));
  if (recorded) return "a report shows the links of all nodes";
  return options.trace.empty() ? "" : untraceable(schedule, options);
}

}  // namespace

bool runs_symmetric(const Schedule& schedule, const RunOptions& options, bool several_ranks) {
  if (!options.symmetric.value_or(large(schedule, options))) return false;
  const std::string why = reason(schedule, options, several_ranks);
  if (why.empty()) return true;
  if (!options.symmetric) return false;
  throw InputError(fmt::format("{}: one node of each class cannot stand for the others: {}",
                               schedule.topology().spec(), why));
}

}  // namespace gossamer::tb
