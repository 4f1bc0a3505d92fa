#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "support/memory.hpp"
#include "topology/topology.hpp"

namespace gossamer {

/// Sets of nodes as words of 64 bits: bit o%64 of word o/64 is node o.
constexpr std::size_t set_words(Node nodes) { return (std::size_t{nodes} + 63) / 64; }

constexpr bool has(std::span<const std::uint64_t> set, Node x) {
  return set[x / 64] >> (x % 64) & 1;
}
constexpr void put(std::span<std::uint64_t> set, Node x) {
  set[x / 64] |= std::uint64_t{1} << (x % 64);
}
constexpr void take_out(std::span<std::uint64_t> set, Node x) {
  set[x / 64] &= ~(std::uint64_t{1} << (x % 64));
}
constexpr void unite(std::span<std::uint64_t> set, std::span<const std::uint64_t> with) {
  for (std::size_t i = 0; i < set.size(); ++i) set[i] |= with[i];
}
constexpr std::uint32_t count(std::span<const std::uint64_t> set) {
  std::uint32_t sum = 0;
  for (const std::uint64_t word : set) sum += static_cast<std::uint32_t>(std::popcount(word));
  return sum;
}

/// A row of sets in one array.
class NodeSets {
 public:
  NodeSets() = default;
  NodeSets(std::size_t sets, Node nodes) : words_(set_words(nodes)), bits_(sets * words_) {}
  std::span<std::uint64_t> operator[](std::size_t i) { return {bits_.data() + i * words_, words_}; }
  std::span<const std::uint64_t> operator[](std::size_t i) const {
    return {bits_.data() + i * words_, words_};
  }

 private:
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
};

/// Sets of nodes of one topology, as trees over the digits of node numbers. Equal subtrees are
/// stored once for all sets together, so sets with structure are small, however large the topology.
///
/// Every radix is split into prime digits: of three radices 7^2 the coordinates are a0 + 7 a1, b0 +
/// 7 b1, c0 + 7 c1. The root branches by a0, the next level by b0, then c0, a1, b1, c1: the least
/// digits of all factors come first. So a set that is a union of families (all nodes of equal
/// coordinates modulo 7) ends after three levels, and a translation by a multiple of 7 keeps these
/// (docs/research/scale.md).
class NodeTrees {
 public:
  /// A set; equal sets have equal numbers. kEmpty and kAll exist on every level.
  using Tree = std::uint32_t;
  static constexpr Tree kEmpty = 0;
  static constexpr Tree kAll = 1;

  /// Are the digits small enough for trees? Not if a radix has a large prime.
  static bool suits(const Topology& topology);

  /// `watch` counts all memory of the trees.
  explicit NodeTrees(const Topology& topology, std::shared_ptr<MemoryWatch> watch = nullptr);
  NodeTrees(const NodeTrees&) = delete;
  NodeTrees& operator=(const NodeTrees&) = delete;

  Tree single(Node x);
  /// All of `set`, and `other` translated by `by`. Only digits of cyclic factors may be translated.
  Tree merge(Tree set, Tree other, Node by) { return merge(set, other, by, 0); }
  bool contains(Tree set, Node x) const;
  std::uint64_t size(Tree set) const { return size(set, 0); }
  /// The lowest nodes that are not in the set, in order, up to `most`.
  std::vector<Node> missing(Tree set, std::size_t most) const;
  /// The number of trees stored, over all sets.
  std::size_t trees() const { return level_of_.size(); }

 private:
  /// One prime digit: the node's share is digit * weight.
  struct Level {
    Node prime;
    Node rest;           ///< product of this factor's digits from this one on
    Node radix, stride;  ///< of the factor
    Node weight;
    std::uint64_t below;  ///< nodes that share all digits before this level
  };
  struct Key {
    Tree set, other;
    Node by;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& k) const;
  };
  struct TreeHash {
    const NodeTrees* trees;
    std::size_t operator()(Tree t) const;
  };
  struct TreeEqual {
    const NodeTrees* trees;
    bool operator()(Tree a, Tree b) const;
  };

  Node digit(Node x, std::size_t level) const {
    return x / levels_[level].weight % levels_[level].prime;
  }
  Tree child(Tree set, Node digit) const {
    return set <= kAll ? set : children_[first_child_[set] + digit];
  }
  std::uint64_t size(Tree set, std::size_t level) const {
    if (set > kAll) return sizes_[set];
    if (set == kEmpty) return 0;
    return level == levels_.size() ? 1 : levels_[level].below;
  }
  Tree make(std::size_t level, const std::vector<Tree>& children);
  Tree merge(Tree set, Tree other, Node by, std::size_t level);
  Tree merge_children(Tree set, Tree other, Node by, std::size_t level);

  std::shared_ptr<MemoryWatch> watch_;
  std::vector<Level> levels_;
  // By tree; the first two entries stand for kEmpty and kAll.
  std::vector<std::uint8_t> level_of_;
  std::vector<std::size_t> first_child_;
  std::vector<std::uint64_t> sizes_;
  std::vector<Tree> children_;
  std::unordered_set<Tree, TreeHash, TreeEqual> known_;
  std::unordered_map<Key, Tree, KeyHash> merged_;  ///< results of merge(), a cache
};

}  // namespace gossamer
