// The ranking against the plans that it stands for.
#include "driver/rank.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "driver/report.hpp"
#include "refusal.hpp"
#include "scratch.hpp"
#include "topology/topology.hpp"

using namespace gossamer;

namespace {

/// What a named algorithm takes, or the default without a name.
Facts report_of(Case c, const std::string& algorithm, std::optional<PortModel> ports,
                unsigned flits) {
  c.algorithm = algorithm;
  if (ports) c.ports = ports;
  c.flits = flits;
  return examine(c, make_plan(c));
}

Case case_for(const char* topology, Collective collective) {
  Case c;
  c.topology = topology;
  c.collective = collective;
  return c;
}

}  // namespace

TEST_CASE("a ranking has the cycles and rounds of every plan, the best, and where it changes") {
  Case one = case_for("torus:4x4", Collective::Gossip);
  Case two = case_for("mesh:3x4", Collective::TotalExchange);
  Case three = case_for("hypercube:4", Collective::Broadcast);
  Case four = case_for("debruijn:3", Collective::Scatter);
  Case five = case_for("torus:3x4", Collective::Gossip);
  Case six = case_for("ring:7", Collective::Gather);
  Case seven = case_for("complete:6", Collective::AllReduce);
  Case eight = case_for("torus:3x3", Collective::TotalExchange);  // a table for one flit is there
  four.root = "5";
  five.stages = LinkStages::parse("2");
  six.members = "0,2,3";
  for (const Case& c : {one, two, three, four, five, six, seven, eight}) {
    const std::vector<unsigned> flits = {1, 5, 40};
    const Ranking ranking = rank(c, flits);
    CAPTURE(c.topology, to_string(*c.collective));
    REQUIRE(ranking.rows.size() > 1);
    REQUIRE(ranking.best.front().flits == 1);
    for (std::size_t i = 0; i < flits.size(); ++i) {
      CAPTURE(flits[i]);
      std::uint64_t fewest = ~std::uint64_t{0};
      for (const Ranked& row : ranking.rows) {
        if (!row.plans[i]) continue;
        CAPTURE(row.algorithm->name, to_string(row.model.ports));
        const RankedPlan& plan = *row.plans[i];
        const Facts report = report_of(c, row.algorithm->name, row.model.ports, flits[i]);
        CHECK(plan.cycles == report.cycles_predicted());
        CHECK(plan.rounds == report.check.rounds);
        CHECK(plan.pieces == report.schedule().pieces());
        Model model = row.model;
        model.switching = plan.switching;
        // Of cut-through they depend on the flits.
        model.hop_rounds = report.schedule().model().hop_rounds;
        CHECK(model == report.schedule().model());
        CHECK(ranking.bounds[i] <= report.cycles_bound.value().value);
        CHECK(plan.best == (plan.cycles == report_of(c, "", c.ports, flits[i]).cycles_predicted()));
        fewest = std::min(fewest, plan.cycles);
      }
      std::size_t best = 0;
      for (const BestFrom& from : ranking.best) {
        if (from.flits <= flits[i]) best = from.row;
      }
      CHECK(ranking.rows[best].plans[i].value().cycles == fewest);
    }
    // One flit earlier the one before was at least as good.
    for (std::size_t k = 1; k < ranking.best.size(); ++k) {
      const Ranked& before = ranking.rows[ranking.best[k - 1].row];
      const Ranked& after = ranking.rows[ranking.best[k].row];
      const auto cycles = [&](const Ranked& row, unsigned length) {
        return *report_of(c, row.algorithm->name, row.model.ports, length).cycles_predicted();
      };
      const unsigned from = ranking.best[k].flits;
      CHECK(cycles(before, from - 1) <= cycles(after, from - 1));
      if (from > 8) continue;  // beyond what cut-through serves
      CHECK(cycles(before, from) >= cycles(after, from));
    }
  }
}

TEST_CASE("a ranking names one that is the best for every length, on few nodes") {
  Case one = case_for("torus:3x4", Collective::AllReduce);
  Case two = case_for("debruijn:3", Collective::Reduce);
  Case three = case_for("mesh:3x3", Collective::ReduceScatter);
  one.ports = two.ports = PortModel::All;
  two.duplex = Duplex::Half;
  two.stages = LinkStages::parse("2");
  for (const Case& c : {one, two, three}) {
    CAPTURE(c.topology);
    const unsigned least = 2, most = 20;
    std::vector<unsigned> all;
    for (unsigned flits = least; flits <= most; ++flits) all.push_back(flits);
    const Ranking sparse = rank(c, {least, most}), dense = rank(c, all);
    CHECK(sparse.compared == all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      CAPTURE(all[i]);
      const Ranked* named = nullptr;
      for (const BestFrom& from : sparse.best) {
        if (from.flits <= all[i]) named = &sparse.rows[from.row];
      }
      const auto row = std::ranges::find_if(dense.rows, [&](const Ranked& r) {
        return r.algorithm == named->algorithm && r.model.ports == named->model.ports;
      });
      REQUIRE(row != dense.rows.end());
      CHECK(row->plans[i].value().best);
    }
  }
}

TEST_CASE("a ranking leaves out what would search for too long, and says so") {
  const Ranking ranking = rank(case_for("torus:23x23", Collective::TotalExchange), {1});
  const auto row = std::ranges::find_if(
      ranking.rows, [](const Ranked& r) { return r.algorithm->name == "any-graph"; });
  REQUIRE(row != ranking.rows.end());
  CHECK(!row->tried);
  CHECK(!row->plans[0]);
}

TEST_CASE("lengths are ascending numbers") {
  CHECK(lengths("--flits", "7") == std::vector<unsigned>{7});
  CHECK(lengths("--flits", "1,8,1048576") == std::vector<unsigned>{1, 8, 1048576});
  for (const char* text : {"8,8", "", "0", "1,", ",1", "1048577", "1 2", "x"}) {
    CHECK(refusal([&] { lengths("--flits", text); }).starts_with("--flits: "));
  }
}

// Everything that can be asked for on every small graph: what is chosen passes, and beats no bound.

namespace {

/// Every connected graph of two to four nodes; of those that differ in the numbers of nodes other
/// than node 0, one.
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

// How close the default choice comes to the bound in cycles: it must not get worse.

TEST_CASE("the default choice is close to the bound in cycles, with few flits and with many") {
  // All of the table in docs/research/beyond.md is compared when tables are.
  constexpr const char* kGraphs[] = {"torus:8x8", "torus:7x7x7", "mesh:8x8", "ring:16",
                                     "debruijn:6"};
  double logarithms = 0;
  unsigned entries = 0;
  for (const char* topology : kGraphs) {
    for (const Collective collective :
         {Collective::Gossip, Collective::TotalExchange, Collective::Broadcast, Collective::Scatter,
          Collective::Gather}) {
      for (const unsigned flits : {1u, 8u, 1024u}) {
        Case c;
        c.topology = topology;
        c.collective = collective;
        c.flits = flits;
        const double ratio = examine(c, make_plan(c)).ratio_to_bound().value();
        CAPTURE(topology, to_string(collective), flits, ratio);
        CHECK(ratio <= 1.07);
        logarithms += std::log(ratio);
        ++entries;
      }
    }
  }
  CHECK(std::exp(logarithms / entries) < 1.02);
}
