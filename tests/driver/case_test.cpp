// What a case means, and how the fields that it leaves open are filled.
#include "driver/case.hpp"

#include "algorithms/samples.hpp"
#include "catch.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"

using namespace gossamer;

namespace {

Case half_duplex(const std::string& topology) {
  Case c;
  c.topology = topology;
  c.duplex = Duplex::Half;
  return c;
}

template <typename F>
std::string error_of(F f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("without a name it is the fewest rounds of all models that are not named") {
  CHECK(make_plan(half_duplex("mesh:3x4")).schedule.model().ports == PortModel::All);
  CHECK(make_plan(half_duplex("ring:9")).schedule.model().ports == PortModel::All);
  CHECK(make_plan(half_duplex("ring:9")).formula->rounds == 8);
  Case c;
  c.topology = "torus:7x7x7";
  CHECK(make_plan(c).formula->rounds == 4);
  c.ports = PortModel::Single;
  CHECK(make_plan(c).formula->rounds == 342);
  c = {};
  c.topology = "torus:4x4";
  c.collective = Collective::TotalExchange;
  CHECK(make_plan(c).formula->rounds == 8);
  c.ports = PortModel::Single;
  CHECK(make_plan(c).formula->rounds == 32);
  Case scatter;
  scatter.topology = "hypercube:4";
  scatter.collective = Collective::Scatter;
  CHECK(make_plan(scatter).schedule.model().ports == PortModel::All);
  CHECK(make_plan(scatter).formula);
  scatter.ports = PortModel::Single;
  CHECK(make_plan(scatter).algorithm->name == "any-graph");
  CHECK_FALSE(make_plan(scatter).formula);
}

TEST_CASE("what is said of the algorithm that was chosen is true") {
  for (const char* topology : kSampleTopologies) {
    for (const CollectiveTerms& terms : kCollectiveTerms) {
      for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
        Case c;
        c.topology = topology;
        c.collective = terms.collective;
        c.duplex = duplex;
        const Plan chosen = make_plan(c);
        CAPTURE(topology, terms.name, to_string(duplex), chosen.chosen);
        CHECK(chosen.chosen == "fewest rounds of all choices");
        for (const PortModel ports : {PortModel::Single, PortModel::All}) {
          for (const Algorithm& other : algorithms()) {
            const Request request{.topology = Topology::parse(topology),
                                  .collective = terms.collective,
                                  .ports = ports,
                                  .duplex = duplex};
            if (other.only_if_named || other.refuses(request)) continue;
            if (other.formula == nullptr && request.topology.nodes() > 64) continue;  // slow
            CAPTURE(other.name, to_string(ports));
            CHECK(other.plan(request).rounds() >= chosen.schedule.rounds());
          }
        }
      }
    }
  }
}

TEST_CASE("on large graphs what was not tried is said") {
  const Plan plan = make_plan(half_duplex("mesh:20x50"));
  CHECK(plan.algorithm->name == "hamiltonian");
  CHECK(plan.chosen == "any-graph may take fewer rounds");
}

TEST_CASE("a root where none means anything is refused") {
  const auto error = [](const Case& c) { return error_of([&] { make_plan(c); }); };
  Case c;
  c.topology = "ring:8";
  c.root = 3;
  const std::string advice =
      ": leave it out, or name a collective that has one: broadcast, scatter or gather";
  CHECK(error(c) == "root 3 means nothing in a gossip by translation" + advice);
  c.algorithm = "ring";
  CHECK(error(c) == "root 3 means nothing in a gossip by ring" + advice);
  c.topology = "hypercube:3";
  c.algorithm = "chau-fu-initiated";
  CHECK(make_plan(c).schedule.initiator->node == 3);
  c.algorithm = "bertsekas";
  c.collective = Collective::Scatter;
  CHECK(make_plan(c).schedule.root == 3);
}

TEST_CASE("an algorithm that refuses says why, and what serves instead") {
  Case c;
  c.topology = "torus:4x4";
  c.algorithm = "delmas-perennes";
  CHECK(error_of([&] { make_plan(c); }) ==
        "delmas-perennes: it needs three equal rings of a power of 7, such as torus:7x7x7 (asked "
        "for gossip on torus:4x4; translation serves it)");
}

TEST_CASE("a schedule too large for the machine is no reason to plan for another model") {
  // A mesh has no translations: a million transfers.
  limit_free_memory(20'000'000);
  CHECK_THROWS_AS(make_plan(half_duplex("mesh:20x50")), TooLarge);
  forget_memory_limit();
  const Plan plan = make_plan(half_duplex("mesh:20x50"));
  CHECK(plan.schedule.model().ports == PortModel::Single);
  CHECK(plan.schedule.model().duplex == Duplex::Half);
}

TEST_CASE("where a formula is above the bound, a shorter schedule is searched for, and taken") {
  const auto exchange = [](const std::string& topology) {
    Case c;
    c.topology = topology;
    c.collective = Collective::TotalExchange;
    c.ports = PortModel::Single;
    return make_plan(c);
  };
  const Plan mesh = exchange("mesh:4x4");
  CHECK(mesh.algorithm->name == "any-graph");
  CHECK(mesh.chosen == "fewest rounds of all choices");
  CHECK_FALSE(mesh.formula);
  CHECK(mesh.schedule.rounds() <= 47);  // the bound is 43; A1 takes 56
  CHECK(exchange("torus:4x4").algorithm->name == "a1");
  CHECK(exchange("path:6").algorithm->name == "a1");
}
