#include "algorithms/common/excerpt.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schedule/chunks.hpp"
#include "support/job.hpp"

namespace gossamer {
namespace {

/// Nodes by message.
using NodesOf = std::vector<std::vector<bool>>;

/// A transfer, and which of its messages and arcs are needed.
struct Kept {
  const Transfer* transfer;
  std::vector<Message> messages;
  std::vector<std::size_t> numbers;  ///< of these
  std::vector<Branch> branches = {};
};

class Excerpt {
 public:
  Excerpt(const Schedule& all, Schedule empty)
      : all_(all), excerpt_(std::move(empty)), numbers_(all.pieces()) {
    const Node nodes = all.topology().nodes();
    for (Node x = 0; x < nodes; ++x) {
      for_each_initial(excerpt_, x, [&](const Message& m) {
        const auto [place, is_new] = number_of_.try_emplace(numbers_.number(m), messages_.size());
        if (is_new) {
          messages_.push_back(m);
          held_.emplace_back(nodes, false);
          needed_.emplace_back(nodes, false);
          for_each_receiver(excerpt_, m, [&](Node to) { needed_.back()[to] = true; });
        }
        held_[place->second][x] = true;
      });
    }
  }

  Schedule made() {
    std::vector<Kept> kept = what_carries_something();
    for (auto last = kept.rbegin(); last != kept.rend();) {
      auto first = last;
      for (; first != kept.rend() && first->transfer->round == last->transfer->round; ++first) {
        keep_needed(*first);
      }
      for (; last != first; ++last) {
        for (const std::size_t m : last->numbers) {
          needed_[m][all_.source(*last->transfer)] = true;
        }
      }
    }
    std::uint32_t before = 0, round = 0;
    for (const Kept& k : kept) {
      if (k.messages.empty()) continue;
      const std::uint32_t next = k.transfer->round;
      // Slots of a hop are counted from the first one; other rounds without transfers are left out.
      const bool pipelined = all_.model().switching == Switching::Pipelined;
      if (next != before) round += pipelined && before != 0 ? next - before : 1;
      before = next;
      add(round, k);
    }
    return std::move(excerpt_);
  }

 private:
  /// In each transfer the messages that its source has, or in a reduction has parts of.
  std::vector<Kept> what_carries_something() {
    std::vector<Kept> kept;
    const auto transfers = all_.transfers();
    for (std::size_t first = 0, last = 0; first < transfers.size(); first = last) {
      stop_if_interrupted();
      const std::size_t before = kept.size();
      for (; last < transfers.size() && transfers[last].round == transfers[first].round; ++last) {
        Kept one{&transfers[last], {}, {}};
        take_messages(one);
        if (!one.messages.empty()) kept.push_back(std::move(one));
      }
      for (std::size_t k = before; k < kept.size(); ++k) {
        for (const TransferHop hop : all_.stored_hops(*kept[k].transfer)) {
          for (const std::size_t m : kept[k].numbers) held_[m][hop.to] = true;
        }
      }
    }
    return kept;
  }

  void take_messages(Kept& one) const {
    const Node source = all_.source(*one.transfer);
    const auto take = [&](std::size_t number) {
      if (!held_[number][source]) return;
      one.numbers.push_back(number);
      one.messages.push_back(messages_[number]);
    };
    if (one.transfer->carry != Carry::Listed) {
      for (std::size_t m = 0; m < messages_.size(); ++m) take(m);
    }
    for (const Message& m : all_.messages(*one.transfer)) {
      if (const auto found = number_of_.find(numbers_.number(m)); found != number_of_.end()) {
        take(found->second);
      }
    }
  }

  /// Leaves out what nobody behind a hop wants or sends on later.
  void keep_needed(Kept& k) {
    const TransferHops hops = all_.hops(*k.transfer);
    const auto is_needed = [&](const TransferHop& hop, std::size_t m) {
      return hop.stored && needed_[m][hop.to];
    };
    for (std::size_t i = k.numbers.size(); i-- > 0;) {
      const std::size_t m = k.numbers[i];
      if (std::ranges::any_of(hops, [&](const TransferHop& h) { return is_needed(h, m); }))
        continue;
      k.numbers.erase(k.numbers.begin() + static_cast<std::ptrdiff_t>(i));
      k.messages.erase(k.messages.begin() + static_cast<std::ptrdiff_t>(i));
    }
    std::vector<bool> stores(hops.size()), used(hops.size());
    for (std::uint32_t i = hops.size(); i-- > 0;) {
      stores[i] =
          std::ranges::any_of(k.numbers, [&](std::size_t m) { return is_needed(hops[i], m); });
      used[i] = used[i] || stores[i];
      if (used[i] && hops[i].before != TransferHop::kNone) used[hops[i].before] = true;
    }
    std::vector<std::uint32_t> branch(hops.size());
    for (std::uint32_t i = 0; i < hops.size(); ++i) {
      if (!used[i]) continue;
      const std::uint32_t before = hops[i].before;
      branch[i] = static_cast<std::uint32_t>(k.branches.size());
      k.branches.push_back(
          {hops[i].to, before == TransferHop::kNone ? before : branch[before], stores[i]});
    }
  }

  void add(std::uint32_t round, const Kept& k) {
    const Node source = all_.source(*k.transfer);
    if (k.transfer->tree) {
      excerpt_.add_tree(round, source, k.branches, k.messages);
      return;
    }
    std::vector<Node> path = {source};
    for (const Branch& b : k.branches) path.push_back(b.to);
    excerpt_.add(round, path, k.messages);
  }

  const Schedule& all_;
  Schedule excerpt_;
  MessageNumbers numbers_;
  std::unordered_map<std::uint64_t, std::size_t> number_of_;
  std::vector<Message> messages_;
  NodesOf held_;    ///< or parts of it
  NodesOf needed_;  ///< from here on
};

}  // namespace

std::optional<std::string> why_no_excerpt(const Algorithm& algorithm, const Request& request) {
  constexpr Node kMost = 1024, kMostOfPairs = 256;
  const bool several = request.members.several() && has_root(request.collective);
  const bool pairs = request.collective == Collective::TotalExchange;
  if (algorithm.tolerates == nullptr && !several &&
      request.topology.nodes() <= (pairs ? kMostOfPairs : kMost)) {
    return std::nullopt;
  }
  return algorithm.name + (request.members.all() ? " serves messages that are equally long"
                                                 : " serves all nodes, not a group of members");
}

Request for_all_nodes(Request request) {
  request.members = {};
  request.sizes = {};
  return request;
}

Schedule excerpt(const Schedule& all, const Request& request) {
  const Schedule whole = without_orbits(all);
  Schedule empty = without_transfers(whole, whole.topology());
  empty.members = request.members;
  empty.sizes = request.sizes;
  return Excerpt(whole, std::move(empty)).made();
}

}  // namespace gossamer
