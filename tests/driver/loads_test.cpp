// The load of every link, by round and in sum.
#include "driver/loads.hpp"

#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "catch.hpp"
#include "driver/report.hpp"
#include "schedule/jsonl.hpp"

using namespace gossamer;

namespace {

Loads loads_of(const Case& c) {
  const Plan plan = make_plan(c);
  const Facts report = examine(c, plan);
  CHECK(report.passed());
  const Loads loads = link_loads(plan.schedule, report.check, report.request.flits);
  // The sum over links must equal the checker's sum over transfers.
  for (const auto* list : {&loads.by_round, &loads.in_sum}) {
    CHECK(std::accumulate(list->begin(), list->end(), std::uint64_t{0},
                          [](std::uint64_t sum, const LinkLoad& load) {
                            return sum + load.messages;
                          }) == report.check.transmissions);
  }
  return loads;
}

}  // namespace

TEST_CASE("loads: a schedule by hand") {
  std::istringstream text(
      R"({"gossamer":1,"topology":"path:3","collective":"gossip","model":{"ports":"all",)"
      R"("duplex":"full","switching":"circuit","combining":true}})"
      "\n{\"r\":1,\"path\":[0,1,2],\"msgs\":[0]}\n{\"r\":1,\"path\":[2,1],\"msgs\":[2]}\n"
      "{\"r\":3,\"path\":[1,0],\"msgs\":[1,2]}\n");
  const Schedule schedule = read_jsonl(text, "hand.jsonl");
  CheckReport checked;
  checked.carried = {1, 1, 2};
  const Loads loads = link_loads(schedule, checked, 4);
  CHECK(loads_csv(loads) ==
        "round,from,to,messages,cycles\n"
        "1,0,1,1,4\n1,1,2,1,4\n1,2,1,1,4\n3,1,0,2,8\n"
        "sum,0,1,1,4\nsum,1,0,2,8\nsum,1,2,1,4\nsum,2,1,1,4\n");
  CHECK(loads_json(loads).dump() ==
        R"({"flits":4,"rounds":[{"round":1,"links":[{"from":0,"to":1,"messages":1,"cycles":4},)"
        R"({"from":1,"to":2,"messages":1,"cycles":4},{"from":2,"to":1,"messages":1,"cycles":4}]},)"
        R"({"round":3,"links":[{"from":1,"to":0,"messages":2,"cycles":8}]}],)"
        R"("sum":[{"from":0,"to":1,"messages":1,"cycles":4},)"
        R"({"from":1,"to":0,"messages":2,"cycles":8},{"from":1,"to":2,"messages":1,"cycles":4},)"
        R"({"from":2,"to":1,"messages":1,"cycles":4}]})");
}

TEST_CASE("loads: orbits, circuits, pipelined paths and what adaptive nodes really send") {
  Case circuits;
  circuits.topology = "torus:7x7x7";
  circuits.algorithm = "delmas-perennes";
  CHECK(loads_of(circuits).in_sum.size() == 343 * 6);
  Case pipelined;
  pipelined.topology = "torus:4x4";
  pipelined.algorithm = "tdm-search";
  pipelined.flits_given = false;
  const Loads slots = loads_of(pipelined);
  CHECK(slots.flits == 1);
  for (const LinkLoad& load : slots.by_round) CHECK(load.messages == 1);  // one flit per cycle
  Case adaptive;
  adaptive.topology = "hypercube:4";
  adaptive.algorithm = "chau-fu";
  adaptive.faults = "nodes=3";
  for (const LinkLoad& load : loads_of(adaptive).in_sum) {
    if (load.from == 3) CHECK(load.messages == 0);
  }
}
