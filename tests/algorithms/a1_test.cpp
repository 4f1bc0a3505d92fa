#include "algorithms/dimension_exchange/a1.hpp"

#include <array>
#include <random>

#include "paper5_play.hpp"
#include "tables/compiler.hpp"
#include "topology/families.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

Schedule a1_on(const std::string& topology) {
  return checked(kA1, total_exchange_on(topology, PortModel::Single));
}

/// Any product of rings, paths and complete graphs of up to `most` nodes.
std::string random_product(std::mt19937& random, Node most) {
  std::string spec = "product:";
  Node nodes = 1;
  for (unsigned dimension = 0; dimension < 4; ++dimension) {
    const Node size = 2 + random() % 6;
    if (nodes * size > most) break;
    const char* kind = std::array{"ring", "path", "complete"}[random() % 3];
    spec += fmt::format("{}{}:{}", dimension == 0 ? "" : ",", kind, size);
    nodes *= size;
  }
  return spec;
}

}  // namespace

TEST_CASE("a1 takes the rounds of corollary 3 on the topologies of the regression") {
  const auto [topology, rounds] = GENERATE(table<std::string, std::uint32_t>({
      {"torus:8x8", 256},
      {"torus:4x4x4", 192},
      {"torus:5x7", 102},
      {"mesh:4x4", 56},
      {"ghc:4x4", 24},
      {"hypercube:6", 192},
  }));
  CHECK(a1_on(topology).rounds() == rounds);
}

TEST_CASE("a1 is at bound (3) on every product of rings and complete graphs") {
  for (Node a = 2; a <= 16; ++a) {
    for (const char* kind : {"ring", "complete"}) {
      const Schedule schedule = a1_on(fmt::format("{}:{}", kind, a));
      CHECK(schedule.rounds() == bound_of(schedule));
    }
  }
  for (Node a = 2; a <= 7; ++a) {
    for (Node b = 2; b <= 7; ++b) {
      for (const auto& topology : {fmt::format("torus:{}x{}", a, b), fmt::format("ghc:{}x{}", a, b),
                                   fmt::format("product:ring:{},complete:{}", a, b)}) {
        const Schedule schedule = a1_on(topology);
        CAPTURE(topology);
        CHECK(schedule.rounds() == bound_of(schedule));
        CHECK(schedule.symmetry().classes() == 1);
      }
    }
  }
  for (const char* topology : {"torus:3x4x5", "torus:6x2x4", "torus:3x3x3x3", "hypercube:8",
                               "ghc:2x3x4", "product:complete:5,ring:6,path:2"}) {
    const Schedule schedule = a1_on(topology);
    CAPTURE(topology);
    CHECK(schedule.rounds() == bound_of(schedule));
  }
}

TEST_CASE("a1 is at the bound on every path, which is what a node in the middle has to send") {
  for (Node n = 2; n <= 40; ++n) {
    const Schedule schedule = a1_on(fmt::format("path:{}", n));
    CHECK(schedule.rounds() == (n % 2 == 0 ? n * n / 2 - 1 : (n * n - 1) / 2));
    CHECK(schedule.rounds() == bound_of(schedule));
  }
}

TEST_CASE("a1 on meshes takes up to 3/2 of bound (3), and the node in the middle never rests") {
  for (Node a = 3; a <= 7; ++a) {
    for (Node b = a; b <= 7; ++b) {
      const Schedule schedule = a1_on(fmt::format("mesh:{}x{}", a, b));
      const double ratio = schedule.rounds() / bounds::average_status(schedule.topology());
      CHECK(ratio <= 1.5 + 1e-9);
      CHECK(schedule.rounds() >= bound_of(schedule));
      const Node middle = a / 2 + a * (b / 2);
      std::uint32_t sent = 0;
      for (const Transfer& t : schedule.transfers()) sent += schedule.path(t)[0] == middle;
      CHECK(sent == schedule.rounds());
    }
  }
}

TEST_CASE("a1 serves any product of rings, paths and complete graphs") {
  std::mt19937 random(5);
  for (int trial = 0; trial < 60; ++trial) a1_on(random_product(random, 150));
}

TEST_CASE("a1 is at bound (3) on Cayley graphs, also from a file, and on their products") {
  const auto [topology, rounds] = GENERATE(table<std::string, std::uint32_t>({
      {"ccc:3", 74},
      {"ccc:4", 296},
      {"ccc:5", 952},
      {"butterfly:3", 55},
      {"butterfly:4", 216},
      {"product:ccc:3,ring:5", 514},
      {"product:butterfly:2,complete:3,butterfly:2", 704},
      {"edges:tests/data/petersen.json", 0},  // no Cayley graph
  }));
  if (rounds == 0) {
    CHECK(kA1.refuses(total_exchange_on(topology, PortModel::Single)));
    return;
  }
  const Schedule schedule = a1_on(topology);
  CHECK(schedule.rounds() == rounds);
  CHECK(schedule.rounds() == bound_of(schedule));
}

TEST_CASE("a1 finds the translations of circulant graphs of any links") {
  std::mt19937 random(8);
  for (int trial = 0; trial < 40; ++trial) {
    const Node n = 5 + random() % 20;
    std::vector<Edge> edges;
    for (const Node step : {Node{1}, static_cast<Node>(2 + random() % (n - 3))}) {
      for (Node x = 0; x < n; ++x) edges.emplace_back(x, (x + step) % n);
    }
    Request request = total_exchange_on("ring:3", PortModel::Single);
    request.topology = Topology("circulant", {graph_of_edges("circulant", n, edges)});
    const Schedule schedule = checked(kA1, request);
    CHECK(schedule.rounds() == bound_of(schedule));
  }
}

TEST_CASE("a1 plans factors that it has no rule for") {
  CHECK(a1_on("product:edges:tests/data/petersen.json,edges:tests/data/petersen.json").rounds() ==
        300);
  CHECK(a1_on("product:edges:tests/data/star-9.json,path:2").rounds() == 2 * 64 + 9);
}

TEST_CASE("after lines 1 to 3 of a1 every node has what copies of A have for its own copy") {
  for (const char* spec : {"torus:4x3", "mesh:3x4", "product:path:3,ring:5", "ghc:3x3"}) {
    const Schedule schedule = a1_on(spec);
    const Topology& topology = schedule.topology();
    const Node n1 = topology.factors()[0].nodes;
    const Request exchange_in_b{Topology::parse(topology.factors()[1].spec),
                                Collective::TotalExchange,
                                PortModel::Single,
                                Duplex::Full,
                                0,
                                {}};
    const auto rounds = static_cast<std::uint32_t>(n1 * kA1.formula(exchange_in_b).rounds);
    CAPTURE(spec, rounds);
    for (const auto& [message, place] : places_after(schedule, rounds)) {
      const Node expected = message.origin % n1 + message.destination / n1 * n1;
      REQUIRE(place == expected);
    }
  }
}

TEST_CASE("a1 plans 4,096 nodes, every node doing the same") {
  const auto [topology, rounds] = GENERATE(table<std::string, std::uint32_t>(
      {{"torus:16x16x16", 49152}, {"torus:64x64", 131072}, {"hypercube:12", 24576}}));
  const Schedule schedule = kA1.plan(total_exchange_on(topology, PortModel::Single));
  CAPTURE(topology);
  CHECK(schedule.rounds() == rounds);
  CHECK(schedule.symmetry().classes() == 1);
  CHECK(test::broken_rules(schedule) == "");
}

TEST_CASE("the tables of a1 stay short where its rounds grow") {
  const auto [topology, rounds, most_segments] =
      GENERATE(table<std::string, std::uint32_t, std::size_t>(
          {{"torus:8x8", 256, 24}, {"torus:16x16", 2048, 64}, {"torus:16x16x16", 49152, 512}}));
  const Schedule schedule = kA1.plan(total_exchange_on(topology, PortModel::Single));
  const CompiledSchedule compiled = compile(schedule, 1, schedule.topology().ports());
  const NodeProgram& program = compiled.image.programs[0];
  CAPTURE(topology);
  CHECK(schedule.rounds() == rounds);
  CHECK(program.slots.size() <= 2 * schedule.topology().factors().size());
  CHECK(program.channels[0].size() <= most_segments);
}

TEST_CASE("a1 says in one line what it does not serve") {
  Request request = total_exchange_on("torus:4x4", PortModel::All);
  CHECK(kA1.refuses(request) == std::string("a1 is a single-port algorithm: ask for single ports"));
  request.ports = PortModel::Single;
  request.duplex = Duplex::Half;
  CHECK(kA1.refuses(request) == std::string("a1 needs full-duplex links"));
  request.duplex = Duplex::Full;
  request.collective = Collective::Gossip;
  CHECK(kA1.refuses(request) == std::string("a1 serves total-exchange only, not gossip"));
  CHECK(kA1.refuses(total_exchange_on("debruijn:3", PortModel::Single)) ==
        std::string("a1 needs a product, or a graph that it has a rule for"));
  CHECK(kA1.refuses(total_exchange_on("product:ring:4,debruijn:11", PortModel::Single)) ==
        std::string("a1 has no exchange for debruijn:11: any-graph plans total-exchange on up to "
                    "1024 nodes, debruijn:11 has 2048"));
  CHECK(kA1.refuses(total_exchange_on("butterfly:12", PortModel::Single)) ==
        std::string("a1 would list more than 33554432 transfers on butterfly:12"));
  CHECK(kA1.refuses(total_exchange_on("mesh:16x16x16", PortModel::Single)) ==
        std::string("a1 would list 267386880 transfers on mesh:16x16x16; it lists up to 33554432"));
}
