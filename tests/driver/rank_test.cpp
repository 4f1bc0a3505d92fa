// The ranking against the plans that it stands for.
#include "driver/rank.hpp"

#include "catch.hpp"
#include "driver/report.hpp"
#include "refusal.hpp"

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
        model.hop_rounds = report.schedule().model().hop_rounds;  // of cut-through they depend on the flits
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
  Case one = case_for("torus:5x5", Collective::AllReduce);
  Case two = case_for("debruijn:3", Collective::Reduce);
  Case three = case_for("mesh:3x3", Collective::ReduceScatter);
  one.ports = two.ports = PortModel::All;
  two.duplex = Duplex::Half;
  two.stages = LinkStages::parse("2");
  for (const Case& c : {one, two, three}) {
    CAPTURE(c.topology);
    const unsigned least = 2, most = 32;
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
