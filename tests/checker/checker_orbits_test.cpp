#include "broken_rules.hpp"
#include "catch.hpp"
#include "samples/schedules.hpp"

using namespace gossamer;
using namespace gossamer::samples;

namespace {

using Catch::Matchers::Contains;

Schedule on_ring(Node n, Model model, Node generator) {
  const Topology ring = Topology::parse("ring:" + std::to_string(n));
  const Node generators[] = {generator};
  return Schedule(ring, Collective::Gossip, model, Symmetry(ring, generators));
}

void check_equal(const CheckReport& a, const CheckReport& b) {
  CHECK(a.ok() == b.ok());
  CHECK(a.rounds == b.rounds);
  CHECK(a.delta_sum == b.delta_sum);
  CHECK(a.tau_sum == b.tau_sum);
  CHECK(a.transmissions == b.transmissions);
  CHECK(a.delivered == b.delivered);
  CHECK(a.expected == b.expected);
}

/// Orbits or expanded, sets of origins as bits or as trees: the result is the same.
void check_same(const Schedule& orbits) {
  CAPTURE(orbits.topology().spec(), orbits.symmetry().order(), faults_of(orbits));
  const CheckReport report = check(orbits);
  check_equal(report, check(expanded(orbits)));
  for (const Schedule& schedule : {orbits, expanded(orbits)}) {
    const CheckReport bits = check(schedule, 1000, OriginSets::Bits);
    const CheckReport trees = check(schedule, 1000, OriginSets::Trees);
    check_equal(bits, report);
    check_equal(trees, report);
    CHECK(trees.carried == bits.carried);
    CHECK(trees.faults.size() == bits.faults.size());
  }
}

}  // namespace

TEST_CASE("a ring held as one orbit is the ring transfer by transfer") {
  const Node n = GENERATE(2, 3, 7, 64, 65);
  CHECK(test::broken_rules(ring_orbits(n)) == "");
  check_same(ring_orbits(n));
  CHECK(text_of(ring_orbits(n)).size() == text_of(ring_expanded(n)).size());
}

TEST_CASE("legal random schedules are judged alike as orbits and expanded") {
  std::mt19937 random(1);
  int complete = 0;
  for (int i = 0; i < 60; ++i) {
    const Schedule s = random_legal(random);
    check_same(s);
    complete += check(s).ok() ? 1 : 0;
  }
  CHECK(complete > 10);
}

TEST_CASE("wild random schedules are judged alike as orbits and expanded") {
  std::mt19937 random(2);
  for (int i = 0; i < 300; ++i) check_same(random_wild(random));
}

TEST_CASE("an orbit clashes with itself where it uses arcs of one class twice") {
  Schedule s = on_ring(6, {PortModel::All, Duplex::Full, Switching::Circuit, true}, 1);
  s.add_everything(1, std::vector<Node>{0, 1, 2});
  CHECK_THAT(faults_of(s), Contains("already carries a translation of the same transfer"));
  Schedule apart = on_ring(6, {PortModel::All, Duplex::Full, Switching::Circuit, true}, 2);
  apart.add_everything(1, std::vector<Node>{0, 1, 2});
  CHECK_THAT(faults_of(apart), !Contains("link"));
}

TEST_CASE("an orbit uses both directions of a half-duplex link that it turns around") {
  const Topology torus = Topology::parse("torus:2x2");
  const Node generators[] = {1};
  Schedule s(torus, Collective::Gossip, {PortModel::All, Duplex::Half, Switching::Packet, true},
             Symmetry(torus, generators));
  s.add_everything(1, std::vector<Node>{0, 1});
  CHECK_THAT(faults_of(s), Contains("in the other direction"));
}

TEST_CASE("the ports of a class are those of each of its nodes") {
  Schedule s = on_ring(6, Model{}, 2);
  s.add_hop(1, 0, 1, 0);
  s.add_hop(1, 4, 3, 4);  // node 4 is of the class of node 0
  CHECK_THAT(faults_of(s), Contains("node 4 already takes part in the transfer 0-1"));
  Schedule receivers = on_ring(6, Model{}, 2);
  receivers.add_hop(1, 0, 1, 0);
  receivers.add_hop(1, 2, 3, 2);  // the same orbit again
  CHECK_THAT(faults_of(receivers), Contains("this arc already carries the transfer 0-1"));
}

TEST_CASE("translated sets of origins are right for any radices and shifts") {
  // One node of each class starts; its set travels along a line and must arrive translated.
  const char* spec = GENERATE("torus:3x4", "torus:70x3", "torus:5x13x2", "torus:2x2x33",
                              "hypercube:7", "ghc:5x5", "torus:49x7");
  const Topology topology = Topology::parse(spec);
  std::mt19937 random(3);
  for (int i = 0; i < 8; ++i) {
    const Node generators[] = {static_cast<Node>(random() % topology.nodes())};
    Schedule s(topology, Collective::Gossip,
               {PortModel::All, Duplex::Full, Switching::Packet, true},
               Symmetry(topology, generators));
    for (std::uint32_t r = 1; r <= 4; ++r) {
      for (Node c = 0; c < s.symmetry().classes(); ++c) {
        const Node x = s.symmetry().representative(c);
        const auto p = static_cast<Port>(random() % topology.ports());
        const Endpoint e = topology.peer(x, p);
        if (e.connected()) s.add_everything(r, std::vector<Node>{x, e.node});
      }
    }
    check_same(s);
  }
}

TEST_CASE("a ring of 65,536 nodes is checked as one orbit") {
  const CheckReport report = check(ring_orbits(65536));
  CHECK(test::broken_rules(report) == "");
  CHECK(report.rounds == 65535);
  CHECK(report.delivered == std::uint64_t{65536} * 65535);
}
