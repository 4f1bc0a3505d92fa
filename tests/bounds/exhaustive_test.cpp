// Every bound on tiny graphs beside the true optimum, which is found by trying everything.
#include <fmt/format.h>

#include <random>
#include <span>

#include "bounds/bounds.hpp"
#include "brute_force.hpp"
#include "catch.hpp"
#include "random_schedules.hpp"
#include "schedule/chunks.hpp"
#include "scratch.hpp"

using namespace gossamer;

namespace {

constexpr Collective kFive[] = {Collective::Gossip, Collective::Broadcast, Collective::Scatter,
                                Collective::Gather, Collective::TotalExchange};

/// Graphs, and the collectives that can be tried out on them.
struct Tried {
  const char* spec;
  std::span<const Collective> collectives;
};
const Tried kTried[] = {{"path:2", kFive},
                        {"path:3", kFive},
                        {"ring:3", kFive},
                        {"path:4", std::span(kFive).first(4)},
                        {"ring:4", std::span(kFive).first(4)},
                        {"complete:4", std::span(kFive).subspan(1, 1)}};

}  // namespace

TEST_CASE("bounds: on tiny graphs each is never above the optimum, and mostly equal") {
  unsigned tried = 0, equal = 0;
  for (const auto& [spec, collectives] : kTried) {
    const Topology topology = Topology::parse(spec);
    for (const Collective collective : collectives) {
      for (Model model : test::all_models(/*runnable=*/false)) {
        if (model.switching == Switching::Pipelined) continue;
        const std::uint64_t bound = lower_bound_rounds(topology, collective, model);
        const std::uint64_t fewest = fewest_rounds(topology, collective, model);
        CAPTURE(spec, to_string(collective), test::name_of(model), bound);
        CHECK(bound <= fewest);
        ++tried;
        equal += bound == fewest ? 1 : 0;
      }
    }
  }
  // Whoever makes a bound weaker counts fewer.
  CHECK(tried == 16 * 24);
  CHECK(equal == 356);
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
