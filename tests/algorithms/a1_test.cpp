#include <random>

#include "algorithms/common/all.hpp"
#include "paper5_play.hpp"
#include "tables/compiler.hpp"
#include "topology/families.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

Schedule a1_on(const std::string& topology) {
  return checked(kA1, total_exchange_on(topology, PortModel::Single));
}

}  // namespace

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
