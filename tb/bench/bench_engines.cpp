#include "bench/bench_engines.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "algorithms/registry.hpp"
#include "engines/engine_library.hpp"
#include "fabric/payload.hpp"
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

}  // namespace

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

}  // namespace gossamer::tb
