// make bench: Gossamer's main figures, measured in one run on one machine. Cycle counts are exact
// and the same on every machine; speeds are this machine's.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "algorithms/registry.hpp"
#include "bench/bench_engines.hpp"
#include "bench/bench_quotient.hpp"
#include "bounds/bounds.hpp"
#include "checker/checker.hpp"
#include "runner/fabric_runner.hpp"
#include "support/error.hpp"

namespace gossamer {
namespace {

struct Plan {
  Schedule schedule;
  std::uint64_t formula;
};

Plan plan(const char* name, const std::string& topology, Duplex duplex, PortModel ports) {
  Request request{.topology = Topology::parse(topology)};
  request.duplex = duplex;
  request.ports = ports;
  const Algorithm& a = algorithm(name);
  if (const auto refusal = a.refuses(request)) throw InputError(*refusal);
  return {a.plan(request), a.formula(request).rounds};
}

RunResult run(const Schedule& schedule, unsigned flits, const char* engine = "tile") {
  tb::FabricRunner runner;
  RunOptions options;
  options.flits = flits;
  options.engine = engine;
  RunResult result = runner.run(schedule, options);
  for (const std::string& p : result.problems) fmt::print("  FAILED: {}\n", p);
  return result;
}

/// Cycles beyond rounds x flits over all sizes and lengths: one constant, or a range.
void overhead(const char* what, const char* name, Duplex duplex,
              std::initializer_list<Node> sizes) {
  std::uint64_t least = ~std::uint64_t{0}, most = 0;
  for (const Node n : sizes) {
    const Plan p = plan(name, fmt::format("ring:{}", n), duplex, PortModel::Single);
    for (const unsigned flits : {4u, 8u, 32u}) {
      const std::uint64_t c = run(p.schedule, flits).cycles_measured - p.formula * flits;
      least = std::min(least, c);
      most = std::max(most, c);
    }
  }
  fmt::print("{:<44} {:>10}   {}\n", what,
             least == most ? fmt::format("{}", least) : fmt::format("{}..{}", least, most),
             "target: one constant <= 8");
}

void torus_cycles() {
  for (const char* name : {"delmas-perennes", "delmas-perennes-split"}) {
    const Plan p = plan(name, "torus:7x7x7", Duplex::Full, PortModel::All);
    const CheckReport check = gossamer::check(p.schedule);
    for (const unsigned flits : {1u, 4u, 32u}) {
      const RunResult r = run(p.schedule, flits);
      const std::uint64_t alpha =
          (r.cycles_measured - check.delta_sum - check.tau_sum * flits) / check.rounds;
      fmt::print("{:<44} {:>10}   {} rounds, alpha = {}, delta_sum = {}, tau_sum = {}\n",
                 fmt::format("{} 7x7x7, L = {}", name, flits), r.cycles_measured, check.rounds,
                 alpha, check.delta_sum, check.tau_sum);
    }
  }
}

void speed(const char* what, const Schedule& schedule, unsigned flits, const char* engine,
           const char* target) {
  double best = 0, alone = 0;
  for (int i = 0; i < 3; ++i) {
    const RunResult r = run(schedule, flits, engine);
    best = std::max(best, r.node_cycles_per_second);
    alone = std::max(alone, r.engine_node_cycles_per_second);
  }
  fmt::print("{:<44} {:>10.1f} {:>10.1f}   {}\n", what, best / 1e6, alone / 1e6, target);
}

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

void bench() {
  fmt::print("{}\n\ncycles beyond rounds x L on rings (4 to 65 nodes, L = 4, 8, 32)\n",
             processor());
  overhead("full duplex, (n-1) L + c", "ring", Duplex::Full, {4, 5, 8, 9, 16, 17, 64, 65});
  overhead("half duplex, n even, 2(n-1) L + c", "ring", Duplex::Half, {4, 8, 16, 64});
  overhead("half duplex, n odd, 2n L + c", "ring", Duplex::Half, {5, 9, 17, 65});

  fmt::print("\ncycles of gossip on TM(7)^3\n");
  torus_cycles();

  fmt::print(
      "\nmillion node-cycles a second, one thread (best of 3): from loading to the verdict, and of "
      "the engine itself\n");
  const Plan torus7 = plan("delmas-perennes", "torus:7x7x7", Duplex::Full, PortModel::All);
  speed("tile, 343 nodes, circuits on 6 ports", torus7.schedule, 64, "tile", "target: >= 30");
  const Plan ring = plan("ring", "ring:64", Duplex::Full, PortModel::Single);
  speed("tile, ring of 64, every link busy", ring.schedule, 64, "tile", "");
  const Plan torus4 = plan("product", "torus:4x4x4", Duplex::Full, PortModel::Single);
  speed("tile, 64 nodes, 4x4x4 by product", torus4.schedule, 32, "tile", "");
  const Plan small = plan("product", "torus:4x4", Duplex::Full, PortModel::Single);
  speed("tile, 16 nodes, 4x4 by product", small.schedule, 32, "tile", "");
  speed("flat, 16 nodes, 4x4 by product", small.schedule, 32, "flat", "");

  tb::bench_engines();
  tb::bench_quotient();
}

}  // namespace
}  // namespace gossamer

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // a slow table appears line by line
  try {
    gossamer::bench();
  } catch (const std::exception& e) {
    fmt::print(stderr, "gossamer_bench: {}\n", e.what());
    return 2;
  }
}
