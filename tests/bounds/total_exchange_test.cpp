#include "bounds/claims.hpp"

#include <algorithm>

#include "bounds/bounds.hpp"
#include "catch.hpp"

using namespace gossamer;

namespace {

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

constexpr Model kSinglePort = {PortModel::Single, Duplex::Full, Switching::Packet, false};

}  // namespace

TEST_CASE("paper 5: the average distance of generalized hypercubes is n/(n-1) (k - sum 1/m_i)") {
  const double n = 3 * 4 * 7;
  CHECK(bounds::average_status(Topology::parse("ghc:3x4x7")) / (n - 1) ==
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
