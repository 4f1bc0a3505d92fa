// Everything that can be asked for on every small graph: what is chosen passes, and beats no bound.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "catch.hpp"
#include "driver/report.hpp"
#include "scratch.hpp"
#include "topology/arcs.hpp"

using namespace gossamer;

namespace {

/// Every connected graph of two to four nodes; of those that differ in the numbers of nodes other than
/// node 0, one.
struct Graph {
  unsigned nodes;
  std::string edges;
};
const Graph kGraphs[] = {
    {2, "[0,1]"},
    {3, "[0,1],[0,2]"},
    {3, "[0,1],[1,2]"},
    {3, "[0,1],[0,2],[1,2]"},
    {4, "[0,1],[0,2],[0,3]"},
    {4, "[0,1],[1,2],[0,3]"},
    {4, "[0,1],[0,2],[1,2],[0,3]"},
    {4, "[0,1],[1,2],[1,3]"},
    {4, "[0,2],[1,2],[1,3]"},
    {4, "[0,1],[0,2],[1,2],[1,3]"},
    {4, "[0,2],[1,2],[0,3],[1,3]"},
    {4, "[0,1],[0,2],[1,2],[0,3],[1,3]"},
    {4, "[0,1],[1,2],[1,3],[2,3]"},
    {4, "[0,1],[0,2],[1,2],[1,3],[2,3]"},
    {4, "[0,1],[0,2],[1,2],[0,3],[1,3],[2,3]"},
};

void require_passes(const std::string& file, const std::string& edges) {
  for (const Collective collective :
       {Collective::Gossip, Collective::TotalExchange, Collective::Broadcast, Collective::Scatter,
        Collective::Gather, Collective::Reduce, Collective::ReduceScatter, Collective::AllReduce}) {
    for (const PortModel ports : {PortModel::Single, PortModel::All}) {
      for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
        for (const unsigned flits : {1u, 8u}) {
          Case c;
          c.topology = "edges:" + file;
          c.collective = collective;
          c.ports = ports;
          c.duplex = duplex;
          c.flits = flits;
          CAPTURE(edges, to_string(collective), to_string(ports), to_string(duplex), flits);
          const Facts report = examine(c, make_plan(c));
          CHECK(report.problems == std::vector<std::string>{});
          CHECK(report.ratio_to_bound().value() >= 1);
        }
      }
    }
  }
}

/// A link in three is doubled, or leads one way where a chain of the others leads back.
enum class Links { Doubled, OneWay };

std::string edges_of(const std::string& topology, Links links) {
  const Arcs arcs(Topology::parse(topology));
  std::string list;
  for (ArcId a = 0; a < arcs.count(); ++a) {
    const Node x = arcs.tail(a), y = arcs.head(a);
    if (x > y) continue;
    const char* const comma = list.empty() ? "" : ",";
    if (a % 3 == 0 && links == Links::OneWay && y != x + 1) {
      list += fmt::format(R"({}{{"link":[{},{}],"one_way":true}})", comma, x, y);
    } else {
      list += fmt::format("{}[{},{}{}]", comma, x, y,
                          a % 3 == 0 && links == Links::Doubled ? ",2" : "");
    }
  }
  return fmt::format(R"({{"n":{},"edges":[{}]}})", arcs.nodes(), list);
}

std::uint64_t cycles_of(const Case& c, const Plan& plan) {
  const Facts report = examine(c, plan);
  CHECK(report.problems == std::vector<std::string>{});
  return report.cycles_predicted().value();
}

/// The same request in pieces takes no less, and that of all nodes not much less; or what was
/// chosen says that others may.
void require_best(const Case& c) {
  const Plan plan = make_plan(c);
  CAPTURE(plan.chosen, plan.schedule.algorithm);
  if (plan.chosen.find(" may ") != std::string::npos) return;
  const std::uint64_t cycles = cycles_of(c, plan);
  for (const std::uint32_t pieces : {2u, 16u}) {
    Case cut = c;
    cut.pieces = pieces;
    if (pieces > c.flits) continue;
    try {
      const Plan in_pieces = make_plan(cut);
      CHECK(cycles <= cycles_of(cut, in_pieces));
    } catch (const NotServed&) {  // what cuts by itself alone
    }
  }
  if (c.members.empty()) return;
  Case all = c;
  all.members.clear();
  CHECK(4 * cycles <= 5 * cycles_of(all, make_plan(all)) + 4);
}

}  // namespace

TEST_CASE("what is chosen passes and beats no bound, on every graph of up to four nodes") {
  const Scratch scratch;
  for (const auto& [n, edges] : kGraphs) {
    const std::string text = fmt::format(R"({{"n":{},"edges":[{}]}})", n, edges);
    require_passes(scratch.file("graph.json", text), text);
  }
}

TEST_CASE("what is chosen is best in pieces, for groups, sizes and links of all kinds, too") {
  const Scratch scratch;
  unsigned number = 0;
  for (const std::string topology : {"torus:4x4", "mesh:4x5", "debruijn:4", "torus:3x3x3"}) {
    const Node n = Topology::parse(topology).nodes();
    std::string sizes;
    for (Node x = 0; x < n; ++x) sizes += fmt::format("{},{}\n", x, x * x * 7 % 301);
    Case whole, most, half, four, unequal, doubled, one_way;
    most.members = fmt::format("0-{}", n - 2);
    half.members = fmt::format("0-{}", n / 2 - 1);
    four.members = fmt::format("0,{},{},{}", n / 3, n / 2, n - 1);
    unequal.sizes = scratch.file("sizes", sizes);
    doubled.topology = "edges:" + scratch.file("doubled.json", edges_of(topology, Links::Doubled));
    one_way.topology = "edges:" + scratch.file("one-way.json", edges_of(topology, Links::OneWay));
    for (Case c : {whole, most, half, four, unequal, doubled, one_way}) {
      if (c.topology.empty()) c.topology = topology;
      for (const CollectiveTerms& terms : kCollectiveTerms) {
        c.collective = terms.collective;
        for (const unsigned flits : {1u, 16u, 600u}) {
          if (++number % 11 != 0) continue;  // some seconds instead of a minute
          const bool sized = !c.sizes.empty();
          if (sized && has_root(terms.collective) && terms.collective != Collective::Gather)
            continue;
          c.flits = flits;
          c.flits_given = !sized;
          CAPTURE(c.topology, terms.name, flits, c.members, sized);
          require_best(c);
        }
      }
    }
  }
}
