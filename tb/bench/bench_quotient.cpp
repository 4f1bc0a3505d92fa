#include "bench/bench_quotient.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <exception>

#include "driver/report.hpp"
#include "runner/fabric_runner.hpp"

namespace gossamer::tb {
namespace {

/// The exit status of a process whose run has failed.
constexpr int kFailed = 1;

/// Plans, checks and runs a case, and prints what it counted.
int run_here(const Case& c) {
  const Plan plan = make_plan(c);
  Report report = examine(c, plan);
  FabricRunner runner;
  RunOptions options;
  options.flits = c.flits;
  options.threads = 0;
  options.symmetric = true;
  measure(report, plan, runner, options);
  if (!report.passed()) {
    fmt::print("{} by {}\n", c.topology, c.algorithm);
    for (const std::string& p : report.problems) fmt::print("  FAILED: {}\n", p);
    std::fflush(stdout);
    return kFailed;
  }
  const RunResult& run = *report.run;
  fmt::print("{:<16} {:<22} {:>11} {:>9} {:>8} {:>11} {:>10.1f}", c.topology.substr(6), c.algorithm,
             report.nodes, run.nodes_simulated, report.check.rounds, run.cycles_measured,
             run.node_cycles_per_second / 1e6);
  std::fflush(stdout);
  return 0;
}

/// So that the run that is measured finds its engine.
int prepare_here(const Case& c) {
  RunOptions options;
  options.flits = c.flits;
  FabricRunner().get_engine(make_plan(c).schedule, options);
  return 0;
}

/// In a process of its own; whether it succeeded, and what it used.
bool apart(int (*work)(const Case&), const Case& c, rusage& usage) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    int status = kFailed;
    try {
      status = work(c);
    } catch (const std::exception& e) {
      fmt::print("  FAILED: {}\n", e.what());
      std::fflush(stdout);
    }
    _exit(status);
  }
  int status = 0;
  wait4(child, &status, 0, &usage);
  if (!WIFEXITED(status)) fmt::print("  FAILED: the measuring process died\n");
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void row(const char* topology, const char* algorithm, const char* target) {
  Case c;
  c.topology = topology;
  c.algorithm = algorithm;
  c.flits = 1;
  rusage usage{};
  if (!apart(prepare_here, c, usage)) return;
  const auto begin = std::chrono::steady_clock::now();
  if (!apart(run_here, c, usage)) return;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  const double user = static_cast<double>(usage.ru_utime.tv_sec) +
                      1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
  fmt::print(" {:>8.1f} {:>8.1f} {:>6}   {}\n", wall.count(), user, usage.ru_maxrss / 1024, target);
}

}  // namespace

void bench_quotient() {
  fmt::print(
      "\none node of each class in the place of all, 1 flit; the whole run from plan to verdict, "
      "on "
      "as many threads as it takes by itself\n");
  fmt::print("{:<16} {:<22} {:>11} {:>9} {:>8} {:>11} {:>10} {:>8} {:>8} {:>6}\n", "torus", "",
             "nodes", "simulated", "rounds", "cycles", "M n-c/s", "wall/s", "user/s", "MB");
  row("torus:49x49x49", "delmas-perennes", "target: <= 2 s");
  row("torus:49x49x49", "delmas-perennes-split", "target: <= 5 s");
  row("torus:49x49x49", "lee-code", "");
  row("torus:100x100x100", "translation", "target: <= 15 s");
  row("torus:32x32x32", "edge-colouring", "target: <= 20 s");
  row("torus:343x343x343", "delmas-perennes", "target: <= 900 s, <= 256 MB");
}

}  // namespace gossamer::tb
