// Members as options and suites name them.
#include "schedule/members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "catch.hpp"
#include "checker/checker.hpp"
#include "fabric/payload.hpp"
#include "schedule/schedule.hpp"
#include "scratch.hpp"
#include "support/error.hpp"
#include "topology/families.hpp"

using namespace gossamer;

namespace {

const Topology kTorus = Topology::parse("torus:4x4");

std::vector<Node> group_of(const std::string& text) {
  const Members members = parse_members(text, kTorus);
  return {members.group().begin(), members.group().end()};
}

}  // namespace

TEST_CASE("members: a list of nodes and ranges") {
  CHECK(group_of("0,3,5-9") == std::vector<Node>{0, 3, 5, 6, 7, 8, 9});
  CHECK(group_of("9 2-2, 3") == std::vector<Node>{2, 3, 9});
  CHECK(parse_members("", kTorus).all());
  CHECK(parse_members("8-15,0-7", kTorus).all());
  CHECK(parse_members("9,7,0,1,2", kTorus).text() == "0-2,7,9");
  const Members some = parse_members("3,5", kTorus);
  CHECK((some.has(3) && some.has(5) && !some.has(4) && !some.has(16)));
  CHECK(some.count(16) == 2);
  CHECK(some[1] == 5);
}

TEST_CASE("members: several groups, of each the first node is its root") {
  const Members groups = parse_members("5,0,1 4/15,10,3 / 7", kTorus);
  CHECK((groups.several() && !groups.all() && groups.groups() == 3));
  CHECK(groups.text() == "5,0-1,4/15,3,10/7");
  CHECK(parse_members(groups.text(), kTorus) == groups);
  CHECK(groups.count(16) == 8);
  CHECK((groups.has(10) && !groups.has(2)));
  CHECK((groups.root(0) == 5 && groups.root(1) == 15 && groups.root(2) == 7));
  CHECK((groups.group_of(0) == 0 && groups.group_of(3) == 1 && groups.group_of(7) == 2));
  CHECK((groups.together(0, 5) && groups.together(7, 7) && !groups.together(4, 3)));
  CHECK(std::vector<Node>(groups.group(1).begin(), groups.group(1).end()) ==
        std::vector<Node>{3, 10, 15});
  CHECK(!parse_members("0-7/8-15", kTorus).all());
  CHECK(!parse_members("0-7", kTorus).several());
}

TEST_CASE("members: a file of them") {
  const Scratch scratch;
  const std::string file = scratch.file("members", "1, 2\n\n12-14\r\n");
  CHECK(group_of("@" + file) == std::vector<Node>{1, 2, 12, 13, 14});
  scratch.file("members", "1, 2 /\n3\n/ 12-14\n");
  CHECK(parse_members("@" + file, kTorus).text() == "1-2/3/12-14");
  CHECK(members_from("@a/b", "c") == "@c/a/b");
  CHECK(members_from("@a", "") == "@a");
  CHECK(members_from("1-2", "c") == "1-2");
}

// Messages that are not equally long, or in pieces: their files, numbers, and what every flit of
// them is.

namespace {

std::vector<std::uint32_t> read(const std::string& text, Node nodes = 3) {
  const Scratch scratch;
  const Sizes sizes = read_sizes(scratch.file("sizes.csv", text), nodes);
  return {sizes.all().begin(), sizes.all().end()};
}

}  // namespace

TEST_CASE("sizes: by origins, or by origins and destinations") {
  CHECK(read("0,5\n2,7\n") == std::vector<std::uint32_t>{5, 0, 7});
  CHECK(read("origin,flits\r\n 2 , 1048576 \r\n\r\n1,0") ==
        std::vector<std::uint32_t>{0, 0, 1048576});
  CHECK(read("origin,destination,flits\n0,1,4\n2,0,3\n1,1,0\n") ==
        std::vector<std::uint32_t>{0, 4, 0, 0, 0, 0, 3, 0, 0});
  CHECK(read_sizes("", 3).equal());
  const Sizes origins(3, {5, 0, 7}), pairs(2, {0, 1, 2, 3}), none(2, {0, 0});
  CHECK((origins.of(2, 0) == 7 && origins.of(0, kNoNode) == 5 && origins.most() == 7));
  CHECK((pairs.of(0, 1) == 1 && pairs.of(1, 0) == 2 && pairs.by_pair() && !origins.by_pair()));
  CHECK(none.most() == 1);
  CHECK((origins == Sizes(3, {5, 0, 7}) && !(origins == Sizes()) && Sizes() == Sizes()));
}

TEST_CASE("every flit of every message of several lengths is another word, which says what it is") {
  for (const bool pairs : {false, true}) {
    for (const std::uint32_t pieces : {1u, 2u, 4u}) {
      Schedule schedule(Topology::parse("ring:3"),
                        pairs ? Collective::TotalExchange : Collective::Gossip, {});
      schedule.sizes = pairs ? Sizes(3, {0, 1, 9, 4, 0, 2, 0, 5, 0}) : Sizes(3, {3, 0, 7});
      schedule.cut(pieces);
      const Payload payload(schedule, 1, 77);
      std::uint32_t known = 0, words = 0;
      for (Node x = 0; x < 3; ++x) {
        for (Node y = 0; y < (pairs ? 3u : 1u); ++y) {
          const Node to = pairs ? y : kNoNode;
          for (std::uint32_t k = 0; k < pieces; ++k) {
            const Message m{x, to, k};
            words += payload.flits(m);
            for (std::uint32_t i = 0; i < payload.flits(m); ++i) {
              CHECK(payload.identify(payload.word({m, i})) == FlitId{m, i});
            }
          }
          // Flits that a longer message would have are nobody's.
          const std::uint32_t whole = schedule.sizes.of(x, to);
          const std::uint32_t first = payload.first({x, to, 0});
          for (std::uint32_t i = 0; i < payload.flits(); ++i) {
            const bool is = payload.identify(Payload::word(first + i)).has_value();
            CHECK(is == (i < whole));
            known += is ? 1 : 0;
          }
        }
      }
      CHECK(words == known);
      CHECK(words == (pairs ? 21 : 10));
    }
  }
}

TEST_CASE("pieces are as equal as they can be, one after the other, and cover the message") {
  for (std::uint32_t flits = 1; flits <= 40; ++flits) {
    for (std::uint32_t pieces = 1; pieces <= flits; ++pieces) {
      const PieceFlits cut{flits, pieces};
      std::uint32_t flit = 0;
      for (std::uint32_t k = 0; k < pieces; ++k) {
        CHECK(cut.first(k) == flit);
        CHECK(cut.of(k) == flits / pieces + (k < flits % pieces ? 1 : 0));
        for (std::uint32_t i = 0; i < cut.of(k); ++i) CHECK(cut.piece(flit++) == k);
      }
      CHECK(flit == flits);
    }
  }
}

TEST_CASE("messages and their numbers") {
  for (const std::uint32_t pieces : {1u, 2u, 7u, 65536u}) {
    const MessageNumbers numbers(pieces);
    for (const Node origin : {Node{0}, Node{1}, Node{65534}}) {
      for (const Node destination : {Node{0}, Node{65534}, kNoNode}) {
        for (const std::uint32_t piece : {0u, pieces - 1}) {
          const Message m{origin, destination, piece};
          CHECK(numbers.message(numbers.number(m)) == m);
        }
      }
    }
  }
  Schedule schedule(Topology::parse("torus:1000x100"), Collective::Gossip, {});
  CHECK_THROWS_AS(schedule.cut(42950), InputError);
  CHECK_THROWS_AS(schedule.cut(0), InputError);
  schedule.cut(42949);
  CHECK(schedule.pieces() == 42949);
}

// Several links between two nodes: transfers of a round take one after the other.

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
