#include "algorithms/hamiltonian_cycles/hamiltonian_cycle.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <utility>

#include "support/job.hpp"

namespace gossamer {
namespace {

/// Larger products get one cycle: the search counts all nodes again and again.
constexpr Node kMostNodes = 4096;

/// The links of a graph in several colours, of each of which every node has two: so the links of a
/// colour form cycles. A square with two links of each of two colours, opposite ones alike, may
/// exchange them; what was two cycles may then be one.
class Coloured {
 public:
  using Two = std::array<Node, 2>;

  /// One colour for each ring and each pair of links, and a last one for a link that is left over;
  /// nothing for other products.
  static std::optional<Coloured> of(const Topology& topology) {
    std::vector<std::array<std::size_t, 2>> colours;  // the factors; twice the same: a ring
    std::optional<std::size_t> link;
    for (std::size_t f = 0; f < topology.factors().size(); ++f) {
      const Graph& factor = topology.factors()[f];
      if (factor.nodes == 2) {
        if (link) colours.push_back({*link, f});
        link = link ? std::nullopt : std::optional(f);
      } else if (factor.cyclic && factor.ports == 2) {
        colours.push_back({f, f});
      } else {
        return std::nullopt;
      }
    }
    if (colours.empty() || topology.nodes() > kMostNodes) return std::nullopt;
    Coloured all;
    std::vector<Two> over;
    if (link) {
      for (Node x = 0; x < topology.nodes(); ++x) {
        over.push_back({topology.peer(x, topology.first_port(*link)).node, kNoNode});
      }
    }
    for (const auto& [a, b] : colours) {
      std::vector<Two>& of = all.next_.emplace_back();
      for (Node x = 0; x < topology.nodes(); ++x) {
        const Node first = topology.first_port(a), second = topology.first_port(b) + (a == b);
        of.push_back({topology.peer(x, first).node, topology.peer(x, second).node});
      }
    }
    all.colours_ = colours.size();
    if (link) all.next_.push_back(std::move(over));
    return all;
  }

  /// Exchanges squares until every colour is a single cycle. False if that takes too long.
  bool join() {
    constexpr std::uint64_t kWork = 200'000'000;
    std::mt19937 random(1);
    const auto any = [&random](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
    std::uint64_t open = 0;
    for (std::size_t k = 0; k < colours_; ++k) open += cycles(k) - 1;
    for (std::uint64_t work = 0; open > 0 && next_.size() > 1; work += 4 * nodes()) {
      stop_if_interrupted();
      if (work > kWork) return false;
      const std::size_t a = any(next_.size());
      const std::size_t b = (a + 1 + any(next_.size() - 1)) % next_.size();
      const auto u = static_cast<Node>(any(nodes()));
      const Node v = next_[a][u][any(2)], w = next_[b][u][any(2)];
      if (v == kNoNode || w == kNoNode) continue;
      const auto z = common(next_[b][v], next_[a][w], u);
      if (!z) continue;
      const std::uint64_t before = cycles(a) + cycles(b);
      exchange(a, b, u, v, w, *z);
      const std::uint64_t after = cycles(a) + cycles(b);
      // One more cycle now and then leads out of dead ends.
      if (after > before + (any(64) == 0 ? 1 : 0)) {
        exchange(b, a, u, v, w, *z);
      } else {
        open = open + after - before;
      }
    }
    return open == 0;
  }

  std::vector<Node> cycle(std::size_t colour) const {
    std::vector<Node> way = {0};
    for (Node before = 0, x = next_[colour][0][0]; x != 0;) {
      way.push_back(x);
      before = std::exchange(x, after(colour, before, x));
    }
    return way;
  }
  std::size_t colours() const { return colours_; }

 private:
  Node nodes() const { return static_cast<Node>(next_[0].size()); }
  Node after(std::size_t colour, Node before, Node x) const {
    const Two& two = next_[colour][x];
    return two[0] == before ? two[1] : two[0];
  }

  static std::optional<Node> common(const Two& a, const Two& b, Node but) {
    for (const Node x : a) {
      if (x != but && x != kNoNode && (x == b[0] || x == b[1])) return x;
    }
    return std::nullopt;
  }

  /// The links u-v and w-z of colour `a`, and u-w and v-z of colour `b`, change colours.
  void exchange(std::size_t a, std::size_t b, Node u, Node v, Node w, Node z) {
    const auto turn = [this](std::size_t colour, Node x, Node from, Node to) {
      Two& two = next_[colour][x];
      (two[0] == from ? two[0] : two[1]) = to;
    };
    turn(a, u, v, w), turn(a, w, z, u), turn(a, v, u, z), turn(a, z, w, v);
    turn(b, u, w, v), turn(b, v, z, u), turn(b, w, u, z), turn(b, z, v, w);
  }

  std::uint64_t cycles(std::size_t colour) const {
    if (colour == colours_) return 1;
    std::vector<bool> seen(nodes(), false);
    std::uint64_t count = 0;
    for (Node start = 0; start < nodes(); ++start) {
      if (seen[start]) continue;
      ++count;
      for (Node before = start, x = start; !seen[x];) {
        seen[x] = true;
        before = std::exchange(x, after(colour, before, x));
      }
    }
    return count;
  }

  std::vector<std::vector<Two>> next_;  ///< by colour and node
  std::size_t colours_ = 0;             ///< without the last one, of links that are left over
};

}  // namespace

std::vector<std::vector<Node>> disjoint_hamiltonian_cycles(const Topology& topology) {
  std::vector<std::vector<Node>> cycles;
  if (auto coloured = Coloured::of(topology); coloured && coloured->join()) {
    for (std::size_t k = 0; k < coloured->colours(); ++k) cycles.push_back(coloured->cycle(k));
    return cycles;
  }
  FoundCycle one = hamiltonian_cycle(topology);
  if (!one.cycle.empty()) cycles.push_back(std::move(one.cycle));
  return cycles;
}

}  // namespace gossamer
