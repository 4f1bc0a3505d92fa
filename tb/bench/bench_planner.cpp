// The planner's time and memory at growing sizes, and how close its choices come to the bound in
// cycles: part of `make bench`. Each case of growing size is planned in its own process, so that
// its memory is measured alone.

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "driver/report.hpp"

namespace gossamer {
namespace {

/// The fastest of several tries counts.
constexpr int kTries = 3;
/// Below this, most of the time is start-up; such cases are left out of a fit.
constexpr double kLeastSeconds = 0.002;

struct Measured {
  double plan = 0, check = 0;  ///< processor seconds; check: with bounds and predicted cycles
  long kilobytes = 0;          ///< peak memory of the process
  Node nodes = 0;
  std::uint32_t rounds = 0;
  bool passed = false;
  double seconds() const { return plan + check; }
};

/// Processor time of this process, which does not depend on other work on the machine; planning and
/// checking use one thread.
double now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

Measured measure_here(const Case& c) {
  const double begin = now();
  const Plan plan = make_plan(c);
  const double planned = now();
  const Report report = examine(c, plan);
  Measured m{planned - begin, now() - planned,     0,
             report.nodes,    report.check.rounds, report.passed()};
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  m.kilobytes = usage.ru_maxrss;
  return m;
}

Measured measure_apart(const Case& c) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    try {
      const Measured m = measure_here(c);
      _exit(write(ends[1], &m, sizeof(m)) == sizeof(m) ? 0 : 1);
    } catch (const std::exception& e) {
      fmt::print(stderr, "{}\n", e.what());
      _exit(2);
    }
  }
  close(ends[1]);
  Measured m;
  const bool complete = read(ends[0], &m, sizeof(m)) == sizeof(m);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!complete) throw std::runtime_error(c.topology + ": cannot be planned");
  return m;
}

Measured best(const Case& c) {
  Measured best = measure_apart(c);
  for (int i = 1; i < kTries; ++i) {
    const Measured m = measure_apart(c);
    if (m.seconds() < best.seconds()) best = m;
  }
  return best;
}

/// The exponent e of y ~ nodes^e: the slope of the straight line through the logarithms.
template <typename Value>
std::string exponent(const std::vector<Measured>& all, Value value) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const Measured& m : all) {
    if (m.seconds() < kLeastSeconds) continue;
    const double lx = std::log(static_cast<double>(m.nodes)), ly = std::log(value(m));
    n += 1, x += lx, y += ly, xx += lx * lx, xy += lx * ly;
  }
  return n < 2 ? "-" : fmt::format("{:.2f}", (n * xy - x * y) / (n * xx - x * x));
}

void family(const char* algorithm, Collective collective,
            const std::vector<std::string>& topologies) {
  std::vector<Measured> all;
  for (const std::string& topology : topologies) {
    Case c;
    c.topology = topology;
    c.algorithm = algorithm;
    c.collective = collective;
    const Measured m = best(c);
    all.push_back(m);
    fmt::print("{:<18} {:<15} {:<18} {:>10} {:>9} {:>8.3f} {:>8.3f} {:>6}{}\n", algorithm,
               to_string(collective), topology, m.nodes, m.rounds, m.plan, m.check,
               (m.kilobytes + 1023) / 1024, m.passed ? "" : "   FAILED");
  }
  fmt::print("{:<18} time ~ nodes^{}, memory ~ nodes^{}\n\n", "",
             exponent(all, [](const Measured& m) { return m.seconds(); }),
             exponent(all, [](const Measured& m) { return static_cast<double>(m.kilobytes); }));
}

std::vector<std::string> sizes(const char* pattern, const std::vector<unsigned>& values) {
  std::vector<std::string> specs;
  for (const unsigned v : values) specs.push_back(fmt::format(fmt::runtime(pattern), v));
  return specs;
}

void bench() {
  fmt::print("{:<18} {:<15} {:<18} {:>10} {:>9} {:>8} {:>8} {:>6}\n", "planner", "", "", "nodes",
             "rounds", "plan/s", "check/s", "MB");
  family("delmas-perennes", Collective::Gossip, sizes("torus:{0}x{0}x{0}", {7, 49, 343}));
  family("ring", Collective::Gossip, sizes("ring:{}", {16384, 65536, 262144, 1048576}));
  family("product", Collective::Gossip, sizes("torus:{0}x{0}", {64, 128, 256, 512}));
  family("bertsekas", Collective::Gossip, sizes("hypercube:{}", {12, 14, 16, 18}));
  family("bertsekas", Collective::TotalExchange, sizes("hypercube:{}", {10, 12, 14, 16}));
  family("translation", Collective::Gossip, sizes("hypercube:{}", {12, 14, 16, 18}));
  family("edge-colouring", Collective::TotalExchange, sizes("torus:{0}x{0}", {17, 33, 65}));
}

/// Predicted cycles of what is chosen without a name over the lower bound.
void ratios(PortModel ports, Duplex duplex) {
  const std::vector<unsigned> lengths = {1, 2, 8, 64, 1024};
  fmt::print("{:<14} {:<15}", fmt::format("{}, {}", to_string(ports), to_string(duplex)), "flits:");
  for (const unsigned flits : lengths) fmt::print(" {:>6}", flits);
  fmt::print("\n");
  double logarithms = 0, worst = 0;
  int entries = 0;
  for (const char* topology : {"torus:8x8", "torus:7x7x7", "torus:4x4x4", "mesh:8x8", "hypercube:6",
                               "ring:16", "debruijn:6"}) {
    for (const Collective collective :
         {Collective::Broadcast, Collective::Scatter, Collective::Gather, Collective::Gossip,
          Collective::TotalExchange}) {
      fmt::print("{:<14} {:<15}", topology, to_string(collective));
      for (const unsigned flits : lengths) {
        Case c;
        c.topology = topology;
        c.collective = collective;
        c.flits = flits;
        c.ports = ports;
        c.duplex = duplex;
        const double ratio = ratio_to_bound(examine(c, make_plan(c))).value();
        logarithms += std::log(ratio);
        worst = std::max(worst, ratio);
        ++entries;
        fmt::print(" {:>6.3f}", ratio);
      }
      fmt::print("\n");
    }
  }
  fmt::print("cycles over the bound: geometric mean {:.3f}, at most {:.3f}\n\n",
             std::exp(logarithms / entries), worst);
}

}  // namespace
}  // namespace gossamer

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // a slow table appears line by line
  try {
    gossamer::bench();
    using gossamer::Duplex, gossamer::PortModel;
    gossamer::ratios(PortModel::All, Duplex::Full);
    gossamer::ratios(PortModel::Single, Duplex::Full);
    gossamer::ratios(PortModel::All, Duplex::Half);
  } catch (const std::exception& e) {
    fmt::print(stderr, "gossamer_bench_planner: {}\n", e.what());
    return 2;
  }
}
