// The multinode broadcast (Bertsekas et al. 1991, section 2).

#include <algorithm>

#include "bertsekas_play.hpp"

using namespace bertsekas_test;
using bertsekas::m_of;
using bertsekas::unit;

TEST_CASE("without the zero beside bit m(t) the gossip of the 4-cube would not work") {
  // R_31 starts with number 11, so m = 3; its string 1110 has a 1 there, but no 0 to
  // the right of it.
  const unsigned d = 4;
  const std::vector<Node> strings = bertsekas::numbered_strings(d);
  REQUIRE(strings[11] == 0b1101);
  std::vector<Node> number(strings.size());
  for (Node n = 0; n < strings.size(); ++n) number[strings[n]] = n;
  const Node wrong = 0b1110, parent = wrong ^ unit(m_of(11, d));
  CHECK((number[parent] + d - 1) / d == (11 + d - 1) / d);  // its packet would arrive too late
}

TEST_CASE("what a gossip brings to one node is a gather with the fewest rounds and transmissions") {
  // Section 3 calls the scatter contained in the gossip complex; with time reversed it is this.
  for (unsigned d = 1; d <= 11; ++d) {
    const Schedule gossip = kBertsekas.plan(on_cube(d, Collective::Gossip));
    std::vector<Node> sender(power(d));
    for (const Transfer& t : gossip.transfers()) sender[gossip.path(t)[1]] = gossip.path(t)[0];
    Schedule gather(gossip.topology(), Collective::Gather, gossip.model());
    for (const Transfer& t : gossip.transfers()) {
      // The copy of this transfer that is on the path of node x's message to node 0, for all x.
      const Node from = gossip.path(t)[0], to = gossip.path(t)[1];
      for (Node x = 1; x < power(d); ++x) {
        Node on_way = x;
        while (on_way != 0 && on_way != to) on_way = sender[on_way];
        const Node path[] = {from ^ x, to ^ x};
        const Message message[] = {{.origin = x, .destination = 0}};
        if (on_way == to) gather.add(t.round, path, message);
      }
    }
    const CheckReport report = check(gather);
    CAPTURE(d);
    CHECK(first_fault(report) == "none");
    CHECK(report.rounds <= table_one(d, Collective::Gather).rounds);
    CHECK(report.transmissions == table_one(d, Collective::Gather).transmissions);
  }
}

TEST_CASE("2^d - 1 is divisible by d for no d from 2 to 100000") {
  for (std::uint64_t d = 2; d <= 100'000; ++d) {
    std::uint64_t rest = 1, square = 2 % d;
    for (std::uint64_t bits = d; bits != 0; bits /= 2, square = square * square % d) {
      if (bits % 2 == 1) rest = rest * square % d;
    }
    REQUIRE(rest != 1 % d);
  }
}
