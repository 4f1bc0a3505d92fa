// Every algorithm on graphs of all kinds, in every collective and model: what it does not serve it
// refuses in a line, and what it plans is judged by all who can judge it. Then what is known of the
// rounds of some plans. `tests/refusals.toml` has the lines in which algorithms refuse.
#include <fmt/format.h>

#include <iterator>
#include <map>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "algorithms/any_graph/any_graph.hpp"
#include "algorithms/registry.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "driver/rank.hpp"
#include "driver/report.hpp"
#include "schedule/jsonl.hpp"
#include "slow_check.hpp"

using namespace gossamer;

namespace {

/// Larger graphs serve those that no small one serves.
constexpr Node kSmall = 16, kTiny = 9;

/// A gossip on "ring:5", on what is left of it: "ring:5 without links=0-1", or of some of its
/// nodes: "ring:5 among 1,2".
Request request_on(const std::string& graph) {
  Case c;
  std::istringstream in(graph);
  std::string word, what;
  in >> c.topology >> word >> what;
  (word == "among" ? c.members : c.faults) = what;
  return default_request(c);
}

/// With a cycle and without, with translations and without; to those that every algorithm serves
/// one of.
std::vector<std::string> graphs() {
  std::vector<std::string> all(kSampleTopologies.begin(), kSampleTopologies.end());
  for (const char* more :
       {"path:2", "path:5", "ring:3", "ring:7", "complete:5", "debruijn:3", "butterfly:2",
        "hypercube:3", "torus:3x3", "mesh:2x2x2", "product:ring:2,hypercube:2", "torus:4x4",
        "torus:4x3", "torus:2x3x2", "torus:3x3x3x3", "mesh:3x3", "ghc:3x3", "product:ring:5,path:4",
        "product:path:3,path:2", "product:edges:tests/data/petersen.json,path:2",
        "edges:tests/data/star-9.json", "edges:tests/data/board-8.json",
        "edges:tests/data/dumbbell.json",
        // What is left of a ring is no ring.
        "ring:5 without links=0-1", "complete:4 without links=0-1", "debruijn:3 without links=0-1",
        "butterfly:2 without links=0-1", "torus:3x3 without links=0-1",
        "torus:4x4 without arcs=0>1", "hypercube:3 without links=0-1", "ghc:3x3 without links=0-1",
        "ring:5 among 1,3,4", "torus:3x3 among 0,4/2,6,7", "hypercube:3 among 0-1/4-6",
        "edges:tests/data/dumbbell.json among 0,1,4", "edges:tests/data/doubled-path-3.json",
        "edges:tests/data/one-way-6.json", "edges:tests/data/one-way-6.json among 1,4,5"}) {
    all.emplace_back(more);
  }
  std::ranges::stable_sort(all, {}, [](const auto& s) { return request_on(s).topology.nodes(); });
  return all;
}

auto numbers(const CheckReport& r) {
  return std::tuple(r.rounds, r.delta_sum, r.tau_sum, r.transmissions, r.delivered, r.expected);
}

std::string text_of(const Schedule& schedule, Orbits orbits) {
  std::ostringstream out;
  write_jsonl(schedule, out, orbits);
  return out.str();
}

/// The rules, the formula, the bounds of rounds and cycles, the plainest check of all orbits
/// written out, the file of it; `again`, and the same plan for the same request.
void judge(const Algorithm& algorithm, const Request& request, bool again) {
  const Plan plan = plan_with(algorithm, request);
  const Schedule& schedule = plan.schedule;
  Case told;
  told.flits = request.flits;
  std::optional<Facts> facts;
  try {
    facts = examine(told, plan);
  } catch (const InputError& sums) {  // links' stages are known only when they are timed
    CHECK_THAT(sums.what(), Catch::EndsWith("a node adds up what comes at the same time"));
    return;
  }
  const Facts& report = *facts;
  CHECK(report.problems == std::vector<std::string>{});
  CHECK(report.check.delivered == report.check.expected);
  const bool packets = schedule.model().switching == Switching::Packet;
  for (std::uint32_t round = packets ? schedule.rounds() : 0; round > 0; --round) {
    CHECK(!schedule.transfers_of(round).empty());
  }
  CHECK(schedule.root == (has_root(request.collective) ? request.root : schedule.root));
  if (request.topology.nodes() <= kSmall && !report.adaptive()) {
    const test::SlowCheck slow = test::slow_check(schedule);
    CHECK(slow.legal);
    CHECK(std::tuple(slow.rounds, slow.delta_sum, slow.tau_sum, slow.transmissions, slow.delivered,
                     slow.expected) == numbers(report.check));
  }
  const std::string text = text_of(schedule, Orbits::Kept);
  std::istringstream in(text);
  const Schedule back = read_jsonl(in, "line");
  if (std::ranges::none_of(schedule.transfers(), &Transfer::tree)) {
    CHECK(text_of(back, Orbits::Kept) == text);
  }
  CHECK(numbers(check(back)) == numbers(report.check));
  if (again) CHECK(text_of(algorithm.plan(request), Orbits::Kept) == text);
}

/// "torus:2-3x5" is torus:2x5 and torus:3x5.
std::vector<std::string> each_of(const std::string& pattern) {
  static const std::regex range("([0-9]+)-([0-9]+)");
  std::smatch part;
  if (!std::regex_search(pattern, part, range)) return {pattern};
  std::vector<std::string> all;
  for (int n = std::stoi(part[1]); n <= std::stoi(part[2]); ++n) {
    const auto more = each_of(fmt::format("{}{}{}", part.prefix().str(), n, part.suffix().str()));
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

/// What an algorithm plans, through all ports if it serves so. It keeps the rules and its formula.
struct Planned {
  Schedule schedule;
  CheckReport report;

  Planned(const char* name, const std::string& topology, Collective collective, Duplex duplex)
      : Planned(algorithm(name), {.topology = Topology::parse(topology),
                                  .collective = collective,
                                  .ports = PortModel::All,
                                  .duplex = duplex}) {}
  Planned(const Algorithm& a, Request request)
      : schedule(plan(a, request)), report(check(schedule)) {
    CHECK(test::broken_rules(report) == "");
    if (a.formula == nullptr) return;
    const Formula formula = a.formula(request);
    CHECK(report.rounds == formula.rounds);
    if (formula.delta_sum) CHECK(report.delta_sum == *formula.delta_sum);
  }
  std::uint64_t bound() const {
    return lower_bound_rounds(schedule.topology(), schedule.collective(), schedule.model());
  }

 private:
  static Schedule plan(const Algorithm& a, Request& request) {
    if (a.refuses(request)) request.ports = PortModel::Single;
    REQUIRE(a.refuses(request) == std::nullopt);
    return a.plan(request);
  }
};

constexpr auto kFull = Duplex::Full, kHalf = Duplex::Half;
constexpr auto kGossip = Collective::Gossip, kExchange = Collective::TotalExchange;

/// Graphs on which an algorithm takes as many rounds as its formula says, and collectives and links
/// for which it does.
struct Formulas {
  const char *algorithm, *asked, *topologies;
};

/// At the bound, too.
const Formulas kAtBound[] = {
    {"ring", "gossip full half", "path:2 torus:9 hypercube:1 complete:3"},
    {"hamiltonian", "gossip full half",
     "ring:2 torus:4x4 torus:3-5x5 torus:3-4x3x3 torus:2x3 hypercube:1-6 ccc:2-4 "
     "butterfly:2-3 debruijn:1-5 mesh:2-6x4 mesh:6x3-5 mesh:3x3x2 mesh:3x5x3x4 mesh:2x3x5 "
     "torus:2-9x2-9 complete:7 ghc:3x5 ghc:3x3x5 product:path:3,ring:5 "
     "product:path:3,path:5,ring:7 product:path:5,complete:3 product:path:3,path:3,path:2"},
    // Theorems 3 and 4 of paper 1: full-duplex products of rings, half-duplex ones of even rings.
    {"product", "gossip full",
     "torus:3-5x4-5 torus:3x3x3 torus:4x4x4 torus:2x3x4 hypercube:1-5 ghc:3x4 "
     "product:ccc:3,ring:3 product:debruijn:3,butterfly:2"},
    {"product", "gossip half",
     "torus:4x4 torus:4x6 torus:2x4 torus:4x4x4 torus:2x6x4 hypercube:2-6 ghc:4x4 "
     "product:ccc:3,ring:4"},
    {"translation", "gossip full half",
     "ring:2-30 torus:2-8x2-8 torus:2-5x5-6x6 torus:2-4x9-40 torus:2x2-3x9-30 "
     "torus:2-4x2-4x5x5 torus:2x3x4x5 torus:12x12x12 hypercube:1-10 complete:2-16 ghc:3x5 "
     "ghc:4x4 ghc:2x3x4 ghc:6x8 ghc:2x4x6 product:ring:6,complete:5 "
     "product:ring:5,complete:8 torus:2x2x2x5x3"},
    {"a1", "total-exchange full",
     "ring:2-16 complete:2-16 torus:2-7x2-7 ghc:2-7x2-7 product:ring:2-7,complete:2-7 "
     "torus:3x4x5 torus:6x2x4 torus:3x3x3x3 hypercube:8 ghc:2x3x4 "
     "product:complete:5,ring:6,path:2"},
    {"a2", "total-exchange full",
     "ring:2-40 path:2-40 complete:2-40 product:ccc:3,ccc:3 "
     "product:edges:tests/data/petersen.json,edges:tests/data/petersen.json"},
    {"two-orders", "total-exchange full",
     "mesh:2-9x2-9 mesh:2-4x3-5x3-5 mesh:2x3x4x5 mesh:3x3x3x3x3 mesh:5x2x2x3 mesh:16x16 "
     "product:ring:5,path:4 product:path:3,ring:8 product:complete:5,path:4 "
     "product:ring:5,complete:4,path:3 product:path:6,ring:7,complete:3 torus:5x7 "
     "torus:3x5x7 torus:8x4x3 ghc:3x4x5 hypercube:7 path:9 ring:8"},
    {"edge-colouring", "total-exchange full half",
     "ring:2-30 torus:2-8x2-8 torus:2-5x4-5x5 torus:2x3x4x5 torus:3x3x3x3 torus:3x3x4x3x3 "
     "hypercube:1-7 ghc:3x5 ghc:4x4 ghc:2x3-4x4-6 complete:2-12 product:ring:6,complete:5 "
     "product:ring:5,complete:8 product:ring:10,complete:3,path:2"},
    {"tdm-search", "total-exchange full",
     "torus:3x3 torus:4x4 torus:5x5 torus:6x6 torus:7x7 torus:8x8 torus:9x9 torus:10x10 "
     "torus:11x11 torus:12x12"},
    {"lee-code", "gossip full",
     "ring:9 ring:15 torus:5x5 torus:10x10 torus:7x7x7 torus:3x3x3x3 torus:9x9x9x9"},
    {"any-graph", "gossip full",
     "path:2-9 ring:8-9 complete:7 mesh:3x4 mesh:8-9x7-8 mesh:4x4x4 mesh:16x16 hypercube:4 "
     "hypercube:6 torus:5x5 torus:7x7x7 ghc:3x4 ccc:3-4 butterfly:3-4 debruijn:4 "
     "debruijn:6 product:path:3,complete:4 edges:tests/data/star-9.json "
     "edges:tests/data/tree-15.json edges:tests/data/petersen.json "
     "edges:tests/data/board-8.json edges:tests/data/ladder.json"},
    {"any-graph", "scatter gather full half",
     "mesh:4x4 ccc:3 edges:tests/data/tree-15.json edges:tests/data/board-8.json "
     "edges:tests/data/dumbbell.json"},
    {"any-graph", "broadcast full",
     "hypercube:6 complete:16 path:9 ring:9-10 mesh:5x6 torus:5-6x6 edges:tests/data/star-9.json"},
    {"lee-code", "broadcast scatter gather full",
     "ring:2-3 ring:10 ring:21 torus:5x5 torus:10x15 torus:25x25 torus:7x7x7 torus:3x3x3x3 "
     "torus:9x9x9x9"},
};

const Formulas kByFormula[] = {
    // No code divides the sides of some of these: thirds alone.
    {"lee-code", "broadcast scatter gather full",
     "torus:14x7x21 torus:6x3x9x12 torus:2x2x3 torus:7-8x7-8"},
    {"product", "gossip full half",
     "path:3-80 product:ring:3,edges:tests/data/star-9.json mesh:3-4x3-5 torus:3x3-4x2-4"},
    {"a1", "total-exchange full",
     "mesh:3-6x3-6 product:ring:2-5,path:3,complete:2-5 product:path:2-6,ring:5,path:4 "
     "product:complete:3-4,path:2-5,ring:2,path:3"},
    {"two-orders", "total-exchange full",
     "product:ring:2-5,path:3,complete:2-5 product:path:2-8,ring:2-8 "
     "product:complete:2-8,path:2-8 product:ring:3-4,path:2-5,ring:2"},
    {"lee-code", "gossip full",
     "ring:21 ring:60 torus:10x20 torus:15x15 torus:40x35 torus:15x25 torus:15x10 "
     "torus:125x125 torus:49x49x49 torus:6x3x9x12 torus:3x3x3x9 torus:28x28x21 "
     "torus:28x28x28 torus:21x42x14 torus:12x12x6x3 torus:12x6x15x3 torus:30x20 torus:20x35"},
};

/// Rounds that were predicted or printed, and how many nodes differ (0: not said).
struct Predicted {
  const char* algorithm;
  Collective collective;
  Duplex duplex;
  const char* topology;
  std::uint32_t rounds;
  Node classes;
};

const Predicted kPredicted[] = {
    {"ring", kGossip, kFull, "ring:65536", 65535, 1},
    {"ring", kGossip, kHalf, "ring:65536", 131070, 2},
    {"hamiltonian", kGossip, kFull, "torus:7x7", 48, 7},
    {"hamiltonian", kGossip, kFull, "complete:9", 8, 1},
    {"hamiltonian", kGossip, kHalf, "hypercube:4", 30, 8},
    {"hamiltonian", kGossip, kHalf, "torus:7x7", 98, 49},
    {"product", kGossip, kFull, "torus:7x7x7", 342, 1},
    {"product", kGossip, kFull, "torus:64x64", 4095, 1},
    {"product", kGossip, kHalf, "torus:4x6", 46, 4},
    {"product", kGossip, kHalf, "torus:4x5", 40, 10},
    {"product", kGossip, kFull, "product:ring:5,path:3", 16, 3},
    // Theorem 5: with one odd dimension 2n, in whatever order.
    {"product", kGossip, kHalf, "torus:3x4", 24, 0},
    {"product", kGossip, kHalf, "torus:5x2", 20, 0},
    {"product", kGossip, kHalf, "torus:4x3x2", 48, 0},
    {"product", kGossip, kHalf, "torus:2x2x3x2", 48, 0},
    {"product", kGossip, kHalf, "ghc:5x4", 40, 0},
    {"delmas-perennes", kGossip, kFull, "torus:49x49x49", 8, 49},
    {"translation", kGossip, kFull, "torus:7x7x7", 57, 1},
    {"translation", kGossip, kFull, "torus:16x16x16", 683, 1},
    {"translation", kGossip, kHalf, "torus:5x6", 15, 1},
    {"translation", kGossip, kHalf, "hypercube:4", 8, 2},
    {"translation", kGossip, kHalf, "torus:2x5", 6, 2},
    {"translation", kGossip, kHalf, "complete:6", 2, 2},
    {"translation", kGossip, kHalf, "complete:8", 2, 8},
    {"translation", kGossip, kHalf, "ghc:2x4x6", 11, 4},
    // Corollary 3 of paper 5, Cayley graphs, and factors without a rule.
    {"a1", kExchange, kFull, "torus:5x7", 102, 1},
    {"a1", kExchange, kFull, "mesh:4x4", 56, 0},
    {"a1", kExchange, kFull, "torus:16x16x16", 49152, 1},
    {"a1", kExchange, kFull, "torus:64x64", 131072, 1},
    {"a1", kExchange, kFull, "hypercube:12", 24576, 1},
    {"a1", kExchange, kFull, "ccc:5", 952, 0},
    {"a1", kExchange, kFull, "butterfly:4", 216, 0},
    {"a1", kExchange, kFull, "product:ccc:3,ring:5", 514, 0},
    {"a1", kExchange, kFull, "product:butterfly:2,complete:3,butterfly:2", 704, 0},
    {"a1", kExchange, kFull, "product:edges:tests/data/petersen.json,ring:3", 65, 0},
    {"a1", kExchange, kFull, "product:edges:tests/data/star-9.json,path:2", 137, 0},
    // Corollary 4.
    {"a2", kExchange, kFull, "torus:5x5", 15, 0},
    {"a2", kExchange, kFull, "mesh:4x4", 16, 0},
    {"a2", kExchange, kFull, "torus:8x8x8x8", 4096, 16},
    {"a2", kExchange, kFull, "torus:64x64", 32768, 4},
    {"a2", kExchange, kFull, "torus:63x63", 31248, 1},
    {"a2", kExchange, kFull, "ghc:8x8x8x8", 512, 1},
    {"two-orders", kExchange, kFull, "product:path:3,edges:tests/data/petersen.json", 20, 0},
    {"edge-colouring", kExchange, kFull, "torus:7x7x7", 294, 1},
    {"edge-colouring", kExchange, kFull, "torus:3x5x7", 90, 1},
    {"edge-colouring", kExchange, kFull, "torus:16x16x16", 8192, 1},
    {"edge-colouring", kExchange, kFull, "torus:64x64", 32768, 1},
    {"edge-colouring", kExchange, kFull, "torus:4x4", 8, 1},
    {"edge-colouring", kExchange, kFull, "torus:5x6", 23, 2},
    {"edge-colouring", kExchange, kFull, "torus:9x14", 221, 2},
    {"lee-code", kGossip, kFull, "torus:25x25", 6, 25},
    {"lee-code", kGossip, kFull, "torus:49x49x49", 8, 49},
    {"lee-code", kGossip, kFull, "torus:125x125", 9, 0},
    {"lee-code", kGossip, kFull, "torus:9x9x9x18", 7, 0},
    {"lee-code", kGossip, kFull, "torus:10x15", 5, 0},
    {"lee-code", kGossip, kFull, "torus:14x14x14", 6, 7},
    {"lee-code", kGossip, kFull, "torus:20x25", 7, 0},
    {"lee-code", kGossip, kFull, "torus:50x75", 8, 0},
    {"lee-code", kGossip, kFull, "torus:6x6x6x6", 5, 0},
    {"lee-code", kGossip, kFull, "torus:7x14x35", 7, 0},
    {"any-graph", kExchange, kFull, "mesh:4x4", 16, 0},
    {"any-graph", kExchange, kFull, "edges:tests/data/star-9.json", 8, 0},
    {"any-graph", kExchange, kFull, "edges:tests/data/petersen.json", 5, 0},
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

/// Plans all that a row asks for.
void for_each(const Formulas& row, void (*judge)(const Planned&)) {
  const auto asked = words_of(row.asked);
  for (const std::string& pattern : words_of(row.topologies)) {
    for (const std::string& topology : each_of(pattern)) {
      for (const CollectiveTerms& terms : kCollectiveTerms) {
        if (std::ranges::count(asked, terms.name) == 0) continue;
        for (const Duplex duplex : {kFull, kHalf}) {
          if (std::ranges::count(asked, to_string(duplex)) == 0) continue;
          CAPTURE(row.algorithm, topology, terms.name, to_string(duplex));
          judge({row.algorithm, topology, terms.collective, duplex});
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("every algorithm refuses in a line, or plans what all judges accept") {
  const auto all = graphs();
  for (const Algorithm& algorithm : algorithms()) {
    std::vector<Serves> served;
    for (const std::string& graph : all) {
      Request request = request_on(graph);
      const Node root = request.root;
      for (const CollectiveTerms& terms : kCollectiveTerms) {
        for (const PortModel ports : {PortModel::Single, PortModel::All}) {
          for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
            CAPTURE(algorithm.name, graph, terms.name, to_string(ports), to_string(duplex));
            request.collective = terms.collective;
            request.ports = ports;
            request.duplex = duplex;
            request.root = root;
            // Of those that cut also fewer than cycles, trees, pieces and nodes.
            request.flits = algorithm.cuts ? 1 + (graph.size() + served.size()) % 8 : 1;
            const auto refusal = refusal_of(algorithm, request);
            if (refusal) {
              CHECK(refusal->find('\n') == std::string::npos);
              continue;
            }
            const Serves asked{terms.collective, ports, duplex};
            CHECK(std::ranges::count(algorithm.serves, asked) == 1);
            const bool known = std::ranges::count(served, asked) > 0;
            if (known && request.topology.nodes() > kSmall) continue;
            if (!known) served.push_back(asked);
            judge(algorithm, request, !known && request.members.all());
            const Node last = request.topology.nodes() - 1;
            if (!has_root(terms.collective) || !request.members.all() || last > kTiny) continue;
            request.root = last;
            if (!refusal_of(algorithm, request)) judge(algorithm, request, false);
          }
        }
      }
    }
    CAPTURE(algorithm.name);
    CHECK(served.size() == algorithm.serves.size());
  }
}

TEST_CASE("plans take the rounds of their formulas") {
  for (const Formulas& row : kByFormula) {
    for_each(row, [](const Planned& planned) { CHECK(planned.report.rounds >= planned.bound()); });
  }
}

TEST_CASE("plans meet the bound where they are said to") {
  for (const Formulas& row : kAtBound) {
    for_each(row, [](const Planned& planned) { CHECK(planned.report.rounds == planned.bound()); });
  }
}

TEST_CASE("algorithms take the rounds that were predicted for them, few nodes standing for all") {
  for (const Predicted& row : kPredicted) {
    CAPTURE(row.algorithm, row.topology, to_string(row.duplex));
    const Planned planned(row.algorithm, row.topology, row.collective, row.duplex);
    CHECK(planned.report.rounds == row.rounds);
    if (row.classes > 0) CHECK(planned.schedule.symmetry().classes() == row.classes);
  }
}

TEST_CASE("a search for messages of several lengths ends early only at its goal") {
  const Arcs arcs(Topology::parse("mesh:3x4"));
  const bounds::Resources resources(arcs, PortModel::All, Duplex::Full);
  std::mt19937 random(3);
  for (int trial = 0; trial < 4; ++trial) {
    std::vector<any_graph::Demand> demands;
    for (Node x = 0; x < arcs.nodes(); ++x) {
      demands.push_back({{x}, {(x + 1) % 12, (x + 5) % 12, (x + 7) % 12}, 1 + random() % 9});
    }
    const auto cycles = [&](std::uint64_t goal) {
      std::map<std::uint32_t, std::uint64_t> longest;  // by round
      for (const Hop& hop : any_graph::send_down_trees(arcs, resources, demands, goal, {})) {
        longest[hop.round] = std::max(longest[hop.round], demands[hop.message.origin].cycles);
      }
      std::uint64_t sum = 0;
      for (const auto& [round, most] : longest) sum += most;
      return sum;
    };
    const std::uint64_t fewest = cycles(0);
    CHECK(cycles(fewest) == fewest);
    CHECK(cycles(2 * fewest) <= 2 * fewest);
  }
}
