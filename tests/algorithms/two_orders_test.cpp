#include "algorithms/dimension_exchange/two_orders.hpp"

#include <random>

#include "best_algorithm.hpp"
#include "paper5_play.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

/// At the bound of a cut, which no schedule undercuts. (Other bounds take longer to work out.)
void check_at_bound(const std::string& topology) {
  const Schedule schedule = checked(kTwoOrders, total_exchange_on(topology, PortModel::All));
  CAPTURE(topology);
  CHECK(schedule.rounds() == bounds::cut_rounds(schedule.topology(), Duplex::Full));
}

}  // namespace

TEST_CASE("two-orders is at the bound on all meshes of two dimensions, of any sides") {
  for (Node a = 2; a <= 9; ++a) {
    for (Node b = 2; b <= 9; ++b) check_at_bound(fmt::format("mesh:{}x{}", a, b));
  }
}

TEST_CASE("two-orders is at the bound on all meshes of three dimensions, and on some of more") {
  for (Node a = 2; a <= 5; ++a) {
    for (Node b = a; b <= 5; ++b) {
      for (Node c = b; c <= 5; ++c) check_at_bound(fmt::format("mesh:{}x{}x{}", a, b, c));
    }
  }
  for (const char* topology : {"mesh:2x3x4x5", "mesh:3x3x3x3x3", "mesh:5x2x2x3", "mesh:5x3x2",
                               "mesh:4x2x5", "mesh:3x4x2", "mesh:16x16"}) {
    check_at_bound(topology);
  }
}

TEST_CASE("two-orders is at the bound on products of rings, paths and complete graphs") {
  for (const char* topology :
       {"product:ring:5,path:4", "product:path:3,ring:8", "product:complete:5,path:4",
        "product:ring:5,complete:4,path:3", "product:path:6,ring:7,complete:3", "torus:5x7",
        "torus:3x5x7", "torus:8x4x3", "ghc:3x4x5", "hypercube:7", "path:9", "ring:8"}) {
    check_at_bound(topology);
  }
}

TEST_CASE("two-orders takes as many rounds as its busiest dimension on random products") {
  std::mt19937 random(1);
  const char* const kinds[] = {"ring", "path", "complete"};
  for (int i = 0; i < 60; ++i) {
    std::string spec = "product:";
    Node nodes = 1;
    while (nodes < 12) {
      const Node n = 2 + random() % 7;
      if (nodes > 1) spec += ",";
      spec += fmt::format("{}:{}", kinds[random() % 3], n);
      nodes *= n;
    }
    checked(kTwoOrders, total_exchange_on(spec, PortModel::All));
  }
}

TEST_CASE("two-orders keeps the busier of any two graphs busy") {
  const Schedule schedule =
      checked(kTwoOrders,
              total_exchange_on("product:path:3,edges:tests/data/petersen.json", PortModel::All));
  CHECK(schedule.rounds() == 20);  // 10 exchanges of 2 rounds in the paths
}

TEST_CASE("two-orders is chosen where no other formula has as few rounds") {
  const auto [topology, name] = GENERATE(table<std::string, std::string>({
      {"mesh:9x7", "two-orders"},
      {"mesh:4x4x4", "two-orders"},
      {"product:ring:5,path:4", "two-orders"},
      {"mesh:4x4", "a2"},
      {"torus:5x7", "edge-colouring"},
  }));
  CHECK(best_algorithm(total_exchange_on(topology, PortModel::All)).name == name);
}

TEST_CASE("two-orders says in one line what it does not serve") {
  Request request = total_exchange_on("mesh:4x3", PortModel::Single);
  CHECK(kTwoOrders.refuses(request) == std::string("two-orders needs all ports"));
  request.ports = PortModel::All;
  request.duplex = Duplex::Half;
  CHECK(kTwoOrders.refuses(request) == std::string("two-orders needs full-duplex links"));
  request.duplex = Duplex::Full;
  request.collective = Collective::Gather;
  CHECK(kTwoOrders.refuses(request) ==
        std::string("two-orders serves total-exchange only, not gather"));
  CHECK(kTwoOrders.refuses(total_exchange_on("ccc:3", PortModel::All)) ==
        std::string("two-orders needs a product, or a graph that it has a rule for"));
}
