// What a case means, and how the fields that it leaves open are filled.
#include "driver/case.hpp"

#include <fmt/format.h>

#include <array>
#include <random>
#include <regex>
#include <set>

#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "driver/rank.hpp"
#include "refusal.hpp"
#include "scratch.hpp"
#include "support/memory.hpp"
#include "tables/timing.hpp"

using namespace gossamer;

namespace {

Case half_duplex(const std::string& topology) {
  Case c;
  c.topology = topology;
  c.duplex = Duplex::Half;
  return c;
}

/// No candidate takes fewer cycles than was known before, or than the one that is chosen.
void check_choice(Request request) {
  constexpr std::array kBoth = {PortModel::Single, PortModel::All};
  const auto cycles = [&](const Schedule& schedule) {
    return timed(schedule, request.flits)->time.last_arrival;
  };
  const std::vector<Candidate> all = candidates(request, kBoth, {}, nullptr);
  const Plan chosen = plan_with_fewest_cycles(request, all, {});
  const std::uint64_t fewest = cycles(chosen.schedule);
  CAPTURE(request.topology.spec(), to_string(request.collective), to_string(request.duplex));
  CAPTURE(request.flits, chosen.algorithm->name, chosen.chosen);
  if (request.topology.nodes() <= 64) {
    CHECK(chosen.chosen.starts_with("fewest cycles of all choices"));
    CHECK(chosen.chosen.find("not tried") == std::string::npos);
  }
  for (const Candidate& one : all) {
    if (one.algorithm->any_graph && request.topology.nodes() > 32) continue;  // slow
    CAPTURE(one.algorithm->name, to_string(one.ports), one.pieces);
    request.ports = one.ports;
    request.pieces = one.pieces;
    const std::uint64_t takes = cycles(one.algorithm->plan(request));
    CHECK(takes >= one.cycles);
    if (one.known == Known::Exactly) CHECK(takes == one.cycles);
    const bool may_save = chosen.chosen.find("may save") != std::string::npos && one.pieces;
    if (!may_save) CHECK(takes >= fewest);
    const bool is_next = chosen.runner_up && chosen.runner_up->algorithm == one.algorithm &&
                         chosen.runner_up->ports == one.ports &&
                         chosen.runner_up->pieces == one.pieces;
    if (!is_next) continue;
    CHECK(takes >= chosen.runner_up->cycles);
    if (chosen.runner_up->known == Known::Exactly) CHECK(takes == chosen.runner_up->cycles);
  }
}

}  // namespace

TEST_CASE("without a name it is the fewest rounds of all, if those are asked for") {
  const auto asked = [](Case c) {
    c.best = Best::Rounds;
    return c;
  };
  CHECK(make_plan(asked(half_duplex("mesh:3x4"))).schedule.model().ports == PortModel::All);
  CHECK(make_plan(asked(half_duplex("ring:9"))).schedule.model().ports == PortModel::All);
  CHECK(make_plan(asked(half_duplex("ring:9"))).formula->rounds == 8);
  Case c = asked({});
  c.topology = "torus:7x7x7";
  CHECK(make_plan(c).formula->rounds == 4);
  CHECK(make_plan(c).chosen == "fewest rounds of all choices");
  CHECK_FALSE(make_plan(c).runner_up);
  c.ports = PortModel::Single;
  CHECK(make_plan(c).formula->rounds == 342);
  c = asked({});
  c.topology = "torus:4x4";
  c.collective = Collective::TotalExchange;
  CHECK(make_plan(c).formula->rounds == 8);
  c.ports = PortModel::Single;
  CHECK(make_plan(c).formula->rounds == 32);
}

TEST_CASE("what is said of the choice, and of each candidate before it is planned, is true") {
  std::mt19937 random(1);
  for (const char* topology : kSampleTopologies) {
    for (const CollectiveTerms& terms : kCollectiveTerms) {
      check_choice({.topology = Topology::parse(topology),
                    .collective = terms.collective,
                    .duplex = random() % 2 == 0 ? Duplex::Full : Duplex::Half,
                    .flits = random() % 2 == 0 ? 1u : 8u});
    }
  }
}

TEST_CASE("a node that is named twice is in the list once") {
  CHECK(node_list("--trace-nodes", "0,0", 4) == std::vector<Node>{0});
  CHECK(node_list("--trace-nodes", "3,0-2,1", 4) == std::vector<Node>{0, 1, 2, 3});
}

TEST_CASE("on large graphs what was not tried is said") {
  Case c;
  c.topology = "mesh:20x20";
  c.collective = Collective::TotalExchange;
  c.ports = PortModel::Single;
  c.best = Best::Rounds;
  const Plan plan = make_plan(c);
  CHECK(plan.algorithm->name == "a1");
  CHECK(plan.chosen == "any-graph may take fewer rounds");
}

TEST_CASE("what a refusal names serves the request, with its pieces and sizes") {
  const Scratch scratch;
  const std::string sizes = scratch.file("sizes.csv", "1,4\n");
  const std::regex advice("([a-z0-9-]+) serves it([a-z -]*)");
  std::size_t named = 0;
  std::set<std::string> followed;
  const auto follow = [&](Case c) {
    if (!refusal_of(algorithm(c.algorithm), default_request(c))) return;
    const std::string error = refusal([&] { make_plan(c); });
    CAPTURE(c.algorithm, c.topology, to_string(*c.collective), to_string(*c.ports),
            to_string(*c.duplex), c.pieces.value_or(0), c.sizes, error);
    CHECK(error.find("use ") == std::string::npos);
    std::smatch found;
    if (!std::regex_search(error, found, advice)) return;
    ++named;
    c.algorithm = found[1];
    const std::string with = found[2];
    const auto says = [&](const char* text) { return with.find(text) != std::string::npos; };
    if (says("single port")) c.ports = PortModel::Single;
    if (says("all ports")) c.ports = PortModel::All;
    if (says("full-duplex")) c.duplex = Duplex::Full;
    if (says("without pieces")) c.pieces.reset();
    const std::string request =
        fmt::format("{} on {}: {} {} {} {} {}", c.algorithm, c.topology, to_string(*c.collective),
                    to_string(*c.ports), to_string(*c.duplex), c.pieces.value_or(1), c.sizes);
    if (followed.insert(request).second) CHECK(refusal([&] { make_plan(c); }) == "accepted");
  };
  for (const char* topology : {"path:3", "debruijn:3"}) {
    for (const Algorithm& algorithm : algorithms()) {
      for (const CollectiveTerms& terms : kCollectiveTerms) {
        for (const PortModel ports : {PortModel::Single, PortModel::All}) {
          for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
            Case c;
            c.topology = topology;
            c.algorithm = algorithm.name;
            c.collective = terms.collective;
            c.ports = ports;
            c.duplex = duplex;
            c.flits_given = false;
            follow(c);
            c.pieces = 3;
            follow(c);
            c.pieces.reset();
            c.sizes = sizes;
            follow(c);
          }
        }
      }
    }
  }
  CHECK(named > 1000);
}

TEST_CASE("a schedule too large for the machine is no reason to plan for another model") {
  // A mesh has no translations: 90,000 transfers.
  limit_free_memory(1'000'000);
  CHECK_THROWS_AS(make_plan(half_duplex("mesh:15x20")), TooLarge);
  forget_memory_limit();
  const Plan plan = make_plan(half_duplex("mesh:15x20"));
  CHECK(plan.schedule.model().ports == PortModel::All);
  CHECK(plan.schedule.model().duplex == Duplex::Half);
}

TEST_CASE("where a formula is above the bound, a shorter schedule is searched for, and taken") {
  const auto exchange = [](const std::string& topology) {
    Case c;
    c.topology = topology;
    c.collective = Collective::TotalExchange;
    c.ports = PortModel::Single;
    c.best = parse_best("rounds");
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
