// The classes R_kn, the numbers n(t) and the multinode broadcast (Bertsekas et al. 1991, section
// 2).

#include <algorithm>
#include <map>
#include <set>

#include "bertsekas_play.hpp"

using namespace bertsekas_test;
using bertsekas::all_ones;
using bertsekas::m_of;
using bertsekas::rotate_left;
using bertsekas::unit;

namespace {

std::uint64_t binomial(unsigned n, unsigned k) {
  std::uint64_t value = 1;
  for (unsigned i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return value;
}

std::set<Node> rotations(Node t, unsigned d) {
  std::set<Node> all;
  for (unsigned by = 0; by < d; ++by) all.insert(rotate_left(t, by, d));
  return all;
}

}  // namespace

TEST_CASE("the classes R_kn are the rotation classes of the strings with k ones, R_k1 first") {
  for (unsigned d = 1; d <= 14; ++d) {
    std::set<Node> seen;
    std::map<unsigned, std::uint64_t> strings;
    unsigned k = 0;
    for (const auto& [smallest, size] : bertsekas::rotation_classes(d)) {
      CAPTURE(d, smallest);
      const std::set<Node> members = rotations(smallest, d);
      REQUIRE(members.size() == size);
      REQUIRE(d % size == 0);
      REQUIRE(*members.begin() == smallest);
      for (const Node t : members) REQUIRE(seen.insert(t).second);
      REQUIRE(ones(smallest) >= k);  // in order of k
      if (ones(smallest) > k) {
        k = ones(smallest);
        REQUIRE(smallest == all_ones(k));  // the k rightmost bits
        REQUIRE(size == d);
      }
      strings[k] += size;
    }
    CHECK(seen.size() == power(d) - 2);
    for (const auto& [ones, count] : strings) {
      CHECK(count == binomial(d, ones));
      if (ones >= 2 && ones + 2 <= d && d >= 5) CHECK(count >= 2 * d);
    }
  }
}

TEST_CASE("every string has a number n(t), and bit m(t) of it is 1") {
  for (unsigned d = 1; d <= 14; ++d) {
    const std::vector<Node> strings = bertsekas::numbered_strings(d);
    CHECK(strings.size() == power(d));
    CHECK(std::set<Node>(strings.begin(), strings.end()).size() == power(d));
    CHECK(strings.front() == 0);
    CHECK(strings.back() == all_ones(d));
    CHECK(std::ranges::is_sorted(strings, {}, ones));
    for (Node n = 1; n < strings.size(); ++n) {
      CAPTURE(d, n, strings[n]);
      REQUIRE((strings[n] & unit(m_of(n, d))) != 0);
      const bool in_rk1 = rotations(all_ones(ones(strings[n])), d).contains(strings[n]);
      if (in_rk1 && n + 1 < strings.size()) {
        REQUIRE((strings[n] & rotate_left(unit(m_of(n, d)), d - 1, d)) == 0);
      }
    }
  }
}

TEST_CASE("each string gets the packet from one that had it in an earlier round") {
  for (unsigned d = 2; d <= 14; ++d) {
    const std::vector<Node> strings = bertsekas::numbered_strings(d);
    std::vector<Node> number(strings.size());
    for (Node n = 0; n < strings.size(); ++n) number[strings[n]] = n;
    for (Node n = 1; n < strings.size(); ++n) {
      CAPTURE(d, n, strings[n]);
      const Node parent = strings[n] ^ unit(m_of(n, d));
      const bool last = n + 1 == strings.size();
      // The paper's special case: 11...1 is a child of the second string of R_(d-1)1.
      if (last && d > 2) REQUIRE(number[parent] == n - d + 1);
      // All others are farther behind their parents, except those of R_11 and R_21, which are
      // rounds 1 and 2.
      if (!last && d >= 5 && n > 2 * d) REQUIRE(n - number[parent] > d);
      REQUIRE((number[parent] + d - 1) / d < (n + d - 1) / d);  // an earlier round
      if (!last && strings[n] == rotate_left(all_ones(ones(strings[n])), m_of(n, d) - 1, d)) {
        REQUIRE(rotations(all_ones(ones(parent)), d).contains(parent));  // R_k1 on R_(k-1)1
      }
    }
  }
}

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
