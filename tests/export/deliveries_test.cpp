#include "export/deliveries.hpp"

#include <algorithm>

#include "catch.hpp"
#include "export/plans.hpp"
#include "support/error.hpp"

using namespace gossamer;
using export_test::planned;

TEST_CASE(
    "a pipelined transfer ends in the round of its last hop, and is sent on when it is stored") {
  const Model model{PortModel::All, Duplex::Full, Switching::Pipelined, /*combining=*/false};
  Schedule schedule(Topology::parse("path:4"), Collective::Broadcast, model);
  const Message message[] = {{.origin = 0}};
  const Node far[] = {0, 1, 2}, near[] = {0, 1}, last[] = {2, 3};
  schedule.add(1, far, message);
  schedule.add(2, near, message);
  schedule.add(5, last, message);
  const auto all = deliveries(schedule);
  REQUIRE(all.size() == 3);
  CHECK(all[0].arrival == 2);
  CHECK(all[1].arrival == 2);
  CHECK(all[2].needs == std::vector<std::uint32_t>{0});
  CHECK(all[0].to == 2);
  CHECK(all[0].out == all[1].out);
  // A round earlier node 2 has nothing to send on.
  Schedule early(Topology::parse("path:4"), Collective::Broadcast,
                 {PortModel::All, Duplex::Full, Switching::Pipelined, /*combining=*/true});
  early.add(1, far, message);
  early.add_everything(4, last, 0);
  CHECK(deliveries(early)[1].messages.empty());
}

TEST_CASE("a tree is a delivery to each node that stores what comes") {
  const Model model{PortModel::All, Duplex::Full, Switching::Pipelined, /*combining=*/false};
  Schedule schedule(Topology::parse("path:4"), Collective::Broadcast, model);
  schedule.root = 1;
  const Message message[] = {{.origin = 1}};
  const std::uint32_t none = TransferHop::kNone;
  const Branch tree[] = {{0, none}, {2, none, /*stored=*/false}, {3, 1}};
  const Node last[] = {3, 2};
  schedule.add_tree(1, 1, tree, message);
  schedule.add(5, last, message);
  const auto all = deliveries(schedule);
  REQUIRE(all.size() == 3);
  for (const Delivery& d : {all[0], all[1]}) {
    CHECK(d.from == 1);
    CHECK(d.needs.empty());
  }
  CHECK(all[0].to == 0);
  CHECK(all[0].arrival == 1);
  CHECK(all[1].to == 3);
  CHECK(all[1].arrival == 2);
  CHECK(all[1].out == schedule.topology().port_to(1, 2));
  CHECK(all[1].in == schedule.topology().port_to(3, 2));
  CHECK(all[2].needs == std::vector<std::uint32_t>{1});
}

TEST_CASE("orbits are expanded, and everything is what the source holds when the round starts") {
  const auto all = deliveries(planned("torus:5x5", "lee-code", "gossip"));
  // 20 nodes send to the 5 of the code, these to 4 others and then to their neighbours.
  REQUIRE(all.size() == 20 + 20 + 20);
  const std::size_t carried[] = {1, 5, 25}, needs[] = {0, 4, 8};
  for (const Delivery& d : all) {
    CHECK(d.messages.size() == carried[d.round - 1]);
    CHECK(d.needs.size() == needs[d.round - 1]);
    CHECK(std::ranges::is_sorted(d.messages));
    for (const std::uint32_t need : d.needs) {
      CHECK(all[need].to == d.from);
      CHECK(all[need].arrival < d.round);
    }
  }
}

TEST_CASE("adaptive schedules are refused: their content is not known in advance") {
  const Schedule schedule = planned("hypercube:3", "chau-fu", "gossip");
  CHECK_THROWS_AS(deliveries(schedule), InputError);
}
