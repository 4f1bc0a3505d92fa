#include "algorithms/hamiltonian_cycles/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "support/interrupt.hpp"
#include "support/memory.hpp"

namespace gossamer {
namespace {

constexpr std::uint64_t kBacktrackingSteps = 2'000'000;
constexpr std::uint64_t kRotationWork = 600'000'000;  ///< nodes moved by rotations in total

using Adjacency = std::vector<std::vector<Node>>;

Adjacency adjacency_of(const Topology& topology) {
  constexpr double kBytesOfList = sizeof(std::vector<Node>) + 32;  // with what malloc adds
  require_memory((kBytesOfList + sizeof(Node) * topology.ports()) * topology.nodes(),
                 "the search for a hamiltonian cycle of " + topology.spec());
  Adjacency adjacency(topology.nodes());
  for (Node x = 0; x < topology.nodes(); ++x) {
    stop_if_interrupted();
    for (Port p = 0; p < topology.ports(); ++p) {
      const Endpoint e = topology.peer(x, p);
      if (e.connected()) adjacency[x].push_back(e.node);
    }
  }
  return adjacency;
}

/// Sizes of the two sides if the graph is bipartite, that is if no link joins nodes at the same
/// parity of distance from node 0.
std::optional<std::array<Node, 2>> sides(const Adjacency& adjacency) {
  std::vector<int> side(adjacency.size(), -1);
  std::array<Node, 2> count = {0, 0};
  std::vector<Node> stack = {0};
  side[0] = 0;
  while (!stack.empty()) {
    stop_if_interrupted();
    const Node x = stack.back();
    stack.pop_back();
    ++count[side[x]];
    for (const Node y : adjacency[x]) {
      if (side[y] == side[x]) return std::nullopt;
      if (side[y] != -1) continue;
      side[y] = 1 - side[x];
      stack.push_back(y);
    }
  }
  return count;
}

/// Simple reasons why no hamiltonian cycle can exist; empty if none applies.
std::string dead_end(const Topology& topology) {
  for (Node x = 0; x < topology.nodes(); ++x) {
    stop_if_interrupted();
    if (topology.degree(x) < 2) return fmt::format("node {} has one link only", x);
  }
  return {};
}

std::string unequal_sides(const Adjacency& adjacency) {
  const auto count = sides(adjacency);
  if (!count || (*count)[0] == (*count)[1]) return {};
  return fmt::format("it is bipartite with sides of {} and {} nodes", (*count)[0], (*count)[1]);
}

enum class Outcome { Found, None, GaveUp };

/// Tries all paths from node 0, depth first, within a number of steps.
class Backtracking {
 public:
  explicit Backtracking(const Adjacency& adjacency)
      : adjacency_(adjacency), visited_(adjacency.size(), false), path_{0}, choices_{choices(0)} {
    visited_[0] = true;
  }

  Outcome run() {
    for (std::uint64_t step = 0; step < kBacktrackingSteps; ++step) {
      stop_if_interrupted();
      if (path_.size() == adjacency_.size() && closes()) return Outcome::Found;
      if (!choices_.back().empty()) {
        advance();
      } else if (path_.size() == 1) {
        return Outcome::None;
      } else {
        retreat();
      }
    }
    return Outcome::GaveUp;
  }
  std::vector<Node> path() && { return std::move(path_); }

 private:
  bool closes() const {
    const auto& near = adjacency_[path_.back()];
    return std::find(near.begin(), near.end(), Node{0}) != near.end();
  }
  void advance() {
    const Node x = choices_.back().back();
    choices_.back().pop_back();
    visited_[x] = true;
    path_.push_back(x);
    choices_.push_back(choices(x));
  }
  void retreat() {
    visited_[path_.back()] = false;
    path_.pop_back();
    choices_.pop_back();
  }
  std::size_t ways_on(Node x) const {
    return std::count_if(adjacency_[x].begin(), adjacency_[x].end(),
                         [&](Node y) { return !visited_[y]; });
  }
  /// Unvisited neighbours, the best one last.
  std::vector<Node> choices(Node x) const {
    std::vector<std::pair<std::size_t, Node>> ranked;
    for (const Node y : adjacency_[x]) {
      if (!visited_[y]) ranked.emplace_back(ways_on(y), y);
    }
    std::sort(ranked.rbegin(), ranked.rend());
    std::vector<Node> nodes;
    for (const auto& [ways, y] : ranked) nodes.push_back(y);
    return nodes;
  }

  const Adjacency& adjacency_;
  std::vector<bool> visited_;
  std::vector<Node> path_;
  std::vector<std::vector<Node>> choices_;
};

/// Posa's rotations. From the end of a path, go to an unvisited neighbour if there is one;
/// otherwise to a random node of the path, and reverse the part after that node, which gives the
/// path another end.
class Rotations {
 public:
  /// Begins with `path`.
  Rotations(const Adjacency& adjacency, std::uint32_t seed, const std::vector<Node>& path)
      : adjacency_(adjacency), random_(seed), place_(adjacency.size(), kUnvisited) {
    for (const Node x : path) append(x);
  }

  /// Spends at most `work`, and subtracts what it spent.
  bool run(std::uint64_t& work) {
    while (work > 0) {
      stop_if_interrupted();
      if (path_.size() == adjacency_.size() && linked(path_.front(), path_.back())) return true;
      --work;
      if (extend()) continue;
      work -= std::min<std::uint64_t>(work, rotate());
    }
    return false;
  }
  std::vector<Node> path() && { return std::move(path_); }

 private:
  static constexpr Node kUnvisited = kNoNode;

  bool linked(Node x, Node y) const {
    return std::find(adjacency_[x].begin(), adjacency_[x].end(), y) != adjacency_[x].end();
  }
  void append(Node x) {
    place_[x] = static_cast<Node>(path_.size());
    path_.push_back(x);
  }
  std::size_t ways_on(Node x) const {
    return std::count_if(adjacency_[x].begin(), adjacency_[x].end(),
                         [&](Node y) { return place_[y] == kUnvisited; });
  }
  /// To the unvisited neighbour with the fewest unvisited neighbours.
  bool extend() {
    Node best = kNoNode;
    for (const Node y : adjacency_[path_.back()]) {
      if (place_[y] != kUnvisited) continue;
      if (best == kNoNode || ways_on(y) < ways_on(best)) best = y;
    }
    if (best == kNoNode) return false;
    append(best);
    return true;
  }
  /// Returns how many nodes it moved.
  std::size_t rotate() {
    const auto& near = adjacency_[path_.back()];
    const std::size_t from = place_[near[random_() % near.size()]] + std::size_t{1};
    std::reverse(path_.begin() + from, path_.end());
    for (std::size_t i = from; i < path_.size(); ++i) place_[path_[i]] = static_cast<Node>(i);
    return path_.size() - from;
  }

  const Adjacency& adjacency_;
  std::mt19937 random_;
  std::vector<Node> place_, path_;
};

}  // namespace

std::vector<Node> close_path(const Topology& topology, std::vector<Node> path) {
  const Adjacency adjacency = adjacency_of(topology);
  Rotations rotations(adjacency, 1, path);
  std::uint64_t work = 10 * kRotationWork;
  if (!rotations.run(work)) return {};
  return std::move(rotations).path();
}

FoundCycle search_cycle(const Topology& topology) {
  if (topology.nodes() == 2) return {{0, 1}, {}};
  const std::string none = fmt::format("{} has no hamiltonian cycle: ", topology.spec());
  if (const std::string why = dead_end(topology); !why.empty()) return {{}, none + why};
  const Adjacency adjacency = adjacency_of(topology);
  if (const std::string why = unequal_sides(adjacency); !why.empty()) return {{}, none + why};

  Backtracking backtracking(adjacency);
  const Outcome outcome = backtracking.run();
  if (outcome == Outcome::Found) return {std::move(backtracking).path(), {}};
  if (outcome == Outcome::None) return {{}, none + "all paths were tried"};

  std::uint64_t work = kRotationWork;
  for (std::uint32_t seed = 1; work > 0; ++seed) {
    std::uint64_t share = std::min(work, kRotationWork / 8);
    work -= share;
    Rotations rotations(adjacency, seed, {seed % topology.nodes()});
    if (rotations.run(share)) return {std::move(rotations).path(), {}};
  }
  return {{}, fmt::format("no hamiltonian cycle of {} was found: give one", topology.spec())};
}

}  // namespace gossamer
