// Long work looks for Ctrl-C at every step, and says how much memory it needs before it takes it.
// Both are counted here, so that a look or a request that is lost is noticed.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "bounds/claims.hpp"
#include "bounds/distances.hpp"
#include "bounds/flows.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "checks/link_oracle.hpp"
#include "driver/case.hpp"
#include "driver/report.hpp"
#include "driver/suite.hpp"
#include "engines/prepared.hpp"
#include "export/export.hpp"
#include "export/plans.hpp"
#include "runner/fabric_runner.hpp"
#include "schedule/faults.hpp"
#include "schedule/jsonl.hpp"
#include "scratch.hpp"
#include "support/file.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"
#include "tables/compiler.hpp"
#include "tables/expected_logs.hpp"
#include "tables/timing.hpp"

namespace gossamer::test {
namespace {

using Doing = std::function<void()>;

constexpr int kMany = 1'000'000;

/// How often the work looks for an interruption.
int looks(const Doing& work) {
  interrupt_at_look(kMany);
  work();
  const int count = kMany - looks_left();
  forget_interrupt();
  return count;
}

/// Does the work end if look n finds one?
bool ends_at(int n, const Doing& work) {
  struct End {
    ~End() { forget_interrupt(); }
  } end;
  interrupt_at_look(n);
  try {
    work();
  } catch (const Interrupted&) {
    return true;
  }
  return false;
}

/// What is asked for, without the names of folders.
std::string memory(const Doing& work, const std::string& folder) {
  const RecordedMemory recorded;
  work();
  std::string text;
  for (std::string what : recorded.all()) {
    const double most = recorded.most(what);
    if (const auto at = what.find(folder); at != what.npos) what.erase(at, folder.size() + 1);
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", what, most);
  }
  return text;
}

/// Small cases of everything that may take long.
struct Cases {
  Scratch folder;
  std::string edges =
      folder.file("edges.json", R"({"n":5,"edges":[[0,1],[1,2],[2,3],[3,4],[4,0],[0,2]]})");
  Topology graph = Topology::parse("edges:" + edges);
  Topology mesh = Topology::parse("mesh:3x4");
  Topology tree = Topology::parse("path:9");
  Topology odd_ring = Topology::parse("ring:9");
  Arcs arcs{graph};
  Schedule ring = plan("ring:8", "ring", Duplex::Full);
  Schedule torus = plan("torus:3x3x3", "product", Duplex::Full);
  Schedule cube = plan("hypercube:3", "hamiltonian", Duplex::Half);
  Schedule exchange = planned("torus:3x4", "", Collective::TotalExchange, "");
  Schedule faulty = planned("hypercube:4", "chau-fu", {}, "nodes=3");
  std::vector<std::uint64_t> sizes = timed(ring, 2)->sizes;
  Timeline time = timed(ring, 2)->time;
  Payload payload{ring, 2, 1};
  Loads loads = link_loads(exchange, check(exchange), 1);

  static Schedule planned(const char* topology, const char* algorithm,
                          std::optional<Collective> collective, const char* faults) {
    Case c;
    c.topology = topology;
    c.algorithm = algorithm;
    if (collective) c.collective = *collective;
    c.faults = faults;
    return make_plan(c).schedule;
  }

  /// A transfer of eight messages in reverse order, and 40 lines, of which the last round comes
  /// first.
  Model combining{PortModel::All, Duplex::Full, Switching::Packet, true};
  Schedule unsorted{Topology::parse("complete:8"), Collective::Gossip, combining};
  std::string reversed =
      "{\"gossamer\":1,\"topology\":\"ring:8\",\"collective\":\"gossip\",\"model\":{\"ports\":"
      "\"all\",\"duplex\":\"full\",\"switching\":\"packet\",\"combining\":true}}\n";

  Cases() {
    std::vector<Message> messages;
    for (Node x = 8; x-- > 0;) messages.push_back({x, kNoNode});
    unsorted.add(1, std::vector<Node>{0, 1}, messages);
    for (int r = 40; r > 0; --r) {
      reversed += fmt::format("{{\"r\":{},\"path\":[0,1],\"msgs\":[0]}}\n", r);
    }
  }

  static void write_and_read(const Schedule& schedule) {
    std::stringstream text;
    write_jsonl(schedule, text);
    read_jsonl(text, "a file");
  }

  void run(bool compressed = false) const {
    RunOptions options;
    options.flits = 2;
    options.compressed = compressed;
    if (tb::FabricRunner().run(ring, options).interrupted) throw Interrupted();
  }

  std::map<std::string, Doing> all() const {
    return {
        {"reading edges", [&] { Topology::parse("edges:" + edges); }},
        {"a mesh", [&] { Topology::parse("mesh:40x40"); }},
        {"a torus", [&] { Topology::parse("torus:7x7x7"); }},
        {"distances of a graph", [&] { bounds::sum_of_distances(graph); }},
        {"diameter", [&] { bounds::diameter(mesh); }},
        {"sets of nodes that few links leave",
         [&] { bounds::gossip_cut_rounds(graph, Duplex::Full); }},
        {"nodes that cut: gossip", [&] { bounds::gossip_cut_node_rounds(tree, Duplex::Full); }},
        {"nodes that cut: gossip in few messages",
         [&] { bounds::gossip_combining_cut_node_rounds(tree, Duplex::Full); }},
        {"nodes that cut: broadcast", [&] { bounds::broadcast_cut_node_rounds(tree, 0); }},
        {"nodes that cut: scatter", [&] { bounds::scatter_cut_node_rounds(tree, 0); }},
        {"links of all nodes", [&] { bounds::broadcast_degree_rounds(graph, 0); }},
        {"broadcast on a tree", [&] { bounds::broadcast_tree_rounds(tree, 0); }},
        {"gossip on a tree", [&] { bounds::gossip_combining_tree_rounds(tree); }},
        {"gossip on an odd ring", [&] { bounds::gossip_combining_ring_rounds(odd_ring); }},
        {"scatter as a flow", [&] { bounds::fewest_scatter_rounds(arcs, 0, 1); }},
        {"lengths of links",
         [&] {
           bounds::routing_load(graph, PortModel::Single, Duplex::Full);
           bounds::routing_load(graph, PortModel::All,
                                Duplex::Full);  // it remembers the last answer
         }},
        {"drawing faults", [&] { parse_faults("random:4", mesh, 1); }},
        {"faults by rate", [&] { parse_faults("rate:0.1", mesh, 1); }},
        {"writing and reading", [&] { write_and_read(exchange); }},
        {"reading lines in reverse",
         [&] {
           std::istringstream in(reversed);
           read_jsonl(in, "a file");
         }},
        {"checking unsorted messages", [&] { check(unsorted); }},
        {"checking with bits", [&] { check(torus, 20, OriginSets::Bits); }},
        {"checking with trees", [&] { check(torus, 20, OriginSets::Trees); }},
        {"checking an exchange", [&] { check(exchange); }},
        {"checking losses", [&] { check(faulty); }},
        {"checking several classes", [&] { check(cube); }},
        {"timing", [&] { timed(cube, 1); }},
        {"loads", [&] { link_loads(exchange, check(exchange), 1); }},
        {"loads as CSV", [&] { loads_csv(loads); }},
        {"tables", [&] { compile(ring, 2, 2); }},
        {"tables of an exchange", [&] { compile(exchange, 2, 4); }},
        {"expected logs", [&] { expected_logs(ring, node_kind(ring, 2), payload); }},
        {"AXI text", [&] { axi_text(export_test::alone(ring, 2)); }},
        {"AXI header", [&] { axi_header(export_test::alone(ring, 2), "ring"); }},
        {"the oracle of the links", [&] { tb::LinkOracle(ring, time, sizes, payload); }},
    };
  }
};

}  // namespace

TEST_CASE("long work looks for Ctrl-C at each of its steps") {
  // Looks; fewer are noticed here.
  const std::map<std::string, int> least = {
      {"reading edges", 29},
      {"distances of a graph", 3},
      {"diameter", 7},
      {"sets of nodes that few links leave", 5},
      {"nodes that cut: gossip", 9},
      {"nodes that cut: gossip in few messages", 9},
      {"nodes that cut: broadcast", 9},
      {"nodes that cut: scatter", 9},
      {"links of all nodes", 5},
      {"broadcast on a tree", 9},
      {"gossip on a tree", 81},
      {"gossip on an odd ring", 9},
      {"scatter as a flow", 5},
      {"lengths of links", 750},
      {"drawing faults", 12},
      {"faults by rate", 12},
      {"writing and reading", 767},
      {"reading lines in reverse", 162},
      {"checking unsorted messages", 26},
      {"checking with bits", 79},
      {"checking with trees", 79},
      {"checking an exchange", 122},
      {"checking losses", 128},
      {"checking several classes", 92},
      {"timing", 40},
      {"loads", 1500},
      {"loads as CSV", 288},
      {"tables", 15},
      {"tables of an exchange", 20},
      {"expected logs", 7},
      {"AXI text", 38},
      {"AXI header", 38},
      {"the oracle of the links", 14},
  };
  const Cases cases;
  for (const auto& [name, work] : cases.all()) {
    INFO(name);
    const auto expected = least.find(name);
    if (expected == least.end()) continue;
    const int count = looks(work);
    CHECK(count >= expected->second);
    for (const int n : {1, count / 2, count}) CHECK(ends_at(n, work));
  }
}

TEST_CASE("a suite looks for Ctrl-C before it plans a case, and before it runs one") {
  struct Nothing final : Runner {
    RunResult run(const Schedule&, const RunOptions&) override { return {}; }
  } runner;
  SuiteCase one;
  one.request.topology = "ring:4";
  const int planning = looks([&] { make_plan(one.request, PlannedTo::Run); });
  const Plan plan = make_plan(one.request, PlannedTo::Run);
  const int judging = looks([&] {
    Facts report = examine(one.request, plan);
    measure(report, runner, {});
  });
  const std::vector<SuiteCase> cases(3, one);
  const auto suite = [&] { run_suite(cases, 1, runner, {}, [](const auto&, const auto&) {}); };
  // Before it is planned, and before it runs.
  CHECK(looks(suite) == 3 * (planning + judging + 2));
  for (int n = 1; n <= looks(suite); ++n) CHECK(ends_at(n, suite));
}

TEST_CASE("a run looks for Ctrl-C while it simulates, compares links, counts compressed words") {
  const Cases cases;
  for (const bool compressed : {false, true}) {
    cases.run(compressed);  // its engine is there from now on
    const int count = looks([&] { cases.run(compressed); });
    CHECK(count >= (compressed ? 84 : 60));
    for (int n = 1; n <= count; ++n) {
      INFO("look " << n << " of " << count);
      CHECK(ends_at(n, [&] { cases.run(compressed); }));
    }
  }
}

TEST_CASE("a file that Ctrl-C interrupts does not appear, and the previous one stays") {
  const Cases cases;
  const Scratch folder;
  const std::string file = folder.file("written", "before");
  const std::string long_text(300'000, 'x');
  const std::map<std::string, Doing> writes = {
      {"a schedule", [&] { write_jsonl(cases.exchange, file); }},
      {"a text", [&] { write_file(file, long_text); }},
  };
  for (const auto& [name, write] : writes) {
    INFO(name);
    const int count = looks(write);
    CHECK(count >= 5);
    write_file(file, "before");
    for (int n = 1; n <= count; ++n) {
      INFO("look " << n << " of " << count);
      CHECK(ends_at(n, write));
      CHECK(read_file(file) == "before");
      const auto files = std::filesystem::directory_iterator(folder.folder());
      CHECK(std::distance(begin(files), end(files)) == 1);
    }
  }
}

TEST_CASE("memory is asked for in the amounts that are needed") {
  // Bytes by purpose. Whoever changes an estimate explains the difference.
  const std::map<std::string, std::string> needed = {
      {"reading edges",
       "edges:edges.json: the table of links of 5 nodes with up to 3 each: 120; topology "
       "'edges:edges.json': 0"},
      {"a mesh", "topology 'mesh:40x40': 1280"},
      {"a torus", "topology 'torus:7x7x7': 336"},
      {"drawing faults", "faults: the list of all nodes and links of mesh:3x4: 288"},
      {"faults by rate", "faults: the list of all nodes and links of mesh:3x4: 288"},
      {"writing and reading",
       "reading a file: 22080; the list of 6 translations: 456; topology 'torus:3x4': 112"},
      {"reading lines in reverse", "reading a file: 3680; topology 'ring:8': 128"},
      {"checking unsorted messages",
       "complete:8: what 1 nodes hold of 8 messages: 1; complete:8: what its nodes hold: 1032"},
      {"checking with bits",
       "torus:3x3x3: what 1 nodes hold of 27 messages: 3.375; torus:3x3x3: what its nodes hold: "
       "136"},
      {"checking with trees", "torus:3x3x3: what its nodes hold: 5600"},
      {"checking an exchange", "torus:3x4: what its nodes hold: 1280"},
      {"checking losses", "hypercube:4: what 16 nodes hold of 16 messages: 32"},
      {"checking several classes",
       "hypercube:3: what 4 nodes hold of 8 messages: 4; hypercube:3: what its nodes hold: 544"},
      {"loads",
       "the list of 6 translations: 456; the load of every link of torus:3x4: 50688; torus:3x4: "
       "what its nodes hold: 1280"},
      {"tables", "ring:8: the set of its tables: 1736"},
      {"tables of an exchange", "torus:3x4: the set of its tables: 5312"},
      {"expected logs",
       "ring:8: what 1 nodes hold of 8 messages: 1; ring:8: what its nodes hold: 136"},
      {"AXI text", "ring:8: the set of its tables: 1736"},
      {"AXI header", "ring:8: the set of its tables: 1736; the list of 8 translations: 544"},
      {"the oracle of the links", "the list of 8 translations: 544"},
  };
  const Cases cases;
  const std::string folder = cases.folder.folder().string();
  for (const auto& [name, work] : cases.all()) {
    INFO(name);
    const auto expected = needed.find(name);
    CHECK(memory(work, folder) == (expected == needed.end() ? "" : expected->second));
  }
  CHECK(memory([&] { cases.run(); }, folder) ==
        "comparing every link with the schedule: 9728; ring:8: a run: 64008192; ring:8: a run "
        "that keeps every word that arrives: 64008832; ring:8: the set of its tables: 1736; the "
        "list of 8 translations: 544");
}

TEST_CASE("what a check no longer holds is counted as free") {
  const auto most = [](Collective collective, OriginSets sets, std::uint32_t rounds) {
    Schedule s(Topology::parse("path:3"), collective,
               {PortModel::Single, Duplex::Full, Switching::Packet, true});
    // Who sends and receives at once sends what it held before, of which the check keeps a copy.
    for (std::uint32_t r = 1; r <= rounds; ++r) {
      const Node from = r % 2 == 1 ? 0 : 1;
      s.add_everything(r, std::vector<Node>{from, from + 1});
      s.add_everything(r, std::vector<Node>{from + 1, from});
    }
    const RecordedMemory recorded;
    check(s, 20, sets);
    return recorded.most("path:3: what its nodes hold");
  };
  for (const auto& [collective, sets] : {std::pair{Collective::Gossip, OriginSets::Bits},
                                         std::pair{Collective::TotalExchange, OriginSets::Bits}}) {
    INFO(to_string(collective));
    CHECK(most(collective, sets, 4) > 0);
    CHECK(most(collective, sets, 40) == most(collective, sets, 4));
  }
}

}  // namespace gossamer::test
