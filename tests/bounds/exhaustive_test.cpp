// Every bound on tiny graphs beside the true optimum, which is found by trying everything.
#include <fmt/format.h>

#include <random>

#include "bounds/bounds.hpp"
#include "bounds/chunks.hpp"
#include "brute_force.hpp"
#include "catch.hpp"
#include "schedule/chunks.hpp"
#include "support/scratch.hpp"

using namespace gossamer;

namespace {

std::string table(const char* spec, Collective collective) {
  const Topology topology = Topology::parse(spec);
  std::string text;
  std::size_t numbers = 0;
  for (const Switching switching : {Switching::Packet, Switching::Circuit}) {
    for (const bool combining : {false, true}) {
      for (const PortModel ports : {PortModel::Single, PortModel::All}) {
        for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
          const Model model{ports, duplex, switching, combining};
          const std::uint64_t bound = lower_bound_rounds(topology, collective, model);
          const std::uint64_t fewest = fewest_rounds(topology, collective, model);
          CAPTURE(spec, to_string(collective), to_string(ports), to_string(duplex),
                  to_string(switching), combining);
          CHECK(bound <= fewest);
          if (numbers > 0) text += numbers % 4 == 0 ? " | " : " ";
          ++numbers;
          text += bound == fewest ? fmt::format("{}", bound) : fmt::format("{}<{}", bound, fewest);
        }
      }
    }
  }
  return text;
}

/// Bounds of one collective on one graph: "B" if the bound is the optimum, "B<F" if F rounds are
/// needed. Packets, packets that combine, circuits, circuits that combine; in each of these single
/// port with full and half duplex, then all ports with full and half duplex.
struct Row {
  const char* spec;
  Collective collective;
  const char* rounds;
};

const Row kRows[] = {
    {"path:2", Collective::Gossip,
     "1 2 1 2 | 1 2 1 2 | "
     "1 2 1 2 | 1 2 1 2"},
    {"path:2", Collective::Broadcast,
     "1 1 1 1 | 1 1 1 1 | "
     "1 1 1 1 | 1 1 1 1"},
    {"path:2", Collective::Scatter,
     "1 1 1 1 | 1 1 1 1 | "
     "1 1 1 1 | 1 1 1 1"},
    {"path:2", Collective::Gather,
     "1 1 1 1 | 1 1 1 1 | "
     "1 1 1 1 | 1 1 1 1"},
    {"path:2", Collective::TotalExchange,
     "1 2 1 2 | 1 2 1 2 | "
     "1 2 1 2 | 1 2 1 2"},
    {"path:3", Collective::Gossip,
     "4 6 2 3 | 3 4 2 2 | "
     "2 6 2 3 | 2 3<4 2 2"},
    {"path:3", Collective::Broadcast,
     "2 2 2 2 | 2 2 2 2 | "
     "2 2 1<2 1<2 | 2 2 1<2 1<2"},
    {"path:3", Collective::Scatter,
     "2 3 2 2 | 2 2 2 2 | "
     "2 2 2 2 | 2 2 1<2 1<2"},
    {"path:3", Collective::Gather,
     "2 3 2 2 | 2 2 2 2 | "
     "2 2 2 2 | 2 2 1<2 1<2"},
    {"path:3", Collective::TotalExchange,
     "4 8 2 4 | 3 4 2 2 | "
     "2 4<6 2 4 | 2 3<4 2 2"},
    {"ring:3", Collective::Gossip,
     "2 6 1 2 | 2 3<4 1 2 | "
     "2 6 1 2 | 2 3<4 1 2"},
    {"ring:3", Collective::Broadcast,
     "2 2 1 1 | 2 2 1 1 | "
     "2 2 1 1 | 2 2 1 1"},
    {"ring:3", Collective::Scatter,
     "2 2 1 1 | 2 2 1 1 | "
     "2 2 1 1 | 2 2 1 1"},
    {"ring:3", Collective::Gather,
     "2 2 1 1 | 2 2 1 1 | "
     "2 2 1 1 | 2 2 1 1"},
    {"ring:3", Collective::TotalExchange,
     "2 6 1 2 | 2 3<4 1 2 | "
     "2 2<6 1 2 | 2 3<4 1 2"},
    {"path:4", Collective::Gossip,
     "5 8 3 4<5 | 3 4 3 3<4 | "
     "3 6<8 3 4<5 | 2<3 3<4 2<3 3<4"},
    {"path:4", Collective::Broadcast,
     "3 3 3 3 | 3 3 3 3 | "
     "2 2 2 2 | 2 2 2 2"},
    {"path:4", Collective::Scatter,
     "3 5 3 3 | 3 3 3 3 | "
     "3 3 3 3 | 2 2 2 2"},
    {"path:4", Collective::Gather,
     "3 5 3 3 | 3 3 3 3 | "
     "3 3 3 3 | 2 2 2 2"},
    {"ring:4", Collective::Gossip,
     "3 6 2 3 | 2 3<4 2 2<3 | "
     "3 6 2 3 | 2 3<4 2 2<3"},
    {"ring:4", Collective::Broadcast,
     "2 2 2 2 | 2 2 2 2 | "
     "2 2 2 2 | 2 2 2 2"},
    {"ring:4", Collective::Scatter,
     "3 3 2 2 | 2 2 2 2 | "
     "3 3 2 2 | 2 2 2 2"},
    {"ring:4", Collective::Gather,
     "3 3 2 2 | 2 2 2 2 | "
     "3 3 2 2 | 2 2 2 2"},
    {"complete:4", Collective::Broadcast,
     "2 2 1 1 | 2 2 1 1 | "
     "2 2 1 1 | 2 2 1 1"},
};

}  // namespace

TEST_CASE("bounds: on tiny graphs each is what it says, never above the optimum, and often equal") {
  for (const Row& row : kRows) {
    CAPTURE(row.spec, to_string(row.collective));
    CHECK(table(row.spec, row.collective) == row.rounds);
  }
}

TEST_CASE("bounds of groups, pieces, sizes and one-way links are never above the optimum") {
  std::mt19937 random(5);
  unsigned asked = 0, equal = 0;
  for (unsigned trial = 0; trial < 400; ++trial) {
    const Node n = 3 + random() % 2;
    // A way around, most of it one-way, or a star; and what may be added.
    const bool star = random() % 3 == 0;
    std::string edges;
    for (Node x = star ? 1 : 0; x < n; ++x) {
      edges += fmt::format(R"({}{{"link":[{},{}],"one_way":{}}})", edges.empty() ? "" : ",", x,
                           star ? 0 : (x + 1) % n, !star && random() % 4 != 0);
    }
    if (random() % 2 == 0) edges += R"(,{"link":[0,2],"one_way":true})";
    const Scratch scratch;
    const Topology topology = Topology::parse(
        "edges:" + scratch.file("e.json", fmt::format(R"({{"n":{},"edges":[{}]}})", n, edges)));
    const std::vector<Model> models = {{PortModel::Single, Duplex::Full},
                                       {PortModel::All, Duplex::Full},
                                       {PortModel::Single, Duplex::Half},
                                       {PortModel::All, Duplex::Half},
                                       {PortModel::All, Duplex::Full, Switching::Circuit}};
    Schedule s(topology, kCollectiveTerms[random() % 5].collective,
               models[random() % models.size()]);
    const Node left_out = random() % n, count = n - random() % 2;
    std::vector<Node> members;
    for (Node x = 0; x < n; ++x) {
      if (x != left_out || count == n) members.push_back(x);
    }
    s.members = {members, topology};
    s.root = members[0];
    s.cut(1 + random() % 2);
    std::uint64_t chunks = 0;
    for (Node x = 0; x < n; ++x) chunks += count_initial(s, x);
    if (n * chunks > 24) continue;
    CAPTURE(edges, s.members.text(), to_string(s.collective()), s.pieces(),
            to_string(s.model().ports), to_string(s.model().duplex),
            to_string(s.model().switching));
    const Bound bound = chunk_bound(s, s.pieces());
    const std::uint64_t fewest = fewest_rounds(s);
    CAPTURE(bound.source);
    CHECK(bound.value <= fewest);
    ++asked;
    equal += bound.value == fewest ? 1 : 0;
  }
  CHECK(asked > 200);
  CHECK(equal * 10 > asked * 9);
}
