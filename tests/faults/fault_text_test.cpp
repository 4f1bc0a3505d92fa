#include <fmt/format.h>

#include "catch.hpp"
#include "schedule/faults.hpp"
#include "support/error.hpp"

using namespace gossamer;

namespace {

const Topology kCube = Topology::parse("hypercube:5");

}  // namespace

TEST_CASE("faults are named by nodes, links and single directions") {
  const FaultSet faults = parse_faults("nodes=17,3,3;links=1-0;arcs=4>5;from=3", kCube, 1);
  CHECK(faults.nodes == std::vector<Node>{3, 17});
  CHECK(faults.arcs == std::vector<Arc>{{0, 1}, {1, 0}, {4, 5}});
  CHECK(faults.from_round == 3);
  CHECK(to_string(faults) == "nodes=3,17;links=0-1;arcs=4>5;from=3");
  CHECK(parse_faults(to_string(faults), kCube, 1) == faults);
  CHECK(parse_faults("none", kCube, 1).empty());
  CHECK(to_string(FaultSet{}) == "none");
  CHECK(to_string(parse_faults("arcs=4>5,5>4", kCube, 1)) == "links=4-5");
  // Repeated elements and several parts add up; of several rounds the last counts.
  CHECK(to_string(parse_faults("links=0-1,1-3;nodes=0;arcs=4>5,5>7;nodes=31;from=1;from=1000000000",
                               kCube, 1)) ==
        "nodes=0,31;links=0-1,1-3;arcs=4>5,5>7;from=1000000000");
  CHECK(to_string(parse_faults("links=3-1", kCube, 1)) == "links=1-3");
  CHECK(parse_faults("random:0", kCube, 1).empty());
  CHECK(parse_faults("nodes=0", kCube, 1).nodes == std::vector<Node>{0});
}

TEST_CASE("the same seed draws the same faults on every machine") {
  // Drawn by a second program, with its own Mersenne twister.
  static constexpr std::optional<Node> none;
  const auto [topology, text, seed, spared, faults] =
      GENERATE(table<std::string, std::string, std::uint32_t, std::optional<Node>, std::string>({
          {"hypercube:5", "random:4", 7, none, "nodes=3;links=3-19,8-12,10-26"},
          {"hypercube:5", "random:6", 4000000000u, none, "nodes=0,4,24,28;links=10-26,19-27"},
          {"hypercube:5", "rate:0.01", 9, none, "nodes=5"},
          {"hypercube:3", "random:5", 3, none, "nodes=1,3,6,7;links=1-5"},
          {"hypercube:3", "random:5", 3, Node{0}, "nodes=6,7;links=2-6,3-7,4-5"},
          {"hypercube:3", "random:5", 3, Node{7}, "nodes=5,6;links=2-6,3-7,4-5"},
          {"hypercube:3", "rate:0.25", 3, none, "nodes=1,5;links=1-3,1-5,2-3,2-6,3-7,4-5,4-6"},
          {"hypercube:3", "rate:0.25", 3, Node{2}, "nodes=1,6;links=1-5,2-3,2-6,3-7,4-5,4-6,5-7"},
          {"ring:5", "random:4", 11, none, "nodes=0,1,2;links=1-2"},
          {"ring:5", "rate:0.5", 11, none, "nodes=0,1,2,4;links=0-1,2-3,3-4"},
          {"path:4", "random:7", 2, none, "nodes=0,1,2,3;links=0-1,1-2,2-3"},
          {"path:4", "random:3", 2, none, "nodes=2,3;links=0-1"},
          {"path:4", "random:3", 2, Node{1}, "nodes=0,2;links=0-1"},
          {"path:4", "rate:0.5", 5, Node{3}, "nodes=0,1;links=1-2,2-3"},
      }));
  CAPTURE(topology, text, seed);
  CHECK(to_string(parse_faults(text, Topology::parse(topology), seed, spared)) == faults);
}

TEST_CASE("the spared node is never drawn, however many are") {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    CHECK_FALSE(parse_faults("random:111", kCube, seed, 5).dead(5));
    CHECK_FALSE(parse_faults("rate:1", kCube, seed, 5).dead(5));
  }
  CHECK_THROWS_AS(parse_faults("random:112", kCube, 1, 5), InputError);
}
