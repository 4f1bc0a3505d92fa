// make bench: Gossamer's main figures, measured in one run on one machine. Cycle counts are exact
// and the same on every machine; speeds are this machine's.

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "algorithms/registry.hpp"
#include "bounds/bounds.hpp"
#include "checker/checker.hpp"
#include "driver/report.hpp"
#include "engines/engine_library.hpp"
#include "fabric/payload.hpp"
#include "runner/fabric_runner.hpp"
#include "support/error.hpp"
#include "tables/compiler.hpp"
#include "tables/expected_logs.hpp"

namespace gossamer::tb {
namespace {

constexpr unsigned kFlits = 16;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Megabytes that this process uses now, after returning freed memory.
double resident() {
  malloc_trim(0);
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::atof(line.c_str() + 6) / 1024;
  }
  return 0;
}

/// Runs in its own process, so that its memory is measured alone and its threads end with it.
void row(const std::function<void()>& measure) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    try {
      measure();
    } catch (const std::exception& e) {
      fmt::print("  FAILED: {}\n", e.what());
    }
    std::fflush(stdout);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status)) fmt::print("  FAILED: the measuring process died\n");
}

FabricImage image_of(const Schedule& schedule, Port ports, bool compressed) {
  FabricImage image = compile(schedule, kFlits, ports).image;
  const Payload payload(schedule, kFlits, 1);
  image.own_begin.assign(1, 0);
  for (Node x = 0; x < schedule.topology().nodes(); ++x) {
    for (const Message& m : own_messages(schedule, x)) {
      for (unsigned i = 0; i < kFlits; ++i) image.own_words.push_back(payload.word({m, i}));
    }
    image.own_begin.push_back(image.own_words.size());
  }
  if (compressed) image.expected = expected_logs(schedule, image.kind, payload);
  return image;
}

/// A gossip in which every node sends and receives a flit in every cycle.
Schedule busy(const std::string& topology) {
  return algorithm("product").plan({.topology = Topology::parse(topology), .cycle = {}});
}

/// Best of three, in millions of node-cycles per second.
double speed(Fabric& fabric, const FabricImage& image, std::uint64_t cycles) {
  double best = 0;
  for (int i = 0; i < 3; ++i) {
    fabric.load(image);
    const auto begin = std::chrono::steady_clock::now();
    fabric.run(cycles);
    const double rate =
        1e-6 * static_cast<double>(fabric.cycle() * image.topology.nodes()) / seconds_since(begin);
    best = std::max(best, rate);
  }
  return best;
}

void tile_row(const std::string& topology, unsigned threads, std::uint64_t cycles) {
  const Schedule schedule = busy(topology);
  const FabricImage image = image_of(schedule, tile_ports(schedule.topology().ports()), true);
  const auto fabric = make_tile_fabric(image.kind, false, 1, false, Speed::Fast);
  fabric->use_threads(threads);
  const double before = resident();
  fabric->load(image);
  const double megabytes = resident() - before;
  const Node nodes = schedule.topology().nodes();
  fmt::print("{:<24} {:>9} {:>8} {:>10.1f} {:>10.1f} {:>10.0f}\n", "tile " + topology, nodes,
             threads, speed(*fabric, image, cycles), megabytes, megabytes * 1048576 / nodes);
}

/// Builds the library without a compiler cache; seconds, and megabytes of the largest process.
std::pair<double, double> build_flat(const std::string& topology, const std::string& shape,
                                     const NodeDepths& depths) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / fmt::format("gossamer_bench_{}", getpid());
  fs::create_directories(folder);
  const std::string command = fmt::format(
      "CCACHE_DISABLE=1 make -s -f '{}/tb/engines/engine.mk' {} INCLUDES=-I'{}' OUT='{}/flat.so' "
      "KIND=flat "
      "SHAPE={} CHANNELS=1 SINGLE_PORT=1 HALF_DUPLEX=0 SLOT_DEPTH={} LIST_DEPTH={} STORE_DEPTH={}",
      GOSSAMER_SOURCE_DIR, GOSSAMER_ENGINE_SETTINGS, GOSSAMER_GENERATED_DIR, folder.string(), shape,
      depths.slots, depths.segments, depths.words);
  const auto begin = std::chrono::steady_clock::now();
  if (std::system(command.c_str()) != 0) throw std::runtime_error(topology + " was not built");
  const double seconds = seconds_since(begin);
  fs::remove_all(folder);
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return {seconds, static_cast<double>(usage.ru_maxrss) / 1024};
}

void flat_row(const std::string& shape, std::uint64_t cycles) {
  const std::string topology = "torus:" + shape;
  const Schedule schedule = busy(topology);
  const FabricImage image = image_of(schedule, schedule.topology().ports(), false);
  const NodeDepths depths = depths_for(image, kFlatDepths);
  const auto [seconds, megabytes] = build_flat(topology, shape, depths);
  const double before = resident();
  const auto fabric =
      make_flat_fabric(schedule.topology(), image.kind, depths, false, 1, {}, Speed::Fast);
  fabric->load(image);
  const double held = resident() - before;
  fmt::print("{:<24} {:>9} {:>8} {:>10.1f} {:>10.1f} {:>10.0f} {:>9.1f} s {:>8.0f} MB\n",
             "flat " + topology, image.topology.nodes(), 1, speed(*fabric, image, cycles), held,
             held * 1048576 / image.topology.nodes(), seconds, megabytes);
}

#if GOSSAMER_MPI
/// Runs the command as a user does on `ranks` ranks, each with a slab of 16x16x16 nodes. Returns
/// the node-cycles per second, 0 if the run failed.
double ranks_speed(unsigned ranks) {
  const std::string command = fmt::format(
      "mpirun --allow-run-as-root -n {} {} run --topology torus:16x16x{} --collective gossip "
      "--algorithm product --flits 1 --threads 1 --no-symmetric --json",
      ranks, GOSSAMER_COMMAND, 16 * ranks);
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return 0;
  char part[4096];
  while (std::fgets(part, sizeof part, pipe) != nullptr) text += part;
  pclose(pipe);
  const auto report = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (report.is_discarded() || report.value("verdict", "") != "pass") return 0;
  return report.value("node_cycles_per_second", 0.0);
}

void bench_ranks() {
  fmt::print("\nweak scaling over Open MPI ranks of one thread, 4096 nodes a rank\n");
  fmt::print("{:<24} {:>9} {:>8} {:>10}\n", "", "nodes", "ranks", "M n-c/s");
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  for (unsigned ranks = 1; ranks <= cores; ranks *= 2) {
    const double speed = ranks_speed(ranks);
    fmt::print("{:<24} {:>9} {:>8} {:>10}\n", fmt::format("torus:16x16x{}", 16 * ranks),
               4096 * ranks, ranks, speed == 0 ? "FAILED" : fmt::format("{:.1f}", speed / 1e6));
  }
}
#else
void bench_ranks() {}
#endif

/// Prints speed and memory of the tile engine at growing sizes with one and two threads, and of the
/// flat engine together with the cost of building it. Each row is measured in its own process.
void bench_engines() {
  fmt::print("\nengines, every node busy (gossip by product, {} flits); best of 3\n", kFlits);
  fmt::print("{:<24} {:>9} {:>8} {:>10} {:>10} {:>10} {:>11} {:>11}\n", "", "nodes", "threads",
             "M n-c/s", "MB", "bytes/node", "build", "compiler");
  constexpr std::uint64_t kNodeCycles = 20'000'000;
  for (const char* topology : {"torus:4x4x4", "torus:7x7x7", "torus:16x16x16", "torus:49x49x49"}) {
    const Node nodes = Topology::parse(topology).nodes();
    for (const unsigned threads : {1u, 2u}) {
      row([&] { tile_row(topology, threads, kNodeCycles / nodes); });
    }
  }
  for (const char* shape : {"3x3x3", "4x4x4", "5x5x5"}) {
    const Node nodes = Topology::parse(std::string("torus:") + shape).nodes();
    row([&] { flat_row(shape, kNodeCycles / nodes); });
  }
  bench_ranks();
}

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

/// Prints time and memory of whole runs of large fabrics by one node of each class, from the plan
/// to the verdict. Each is measured in its own process.
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

}  // namespace

}  // namespace gossamer::tb

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
