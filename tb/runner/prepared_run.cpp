#include "runner/prepared_run.hpp"

#include <algorithm>
#include <thread>

#include "checks/link_oracle.hpp"
#include "checks/run_memory.hpp"
#include "checks/verdict.hpp"
#include "engines/engine_library.hpp"
#include "runner/symmetric_run.hpp"
#include "schedule/adaptive_rules.hpp"
#include "schedule/chunks.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "tables/expected_logs.hpp"
#include "tables/own_words.hpp"
#include "waves/wave_view.hpp"

namespace gossamer::tb {
namespace {

/// Fabrics of fewer nodes have too little to do in a cycle for threads to pay, except in a long
/// run, which takes a minute at least (docs/research/scale.md).
constexpr std::uint64_t kNodesForThreads = 4096, kNodesForThreadsIfLong = 256;
constexpr std::uint64_t kNodeCyclesForThreads = std::uint64_t{1} << 30;
/// Adaptive tiles serve all hypercubes with so few messages that the tile can tell them apart.
constexpr Port kAdaptiveTilePorts = 8;
/// A run of more cycles times nodes saves more time with a fast engine than its compilation costs.
constexpr double kLongRun = 5e7;

/// The most memory of an oracle that is kept during a traced run.
constexpr double kOracleBytes = 256e6;

/// Is it known what should be on the links in each cycle? Not if a transfer carries everything.
bool words_are_known(const Schedule& schedule, const FabricImage& image) {
  return oracle_bytes(schedule, image) <= kOracleBytes &&
         std::ranges::none_of(schedule.transfers(),
                              [](const Transfer& t) { return t.carry == Carry::Everything; });
}

/// The most memory of explicit stores; compressed ones are faster than larger explicit ones.
constexpr double kExplicitBytes = 30e6;

void compress_stores(FabricImage& image, const Schedule& schedule, const Payload& payload,
                     const RunOptions& options) {
  if (options.engine != "tile" || image.kind.adaptive) return;
  if (!options.compressed.value_or(store_bytes(image) > kExplicitBytes)) return;
  image.expected = expected_logs(schedule, image.kind, payload);
}

/// What cannot run is refused before its words are asked for.
Payload payload_for(const Schedule& schedule, const RunOptions& options, Ranks* ranks) {
  if (options.stage) options.stage("compiling the tables");
  refuse_too_many_ports(schedule.topology());
  runs_symmetric(schedule, options, ranks != nullptr);
  return {schedule, options.flits, options.seed};
}

CompiledSchedule compile_for(const Schedule& schedule, const RunOptions& options,
                             const Payload& payload, Ranks* ranks) {
  const unsigned machines = ranks != nullptr ? ranks->size() : 1;
  std::shared_ptr<const Quotient> quotient;
  if (runs_symmetric(schedule, options, ranks != nullptr)) {
    quotient = std::make_shared<const Quotient>(schedule.topology(), schedule.symmetry(), payload);
  }
  refuse_too_many_nodes(quotient ? quotient->topology() : schedule.topology(), machines);
  CompiledSchedule compiled =
      compile(schedule, options.flits, node_ports(options, schedule), options.engine == "tile",
              std::move(quotient), options.timed, options.stages.on(schedule));
  place_own_words(compiled.image, schedule, payload);
  compress_stores(compiled.image, schedule, payload, options);
  refuse_too_large(compiled.image, machines);
  add_own_words(compiled.image, schedule, payload);
  return compiled;
}

}  // namespace

Port node_ports(const RunOptions& options, const Schedule& schedule) {
  const Port ports = schedule.topology().ports();
  if (options.engine != "tile") return ports;
  return adaptive(schedule) ? std::max(ports, kAdaptiveTilePorts) : tile_ports(ports);
}

PreparedRun::PreparedRun(const Schedule& of, const RunOptions& asked, Ranks* ranks,
                         const MakeFabric& make)
    : schedule(of),
      options(asked),
      payload(payload_for(schedule, options, ranks)),
      compiled(compile_for(schedule, options, payload, ranks)) {
  options.long_run =
      static_cast<double>(compiled.time.last_arrival) * compiled.image.topology.nodes() > kLongRun;
  stage("getting the engine");
  fabric = make(options, compiled.image);
  stage("loading the fabric");
  begin = std::chrono::steady_clock::now();
  if (!options.trace.empty()) trace();
  if (ranks != nullptr) fabric->join(*ranks);
  fabric->use_threads(threads());
  fabric->load(compiled.image);
}

void PreparedRun::trace() {
  wave.emplace(options.trace);
  TraceOptions trace{wave->temporary(), options.trace_nodes, options.trace_first,
                     options.trace_last};
  for (Node& x : trace.nodes) x = compiled.image.class_of(x);
  shows_expected_ = options.engine == "tile" && words_are_known(schedule, compiled.image);
  if (shows_expected_) {
    const auto oracle = std::make_shared<LinkOracle>(oracle_of(compiled, payload, schedule));
    trace.expected = [oracle](Node x, Port p, std::uint64_t cycle) {
      return oracle->word_at(x, p, cycle);
    };
  }
  fabric->trace(trace);
}

/// Threads help if a cycle has much to do, and in a long run of a smaller fabric: then it is likely
/// that the machine does nothing else.
unsigned PreparedRun::threads() const {
  if (options.threads != 0) return options.threads;
  const std::uint64_t nodes = compiled.image.topology.nodes();
  const bool is_long = compiled.time.last_arrival > kNodeCyclesForThreads / nodes;
  if (nodes < (is_long ? kNodesForThreadsIfLong : kNodesForThreads)) return 1;
  return std::max(1u, std::thread::hardware_concurrency());
}

void PreparedRun::write_wave(const RunResult& result) {
  if (!wave) return;
  fabric->end_trace();
  if (const int error = fabric->trace_error()) wave->refuse(error);
  std::vector<NodeError> errors = fabric->errors();
  for (NodeError& e : errors) e.node = compiled.image.node_of(e.node);
  write_wave_view(
      {schedule, compiled, payload, options, result, std::move(errors), shows_expected_});
  wave->keep();
}

}  // namespace gossamer::tb
