#include <fmt/format.h>

#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "faults/fault_sets.hpp"
#include "faults/reference.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

/// The checker has its own implementation of adaptive schedules.
void compare_with_checker(Scheme& scheme, const FaultSet& faults) {
  CAPTURE(scheme.name(), to_string(faults));
  const Outcome outcome = scheme.play(faults);
  scheme.schedule.faults = faults;
  const CheckReport report = check(scheme.schedule);
  REQUIRE(report.ok() == outcome.missing.empty());
  REQUIRE(report.missing == outcome.missing);
  REQUIRE(report.transmissions == outcome.crossed);
  REQUIRE(report.expected == outcome.expected);
  REQUIRE(report.delivered == outcome.delivered());
  for (std::size_t t = 0; t < report.carried.size(); ++t) {
    REQUIRE(report.carried[t] == outcome.carried(t));
  }
}

Schedule plan_on(const std::string& topology, const std::string& name, Collective collective,
                 PortModel ports = PortModel::Single) {
  Request request{.topology = Topology::parse(topology), .cycle = {}};
  request.collective = collective;
  request.ports = ports;
  return algorithm(name).plan(request);
}

Schedule with_faults(const Schedule& schedule, const std::string& text) {
  Schedule faulty = without_orbits(schedule);
  faulty.faults = parse_faults(text, schedule.topology(), 1);
  return faulty;
}

}  // namespace

TEST_CASE("model and checker agree on every transfer, with any faults from any round on") {
  const unsigned d = GENERATE(1u, 2u, 3u, 4u, 5u);
  std::mt19937 random(d);
  for (Scheme& scheme : schemes(d, d - 1)) {
    const auto all = elements(scheme.schedule.topology(), {true, true, true}, scheme.spared());
    for (unsigned i = 0; i < 60; ++i) {
      FaultSet faults =
          random_set(all, random() % std::min<std::size_t>(2 * d, all.size()), random);
      faults.from_round = i % 2 == 0 ? 1 : 1 + random() % (scheme.schedule.rounds() + 1);
      compare_with_checker(scheme, faults);
    }
  }
}

TEST_CASE("a dead sender's words cross no link, words to a dead receiver do") {
  const Scheme scheme("chau-fu", 2, Collective::Broadcast, PortModel::Single, 1);
  // Round 1 is 0-1, 2-3 (dimension 1), round 2 is 0-2, 1-3; transfer v of a round starts at v.
  const auto outcome = [&](const std::string& text) {
    return scheme.play(parse_faults(text, scheme.schedule.topology(), 1));
  };
  CHECK(outcome("nodes=1").carried(0) == 1);
  CHECK_FALSE(outcome("nodes=1").held(3, 1));
  CHECK(outcome("nodes=1").carried(4 + 1) == 0);
  CHECK(outcome("arcs=0>1").carried(0) == 0);
  CHECK(outcome("arcs=1>0").carried(0) == 1);
  CHECK(outcome("nodes=1;from=2").carried(0) == 1);
  CHECK(outcome("none").carried(4 + 1) == 1);
  CHECK(outcome("nodes=1;from=2").carried(4 + 1) == 0);
}

TEST_CASE("two neighbours may send each other the same message in one round") {
  const Scheme scheme("chau-fu", 2, Collective::Broadcast, PortModel::Single, 1);
  const Outcome outcome = scheme.play({});
  // In round 3 (dimension 1 again) 2 and 3 hold the message, 2 from 0 and 3 from 1.
  CHECK(outcome.carries(8 + 2, 0));
  CHECK(outcome.carries(8 + 3, 0));
  CHECK_FALSE(outcome.carries(8 + 0, 0));
  CHECK(outcome.most == std::vector<std::uint32_t>{1, 1, 1, 0});
  CHECK(outcome.crossed == 5);
}

TEST_CASE("a node that has not heard of the initiator sends nothing") {
  const Scheme scheme("chau-fu-initiated", 2, Collective::Gossip, PortModel::Single, 1);
  const FaultSet cut_off = parse_faults("links=0-1,1-3", scheme.schedule.topology(), 1);
  const Outcome outcome = scheme.play(cut_off);
  for (std::size_t t = 0; t < scheme.schedule.transfers().size(); ++t) {
    if (scheme.schedule.path(scheme.schedule.transfers()[t])[0] == 1)
      CHECK(outcome.carried(t) == 0);
  }
  // Without an initiator it sends, though nothing arrives.
  const Scheme together("chau-fu", 2, Collective::Gossip, PortModel::Single, 1);
  const Outcome all = together.play(parse_faults("arcs=0>1,3>1", scheme.schedule.topology(), 1));
  CHECK(all.held(0, 1));
  CHECK_FALSE(all.held(1, 0));
}

TEST_CASE("the checker says which messages are missing") {
  Scheme scheme("chau-fu", 3, Collective::Gossip, PortModel::Single, 2);
  scheme.schedule.faults = parse_faults("nodes=1,2,4", scheme.schedule.topology(), 1);
  const CheckReport report = check(scheme.schedule);
  REQUIRE(report.faults.size() == 1);
  CHECK(to_string(report.faults[0]) ==
        "round 6: 8 of 20 messages are missing at healthy nodes: node 0 lacks 3, 5-7 (4); nodes 3 "
        "and "
        "5-7 lack 0");
  CHECK(report.missing.size() == 8);
  CHECK(report.missing[4] == MissingPair{3, 0});
}

TEST_CASE("a schedule that lists its messages loses what must pass a dead element") {
  const Schedule ring = plan_on("ring:5", "ring", Collective::Gossip);
  CHECK(test::broken_rules(with_faults(ring, "none")) == "");
  const CheckReport dead_node = check(with_faults(ring, "nodes=2"));
  CHECK(dead_node.expected == 12);
  CHECK(test::broken_rules(dead_node) != "");
  CHECK(dead_node.delivered == 12 - dead_node.missing.size());
  CHECK(dead_node.missing.front() == MissingPair{0, 1});
  const CheckReport late = check(with_faults(ring, "nodes=2;from=100"));
  CHECK(test::broken_rules(late) == "");
  CHECK(late.expected == 12);
  CHECK(late.transmissions == check(ring).transmissions);
}

TEST_CASE("a broadcast past a dead leaf still reaches everybody healthy") {
  const Schedule schedule =
      plan_on("hypercube:3", "bertsekas", Collective::Broadcast, PortModel::All);
  const CheckReport leaf = check(with_faults(schedule, "nodes=7"));
  CHECK(test::broken_rules(leaf) == "");
  CHECK(leaf.expected == 6);
  CHECK(test::broken_rules(with_faults(schedule, "nodes=1")) != "");
}

TEST_CASE("a circuit ends at the first dead element on its way") {
  Schedule schedule(Topology::parse("path:4"), Collective::Broadcast,
                    {PortModel::All, Duplex::Full, Switching::Circuit, true});
  const Message root[] = {{0}};
  const Node far[] = {0, 1, 2, 3}, near[] = {0, 1}, last[] = {1, 2};
  schedule.add(1, far, root);
  schedule.add(2, near, root);
  schedule.add(3, last, root);
  CHECK(check(schedule).transmissions == 5);
  schedule.faults = parse_faults("arcs=2>3", schedule.topology(), 1);
  const CheckReport report = check(schedule);
  CHECK(report.missing == std::vector<MissingPair>{{3, 0}});
  CHECK(report.transmissions == 4);
}

TEST_CASE("of a tree what is behind a dead element is lost, and nothing else") {
  Schedule schedule(Topology::parse("mesh:3x3"), Collective::Broadcast,
                    {PortModel::All, Duplex::Full, Switching::Circuit, false});
  const Message root[] = {{0}};
  const std::uint32_t none = TransferHop::kNone;
  const Branch tree[] = {{1, none}, {3, none}, {2, 0}, {4, 0}, {6, 1}, {5, 3}, {7, 3}, {8, 5}};
  schedule.add_tree(1, 0, tree, root);
  const auto with = [&](const std::string& faults) {
    schedule.faults = parse_faults(faults, schedule.topology(), 1);
    return check(schedule);
  };
  CHECK(with("none").transmissions == 8);
  CHECK(with("nodes=4").missing == std::vector<MissingPair>{{5, 0}, {7, 0}, {8, 0}});
  CHECK(with("nodes=4").transmissions == 5);  // the link to the dead node is crossed
  CHECK(with("arcs=4>5").missing == std::vector<MissingPair>{{5, 0}, {8, 0}});
  CHECK(with("arcs=4>5").transmissions == 6);
  CHECK(with("nodes=8").missing.empty());
}

TEST_CASE("a pipelined word is lost at a link that is dead when it comes there") {
  Schedule schedule(Topology::parse("path:4"), Collective::Broadcast,
                    {PortModel::All, Duplex::Full, Switching::Pipelined, true});
  const Message root[] = {{0}};
  const Node far[] = {0, 1, 2, 3}, near[] = {0, 1}, last[] = {1, 2};
  schedule.add(1, far, root);  // crosses its third link in slot 3
  schedule.add(2, near, root);
  schedule.add(9, last, root);  // long after node 1 has stored it
  const auto crossed = [&](const std::string& faults) {
    schedule.faults = parse_faults(faults, schedule.topology(), 1);
    return check(schedule).transmissions;
  };
  CHECK(crossed("none") == 5);
  CHECK(crossed("arcs=2>3") == 4);
  CHECK(crossed("arcs=2>3;from=3") == 4);
  CHECK(crossed("arcs=2>3;from=4") == 5);
}

TEST_CASE("root and initiator must be healthy, and faults leave no orbits") {
  Scheme broadcast("chau-fu", 3, Collective::Broadcast, PortModel::Single, 2);
  broadcast.schedule.faults.nodes = {0};
  CHECK(check(broadcast.schedule).faults.at(0).text == "node 0 is the root; it must be healthy");
  Scheme initiated("chau-fu-initiated", 3, Collective::Gossip, PortModel::Single, 2);
  initiated.schedule.faults.nodes = {0};
  CHECK(check(initiated.schedule).faults.at(0).text ==
        "node 0 is the initiator; it must be healthy");
  Schedule ring = plan_on("ring:5", "ring", Collective::Gossip);
  REQUIRE(ring.symmetry().order() > 1);
  ring.faults.nodes = {0};
  CHECK(check(ring).faults.at(0).text == "faults leave no translations: use the trivial symmetry");
}
