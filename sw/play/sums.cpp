#include "play/sums.hpp"

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
  const auto send = [&](const Transfer& t) {
    Sums sums;
    for (const Message& m : s.messages(t)) {
      sums.emplace_back(m, at(s.source(t), m));
      sent(s.source(t), m, *sums.back().second, t.round);
    }
    return std::make_shared<const Sums>(std::move(sums));
  };
  const auto store = [&](Node x, const Message& m, const Parts& parts, bool whole) {
    Parts& before = at(x, m);
    if (whole || before->empty()) {
      before = parts;
      return;
    }
    std::vector<Node> both;
    std::ranges::merge(*before, *parts, std::back_inserter(both));
    before = std::make_shared<const std::vector<Node>>(std::move(both));
  };
  Story<std::shared_ptr<const Sums>>(s).tell(send, [&](const auto& all) {
    for (const bool whole : {false, true}) {
      for (const auto& brought : all) {
        for (const auto& [m, parts] : *brought.carried) {
          if ((parts->size() == contributors(s, m)) != whole) continue;
          comes(brought.hop.to, m, *parts, brought.transfer->round);
          store(brought.hop.to, m, parts, whole);
        }
      }
    }
  });
}

}  // namespace gossamer
