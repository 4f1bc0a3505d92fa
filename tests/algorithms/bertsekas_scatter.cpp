// Scatter and gather (Bertsekas et al. 1991, section 3).

#include <algorithm>
#include <map>
#include <set>

#include "bertsekas_play.hpp"

using namespace bertsekas_test;

TEST_CASE("in a scatter the root sends to the furthest first and no packet ever waits") {
  for (unsigned d = 1; d <= 10; ++d) {
    const Node root = static_cast<Node>(power(d) / 3);
    const Schedule schedule = kBertsekas.plan(on_cube(d, Collective::Scatter, root));
    std::map<Node, std::uint32_t> started;   // by destination: the round of the first hop
    std::map<Node, unsigned> last_distance;  // by the root's neighbour
    for (const Transfer& t : schedule.transfers()) {
      const auto path = schedule.path(t);
      const Node destination = schedule.messages(t)[0].destination;
      if (path[0] == root) {
        started[destination] = t.round;
        const unsigned distance = ones(root ^ destination);
        const auto [before, is_first] = last_distance.try_emplace(path[1], distance);
        CHECK(before->second >= distance);
        before->second = distance;
      }
      REQUIRE(t.round == started.at(destination) + ones(root ^ path[0]));
    }
    CHECK(started.size() == power(d) - 1);
  }
}

TEST_CASE("the gather is the scatter backwards in time") {
  for (unsigned d = 1; d <= 8; ++d) {
    const Node root = static_cast<Node>(power(d) - 1);
    const Schedule scatter = kBertsekas.plan(on_cube(d, Collective::Scatter, root));
    const Schedule gather = kBertsekas.plan(on_cube(d, Collective::Gather, root));
    std::set<std::vector<Node>> forwards, backwards;
    for (const Transfer& t : scatter.transfers()) {
      const auto path = scatter.path(t);
      forwards.insert(
          {scatter.rounds() + 1 - t.round, path[1], path[0], scatter.messages(t)[0].destination});
    }
    for (const Transfer& t : gather.transfers()) {
      const auto path = gather.path(t);
      backwards.insert({t.round, path[0], path[1], gather.messages(t)[0].origin});
    }
    CHECK(forwards == backwards);
  }
}
