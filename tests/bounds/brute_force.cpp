#include "brute_force.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <vector>

#include "schedule/chunks.hpp"

using namespace gossamer;

namespace {

/// A simple path: its arcs as bits (node * ports + port), and the same for the opposite arcs.
struct Way {
  Node source = 0, destination = 0;
  std::uint64_t arcs = 0, opposite = 0;
  std::vector<std::size_t> arc_list;
};

/// Bit masks cover graphs of up to 64 arcs; larger graphs use only arc_list.
std::uint64_t arc_bit(const Topology& t, std::size_t arc) {
  return std::size_t{t.nodes()} * t.ports() <= 64 ? std::uint64_t{1} << arc : 0;
}

void extend(const Topology& t, const Way& way, std::uint64_t visited, std::size_t hops,
            std::vector<Way>& ways) {
  if (hops == 0) return;
  for (Port p = 0; p < t.ports(); ++p) {
    const Endpoint e = t.peer(way.destination, p);
    if (!t.sends(way.destination, p) || visited >> e.node & 1) continue;
    Way longer = way;
    const std::size_t arc = std::size_t{way.destination} * t.ports() + p;
    longer.arcs |= arc_bit(t, arc);
    longer.opposite |= arc_bit(t, std::size_t{e.node} * t.ports() + e.port);
    longer.arc_list.push_back(arc);
    longer.destination = e.node;
    ways.push_back(longer);
    extend(t, longer, visited | std::uint64_t{1} << e.node, hops - 1, ways);
  }
}

std::vector<Way> all_ways(const Topology& t, std::size_t max_hops) {
  std::vector<Way> ways;
  for (Node x = 0; x < t.nodes(); ++x) {
    extend(t, {x, x, 0, 0, {}}, std::uint64_t{1} << x, max_hops, ways);
  }
  return ways;
}

/// What all nodes hold: a bit for each node and message.
using State = std::uint64_t;

/// A chunk: where it starts, and which nodes need it at the end.
struct Wish {
  Node origin = 0;
  std::vector<Node> destinations;
};

std::vector<Wish> wishes(const Schedule& s) {
  std::vector<Wish> all;
  for (Node x = 0; x < s.topology().nodes(); ++x) {
    for_each_initial(s, x, [&](const Message& m) {
      all.push_back({x, {}});
      for_each_receiver(s, m, [&](Node y) { all.back().destinations.push_back(y); });
    });
  }
  return all;
}

class Search {
 public:
  explicit Search(const Schedule& s)
      : n_(s.topology().nodes()),
        model_(s.model()),
        wishes_(wishes(s)),
        messages_(wishes_.size()),
        ways_(all_ways(s.topology(), model_.switching == Switching::Packet ? 1 : n_ - 1)) {
    if (n_ * messages_ > 40 || n_ * s.topology().ports() > 64) {
      throw std::logic_error("too many nodes to try all");
    }
  }

  std::uint64_t fewest() {
    State start = 0, done = 0;
    for (std::size_t m = 0; m < messages_; ++m) {
      start |= bit(wishes_[m].origin, m);
      for (const Node x : wishes_[m].destinations) done |= bit(x, m);
    }
    std::vector<State> states = {start};
    for (std::uint64_t rounds = 0; rounds <= 20; ++rounds) {
      const auto is_done = [&](State s) { return (done & ~s) == 0; };
      if (std::any_of(states.begin(), states.end(), is_done)) return rounds;
      next_.clear();
      for (const State s : states) try_all(s, s, 0, {});
      states = best(next_);
    }
    throw std::logic_error("more than 20 rounds");
  }

 private:
  /// The links and ports in use in the round.
  struct Used {
    std::uint64_t arcs = 0, senders = 0, receivers = 0;
  };

  State bit(Node x, std::size_t message) const { return State{1} << (x * messages_ + message); }
  State known(State s, Node x) const {
    return s >> (x * messages_) & ((State{1} << messages_) - 1);
  }

  bool free(const Way& w, const Used& u) const {
    if (w.arcs & u.arcs) return false;
    if (model_.duplex == Duplex::Half && (w.opposite & u.arcs)) return false;
    if (model_.ports == PortModel::All) return true;
    if ((u.senders >> w.source & 1) || (u.receivers >> w.destination & 1)) return false;
    return model_.duplex == Duplex::Full ||
           !((u.receivers >> w.source & 1) || (u.senders >> w.destination & 1));
  }

  void try_all(State before, State after, std::size_t way, Used used) {
    if (way == ways_.size()) {
      next_.insert(after);
      return;
    }
    try_all(before, after, way + 1, used);
    const Way& w = ways_[way];
    const State useful = known(before, w.source) & ~known(before, w.destination);
    if (useful == 0 || !free(w, used)) return;
    used.arcs |= w.arcs;
    used.senders |= std::uint64_t{1} << w.source;
    used.receivers |= std::uint64_t{1} << w.destination;
    if (model_.combining)
      return try_all(before, after | useful << (w.destination * messages_), way + 1, used);
    for (std::size_t m = 0; m < messages_; ++m) {
      if (useful >> m & 1) try_all(before, after | bit(w.destination, m), way + 1, used);
    }
  }

  /// Holding more is never worse, so only states that no other state contains are continued.
  static std::vector<State> best(const std::set<State>& all) {
    std::vector<State> sorted(all.begin(), all.end());
    std::sort(sorted.begin(), sorted.end(),
              [](State a, State b) { return __builtin_popcountll(a) > __builtin_popcountll(b); });
    std::vector<State> kept;
    for (const State s : sorted) {
      const auto contains = [s](State k) { return (s & ~k) == 0; };
      if (std::none_of(kept.begin(), kept.end(), contains)) kept.push_back(s);
    }
    return kept;
  }

  Node n_;
  Model model_;
  std::vector<Wish> wishes_;
  std::size_t messages_;
  std::vector<Way> ways_;
  std::set<State> next_;
};

/// Chooses a shortest path for each pair in turn so that no arc is used more than `most` times.
class Routing {
 public:
  Routing(const Topology& t, std::uint64_t most) : most_(most), loads_(t.nodes() * t.ports(), 0) {
    std::vector<std::vector<Way>> by_pair(std::size_t{t.nodes()} * t.nodes());
    for (Way& w : all_ways(t, longest(t))) {
      auto& pair = by_pair[std::size_t{w.source} * t.nodes() + w.destination];
      if (!pair.empty() && pair[0].arc_list.size() < w.arc_list.size()) continue;
      if (!pair.empty() && pair[0].arc_list.size() > w.arc_list.size()) pair.clear();
      pair.push_back(std::move(w));
    }
    for (auto& pair : by_pair) {
      if (!pair.empty()) pairs_.push_back(std::move(pair));
    }
    // Pairs without a choice first.
    std::stable_sort(pairs_.begin(), pairs_.end(),
                     [](const auto& a, const auto& b) { return a.size() < b.size(); });
  }

  /// Are the shortest paths together longer than the arcs allow?
  bool too_many() const {
    std::uint64_t hops = 0;
    for (const auto& pair : pairs_) hops += pair[0].arc_list.size();
    return hops > most_ * loads_.size();
  }

  bool exists(std::size_t pair = 0) {
    if (pair == pairs_.size()) return true;
    for (const Way& w : pairs_[pair]) {
      for (const std::size_t a : w.arc_list) ++loads_[a];
      const bool fits = std::all_of(w.arc_list.begin(), w.arc_list.end(),
                                    [&](std::size_t a) { return loads_[a] <= most_; });
      if (fits && exists(pair + 1)) return true;
      for (const std::size_t a : w.arc_list) --loads_[a];
    }
    return false;
  }

 private:
  static std::size_t longest(const Topology& t) {
    std::size_t hops = 0;
    for (const Graph& g : t.factors()) hops += g.nodes / 2;
    return hops;
  }

  std::uint64_t most_;
  std::vector<std::uint64_t> loads_;
  std::vector<std::vector<Way>> pairs_;
};

}  // namespace

std::uint64_t fewest_gossip_rounds(const Topology& topology, const Model& model) {
  return fewest_rounds(topology, Collective::Gossip, model);
}

std::uint64_t fewest_rounds(const Topology& topology, Collective collective, const Model& model,
                            Node root) {
  Schedule schedule(topology, collective, model);
  schedule.root = root;
  return fewest_rounds(schedule);
}

std::uint64_t fewest_rounds(const Schedule& schedule) { return Search(schedule).fewest(); }

std::uint64_t fewest_forwarded_paths(const Topology& topology, std::uint64_t at_least) {
  for (;; ++at_least) {
    Routing routing(topology, at_least);
    if (!routing.too_many() && routing.exists()) return at_least;
  }
}
