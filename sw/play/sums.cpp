
#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "play/play.hpp"
#include "schedule/chunks.hpp"

namespace gossamer {

void play_sums(const Schedule& s, const SumVisitor& sent, const SumVisitor& comes) {
  using Parts = std::shared_ptr<const std::vector<Node>>;
  using Sums = std::vector<std::pair<Message, Parts>>;
  std::map<std::pair<Node, Message>, Parts> held;
  const auto at = [&](Node x, const Message& m) -> Parts& {
    Parts& parts = held[{x, m}];
    const std::size_t own = parts == nullptr && is_initial(s, x, m) ? 1 : 0;
    if (parts == nullptr) parts = std::make_shared<const std::vector<Node>>(own, x);
    return parts;
  };
  const auto joined = [](const Parts& a, const Parts& b) {
    std::vector<Node> both;
    std::ranges::merge(*a, *b, std::back_inserter(both));
    return std::make_shared<const std::vector<Node>>(std::move(both));
  };
  const auto sum_of_join = [&](const Transfer& t, const Message& m) {
    // What has come to a node, with what it holds; the source adds that as it stores the sum.
    std::map<Node, Parts> coming = {{s.source(t), std::make_shared<const std::vector<Node>>()}};
    const auto with_own = [&](Node x) -> Parts& {
      return coming.try_emplace(x, at(x, m)).first->second;
    };
    for (const TransferHop hop : s.hops(t)) {
      const Parts& parts = with_own(hop.from);
      sent(hop.from, m, *parts, s.round_of(t, hop));
      with_own(hop.to) = joined(with_own(hop.to), parts);
    }
    return with_own(s.source(t));
  };
  const auto send = [&](const Transfer& t) {
    Sums sums;
    for (const Message& m : s.messages(t)) {
      if (t.join) {
        sums.emplace_back(m, sum_of_join(t, m));
        continue;
      }
      sums.emplace_back(m, at(s.source(t), m));
      sent(s.source(t), m, *sums.back().second, t.round);
    }
    return std::make_shared<const Sums>(std::move(sums));
  };
  Story<std::shared_ptr<const Sums>>(s).tell(send, [&](const auto& all) {
    for (const bool whole : {false, true}) {
      for (const auto& brought : all) {
        const bool join = brought.transfer->join;
        for (const auto& [m, parts] : *brought.carried) {
          if ((!join && parts->size() == contributors(s, m)) != whole) continue;
          Parts& before = at(brought.hop.to, m);
          const Parts sum = whole ? parts : joined(before, parts);
          comes(brought.hop.to, m, join ? *sum : *parts,
                s.round_of(*brought.transfer, brought.hop));
          before = sum;
        }
      }
    }
  });
}

}  // namespace gossamer
