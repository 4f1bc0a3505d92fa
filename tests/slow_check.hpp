#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <vector>

#include "schedule/schedule.hpp"

/// A second implementation of the rules of docs/use/schedule-format.md, as simple as possible:
/// every orbit expanded, sets for everything, every transfer against every other. It shares no code
/// with the checker.
namespace gossamer::test {

struct SlowCheck {
  bool legal = true;  ///< rules 1 to 7: every transfer may be sent
  std::uint64_t rounds = 0, delta_sum = 0, tau_sum = 0, transmissions = 0, delivered = 0,
                expected = 0;
  /// Messages of each transfer, and its arrival, in the order of the expanded schedule.
  std::vector<std::vector<Message>> carried;
  std::vector<std::set<Message>> held;  ///< by node, at the end
};

using OwnOrder = std::function<std::vector<Message>(Node)>;

class SlowChecker {
 public:
  /// A schedule without orbits and adaptive transfers. Faults make nothing illegal, but what a node
  /// does not hold it cannot send (`legal` is then about messages that are lost, too). `in_store`
  /// gives the order in which a node holds its own messages, which matters for "everything".
  explicit SlowChecker(const Schedule& schedule, OwnOrder in_store = {})
      : s_(schedule), n_(schedule.topology().nodes()), in_store_(std::move(in_store)) {}

  SlowCheck run() {
    held_.resize(n_);
    order_.assign(n_, std::vector<std::vector<Message>>(s_.topology().ports() + 1));
    for (Node x = 0; x < n_; ++x) {
      auto mine = own(x);
      if (in_store_) {
        const auto ordered = in_store_(x);
        if (!std::ranges::is_permutation(mine, ordered)) result_.legal = false;
        mine = ordered;
      }
      for (const Message& m : mine) hold(x, 0, m);
    }
    for (std::uint32_t round = 1; round <= last_round() + 2; ++round) play(round);
    for (Node x = 0; x < n_; ++x) {
      for (const Message& m : wanted(x)) {
        if (s_.faults.dead(x) || s_.faults.dead(m.origin)) continue;
        ++result_.expected;
        bool whole = true;
        for (std::uint32_t k = 0; k < s_.pieces(); ++k) {
          whole = whole && held_[x].contains({m.origin, m.destination, k});
        }
        result_.delivered += whole ? 1 : 0;
      }
    }
    result_.held = held_;
    return result_;
  }

 private:
  struct Hop {
    std::uint32_t round;
    Node from, to;
    bool operator==(const Hop&) const = default;
  };
  /// A node that stores what comes, the node that it comes from, and the round.
  struct End {
    Node from, at;
    std::uint32_t round;
    bool through;  ///< faults did not stop the words before
  };

  bool pipelined() const { return s_.model().switching == Switching::Pipelined; }
  bool half() const { return s_.model().duplex == Duplex::Half; }
  /// Hops from the source to the end of each hop.
  std::vector<std::uint32_t> lengths(const Transfer& t) const {
    std::vector<std::uint32_t> all;
    for (const TransferHop hop : s_.hops(t)) {
      all.push_back(hop.before == TransferHop::kNone ? 1 : all[hop.before] + 1);
    }
    return all;
  }
  std::uint32_t length(const Transfer& t) const {
    const auto all = lengths(t);
    return all.empty() ? 0 : std::ranges::max(all);
  }
  std::uint32_t end_of(const Transfer& t) const {
    return pipelined() ? t.round + length(t) - 1 : t.round;
  }
  std::vector<End> ends(const Transfer& t) const {
    std::vector<End> all;
    const auto far = lengths(t);
    const auto hops = s_.hops(t);
    const auto reached = crossed(t);
    for (std::uint32_t i = 0; i < hops.size(); ++i) {
      const std::uint32_t round = pipelined() ? t.round + far[i] - 1 : t.round;
      const bool stored = t.tree ? hops[i].stored : i + 1 == hops.size();
      if (stored) all.push_back({hops[i].from, hops[i].to, round, reached[i].through});
    }
    return all;
  }
  std::uint32_t last_round() const {
    std::uint32_t last = 0;
    for (const Transfer& t : s_.transfers()) last = std::max(last, end_of(t));
    return last;
  }

  std::vector<Message> own(Node x) const {
    std::vector<Message> all;
    for (const Message& m : own_whole(x)) {
      for (std::uint32_t k = 0; k < s_.pieces(); ++k) all.push_back({m.origin, m.destination, k});
    }
    return all;
  }
  std::vector<Message> own_whole(Node x) const {
    std::vector<Message> all;
    for (Node d = 0; d < n_; ++d) {
      if (s_.collective() == Collective::TotalExchange && d != x) all.push_back({x, d});
      if (s_.collective() == Collective::Scatter && x == s_.root && d != x) all.push_back({x, d});
    }
    if (s_.collective() == Collective::Gossip) all = {{x, kNoNode}};
    if (s_.collective() == Collective::Broadcast && x == s_.root) all = {{x, kNoNode}};
    if (s_.collective() == Collective::Gather && x != s_.root) all = {{x, s_.root}};
    return all;
  }
  std::vector<Message> wanted(Node x) const {
    std::vector<Message> all;
    for (Node y = 0; y < n_; ++y) {
      for (const Message& m : own_whole(y)) {
        if (y != x && (m.destination == x || m.destination == kNoNode)) all.push_back(m);
      }
    }
    return all;
  }

  /// Log 0: its own; log p + 1: what came in at port p. Single-port nodes have one log.
  void hold(Node x, std::size_t log, const Message& m) {
    if (s_.model().ports == PortModel::Single) log = 0;
    if (held_[x].insert(m).second) order_[x][log].push_back(m);
  }

  std::vector<Hop> hops(const Transfer& t) const {
    std::vector<Hop> all;
    const auto far = lengths(t);
    for (const TransferHop hop : s_.hops(t)) {
      all.push_back({pipelined() ? t.round + far[all.size()] - 1 : t.round, hop.from, hop.to});
    }
    return all;
  }

  bool linked(Node x, Node y) const {
    for (Port p = 0; p < s_.topology().ports(); ++p) {
      const Endpoint e = s_.topology().peer(x, p);
      if (e.connected() && e.node == y) return true;
    }
    return false;
  }

  /// A tree comes to each node once, ends where it is stored, and is unforked with a single port.
  bool tree_is_good(const Transfer& t) const {
    const auto way = hops(t);
    std::set<Node> nodes = {s_.source(t)}, tails, heads;
    for (const Hop& hop : way) {
      if (!linked(hop.from, hop.to) || !nodes.insert(hop.to).second) return false;
      if (!tails.insert(hop.from).second && s_.model().ports == PortModel::Single) return false;
    }
    for (const End& end : ends(t)) heads.insert(end.at);
    for (const Hop& hop : way) {
      if (!tails.contains(hop.to) && !heads.contains(hop.to)) return false;
    }
    return !way.empty() && (s_.model().switching != Switching::Packet || way.size() == 1);
  }

  /// Of each hop: whether the words cross its link, and whether they come to its end. A dead link
  /// or node is silent, and words on a link to a dead node are lost there.
  struct Crossed {
    bool stood, through;
  };
  std::vector<Crossed> crossed(const Transfer& t) const {
    std::vector<Crossed> all;
    const auto way = hops(t);
    for (const TransferHop hop : s_.hops(t)) {
      const bool comes = hop.before == TransferHop::kNone || all[hop.before].through;
      const bool broken = way[all.size()].round >= s_.faults.from_round;
      const bool stood = comes && !(broken && s_.faults.silent(hop.from, hop.to));
      all.push_back({stood, stood && !(broken && s_.faults.dead(hop.to))});
    }
    return all;
  }

  bool path_is_good(const Transfer& t) const {
    if (t.tree) return tree_is_good(t);
    const auto path = s_.path(t);
    if (path.size() < 2 || path.front() == path.back()) return false;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      if (!linked(path[i], path[i + 1]) || (i > 0 && path[i - 1] == path[i + 1])) return false;
    }
    return s_.model().switching != Switching::Packet || path.size() == 2;
  }

  /// Do two transfers, or two hops of one, conflict?
  bool clash(const Transfer& a, const Transfer& b) const {
    const auto one = hops(a), other = hops(b);
    for (std::size_t i = 0; i < one.size(); ++i) {
      for (std::size_t j = &a == &b ? i + 1 : 0; j < other.size(); ++j) {
        if (one[i] == other[j]) return true;
        const Hop back{other[j].round, other[j].to, other[j].from};
        if (half() && one[i] == back) return true;
      }
    }
    if (s_.model().ports == PortModel::All) return false;
    const Node from_a = s_.source(a), from_b = s_.source(b);
    if (&a != &b && a.round == b.round && from_a == from_b) return true;
    for (const End& x : ends(a)) {
      for (const End& y : ends(b)) {
        if (&a != &b && x.round == y.round && x.at == y.at) return true;
        if (half() && (a.round == y.round && from_a == y.at)) return true;
        if (half() && (b.round == x.round && from_b == x.at)) return true;
      }
    }
    return false;
  }

  bool load_is_good(const Transfer& t) const {
    if (t.carry == Carry::Everything) {
      const std::size_t messages = held_[s_.source(t)].size();
      return s_.model().combining && (pipelined() ? messages == 1 : messages > 0);
    }
    const auto messages = s_.messages(t);
    const std::set<Message> once(messages.begin(), messages.end());
    if (messages.empty() || once.size() != messages.size()) return false;
    const bool one = !s_.model().combining || pipelined();
    if (one && messages.size() != 1) return false;
    return std::ranges::all_of(messages, [&](const Message& m) {
      if (m.origin >= n_) return false;
      const auto theirs = own(m.origin);
      return std::ranges::find(theirs, m) != theirs.end() && held_[s_.source(t)].count(m) != 0;
    });
  }

  void play(std::uint32_t round) {
    std::uint64_t longest = 0, most = 0;
    const auto transfers = s_.transfers();
    for (const Transfer& t : transfers) {
      if (t.round != round) continue;
      for (const Transfer& other : transfers) {
        if (&other <= &t && path_is_good(t) && path_is_good(other) && clash(t, other)) {
          result_.legal = false;
        }
      }
      if (!path_is_good(t) || !load_is_good(t)) result_.legal = false;
      std::vector<Message> messages(s_.messages(t).begin(), s_.messages(t).end());
      if (t.carry == Carry::Everything) {
        for (const auto& log : order_[s_.source(t)]) {
          messages.insert(messages.end(), log.begin(), log.end());
        }
      }
      if (!s_.faults.empty()) {
        const auto& held = held_[s_.source(t)];
        std::erase_if(messages, [&](const Message& m) { return held.count(m) == 0; });
      }
      result_.carried.push_back(messages);
      result_.rounds = std::max<std::uint64_t>(result_.rounds, end_of(t));
      result_.transmissions +=
          std::ranges::count(crossed(t), true, &Crossed::stood) * messages.size();
      longest = std::max<std::uint64_t>(longest, length(t));
      most = std::max<std::uint64_t>(most, messages.size());
    }
    result_.delta_sum += longest;
    result_.tau_sum += most;
    for (std::size_t i = 0; i < result_.carried.size(); ++i) {
      const Transfer& t = transfers[i];
      for (const End& end : ends(t)) {
        // A pipelined message spends two rounds in the store.
        if (end.round + (pipelined() ? 2 : 0) != round || !end.through) continue;
        for (const Message& m : result_.carried[i]) {
          hold(end.at, s_.topology().port_to(end.at, end.from) + 1, m);
        }
      }
    }
  }

  const Schedule& s_;
  const Node n_;
  OwnOrder in_store_;
  std::vector<std::set<Message>> held_;
  std::vector<std::vector<std::vector<Message>>> order_;  ///< by node and log: first copies
  SlowCheck result_;
};

inline SlowCheck slow_check(const Schedule& schedule, const OwnOrder& in_store = {}) {
  const Schedule written_out =
      schedule.symmetry().order() == 1 ? schedule : without_orbits(schedule);
  return SlowChecker(written_out, in_store).run();
}

}  // namespace gossamer::test
