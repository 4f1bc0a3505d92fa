// Run by mpirun: every rank simulates its block of a fabric with the others, and also the whole
// fabric alone, and compares.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "driver/case.hpp"
#include "driver/report.hpp"
#include "engines/engine_library.hpp"
#include "engines/prepared.hpp"
#include "runner/fabric_runner.hpp"

namespace gossamer::test {
namespace {

using Json = nlohmann::ordered_json;

Schedule plan_all_ports(const std::string& topology, const std::string& name) {
  Request request{.topology = Topology::parse(topology), .cycle = {}};
  request.ports = PortModel::All;
  return algorithm(name).plan(request);
}

/// The problems; "nodes 1 and 3-4 never got ..." is written as "node 1 never got ..." and so on.
std::set<std::string> by_node(const Json& problems) {
  std::set<std::string> all;
  for (const Json& problem : problems) {
    const auto text = problem.get<std::string>();
    const std::size_t end = text.find(" never got ");
    if (end == std::string::npos || !text.starts_with("nodes ")) {
      all.insert(text);
      continue;
    }
    std::string numbers = text.substr(6, end - 6);
    if (const std::size_t at = numbers.find(" and "); at != std::string::npos)
      numbers.replace(at, 5, ", ");
    std::istringstream words(numbers);
    unsigned first = 0, last = 0;
    while (words >> first) {
      last = first;
      if (words.peek() == '-') words.ignore() >> last;
      if (words.peek() == ',') words.ignore();
      for (unsigned x = first; x <= last; ++x)
        all.insert(fmt::format("node {}{}", x, text.substr(end)));
    }
  }
  return all;
}

/// The first difference in the links of this rank's nodes, or in how the runs end.
std::string first_difference(const Schedule& schedule, unsigned flits, unsigned threads,
                             Ranks& ranks) {
  const Topology& topology = schedule.topology();
  const FabricImage image = prepare(schedule, flits, tb::tile_ports(topology.ports()));
  const auto together = tb::make_tile_fabric(image.kind, false, 3);
  const auto alone = tb::make_tile_fabric(image.kind, false, 4);
  together->join(ranks);
  together->use_threads(threads);
  together->load(image);
  alone->load(image);
  std::string difference;
  while (!together->done() && together->cycle() < 100000) {
    together->run(1);
    alone->run(1);
    for (Node x = 0; x < topology.nodes() && difference.empty(); ++x) {
      for (Port p = 0; together->holds(x) && p < topology.ports(); ++p) {
        if (together->link(x, p) == alone->link(x, p)) continue;
        difference = fmt::format("cycle {}, node {}, port {}", together->cycle(), x, p);
      }
    }
  }
  if (!difference.empty()) return difference;
  if (!alone->done() || together->cycle() != alone->cycle()) return "they end in different cycles";
  if (together->last_arrival() != alone->last_arrival()) return "last arrivals differ";
  if (together->flits_moved() != alone->flits_moved()) return "flits moved differ";
  if (together->flits_moved() == 0) return "nothing moved";
  if (!together->errors().empty()) return "errors";
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (unsigned g = 0; together->holds(x) && g < image.kind.logs(); ++g) {
      if (together->log(x, g) != alone->log(x, g)) return fmt::format("node {}, log {}", x, g);
    }
  }
  return "";
}

std::string compare_results(Ranks& ranks, bool compressed) {
  RunOptions options;
  options.flits = 2;
  options.compressed = compressed;
  const Schedule schedule = plan_all_ports("torus:7x7x7", "delmas-perennes");
  const RunResult together = tb::FabricRunner(&ranks).run(schedule, options);
  const RunResult alone = tb::FabricRunner().run(schedule, options);
  if (!together.passed()) return together.problems[0];
  if (together.cycles_measured != alone.cycles_measured) return "cycles differ";
  if (together.flits_moved != alone.flits_moved) return "flits differ";
  if (together.delivered != alone.delivered || together.expected != alone.expected) {
    return "deliveries differ";
  }
  return together.words_checked == alone.words_checked ? "" : "words differ";
}

/// A case as the command runs and reports it, without times and without the second run that
/// compares the links, which runs on one rank only.
Json json_of(const Case& c, tb::FabricRunner& runner) {
  const Plan plan = make_plan(c);
  Facts report = examine(c, plan);
  RunOptions options;
  options.flits = c.flits;
  measure(report, runner, options);
  Json json = to_json(report, /*measured=*/true);
  for (const char* key : {"wall_seconds", "node_cycles_per_second", "engine_seconds",
                          "engine_node_cycles_per_second", "link_cycles_checked"}) {
    json.erase(key);
  }
  return json;
}

/// More elements are faulty than the schedule tolerates: nodes of every rank miss messages. Each
/// rank reports the first problems of its own nodes, so together they report those of a single
/// process, and more.
std::string compare_reports_with_faults(PortModel ports, Ranks& ranks) {
  Case c;
  c.topology = "hypercube:4";
  c.algorithm = "chau-fu";
  c.ports = ports;
  c.flits = 2;
  c.faults = "links=9-8,9-11,9-13,9-1;nodes=2";
  tb::FabricRunner several(&ranks), one;
  Json together = json_of(c, several), alone = json_of(c, one);
  if (alone["missing"].empty()) return "nothing is missing";
  // Each rank names those of its own nodes together that lack the same.
  const std::set<std::string> problems = by_node(together["problems"]);
  for (const std::string& problem : by_node(alone["problems"])) {
    if (!problems.contains(problem)) return problem + " was not reported";
  }
  for (const std::string& text : problems) {
    if (text.find("missing at healthy nodes") == std::string::npos &&
        text.find(" never got the message") == std::string::npos) {
      return text;
    }
  }
  together.erase("problems");
  alone.erase("problems");
  for (const auto& [key, value] : alone.items()) {
    if (together[key] != value) return key + ": " + together[key].dump() + " for " + value.dump();
  }
  return together.size() == alone.size() ? "" : "one says more than the other";
}

bool report(const std::string& what, const std::string& difference, Ranks& ranks) {
  bool same = true;
  const auto all = ranks.gather(difference);
  for (unsigned r = 0; r < all.size(); ++r) {
    if (all[r].empty()) continue;
    fmt::print("{}, rank {}: {}\n", what, r, all[r]);
    same = false;
  }
  if (same) fmt::print("{}: the same on {} ranks as on one\n", what, ranks.size());
  return same;
}

int compare(Ranks& ranks) {
  bool same = true;
  for (const unsigned threads : {1u, 2u}) {
    const Schedule s = plan("torus:5x5x5", "product", Duplex::Full);
    same &= report(fmt::format("torus:5x5x5, {} threads", threads),
                   first_difference(s, 1, threads, ranks), ranks);
  }
  same &= report("torus:7x7x7, circuits",
                 first_difference(plan_all_ports("torus:7x7x7", "delmas-perennes"), 1, 1, ranks),
                 ranks);
  same &=
      report("ring:9", first_difference(plan("ring:9", "ring", Duplex::Full), 3, 1, ranks), ranks);
  same &= report("results", compare_results(ranks, false), ranks);
  same &= report("results with compressed stores", compare_results(ranks, true), ranks);
  for (const PortModel ports : {PortModel::Single, PortModel::All}) {
    same &= report(fmt::format("missing messages, {} port(s)", to_string(ports)),
                   compare_reports_with_faults(ports, ranks), ranks);
  }
  return same ? 0 : 1;
}

/// The failure of one rank must not leave the others waiting.
int end_badly(Ranks& ranks, const std::string& how) {
  if (ranks.rank() == 1 && how == "--killed") std::raise(SIGKILL);
  if (ranks.rank() == 1) ranks.abort("the test says so");
  std::uint64_t values[] = {1};
  ranks.add_up(values);
  return 0;
}

}  // namespace
}  // namespace gossamer::test

int main(int argc, char** argv) {
  const auto ranks = gossamer::tb::mpi_ranks(argc, argv);
  if (ranks == nullptr) {
    fmt::print("to be run by mpirun\n");
    return 1;
  }
  if (argc > 1) return gossamer::test::end_badly(*ranks, argv[1]);
  return gossamer::test::compare(*ranks);
}
