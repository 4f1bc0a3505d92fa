#include <algorithm>

#include "algorithms/common/all.hpp"
#include "algorithms/single_port/single_port.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "play.hpp"

using namespace gossamer;
using namespace gossamer::test;

TEST_CASE("ring meets the lower bound on rings of 2 to 40 nodes, sending in order of arrival") {
  const Duplex duplex = GENERATE(Duplex::Full, Duplex::Half);
  for (Node n = 2; n <= 40; ++n) {
    const Request request = gossip_on(fmt::format("ring:{}", n), duplex);
    CAPTURE(n, to_string(duplex));
    REQUIRE_FALSE(kRing.refuses(request));
    const Schedule schedule = kRing.plan(request);
    CHECK(schedule.rounds() == single_port_bound(n, duplex));
    CHECK(kRing.formula(request).rounds == single_port_bound(n, duplex));
    for (const auto& words : words_sent(schedule)) CHECK(std::ranges::is_sorted(words));
    CHECK(test::broken_rules(schedule) == "");
  }
}

TEST_CASE("in an odd half-duplex ring one node rests in each step, the one before a sender") {
  for (Node n = 3; n <= 21; n += 2) {
    const Schedule schedule = kRing.plan(gossip_on(fmt::format("ring:{}", n), Duplex::Half));
    std::vector<std::vector<Node>> senders(schedule.rounds() + 1);
    for (const Transfer& t : schedule.transfers()) {
      senders[t.round].push_back(schedule.path(t)[0]);
    }
    for (Node j = 1; j <= schedule.rounds(); ++j) {
      CAPTURE(n, j);
      std::vector<Node> expected;  // j, j+2, ..., j+n-3
      for (Node k = 0; k + 3 <= n; k += 2) expected.push_back((j + k) % n);
      std::sort(expected.begin(), expected.end());
      REQUIRE(senders[j] == expected);
    }
  }
}

TEST_CASE("a buffer of two messages is enough in half duplex, and one in full duplex") {
  const Duplex duplex = GENERATE(Duplex::Full, Duplex::Half);
  for (Node n = 2; n <= 21; ++n) {
    const Schedule schedule = kRing.plan(gossip_on(fmt::format("ring:{}", n), duplex));
    std::vector<int> buffered(n, 1);  // received or own, and not yet sent on
    const auto transfers = schedule.transfers();
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      for (const Node by : schedule.symmetry().elements()) {
        const Topology& ring = schedule.topology();
        --buffered[ring.translate(schedule.path(transfers[i])[0], by)];
        ++buffered[ring.translate(schedule.path(transfers[i])[1], by)];
      }
      const bool ends = i + 1 == transfers.size() || transfers[i + 1].round > transfers[i].round;
      if (!ends) continue;
      CAPTURE(n, to_string(duplex), transfers[i].round);
      REQUIRE(*std::min_element(buffered.begin(), buffered.end()) >= 0);
      REQUIRE(*std::max_element(buffered.begin(), buffered.end()) <=
              (duplex == Duplex::Full ? 1 : 2));
    }
  }
}
