#include "bounds/total_exchange.hpp"

#include <algorithm>
#include <set>

#include "bounds/bounds.hpp"
#include "catch.hpp"
#include "topology/brute_force.hpp"

using namespace gossamer;

namespace {

/// Distances of a node in the whole product, by breadth-first search, summed.
std::uint64_t searched_status(const Topology& topology, Node x) {
  std::uint64_t total = 0;
  for (const unsigned hops : test::distances(topology, x)) total += hops;
  return total;
}

/// Equation (4) at the best of all partitions of the nodes.
std::uint64_t best_of_all_cuts(const Topology& topology) {
  const Node n = topology.nodes();
  std::uint64_t most = 0;
  for (std::uint32_t part = 1; part < std::uint32_t{1} << (n - 1); ++part) {
    const auto inside = [&](Node x) { return x + 1 < n && (part >> x & 1) != 0; };
    std::uint64_t size = 0, links = 0;
    for (Node x = 0; x < n; ++x) {
      if (!inside(x)) continue;
      ++size;
      for (Port p = 0; p < topology.ports(); ++p) {
        const Endpoint e = topology.peer(x, p);
        if (e.connected() && !inside(e.node)) ++links;
      }
    }
    most = std::max(most, (size * (n - size) + links - 1) / links);
  }
  return most;
}

/// The fewest rounds of a single-port total exchange of packets, by trying everything, for up to 3
/// nodes. The state is the place of each message.
class FewestExchangeRounds {
 public:
  explicit FewestExchangeRounds(const Topology& topology) : topology_(topology) {
    for (Node x = 0; x < topology.nodes(); ++x) {
      for (Node y = 0; y < topology.nodes(); ++y) {
        if (x == y) continue;
        start_.push_back(x);
        goal_.push_back(y);
      }
    }
  }

  unsigned search() {
    std::set<State> layer = {start_};
    for (unsigned round = 0;; ++round) {
      if (layer.count(goal_) != 0) return round;
      next_.clear();
      for (const State& state : layer) move(state, state, 0, 0, 0);
      layer.swap(next_);
    }
  }

 private:
  using State = std::vector<Node>;

  void move(const State& before, State after, std::size_t m, unsigned senders, unsigned receivers) {
    if (m == before.size()) {
      next_.insert(after);
      return;
    }
    move(before, after, m + 1, senders, receivers);
    const Node x = before[m];
    if (x == goal_[m] || (senders >> x & 1) != 0) return;
    for (Port p = 0; p < topology_.ports(); ++p) {
      const Endpoint e = topology_.peer(x, p);
      if (!e.connected() || (receivers >> e.node & 1) != 0) continue;
      after[m] = e.node;
      move(before, after, m + 1, senders | 1u << x, receivers | 1u << e.node);
    }
  }

  const Topology& topology_;
  State start_, goal_;
  std::set<State> next_;
};

constexpr Model kSinglePort = {PortModel::Single, Duplex::Full, Switching::Packet, false};
constexpr Model kAllPort = {PortModel::All, Duplex::Full, Switching::Packet, false};

}  // namespace

TEST_CASE("paper 5: status of products are what breadth-first search finds") {
  const char* spec = GENERATE(
      "ring:2", "ring:7", "path:6", "complete:5", "ccc:3", "torus:3x4", "torus:4x4x3", "torus:5x7",
      "mesh:3x4", "mesh:2x3x5", "hypercube:1", "hypercube:6", "ghc:3x4", "ghc:2x3x4", "butterfly:3",
      "debruijn:4", "product:ring:3,path:4", "product:path:5,ring:6,complete:4",
      "product:ccc:2,path:3", "product:debruijn:3,ring:5", "product:butterfly:2,complete:3,path:2");
  CAPTURE(spec);
  const Topology topology = Topology::parse(spec);
  const double n = topology.nodes();
  double sum = 0;
  for (Node x = 0; x < topology.nodes(); ++x) {
    const std::uint64_t searched = searched_status(topology, x);
    sum += static_cast<double>(searched);
    CHECK(bounds::status(topology, x) == searched);
  }
  CHECK(bounds::average_status(topology) == Approx(sum / n).epsilon(1e-12));
}

TEST_CASE("paper 5: the average distance of generalized hypercubes is n/(n-1) (k - sum 1/m_i)") {
  const double n = 3 * 4 * 7;
  CHECK(static_cast<double>(bounds::status(Topology::parse("ghc:3x4x7"), 11)) / (n - 1) ==
        Approx(n / (n - 1) * (3 - 1 / 3.0 - 1 / 4.0 - 1 / 7.0)).epsilon(1e-12));
}

TEST_CASE("paper 5: bound (3) is the average status") {
  for (const char* spec : {"torus:5x7", "torus:4x4x4", "ghc:4x4", "hypercube:6"}) {
    CAPTURE(spec);
    const Topology topology = Topology::parse(spec);
    const Bound bound = strongest_bound(topology, Collective::TotalExchange, kSinglePort);
    CHECK(bound.source == "Dimakopoulos-Dimopoulos 1998, equation (3)");
    CHECK(static_cast<double>(bound.value) == Approx(bounds::average_status(topology)));
  }
}

TEST_CASE("paper 5: cuts along a dimension are the best cuts of small meshes, tori and ghc") {
  for (const char* spec : {"ring:5", "ring:6", "ring:10", "path:5", "path:8", "complete:6",
                           "torus:3x3", "torus:3x4", "mesh:3x3", "mesh:3x4", "mesh:2x5", "ghc:3x3",
                           "hypercube:3", "product:ring:5,path:2", "product:path:4,complete:3"}) {
    CAPTURE(spec);
    const Topology topology = Topology::parse(spec);
    CHECK(bounds::cut_rounds(topology, Duplex::Full) == best_of_all_cuts(topology));
  }
}

TEST_CASE("paper 5: on no graph a cut along a dimension claims more than the best of all cuts") {
  for (const char* spec : {"ccc:2", "debruijn:3", "butterfly:2", "product:debruijn:2,path:3"}) {
    CAPTURE(spec);
    const Topology topology = Topology::parse(spec);
    CHECK(bounds::cut_rounds(topology, Duplex::Full) <= best_of_all_cuts(topology));
  }
}

TEST_CASE("half-duplex links serve a cut in one direction at a time") {
  const Topology mesh = Topology::parse("mesh:4x4");
  CHECK(bounds::cut_rounds(mesh, Duplex::Full) == 16);
  CHECK(bounds::cut_rounds(mesh, Duplex::Half) == 32);
  const Model half = {PortModel::All, Duplex::Half, Switching::Packet, false};
  CHECK(lower_bound_rounds(mesh, Collective::TotalExchange, half) == 32);
  CHECK(strongest_bound(mesh, Collective::TotalExchange, kAllPort).source ==
        "Dimakopoulos-Dimopoulos 1998, equation (4)");
}

TEST_CASE("no single-port total exchange on a small graph beats its bound, and paths reach it") {
  const auto [spec, fewest] =
      GENERATE(table<const char*, unsigned>({{"path:2", 1}, {"path:3", 4}, {"ring:3", 2}}));
  CAPTURE(spec);
  const Topology topology = Topology::parse(spec);
  CHECK(FewestExchangeRounds(topology).search() == fewest);
  CHECK(lower_bound_rounds(topology, Collective::TotalExchange, kSinglePort) == fewest);
}

TEST_CASE("the middle of a long path in a product counts for more than the average status") {
  const Bound bound =
      strongest_bound(Topology::parse("mesh:2x16"), Collective::TotalExchange, kSinglePort);
  CHECK(bound.value == 255);  // 2 (16^2/2 - 1) through the two nodes in the middle, 1 between them
  CHECK(bound.source == "messages through the middle of a path");
  CHECK(bounds::middle_of_path_rounds(Topology::parse("torus:4x5")) == 0);
}
