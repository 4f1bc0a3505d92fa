#include "slow_check.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

namespace gossamer::test {
namespace {

class SlowChecker {
 public:
  /// `schedule`: without orbits.
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
      for (const Message& m : mine) parts_[{x, m}] = {x};
    }
    if (overused()) result_.legal = false;
    for (std::uint32_t round = 1; round <= last_round() + s_.model().hop_rounds + 1; ++round) {
      play(round);
    }
    for (Node x = 0; x < n_; ++x) {
      for (const Message& m : wanted(x)) {
        if (s_.faults.dead(x) || s_.faults.dead(m.origin)) continue;
        ++result_.expected;
        bool whole = true;
        for (const Message& piece : pieces(m)) {
          whole = whole && held_[x].contains(piece) && (!sums() || parts_[{x, piece}] == adding(m));
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
    auto operator<=>(const Hop&) const = default;
  };
  /// A node that stores what comes, the node that it comes from, and the round.
  struct End {
    Node at;
    Port in;
    std::uint32_t round;
    bool through;  ///< faults did not stop the words before
  };
  using Parts = std::set<Node>;

  bool pipelined() const { return s_.model().switching == Switching::Pipelined; }
  bool sums() const { return reduces(s_.collective()); }
  /// Rounds from the first hop of a path to one that is so far away.
  std::uint32_t later(std::uint32_t hops) const {
    return pipelined() ? (hops - 1) * s_.model().hop_rounds : 0;
  }
  bool half() const { return s_.model().duplex == Duplex::Half; }
  /// Hops from the source to the end of each hop.
  std::vector<std::uint32_t> lengths(const Transfer& t) const {
    std::vector<std::uint32_t> all;
    for (const TransferHop hop : s_.hops(t)) {
      const bool first = t.join || hop.before == TransferHop::kNone;
      all.push_back(t.join ? hop.depth + 1 : first ? 1 : all[hop.before] + 1);
    }
    return all;
  }
  std::uint32_t length(const Transfer& t) const {
    const auto all = lengths(t);
    return all.empty() ? 0 : std::ranges::max(all);
  }
  std::uint32_t end_of(const Transfer& t) const {
    return t.round + (length(t) == 0 ? 0 : later(length(t) + (t.join ? 1 : 0)));
  }
  std::vector<End> ends(const Transfer& t) const {
    if (t.join) return {{s_.source(t), s_.lane_of_join(t), end_of(t), true}};
    std::vector<End> all;
    const auto far = lengths(t);
    const auto hops = s_.hops(t);
    const auto reached = crossed(t);
    for (std::uint32_t i = 0; i < hops.size(); ++i) {
      const bool stored = t.tree ? hops[i].stored : i + 1 == hops.size();
      if (!stored) continue;
      all.push_back({hops[i].to,
                     linked(hops[i].from, hops[i].to) ? port_in(s_.topology(), hops[i]) : 0,
                     t.round + later(far[i]), reached[i].through});
    }
    return all;
  }
  std::uint32_t last_round() const {
    std::uint32_t last = 0;
    for (const Transfer& t : s_.transfers()) last = std::max(last, end_of(t));
    return last;
  }

  bool member(Node x) const { return s_.members.has(x); }
  bool together(Node x, Node y) const {
    return member(x) && member(y) && s_.members.together(x, y);
  }
  bool is_root(Node x) const { return member(x) && x == s_.root_of(x); }
  std::uint32_t flits(const Message& m) const {
    return s_.sizes.equal() ? s_.pieces() : s_.sizes.of(m.origin, m.destination);
  }
  std::vector<Message> pieces(const Message& m) const {
    std::vector<Message> all;
    for (std::uint32_t k = 0; k < std::min(s_.pieces(), flits(m)); ++k) {
      all.push_back({m.origin, m.destination, k});
    }
    return all;
  }
  /// Every message that there is, of one node.
  std::vector<Message> from(Node x) const {
    std::vector<Message> all;
    const Collective c = s_.collective();
    const bool rooted = c == Collective::Broadcast || c == Collective::Scatter ||
                        c == Collective::Reduce || c == Collective::AllReduce;
    if (!member(x) || (rooted && !is_root(x))) return all;
    if (same_to_all(c)) all = {{x, kNoNode}};
    for (Node d = 0; d < n_ && !same_to_all(c); ++d) {
      const bool to = together(x, d) && d != x && (c != Collective::Gather || is_root(d));
      if (to) all.push_back({x, d});
    }
    std::erase_if(all, [&](const Message& m) { return flits(m) == 0; });
    return all;
  }
  /// What a node holds at the start, in pieces: in a reduction its part of each sum.
  std::vector<Message> own(Node x) const {
    std::vector<Message> all;
    for (Node y = 0; y < n_; ++y) {
      if (y != x && !(sums() && together(x, y))) continue;
      for (const Message& m : from(y)) {
        for (const Message& piece : pieces(m)) all.push_back(piece);
      }
    }
    return all;
  }
  std::vector<Message> wanted(Node x) const {
    std::vector<Message> all;
    const Collective c = s_.collective();
    for (Node y = 0; y < n_; ++y) {
      if (!together(x, y)) continue;
      for (const Message& m : from(y)) {
        const bool wants = c == Collective::AllReduce ? true : sums() ? x == y : x != y;
        if (wants && (m.destination == x || m.destination == kNoNode)) all.push_back(m);
      }
    }
    return all;
  }
  /// Whose parts are in a whole sum.
  Parts adding(const Message& m) const {
    Parts all;
    for (Node x = 0; x < n_; ++x) {
      if (together(x, m.origin)) all.insert(x);
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
      all.push_back({t.round + later(far[all.size()]), hop.from, hop.to});
    }
    return all;
  }

  /// Links that lead from one node to another; `back`: those that lead either way.
  std::ptrdiff_t links(Node x, Node y, bool back = false) const {
    std::ptrdiff_t count = 0;
    for (Port p = 0; p < s_.topology().ports(); ++p) {
      const Endpoint e = s_.topology().peer(x, p);
      if (e.node == y && (back || s_.topology().sends(x, p))) ++count;
    }
    return count;
  }
  bool linked(Node x, Node y) const { return x < n_ && y < n_ && links(x, y) > 0; }

  /// Do good paths use more links or ports in a round than there are?
  bool overused() const {
    std::map<Hop, std::ptrdiff_t> links_used, lanes_used, carried;
    // By log: rounds, lanes.
    std::map<std::pair<Node, Port>, std::vector<std::pair<std::uint32_t, bool>>> stored;
    std::map<std::pair<std::uint32_t, Node>, int> sends, receives;
    for (const Transfer& t : s_.transfers()) {
      if (!path_is_good(t)) continue;
      for (const Hop& hop : hops(t)) ++links_used[hop], ++carried[hop];
      if (t.join) {
        const Node source = s_.source(t);
        const Node beside = s_.topology().peer(source, s_.lane_of_join(t)).node;
        if (++lanes_used[{end_of(t), source, s_.lane_of_join(t)}] > 1) return true;
        const bool sends = beside < n_ && s_.topology().sends(source, s_.lane_of_join(t));
        if (sends) ++links_used[{end_of(t), source, beside}];
        stored[{source, s_.lane_of_join(t)}].emplace_back(end_of(t), true);
      } else if (sums() && pipelined()) {
        for (const End& end : ends(t)) stored[{end.at, end.in}].emplace_back(end.round, false);
      }
      for (const Hop& hop : t.join ? hops(t) : std::vector<Hop>()) {
        ++sends[{hop.round, hop.from}];
        ++receives[{hop.round, hop.to}];
      }
      if (t.join) continue;
      ++sends[{t.round, s_.source(t)}];
      for (const End& end : ends(t)) ++receives[{end.round, end.at}];
    }
    const auto twice = [](const auto& use) { return use.second > 1; };
    for (const auto& [log, all] : stored) {
      for (const auto& [lane, is_lane] : all) {
        for (const auto& [comes, other] : all) {
          const bool late = lane + 1 < comes + s_.model().hop_rounds;
          if (is_lane && !other && comes <= lane && (lane == comes || late)) return true;
        }
      }
    }
    for (const auto& [hop, there] : links_used) {
      if (there > links(hop.from, hop.to)) return true;
      // The lane of a join carries nothing.
      const auto both = carried[hop] + carried[{hop.round, hop.to, hop.from}];
      if (half() && both > links(hop.from, hop.to, /*back=*/true)) return true;
    }
    if (s_.model().ports == PortModel::All) return false;
    const auto both = [&](const auto& use) { return half() && receives.contains(use.first); };
    return std::ranges::any_of(sends, twice) || std::ranges::any_of(receives, twice) ||
           std::ranges::any_of(sends, both);
  }

  /// A join takes each node's sum once, and keeps a lane that none comes in by.
  bool join_is_good(const Transfer& t) const {
    std::set<Node> nodes = {s_.source(t)};
    for (const TransferHop hop : s_.hops(t)) {
      if (!linked(hop.from, hop.to) || !nodes.insert(hop.from).second) return false;
      const bool last = hop.to == s_.source(t);
      if (last && port_in(s_.topology(), hop) == s_.lane_of_join(t)) return false;
    }
    return nodes.size() > 1 && sums() && pipelined();
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
      const bool comes = t.join || hop.before == TransferHop::kNone || all[hop.before].through;
      const bool broken = way[all.size()].round >= s_.faults.from_round;
      const bool stood = comes && !(broken && s_.faults.silent(hop.from, hop.to));
      all.push_back({stood, stood && !(broken && s_.faults.dead(hop.to))});
    }
    return all;
  }

  bool path_is_good(const Transfer& t) const {
    if (t.join) return join_is_good(t);
    if (t.tree) return tree_is_good(t);
    const auto path = s_.path(t);
    if (path.size() < 2 || path.front() == path.back()) return false;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      if (!linked(path[i], path[i + 1]) || (i > 0 && path[i - 1] == path[i + 1])) return false;
    }
    return s_.model().switching != Switching::Packet || path.size() == 2;
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
      const auto theirs = from(m.origin);
      const Message whole{m.origin, m.destination};
      return std::ranges::find(theirs, whole) != theirs.end() && m.piece < s_.pieces() &&
             m.piece < flits(m) && (t.join ? has_words(t, m) : held_[s_.source(t)].count(m) != 0);
    });
  }

  /// Has all that sends in a join something to send, its own or what comes to it?
  bool has_words(const Transfer& t, const Message& m) const {
    std::set<Node> comes;
    return std::ranges::all_of(hops(t), [&](const Hop& hop) {
      comes.insert(hop.to);
      return comes.contains(hop.from) || held_[hop.from].count(m) != 0;
    });
  }

  void play(std::uint32_t round) {
    std::uint64_t longest = 0, most = 0;
    const auto transfers = s_.transfers();
    for (const Transfer& t : transfers) {
      if (t.round != round) continue;
      if (!path_is_good(t) || !load_is_good(t)) result_.legal = false;
      std::vector<Message> messages(s_.messages(t).begin(), s_.messages(t).end());
      if (t.carry == Carry::Everything) {
        for (const auto& log : order_[s_.source(t)]) {
          messages.insert(messages.end(), log.begin(), log.end());
        }
      }
      if (!s_.faults.empty() && !t.join) {
        const auto& held = held_[s_.source(t)];
        std::erase_if(messages, [&](const Message& m) { return held.count(m) == 0; });
      }
      result_.carried.push_back(messages);
      for (const Message& m : messages) {
        Parts& all = sent_.emplace_back();
        if (!t.join) all = parts_[{s_.source(t), m}];
        for (const TransferHop hop : s_.hops(t)) {
          if (!t.join) break;
          const Parts& more = parts_[{hop.from, m}];
          const std::size_t both = all.size() + more.size();
          all.insert(more.begin(), more.end());
          if (all.size() != both) result_.legal = false;
        }
      }
      sent_from_.push_back(sent_.size() - messages.size());
      result_.rounds = std::max<std::uint64_t>(result_.rounds, end_of(t));
      result_.transmissions +=
          std::ranges::count(crossed(t), true, &Crossed::stood) * messages.size();
      longest = std::max<std::uint64_t>(longest, length(t));
      most = std::max<std::uint64_t>(most, messages.size());
    }
    result_.delta_sum += longest;
    result_.tau_sum += most;
    struct Coming {
      std::pair<Node, Message> at;
      const Parts* parts;
      const Transfer* by;
    };
    std::vector<Coming> sums_come;
    std::map<Port, std::vector<std::pair<Node, Message>>> come;  // of copies the first port's count
    for (std::size_t i = 0; i < result_.carried.size(); ++i) {
      const Transfer& t = transfers[i];
      for (const End& end : ends(t)) {
        // A pipelined message spends two rounds in the store.
        const std::uint32_t stays = pipelined() ? s_.model().hop_rounds + 1 : 0;
        if (end.round + stays != round || !end.through) continue;
        for (const Message& m : result_.carried[i]) {
          if (sums()) {
            const auto number = static_cast<std::size_t>(&m - result_.carried[i].data());
            sums_come.push_back({{end.at, m}, &sent_[sent_from_[i] + number], &t});
          }
          if (t.join || held_[s_.source(t)].contains(m) || !sums())
            come[end.in].emplace_back(end.at, m);
        }
      }
    }
    for (const auto& [in, messages] : come) {
      for (const auto& [at, m] : messages) hold(at, in + 1, m);
    }
    // A whole sum takes the place of parts, also of those that come with it.
    for (const bool whole : {false, true}) {
      for (const auto& [at, parts, by] : sums_come) {
        if ((!by->join && *parts == adding(at.second)) != whole) continue;
        Parts& there = parts_[at];
        const std::size_t both = there.size() + parts->size();
        const bool adds = !there.empty() && !parts->empty() && !by->join;
        there.insert(parts->begin(), parts->end());
        if (!whole && (there.size() != both || (adds && s_.joins()))) result_.legal = false;
        // The source reads what it holds in the last round, and all that comes later is not in it.
        const auto before = stored_.find(at);
        const bool again = by->join && before != stored_.end();
        if (again && before->second >= end_of(*by)) result_.legal = false;
        stored_[at] = round;
      }
    }
  }

  const Schedule& s_;
  const Node n_;
  OwnOrder in_store_;
  std::vector<std::set<Message>> held_;
  std::map<std::pair<Node, Message>, Parts> parts_;           ///< of reductions
  std::map<std::pair<Node, Message>, std::uint32_t> stored_;  ///< in which round
  std::vector<Parts> sent_;                                   ///< by transfer and message
  std::vector<std::size_t> sent_from_;                        ///< by transfer: the first of them
  std::vector<std::vector<std::vector<Message>>> order_;      ///< by node and log: first copies
  SlowCheck result_;
};

}  // namespace

SlowCheck slow_check(const Schedule& schedule, const OwnOrder& in_store) {
  const Schedule written_out =
      schedule.symmetry().order() == 1 ? schedule : without_orbits(schedule);
  return SlowChecker(written_out, in_store).run();
}

}  // namespace gossamer::test
