#include "algorithms/lee_code/search.hpp"

#include <algorithm>
#include <bitset>
#include <cstdlib>
#include <map>
#include <set>

namespace gossamer::lee_code {
namespace {

using Vector = std::vector<int>;
using Group = std::set<Node>;   ///< vertices of the code modulo its side, numbered as in a torus
using Arcs = std::bitset<128>;  ///< direction times colours, plus colour of the tail

/// A vertex other than 0 is at least three hops away, so each round takes at least that many.
constexpr unsigned kLeast = 3;

/// Vectors modulo the code's side, as numbers.
class Space {
 public:
  explicit Space(const Code& code) : code_(code), side_(static_cast<int>(code.side)) {}

  Node number(const Vector& x) const {
    Node n = 0;
    for (std::size_t j = x.size(); j-- > 0;) {
      n = n * code_.side + static_cast<Node>(((x[j] % side_) + side_) % side_);
    }
    return n;
  }
  Vector vector(Node n) const {
    Vector x;
    for (unsigned j = 0; j < code_.dimensions; ++j, n /= code_.side) {
      x.push_back(static_cast<int>(n % code_.side));
    }
    return x;
  }
  Node add(Node a, Node b) const {
    Vector x = vector(a);
    const Vector y = vector(b);
    for (std::size_t j = 0; j < x.size(); ++j) x[j] += y[j];
    return number(x);
  }
  Node negate(Node a) const {
    Vector x = vector(a);
    for (int& v : x) v = -v;
    return number(x);
  }
  unsigned distance(Node a) const {
    int hops = 0;
    for (const int v : vector(a)) hops += std::min(v, side_ - v);
    return static_cast<unsigned>(hops);
  }
  /// All vertices of the code.
  Group vertices() const {
    Group found;
    for (Node n = 0; n < nodes(); ++n) {
      if (colour(code_, vector(n)) == 0) found.insert(n);
    }
    return found;
  }
  /// Every vector whose coordinates are multiples of `factor`.
  Group multiples(unsigned factor) const {
    Group found;
    for (Node n = 0; n < nodes(); ++n) {
      const Vector x = vector(n);
      if (std::ranges::all_of(x, [&](int v) { return v % static_cast<int>(factor) == 0; })) {
        found.insert(n);
      }
    }
    return found;
  }
  /// Every element `factor` times.
  Group scaled(const Group& group, unsigned factor) const {
    Group found;
    for (const Node v : group) {
      Vector x = vector(v);
      for (int& c : x) c *= static_cast<int>(factor);
      found.insert(number(x));
    }
    return found;
  }
  Node nodes() const {
    Node product = 1;
    for (unsigned j = 0; j < code_.dimensions; ++j) product *= code_.side;
    return product;
  }
  /// The subgroup that `v` generates.
  Group generated(Node v) const {
    Group found = {0};
    for (Node multiple = v; multiple != 0; multiple = add(multiple, v)) found.insert(multiple);
    return found;
  }

 private:
  const Code& code_;
  int side_;
};

/// A walk from 0 to a vertex of the code, and the arcs of it and its opposite.
struct Walk {
  Dipath dipath;
  Arcs arcs;
};

/// The walks that one round may use, one list for each pair of opposite cosets of `inner` in
/// `outer`.
class Lists {
 public:
  Lists(const Code& code, const Group& inner, const Group& outer, unsigned hops)
      : code_(code), space_(code), hops_(hops), x_(code.dimensions, 0) {
    std::map<Node, Node> coset;  // by its smallest element
    for (const Node v : outer) {
      if (coset.count(v) != 0) continue;
      for (const Node h : inner) coset[space_.add(v, h)] = v;
    }
    for (const Node v : outer) {
      const Node pair = std::min(coset[v], coset[space_.negate(v)]);
      if (pair != 0) pair_of_[v] = pair;
    }
    measure();
    for (const auto& [v, pair] : pair_of_) lists_[pair];
    extend({}, {});
  }

  /// Sorted: short walks first, and the lists with the fewest walks first. No list may be empty.
  std::vector<std::vector<Walk>> take() {
    std::vector<std::vector<Walk>> all;
    for (auto& [pair, walks] : lists_) {
      std::stable_sort(walks.begin(), walks.end(), [](const Walk& a, const Walk& b) {
        return a.dipath.size() < b.dipath.size();
      });
      all.push_back(std::move(walks));
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.size() < b.size(); });
    return all;
  }

 private:
  /// How far each vector is from the nearest end of a walk.
  void measure() {
    distance_.assign(space_.nodes(), ~0u);
    std::vector<Node> queue;
    for (const auto& [v, pair] : pair_of_) {
      distance_[v] = 0;
      queue.push_back(v);
    }
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const Vector x = space_.vector(queue[next]);
      for (std::size_t j = 0; j < x.size(); ++j) {
        for (const int sign : {1, -1}) {
          Vector y = x;
          y[j] += sign;
          const Node n = space_.number(y);
          if (distance_[n] != ~0u) continue;
          distance_[n] = distance_[queue[next]] + 1;
          queue.push_back(n);
        }
      }
    }
  }

  std::size_t arc(Hop hop, const Vector& tail) const {
    const std::size_t direction = 2 * (std::abs(hop) - 1) + (hop < 0);
    return direction * code_.colours() + colour(code_, tail);
  }

  /// Records the current walk if it ends in a vertex, and continues from there.
  void extend(const Arcs& used, const Arcs& opposite_used) {
    if (!walked_.empty() && colour(code_, x_) == 0) note(used, opposite_used);
    if (walked_.size() == hops_ || walked_.size() + distance_[space_.number(x_)] > hops_) return;
    Vector opposite_x = x_;
    for (int& v : opposite_x) v = -v;
    for (int axis = 1; axis <= static_cast<int>(code_.dimensions); ++axis) {
      for (const int sign : {1, -1}) {
        const Hop hop = static_cast<Hop>(sign * axis);
        const std::size_t a = arc(hop, x_), b = arc(static_cast<Hop>(-hop), opposite_x);
        if (used[a] || opposite_used[b]) continue;
        x_[axis - 1] += sign;
        walked_.push_back(hop);
        extend(Arcs(used).set(a), Arcs(opposite_used).set(b));
        walked_.pop_back();
        x_[axis - 1] -= sign;
      }
    }
  }

  void note(const Arcs& used, const Arcs& opposite_used) {
    const auto found = pair_of_.find(space_.number(x_));
    if (found == pair_of_.end() || (used & opposite_used).any()) return;
    const Arcs both = used | opposite_used;
    std::vector<Walk>& list = lists_[found->second];
    if (seen_.insert({found->second, both.to_string()}).second) list.push_back({walked_, both});
  }

  const Code& code_;
  Space space_;
  unsigned hops_;
  Vector x_;
  Dipath walked_;
  std::map<Node, Node> pair_of_;
  std::vector<unsigned> distance_;
  std::map<Node, std::vector<Walk>> lists_;
  std::set<std::pair<Node, std::string>> seen_;
};

/// Chooses one walk of each list from `first` on so that no arc is used twice.
bool choose_walks(const std::vector<std::vector<Walk>>& lists, std::size_t first, const Arcs& used,
                  std::vector<Dipath>& chosen) {
  if (first == lists.size()) return true;
  for (const Walk& walk : lists[first]) {
    if ((walk.arcs & used).any()) continue;
    chosen.push_back(walk.dipath);
    if (choose_walks(lists, first + 1, used | walk.arcs, chosen)) return true;
    chosen.pop_back();
  }
  return false;
}

/// The dipaths of one round; nothing if there are none of at most `hops` hops.
std::optional<std::vector<Dipath>> find_round(const Code& code, const Group& inner,
                                              const Group& outer, unsigned hops) {
  std::vector<Dipath> chosen;
  if (!choose_walks(Lists(code, inner, outer, hops).take(), 0, {}, chosen)) return std::nullopt;
  return chosen;
}

}  // namespace

unsigned least_hops(const Code& code) {
  const Space space(code);
  unsigned most = 0;
  for (const Node v : space.vertices()) most = std::max(most, space.distance(v));
  return most;
}

namespace {

/// The rounds of a chain of subgroups, starting with the smallest, each with its longest dipath.
struct Link {
  Group inner, outer;
  unsigned hops = 0;
};

std::optional<GossipRounds> find_chain(const Code& code, const std::vector<Link>& chain) {
  GossipRounds rounds;
  for (const Link& link : chain) {
    const auto round = find_round(code, link.inner, link.outer, link.hops);
    if (!round) return std::nullopt;
    rounds.push_back(*round);
  }
  return rounds;
}

/// Two rounds, around any subgroup of as many elements as there are colours.
std::optional<GossipRounds> find_two(const Code& code, const Group& all, unsigned hops) {
  const Space space(code);
  std::set<Group> subgroups;
  for (const Node v : all) {
    Group group = space.generated(v);
    if (group.size() == code.colours()) subgroups.insert(std::move(group));
  }
  for (unsigned first = kLeast; first + kLeast <= hops; ++first) {
    for (const Group& group : subgroups) {
      const auto found = find_chain(code, {{{0}, group, first}, {group, all, hops - first}});
      if (found) return found;
    }
  }
  return std::nullopt;
}

/// Three rounds where the side is the modulus m squared: m times the code, all multiples of m, the
/// code.
std::optional<GossipRounds> find_squared(const Code& code, const Group& all, unsigned hops) {
  const Space space(code);
  const Group scaled = space.scaled(all, code.modulus);
  const Group multiples = space.multiples(code.modulus);
  if (hops < 3 * kLeast) return std::nullopt;
  return find_chain(
      code,
      {{{0}, scaled, hops - 2 * kLeast}, {scaled, multiples, kLeast}, {multiples, all, kLeast}});
}

}  // namespace

std::optional<GossipRounds> find_gossip(const Code& code, unsigned hops) {
  const Group all = Space(code).vertices();
  if (all.size() == 1) return GossipRounds{};
  if (all.size() == code.colours()) return find_chain(code, {{{0}, all, hops}});
  if (code.side == code.modulus * code.modulus) return find_squared(code, all, hops);
  return find_two(code, all, hops);
}

}  // namespace gossamer::lee_code
