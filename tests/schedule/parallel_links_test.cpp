// Several links between two nodes: transfers of a round take one after the other.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "catch.hpp"
#include "checker/checker.hpp"
#include "scratch.hpp"
#include "topology/families.hpp"

using namespace gossamer;

namespace {

/// Nodes 0 and 1 with so many links, and 2 behind 1.
Topology path_with(std::uint32_t links) {
  std::vector<Edge> edges(links, {0, 1});
  edges.emplace_back(1, 2);
  return {"path", {graph_of_edges("path", 3, edges, /*parallel=*/true)}};
}

/// So many messages from 0 to 1 in round 1, and one from 1 to 0.
Schedule exchange_over(std::uint32_t links, std::uint32_t messages, Duplex duplex) {
  Schedule schedule(path_with(links), Collective::TotalExchange,
                    {PortModel::All, duplex, Switching::Packet, false});
  const std::array there = {Node{0}, Node{1}}, back = {Node{1}, Node{0}};
  for (std::uint32_t i = 0; i < messages; ++i) {
    schedule.add(1, there, std::array{Message{0, 1 + i % 2}});
  }
  schedule.add(1, back, std::array{Message{1, 0}});
  return schedule;
}

/// Does a rule of links say so of a transfer in round 1?
bool collides(const Schedule& schedule) {
  for (const auto& fault : check(schedule).faults) {
    if (to_string(fault).find("already carries") != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("ports of several links to a neighbour stand side by side, and pair in order") {
  const Topology topology = path_with(3);
  CHECK(topology.parallel());
  CHECK(topology.ports() == 4);
  for (Port p = 0; p < 3; ++p) {
    CHECK(topology.peer(0, p) == Endpoint{1, p});
    CHECK(topology.peer(1, p) == Endpoint{0, p});
    CHECK(topology.port_to(0, 1, p) == p);
  }
  CHECK(topology.port_to(0, 1, 3) == kNoPort);
  CHECK(topology.peer(1, 3) == Endpoint{2, 0});
  CHECK_FALSE(path_with(1).parallel());
}

TEST_CASE("each of them takes a link of its own, also along paths and trees") {
  const Schedule schedule = exchange_over(3, 3, Duplex::Full);
  std::uint32_t lane = 0;
  for (const Transfer& t : schedule.transfers_of(1)) {
    if (schedule.source(t) == 0) CHECK(schedule.hops(t)[0].lane == lane++);
  }
  CHECK(lane == 3);
  Schedule trees(path_with(2), Collective::Broadcast,
                 {PortModel::All, Duplex::Full, Switching::Circuit, false});
  trees.cut(2);
  const std::array path = {Node{0}, Node{1}, Node{2}};
  trees.add(1, path, std::array{Message{0, kNoNode, 0}});
  trees.add_tree(1, 0, std::array{Branch{1}}, std::array{Message{0, kNoNode, 1}});
  trees.add_tree(2, 0, std::array{Branch{1}}, std::array{Message{0, kNoNode, 0}});
  trees.add_tree(2, 1, std::array{Branch{2}}, std::array{Message{0, kNoNode, 1}});
  const auto lanes = [&](std::size_t i) {
    std::vector<std::uint32_t> all;
    for (const TransferHop hop : trees.hops(trees.transfers()[i])) all.push_back(hop.lane);
    return all;
  };
  CHECK(lanes(0) == std::vector<std::uint32_t>{0, 0});
  CHECK(lanes(1) == std::vector<std::uint32_t>{1});
  CHECK(lanes(2) == std::vector<std::uint32_t>{0});
  CHECK(check(trees).faults.empty());
}

TEST_CASE(
    "one-way links are taken before those that the other end may need, each the way it leads") {
  const Scratch scratch;
  const Topology topology = Topology::parse(
      "edges:" +
      scratch.file("l.json", R"({"n":2,"edges":[[0,1],{"link":[0,1],"one_way":true}]})"));
  const std::array there = {Node{0}, Node{1}}, back = {Node{1}, Node{0}};
  for (const std::size_t ways : {1, 2}) {
    Schedule schedule(topology, Collective::TotalExchange,
                      {PortModel::All, Duplex::Half, Switching::Packet, false});
    for (std::size_t i = 0; i < ways; ++i) schedule.add(1, there, std::array{Message{0, 1}});
    schedule.add(1, back, std::array{Message{1, 0}});
    CHECK(port_out(topology, schedule.hops(schedule.transfers()[0])[0]) == 0);
    CHECK(port_in(topology, schedule.hops(schedule.transfers()[0])[0]) == 0);
    CHECK(port_out(topology, schedule.hops(schedule.transfers()[ways])[0]) == 1);
    CHECK(collides(schedule) == (ways == 2));
  }
}

TEST_CASE("of several links the shortest is taken first, whatever it is and wherever it is named") {
  const Scratch scratch;
  for (
      const char* edges :
      {R"([[0,1],{"link":[0,1],"stages":63,"one_way":true},{"link":[1,0],"stages":63,"one_way":true}])",
       R"([{"link":[0,1],"stages":5},{"link":[0,1],"stages":2,"one_way":true},{"link":[1,0]}])"}) {
    const Topology topology = Topology::parse(
        "edges:" + scratch.file("l.json", fmt::format(R"({{"n":2,"edges":{}}})", edges)));
    const std::vector<std::uint32_t>& stages = topology.factors()[0].stages;
    CHECK(std::ranges::is_sorted(stages));
    CHECK(stages[topology.port_to(0, 1)] == 0);
    CHECK(stages[topology.port_to(1, 0)] == 0);
  }
}

TEST_CASE("half-duplex transfers of a round fit on links of all kinds if they can, in any order") {
  const Scratch scratch;
  const std::array there = {Node{0}, Node{1}}, back = {Node{1}, Node{0}};
  const std::array kinds = {"[0,1]",
                            R"({"link":[0,1],"stages":3})",
                            R"({"link":[0,1],"one_way":true})",
                            R"({"link":[0,1],"one_way":true,"stages":3})",
                            R"({"link":[1,0],"one_way":true})",
                            R"({"link":[1,0],"one_way":true,"stages":3})"};
  for (std::size_t links = 0; links < 6 * 6 * 6; ++links) {
    const std::array chosen = {links % 6, links / 6 % 6, links / 36};
    const auto count = [&](std::size_t kind) {
      return std::ranges::count_if(chosen, [&](std::size_t k) { return k / 2 == kind; });
    };
    const std::int64_t both = count(0), forth = count(1), home = count(2);
    if (both == 0 && (forth == 0 || home == 0)) continue;
    const Topology topology = Topology::parse(
        "edges:" +
        scratch.file("k.json", fmt::format(R"({{"n":2,"edges":[{},{},{}]}})", kinds[chosen[0]],
                                           kinds[chosen[1]], kinds[chosen[2]])));
    for (unsigned order = 0; order < 8; ++order) {
      Schedule schedule(topology, Collective::TotalExchange,
                        {PortModel::All, Duplex::Half, Switching::Packet, false});
      std::int64_t to_1 = 0, to_0 = 0;
      for (unsigned i = 0; i < 3; ++i) {
        const bool forward = (order >> i & 1) != 0;
        schedule.add(1, forward ? there : back,
                     std::array{forward ? Message{0, 1} : Message{1, 0}});
        ++(forward ? to_1 : to_0);
      }
      INFO("links " << links << ", order " << order);
      const auto beyond = [](std::int64_t n) { return std::max<std::int64_t>(n, 0); };
      CHECK(collides(schedule) == (beyond(to_1 - forth) + beyond(to_0 - home) > both));
    }
  }
}
