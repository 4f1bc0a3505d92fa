#include "schedule/message_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "schedule/chunks.hpp"
#include "support/job.hpp"
#include "support/number_map.hpp"

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

bool trees_suit(const Topology& topology) {
  return std::ranges::all_of(topology.factors(), [](const Graph& factor) {
    const std::vector<Node> primes = prime_factors(factor.nodes);
    return primes.empty() || primes.back() <= kLargestPrime;
  });
}

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

  /// `watch` counts all memory of the trees.
  explicit NodeTrees(const Topology& topology, std::shared_ptr<MemoryWatch> watch = nullptr)
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
  NodeTrees(const NodeTrees&) = delete;
  NodeTrees& operator=(const NodeTrees&) = delete;

  Tree single(Node x) {
    Tree tree = kAll;
    for (std::size_t level = levels_.size(); level-- > 0;) {
      std::vector<Tree> children(levels_[level].prime, kEmpty);
      children[digit(x, level)] = tree;
      tree = make(level, children);
    }
    return tree;
  }
  /// All of `set`, and `other` translated by `by`. Only digits of cyclic factors may be translated.
  Tree merge(Tree set, Tree other, Node by) { return merge(set, other, by, 0); }

  bool contains(Tree set, Node x) const {
    for (std::size_t level = 0; set > kAll; ++level) set = child(set, digit(x, level));
    return set == kAll;
  }
  std::uint64_t size(Tree set) const { return size(set, 0); }

  /// The lowest nodes that are not in the set, in order, up to `most`.
  std::vector<Node> missing(Tree set, std::size_t most) const {
    // Levels are not in the order of the nodes' numbers. A subtree holds no number below that of
    // its digits so far, so the subtree with the lowest one is opened first.
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

  /// The tree with these children: an existing one, or a new one.
  Tree make(std::size_t level, const std::vector<Tree>& children) {
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

  /// `by` is the rest of the translation: without the digits before this level, and with their
  /// carry.
  Tree merge(Tree set, Tree other, Node by, std::size_t level) {
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

  /// Digit d of `other` goes to the digit of d + step, and the carry of that sum to the factor's
  /// next digit; the carry out of its last digit is dropped, as in sums modulo the radix.
  Tree merge_children(Tree set, Tree other, Node by, std::size_t level) {
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

namespace {

constexpr std::size_t kWordBits = 64;
using BitWords = std::vector<std::uint64_t>;

/// ORs `length` bits of `from` at `from_bit` into `to` at `to_bit`, a word at a time.
void or_bits(BitWords& to, std::size_t to_bit, const BitWords& from, std::size_t from_bit,
             std::size_t length) {
  while (length > 0) {
    const std::size_t step = std::min(length, kWordBits);
    const std::size_t low = from_bit % kWordBits;
    std::uint64_t word = from[from_bit / kWordBits] >> low;
    if (low + step > kWordBits) word |= from[from_bit / kWordBits + 1] << (kWordBits - low);
    if (step < kWordBits) word &= (std::uint64_t{1} << step) - 1;

    const std::size_t high = to_bit % kWordBits;
    to[to_bit / kWordBits] |= word << high;
    if (high + step > kWordBits) to[to_bit / kWordBits + 1] |= word >> (kWordBits - high);
    to_bit += step;
    from_bit += step;
    length -= step;
  }
}

/// One bit per origin, in node order, for each piece. No bits are allocated while the node holds
/// only its own message.
class OriginBits final : public MessageSet {
 public:
  OriginBits(const Topology& topology, std::uint32_t pieces, Node own,
             std::shared_ptr<MemoryWatch> watch)
      : topology_(topology), pieces_(pieces), own_(own), watch_(std::move(watch)) {}
  OriginBits(const OriginBits& other) = default;
  OriginBits& operator=(const OriginBits&) = delete;
  ~OriginBits() override { watch_->shrank(words_.size() * sizeof(std::uint64_t)); }

  bool contains(const Message& m) const override {
    return words_.empty() ? m.origin == own_ : holds(m);
  }
  void insert(const Message& m) override {
    if (words_.empty() && m.origin == own_) return;
    make_words();
    put(m);
  }
  void merge(const MessageSet& other, Node by) override {
    const auto& from = static_cast<const OriginBits&>(other);
    if (from.words_.empty()) {
      const Node own = by == 0 ? from.own_ : topology_.translate(from.own_, by);
      for (std::uint32_t k = 0; k < pieces_; ++k) insert({own, kNoNode, k});
      return;
    }
    make_words();
    if (by == 0) {
      for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= from.words_[i];
      return;
    }
    for (std::size_t bit = 0; bit < words_.size() * kWordBits; bit += bits_of_piece()) {
      merge_factor(from, by, topology_.factors().size() - 1, bit, bit);
    }
  }
  std::uint64_t size() const override {
    if (words_.empty()) return pieces_;
    std::uint64_t count = 0;
    for (const std::uint64_t word : words_)
      count += static_cast<std::uint64_t>(std::popcount(word));
    return count;
  }
  std::uint64_t flits(const ChunkFlits& flits) const override {
    std::uint64_t sum = 0;
    for (std::uint32_t k = 0; k < pieces_; ++k) {
      std::uint64_t count = words_.empty() ? 1 : 0;
      const std::size_t words = words_.empty() ? 0 : bits_of_piece() / kWordBits;
      for (std::size_t i = k * words; i < (k + 1) * words; ++i) {
        count += static_cast<std::uint64_t>(std::popcount(words_[i]));
      }
      sum += count * flits.longest().of(k);
    }
    return sum;
  }
  std::uint64_t delivered() const override { return size() - pieces_; }
  std::unique_ptr<MessageSet> clone() const override {
    watch_->grew(words_.size() * sizeof(std::uint64_t));
    return std::make_unique<OriginBits>(*this);
  }
  std::vector<Node> missing_origins(std::size_t most) const override {
    std::vector<Node> missing;
    for (Node x = 0; x < topology_.nodes() && missing.size() < most; ++x) {
      bool whole = true;
      for (std::uint32_t k = 0; k < pieces_; ++k) whole = whole && contains({x, kNoNode, k});
      if (!whole) missing.push_back(x);
    }
    return missing;
  }

 private:
  void make_words() {
    if (!words_.empty()) return;
    words_.resize(pieces_ * bits_of_piece() / kWordBits);
    watch_->grew(words_.size() * sizeof(std::uint64_t));
    for (std::uint32_t k = 0; k < pieces_; ++k) put({own_, kNoNode, k});
  }
  std::size_t bits_of_piece() const {
    return (std::size_t{topology_.nodes()} + kWordBits - 1) / kWordBits * kWordBits;
  }
  std::size_t bit(const Message& m) const {
    return pieces_ == 1 ? m.origin : m.piece * bits_of_piece() + m.origin;
  }
  bool holds(const Message& m) const {
    return words_[bit(m) / kWordBits] >> (bit(m) % kWordBits) & 1;
  }
  void put(const Message& m) {
    words_[bit(m) / kWordBits] |= std::uint64_t{1} << (bit(m) % kWordBits);
  }

  /// Digit by digit from the last factor down. At the lowest digit that is translated, the nodes
  /// that share the higher digits are one block of bits, and the translation rotates it.
  void merge_factor(const OriginBits& from, Node by, std::size_t f, std::size_t to_base,
                    std::size_t from_base) {
    const std::size_t radix = topology_.factors()[f].nodes;
    const std::size_t stride = topology_.stride(f);
    const std::size_t step = topology_.digit(by, f);
    if (by % stride == 0 && step != 0) {
      const std::size_t block = radix * stride;
      const std::size_t moved = step * stride;
      or_bits(words_, to_base + moved, from.words_, from_base, block - moved);
      or_bits(words_, to_base, from.words_, from_base + block - moved, moved);
      return;
    }
    for (std::size_t d = 0; d < radix; ++d) {
      const std::size_t to_digit = d + step < radix ? d + step : d + step - radix;
      merge_factor(from, by, f - 1, to_base + to_digit * stride, from_base + d * stride);
    }
  }

  const Topology& topology_;
  std::uint32_t pieces_;
  Node own_;
  std::shared_ptr<MemoryWatch> watch_;
  BitWords words_;
};

/// A tree of origins; equal subtrees of all sets of a check are stored once.
class OriginTree final : public MessageSet {
 public:
  OriginTree(std::shared_ptr<NodeTrees> trees, Node own)
      : trees_(std::move(trees)), root_(trees_->single(own)) {}

  bool contains(const Message& m) const override { return trees_->contains(root_, m.origin); }
  void insert(const Message& m) override {
    root_ = trees_->merge(root_, trees_->single(m.origin), 0);
  }
  void merge(const MessageSet& other, Node by) override {
    root_ = trees_->merge(root_, static_cast<const OriginTree&>(other).root_, by);
  }
  std::uint64_t size() const override { return trees_->size(root_); }
  std::uint64_t flits(const ChunkFlits& flits) const override {
    return size() * flits.longest().flits;
  }
  std::uint64_t delivered() const override { return size() - 1; }
  std::unique_ptr<MessageSet> clone() const override { return std::make_unique<OriginTree>(*this); }
  std::vector<Node> missing_origins(std::size_t most) const override {
    return trees_->missing(root_, most);
  }

 private:
  std::shared_ptr<NodeTrees> trees_;
  NodeTrees::Tree root_;
};

/// A hash table of messages, without what the node holds before round 1.
class MessageTable final : public MessageSet {
 public:
  MessageTable(const Schedule& schedule, Node owner, std::shared_ptr<MemoryWatch> watch)
      : schedule_(schedule), numbers_(schedule.pieces()), owner_(owner), watch_(std::move(watch)) {}
  MessageTable(const MessageTable& other) = default;
  MessageTable& operator=(const MessageTable&) = delete;
  ~MessageTable() override { watch_->shrank(keys_.bytes()); }

  bool contains(const Message& m) const override {
    return is_initial(schedule_, owner_, m) || keys_.find(numbers_.number(m)) != nullptr;
  }
  void insert(const Message& m) override {
    const std::uint64_t before = keys_.bytes();
    if (is_initial(schedule_, owner_, m) || !keys_.add(numbers_.number(m), {}).second) return;
    if (keys_.bytes() != before) watch_->grew(keys_.bytes() - before);
    if (is_expected(schedule_, owner_, m)) ++delivered_;
  }
  void merge(const MessageSet& other, Node by) override {
    const auto& from = static_cast<const MessageTable&>(other);
    const Translation move(schedule_.topology(), by);
    const auto add = [&](const Message& m) {
      stop_if_interrupted();
      insert(moved(m, move));
    };
    for_each_initial(schedule_, from.owner_, add);
    from.keys_.for_each([&](std::uint64_t k) { add(numbers_.message(k)); });
  }
  std::uint64_t size() const override { return count_initial(schedule_, owner_) + keys_.size(); }
  std::uint64_t flits(const ChunkFlits& flits) const override {
    std::uint64_t sum = 0;
    for_each_initial(schedule_, owner_, [&](const Message& m) { sum += flits.of(m); });
    keys_.for_each([&](std::uint64_t k) { sum += flits.of(numbers_.message(k)); });
    return sum;
  }
  std::uint64_t delivered() const override { return delivered_; }
  std::unique_ptr<MessageSet> clone() const override {
    watch_->grew(keys_.bytes());
    return std::make_unique<MessageTable>(*this);
  }
  std::vector<Node> missing_origins(std::size_t) const override { return {}; }

 private:
  const Schedule& schedule_;
  MessageNumbers numbers_;
  Node owner_;
  std::shared_ptr<MemoryWatch> watch_;
  struct Nothing {};
  NumberMap<Nothing, 4> keys_;
  std::uint64_t delivered_ = 0;
};

/// The number of classes of nodes that receive anything. Of most schedules all do, and a few
/// transfers show it.
std::uint64_t receivers(const Schedule& schedule) {
  const Node classes = schedule.symmetry().classes();
  std::vector<bool> receives(classes, false);
  std::uint64_t count = 0;
  for (const Transfer& t : schedule.transfers()) {
    if (count == classes) break;
    stop_if_interrupted();
    for (const TransferHop hop : schedule.stored_hops(t)) {
      if (hop.to >= schedule.topology().nodes()) continue;
      const Node c = schedule.symmetry().class_of(hop.to);
      if (!receives[c]) ++count;
      receives[c] = true;
    }
  }
  return count;
}

double bytes_of_bits(const Schedule& schedule, std::uint64_t receiving) {
  return static_cast<double>(receiving) * schedule.topology().nodes() * schedule.pieces() / 8;
}

/// An empty set object and the pointer to it.
constexpr std::uint64_t kBytesOfSet = 128;

/// Bits are always used if they need no more bytes than this.
constexpr std::uint64_t kFewBytes = std::uint64_t{1} << 26;

/// Bits are the faster sets. They cost a bit per class and node; a schedule that lists its messages
/// is larger than that itself.
bool bits_are_affordable(const Schedule& schedule, std::uint64_t receiving) {
  return bytes_of_bits(schedule, receiving) <=
         static_cast<double>(std::max<std::uint64_t>(kFewBytes, schedule.bytes()));
}

bool takes_trees(const Schedule& schedule, std::uint64_t receiving, OriginSets origin_sets) {
  if (schedule.pieces() > 1) return false;
  if (origin_sets != OriginSets::Automatic) return origin_sets == OriginSets::Trees;
  return !bits_are_affordable(schedule, receiving) && trees_suit(schedule.topology());
}

}  // namespace

bool everybody_ends_with_all(const Schedule& schedule) {
  return schedule.collective() == Collective::Gossip && schedule.regular();
}

MessageSets::MessageSets(const Schedule& schedule, OriginSets origin_sets)
    : schedule_(schedule),
      watch_(std::make_shared<MemoryWatch>(schedule.topology().spec() + ": what its nodes hold")),
      sets_(schedule.symmetry().classes()) {
  if (!everybody_ends_with_all(schedule)) return;
  const std::uint64_t receiving = receivers(schedule);
  if (takes_trees(schedule, receiving, origin_sets)) {
    trees_ = std::make_shared<NodeTrees>(schedule.topology(), watch_);
    return;
  }
  require_memory(bytes_of_bits(schedule, receiving),
                 fmt::format("{}: what {} nodes hold of {} messages", schedule.topology().spec(),
                             receiving, schedule.topology().nodes()));
}

const std::shared_ptr<MessageSet>& MessageSets::operator[](Node class_index) {
  std::shared_ptr<MessageSet>& set = sets_[class_index];
  if (set != nullptr) return set;
  const Node node = schedule_.symmetry().representative(class_index);
  if (trees_ != nullptr) {
    set = std::make_shared<OriginTree>(trees_, node);
  } else if (everybody_ends_with_all(schedule_)) {
    set = std::make_shared<OriginBits>(schedule_.topology(), schedule_.pieces(), node, watch_);
  } else {
    set = std::make_shared<MessageTable>(schedule_, node, watch_);
  }
  watch_->grew(kBytesOfSet);
  return set;
}

}  // namespace gossamer
