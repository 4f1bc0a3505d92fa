// Which messages a collective has, who holds them and who must get them, beside the plain
// definition of each collective; and where a message comes from that was sent too early.
#include <algorithm>
#include <array>

#include "catch.hpp"
#include "checker/rules.hpp"
#include "schedule/chunks.hpp"

using namespace gossamer;

namespace {

using Pairs = std::vector<std::pair<Node, Node>>;

std::pair<Node, Node> pair_of(const Message& m) { return {m.origin, m.destination}; }

}  // namespace

TEST_CASE("terms: what a node holds before the first round, and must hold after the last") {
  constexpr Node kAll = 5, kRoot = 2;
  // One group, with the root 2, or several, with the first node of each as its root.
  using Groups = std::vector<std::vector<Node>>;
  const std::vector<Groups> all_groups = {
      {{0, 1, 2, 3, 4}}, {{0, 2, 3}}, {{2}}, {{2, 0}, {4, 1}}, {{3}, {2, 0, 1, 4}}};
  for (const Collective c : {Collective::Gossip, Collective::Broadcast, Collective::Scatter,
                             Collective::Gather, Collective::TotalExchange}) {
    for (std::size_t way = 0; way < 3 * all_groups.size(); ++way) {
      const Groups& groups = all_groups[way % all_groups.size()];
      const auto group_of = [&](Node x) {
        const auto has = [x](const auto& group) {
          return std::ranges::find(group, x) != group.end();
        };
        return std::ranges::find_if(groups, has) - groups.begin();
      };
      const auto is_member = [&](Node x) {
        return group_of(x) < static_cast<std::ptrdiff_t>(groups.size());
      };
      const auto together = [&](Node x, Node y) {
        return x != y && is_member(x) && group_of(x) == group_of(y);
      };
      const auto is_root = [&](Node x) {
        return groups.size() == 1 ? x == kRoot
                                  : groups[static_cast<std::size_t>(group_of(x))].front() == x;
      };
      Schedule s(Topology::parse("ring:5"), c, Model{});
      s.root = kRoot;
      s.members = Members(groups, s.topology());
      // Equally long; by origins; by origins and destinations. Some have no flits.
      if (way / all_groups.size() == 1) s.sizes = Sizes(kAll, {3, 0, 1, 0, 2});
      if (way / all_groups.size() == 2 && !same_to_all(c)) {
        std::vector<std::uint32_t> flits;
        for (std::uint32_t i = 0; i < kAll * kAll; ++i) flits.push_back(i % 3 * (i % 4));
        s.sizes = Sizes(kAll, std::move(flits));
      }
      // All messages of the collective: from whom, and for whom.
      Pairs messages;
      for (Node from = 0; from < kAll; ++from) {
        if (!is_member(from)) continue;
        if (c == Collective::Gossip) messages.emplace_back(from, kNoNode);
        if (c == Collective::Broadcast && is_root(from)) messages.emplace_back(from, kNoNode);
        for (Node to = 0; to < kAll; ++to) {
          if (!together(from, to)) continue;
          if (c == Collective::Scatter && is_root(from)) messages.emplace_back(from, to);
          if (c == Collective::Gather && is_root(to)) messages.emplace_back(from, to);
          if (c == Collective::TotalExchange) messages.emplace_back(from, to);
        }
      }
      if (!s.sizes.equal()) {
        std::erase_if(messages, [&](const auto& m) { return s.sizes.of(m.first, m.second) == 0; });
      }
      for (Node from = 0; from < kAll; ++from) {  // what is a message, and what is none
        for (Node to = 0; to <= kAll; ++to) {
          const Message m{from, to == kAll ? kNoNode : to};
          const bool is = std::ranges::find(messages, pair_of(m)) != messages.end();
          CHECK(why_no_chunk(s, m).has_value() == !is);
        }
      }
      for (const auto& [from, to] : messages) {
        std::vector<Node> receivers, wanted;
        for_each_receiver(s, {from, to}, [&](Node x) { receivers.push_back(x); });
        for (Node x = 0; x < kAll; ++x) {
          if (together(from, x) && (to == x || to == kNoNode)) wanted.push_back(x);
        }
        CHECK(receivers == wanted);
      }
      for (Node x = 0; x < kAll; ++x) {
        CAPTURE(to_string(c), groups, x);
        Pairs held, wanted, initial, expected;
        for (const auto& [from, to] : messages) {
          const Message m{from, to};
          const bool wants = together(from, x) && (to == x || to == kNoNode);
          if (from == x) held.emplace_back(from, to);
          if (wants) wanted.emplace_back(from, to);
          CHECK(is_initial(s, x, m) == (from == x));
          CHECK(is_expected(s, x, m) == wants);
        }
        for_each_initial(s, x, [&](const Message& m) { initial.push_back(pair_of(m)); });
        CHECK(initial == held);
        CHECK(count_initial(s, x) == held.size());
        CHECK(count_expected(s, x) == wanted.size());
        for (std::size_t most = 1; most <= kAll; ++most) {  // until enough was seen
          expected.clear();
          for_each_expected(s, x, [&](const Message& m) {
            expected.push_back(pair_of(m));
            return expected.size() < most;
          });
          CHECK(expected ==
                Pairs(wanted.begin(),
                      wanted.begin() + static_cast<std::ptrdiff_t>(std::min(most, wanted.size()))));
        }
      }
    }
  }
}

TEST_CASE("terms: a message that is sent too early is looked for in every transfer") {
  Schedule s(Topology::parse("ring:6"), Collective::Gossip, Model{});
  s.add_hop(1, 4, 5, 4);
  s.add(2, std::array<Node, 2>{0, 1}, std::array{Message{5}, Message{0}});
  s.add_hop(3, 1, 2, 3);
  s.add_hop(4, 0, 1, 3);
  const auto why = [&](std::size_t transfer, Node origin) {
    return checking::not_held_text(s, s.transfers()[transfer], {origin});
  };
  CHECK(why(2, 3) ==
        "node 1 sends message 3 but does not hold it when the round starts; a transfer of round 4 "
        "takes it there");
  CHECK(why(2, 0) ==
        "node 1 sends message 0 but does not hold it when the round starts; a transfer of round 2 "
        "takes it there");
  CHECK(why(2, 2) ==
        "node 1 sends message 2 but does not hold it when the round starts; no transfer that lists "
        "it takes it there");
}
