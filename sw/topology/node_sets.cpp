#include "topology/node_sets.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

namespace gossamer {
namespace {

/// A tree has a child per digit; with larger primes bits are better.
constexpr Node kLargestPrime = 64;
/// The most merges remembered: some 200 MB.
constexpr std::size_t kMostMerged = std::size_t{1} << 22;

/// A tree without its children, with its entry in the tables.
constexpr std::uint64_t kBytesOfTree = 64;

std::vector<Node> prime_factors(Node n) {
  std::vector<Node> primes;
  for (Node p = 2; p * p <= n; ++p) {
    for (; n % p == 0; n /= p) primes.push_back(p);
  }
  if (n > 1) primes.push_back(n);
  return primes;
}

std::size_t mix(std::size_t hash, std::size_t value) {
  return (hash ^ value) * 0x9e3779b97f4a7c15u ^ (hash >> 29);
}

}  // namespace

bool NodeTrees::suits(const Topology& topology) {
  return std::ranges::all_of(topology.factors(), [](const Graph& factor) {
    const std::vector<Node> primes = prime_factors(factor.nodes);
    return primes.empty() || primes.back() <= kLargestPrime;
  });
}

NodeTrees::NodeTrees(const Topology& topology, std::shared_ptr<MemoryWatch> watch)
    : watch_(std::move(watch)),
      level_of_(2, 0),
      first_child_(2, 0),
      sizes_(2, 0),
      known_(16, TreeHash{this}, TreeEqual{this}) {
  std::vector<std::vector<Node>> primes;
  std::vector<Node> done(topology.factors().size(), 1);
  std::size_t most = 0;
  for (const Graph& factor : topology.factors()) {
    primes.push_back(prime_factors(factor.nodes));
    most = std::max(most, primes.back().size());
  }
  std::uint64_t below = topology.nodes();
  for (std::size_t i = 0; i < most; ++i) {
    for (std::size_t f = 0; f < primes.size(); ++f) {
      if (i >= primes[f].size()) continue;
      const Node prime = primes[f][i], radix = topology.factors()[f].nodes;
      const Node stride = topology.stride(f);
      levels_.push_back({prime, radix / done[f], radix, stride, stride * done[f], below});
      done[f] *= prime;
      below /= prime;
    }
  }
}

std::size_t NodeTrees::KeyHash::operator()(const Key& k) const {
  return mix(mix(k.set, k.other), k.by);
}

std::size_t NodeTrees::TreeHash::operator()(Tree t) const {
  std::size_t hash = trees->level_of_[t];
  for (Node d = 0; d < trees->levels_[trees->level_of_[t]].prime; ++d) {
    hash = mix(hash, trees->child(t, d));
  }
  return hash;
}

bool NodeTrees::TreeEqual::operator()(Tree a, Tree b) const {
  if (trees->level_of_[a] != trees->level_of_[b]) return false;
  const auto* const first = trees->children_.data() + trees->first_child_[a];
  const auto* const second = trees->children_.data() + trees->first_child_[b];
  return std::equal(first, first + trees->levels_[trees->level_of_[a]].prime, second);
}

/// The tree with these children: an existing one, or a new one.
NodeTrees::Tree NodeTrees::make(std::size_t level, const std::vector<Tree>& children) {
  if (children.front() <= kAll &&
      std::ranges::all_of(children, [&](Tree c) { return c == children.front(); })) {
    return children.front();
  }
  const auto tree = static_cast<Tree>(level_of_.size());
  level_of_.push_back(static_cast<std::uint8_t>(level));
  first_child_.push_back(children_.size());
  children_.insert(children_.end(), children.begin(), children.end());
  std::uint64_t total = 0;
  for (const Tree c : children) total += size(c, level + 1);
  sizes_.push_back(total);
  const auto [known, is_new] = known_.insert(tree);
  if (!is_new) {
    level_of_.pop_back();
    first_child_.pop_back();
    children_.resize(children_.size() - children.size());
    sizes_.pop_back();
  } else if (watch_ != nullptr) {
    watch_->grew(kBytesOfTree + children.size() * sizeof(Tree));
  }
  return *known;
}

NodeTrees::Tree NodeTrees::single(Node x) {
  Tree tree = kAll;
  for (std::size_t level = levels_.size(); level-- > 0;) {
    std::vector<Tree> children(levels_[level].prime, kEmpty);
    children[digit(x, level)] = tree;
    tree = make(level, children);
  }
  return tree;
}

bool NodeTrees::contains(Tree set, Node x) const {
  for (std::size_t level = 0; set > kAll; ++level) set = child(set, digit(x, level));
  return set == kAll;
}

/// `by` is the rest of the translation: without the digits before this level, and with their carry.
NodeTrees::Tree NodeTrees::merge(Tree set, Tree other, Node by, std::size_t level) {
  if (other == kEmpty || set == kAll) return set;
  if (other == kAll) return kAll;
  if (by == 0 && (set == kEmpty || set == other)) return other;
  const Key key{set, other, by};
  if (const auto found = merged_.find(key); found != merged_.end()) return found->second;
  const Tree result = merge_children(set, other, by, level);
  if (merged_.size() >= kMostMerged) merged_.clear();
  merged_.emplace(key, result);
  return result;
}

/// Digit d of `other` goes to the digit of d + step, and the carry of that sum to the factor's next
/// digit; the carry out of its last digit is dropped, as in sums modulo the radix.
NodeTrees::Tree NodeTrees::merge_children(Tree set, Tree other, Node by, std::size_t level) {
  const Level& at = levels_[level];
  const Node step = by / at.stride % at.radix;
  std::vector<Tree> children(at.prime);
  for (Node d = 0; d < at.prime; ++d) {
    const Node sum = d + step;
    const Node carried = sum / at.prime % (at.rest / at.prime);
    const Node to = sum % at.prime;
    const Node left = by - step * at.stride + carried * at.stride;
    children[to] = merge(child(set, to), child(other, d), left, level + 1);
  }
  return make(level, children);
}

std::vector<Node> NodeTrees::missing(Tree set, std::size_t most) const {
  // Levels are not in the order of the nodes' numbers. A subtree holds no number below that of its
  // digits so far, so the subtree with the lowest one is opened first.
  struct Part {
    Node first = 0;
    std::size_t level = 0;
    Tree set = 0;
    bool operator>(const Part& other) const {
      return std::tie(first, level) > std::tie(other.first, other.level);
    }
  };
  std::priority_queue<Part, std::vector<Part>, std::greater<>> parts;
  if (set != kAll) parts.push({0, 0, set});
  std::vector<Node> found;
  while (!parts.empty() && found.size() < most) {
    const Part part = parts.top();
    parts.pop();
    if (part.level == levels_.size()) {
      found.push_back(part.first);
      continue;
    }
    const Level& level = levels_[part.level];
    for (Node d = 0; d < level.prime; ++d) {
      const Tree below = child(part.set, d);
      if (below != kAll) parts.push({part.first + d * level.weight, part.level + 1, below});
    }
  }
  return found;
}

}  // namespace gossamer
