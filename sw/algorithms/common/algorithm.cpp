#include "algorithms/common/algorithm.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "play/play.hpp"
#include "schedule/chunks.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"

namespace gossamer {

std::vector<Serves> every(const std::vector<Collective>& collectives,
                          const std::vector<PortModel>& ports,
                          const std::vector<Duplex>& duplexes) {
  std::vector<Serves> all;
  for (const Collective collective : collectives) {
    for (const PortModel port : ports) {
      for (const Duplex duplex : duplexes) all.push_back({collective, port, duplex});
    }
  }
  return all;
}

std::optional<std::string> Algorithm::refuses(const Request& request) const {
  std::vector<Serves> left = serves;
  const auto keep = [&](auto part, auto asked) {
    std::erase_if(left, [&](const Serves& s) { return s.*part != asked; });
    return !left.empty();
  };
  if (!keep(&Serves::collective, request.collective)) {
    std::vector<std::string_view> names;
    for (const Serves& s : serves) {
      if (names.empty() || names.back() != to_string(s.collective)) {
        names.push_back(to_string(s.collective));
      }
    }
    return fmt::format("{} serves {} only, not {}", name, fmt::join(names, ", "),
                       to_string(request.collective));
  }
  if (!keep(&Serves::ports, request.ports)) {
    return name + (request.ports == PortModel::All ? " needs a single port" : " needs all ports");
  }
  if (!keep(&Serves::duplex, request.duplex)) {
    return fmt::format("{} needs {}-duplex links", name,
                       request.duplex == Duplex::Full ? "half" : "full");
  }
  if (!request.cycle.empty() && !takes_cycle) return name + " takes no cycle";
  if (request.topology.nodes() > most_nodes) {
    return fmt::format("{} plans on up to {} nodes, {} has {}", name, most_nodes,
                       request.topology.spec(), request.topology.nodes());
  }
  return needs == nullptr ? std::nullopt : needs(request);
}

Schedule Algorithm::plan(const Request& request) const {
  Schedule schedule = make(request);
  schedule.algorithm = name;
  return schedule;
}

namespace {

constexpr double kBytesOfHop = sizeof(Transfer) + 2 * sizeof(Node) + sizeof(Message);

std::uint64_t transfers(const Topology& topology, std::uint64_t order) {
  return std::uint64_t{topology.nodes()} * (topology.nodes() - 1) / order;
}

}  // namespace

void require_room_for_gossip(const Topology& topology, std::uint64_t order) {
  const std::uint64_t count = transfers(topology, order);
  require_memory(
      kBytesOfHop * static_cast<double>(count),
      fmt::format("{}: the schedule of {} transfers (translations of one another counted "
                  "once)",
                  topology.spec(), count),
      [&](double free) {
        // How the group grows with the fabric is not known: this assumes one of the same
        // order.
        const double fit = std::sqrt(free / kBytesOfHop * static_cast<double>(order));
        return fmt::format("enough for about {:.0f} nodes", fit);
      });
}

void make_room_for_gossip(Schedule& schedule) {
  const Node order = schedule.symmetry().order();
  require_room_for_gossip(schedule.topology(), order);
  schedule.reserve(transfers(schedule.topology(), order));
}

std::vector<Hop> reversed(std::vector<Hop> hops) {
  std::ranges::reverse(hops);
  const std::uint32_t rounds = hops.empty() ? 0 : hops.front().round;
  for (Hop& hop : hops) {
    hop.round = rounds + 1 - hop.round;
    std::swap(hop.from, hop.to);
    std::swap(hop.message.origin, hop.message.destination);
  }
  return hops;
}

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
    const auto take = [&](const Transfer& t) {
      stop_if_interrupted();
      kept.push_back({&t, {}, {}});
      take_messages(kept.back());
      return kept.size() - 1;
    };
    Story<std::size_t>(all_).tell(take, [&](const auto& all) {
      for (const auto& brought : all) {
        for (const std::size_t m : kept[brought.carried].numbers) held_[m][brought.hop.to] = true;
      }
    });
    std::erase_if(kept, [](const Kept& k) { return k.messages.empty(); });
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

namespace {

Node power_of_two_in(Node n) { return n & (~n + 1); }

/// By dimension: has it links through the same port of both ends?
std::vector<bool> dimensions_of_equal_ends(const Topology& topology) {
  std::vector<bool> all(topology.factors().size(), false);
  for (Port p = 0; p < topology.ports(); ++p) {
    if (port_back(topology, p) != p) continue;
    const Node end = topology.peer(0, p).node;
    for (std::size_t f = 0; f < all.size(); ++f) {
      if (topology.digit(end, f) != 0) all[f] = true;
    }
  }
  return all;
}

}  // namespace

SenderClasses::SenderClasses(const Topology& topology, Duplex duplex) {
  const auto factors = topology.factors();
  std::vector<Node> weights(factors.size(), 0);
  if (duplex == Duplex::Half) {
    const std::vector<bool> equal_ends = dimensions_of_equal_ends(topology);
    for (std::size_t f = 0; f < factors.size(); ++f) {
      if (!equal_ends[f] || power_of_two_in(factors[f].nodes) <= count_) continue;
      count_ = power_of_two_in(factors[f].nodes);
      unit_ = topology.stride(f);
    }
    for (std::size_t f = 0; f < factors.size(); ++f) {
      if (equal_ends[f]) weights[f] = count_ / power_of_two_in(factors[f].nodes);
    }
  }
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const Node step = topology.stride(f);
    const bool is_unit = step == unit_;
    generators_.push_back(is_unit ? count_ % factors[f].nodes * step
                                  : topology.translate(step, topology.negate(weights[f] * unit_)));
  }
  if (count_ == 1) return;
  class_of_.assign(topology.nodes(), 0);
  for (Node x = 0; x < topology.nodes(); ++x) {
    stop_if_interrupted();
    for (std::size_t f = 0; f < factors.size(); ++f) {
      class_of_[x] = (class_of_[x] + topology.digit(x, f) * weights[f]) % count_;
    }
  }
}

}  // namespace gossamer
