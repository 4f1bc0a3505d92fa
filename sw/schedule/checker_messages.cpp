#include "schedule/checker_messages.hpp"

#include <algorithm>
#include <bit>
#include <unordered_set>
#include <utility>
#include <vector>

#include "schedule/node_trees.hpp"

namespace gossamer::checking {
namespace {

constexpr std::size_t kWordBits = 64;
using Words = std::vector<std::uint64_t>;

/// ORs `length` bits of `from` at `from_bit` into `to` at `to_bit`, a word at a time.
void or_bits(Words& to, std::size_t to_bit, const Words& from, std::size_t from_bit,
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

/// One bit per origin, in node order.
class OriginBits final : public MessageSet {
 public:
  explicit OriginBits(const Topology& topology)
      : topology_(topology), words_((topology.nodes() + kWordBits - 1) / kWordBits) {}

  bool contains(const Message& m) const override {
    return words_[m.origin / kWordBits] >> (m.origin % kWordBits) & 1;
  }
  void insert(const Message& m) override {
    words_[m.origin / kWordBits] |= std::uint64_t{1} << (m.origin % kWordBits);
  }
  void merge(const MessageSet& other, Node by) override {
    const auto& from = static_cast<const OriginBits&>(other);
    if (by == 0) {
      for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= from.words_[i];
      return;
    }
    merge_factor(from, by, topology_.factors().size() - 1, 0, 0);
  }
  std::uint64_t size() const override {
    std::uint64_t count = 0;
    for (const std::uint64_t word : words_)
      count += static_cast<std::uint64_t>(std::popcount(word));
    return count;
  }
  std::unique_ptr<MessageSet> clone() const override { return std::make_unique<OriginBits>(*this); }
  std::vector<Node> missing_origins(std::size_t most) const override {
    std::vector<Node> missing;
    for (Node x = 0; x < topology_.nodes() && missing.size() < most; ++x) {
      if (!contains({.origin = x})) missing.push_back(x);
    }
    return missing;
  }

 private:
  /// Digit by digit from the last factor down. At the lowest digit that moves, the nodes of one
  /// value of the higher digits are one block of bits, and the translation rotates it.
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
  Words words_;
};

/// A tree of origins; equal subtrees of all sets of a check are held once.
class OriginTree final : public MessageSet {
 public:
  explicit OriginTree(std::shared_ptr<NodeTrees> trees) : trees_(std::move(trees)) {}

  bool contains(const Message& m) const override { return trees_->contains(root_, m.origin); }
  void insert(const Message& m) override {
    root_ = trees_->merge(root_, trees_->single(m.origin), 0);
  }
  void merge(const MessageSet& other, Node by) override {
    root_ = trees_->merge(root_, static_cast<const OriginTree&>(other).root_, by);
  }
  std::uint64_t size() const override { return trees_->size(root_); }
  std::unique_ptr<MessageSet> clone() const override { return std::make_unique<OriginTree>(*this); }
  std::vector<Node> missing_origins(std::size_t most) const override {
    return trees_->missing(root_, most);
  }

 private:
  std::shared_ptr<NodeTrees> trees_;
  NodeTrees::Tree root_ = NodeTrees::kEmpty;
};

/// A hash table of (origin, destination).
class MessageTable final : public MessageSet {
 public:
  explicit MessageTable(const Topology& topology) : topology_(topology) {}

  bool contains(const Message& m) const override { return keys_.count(key(m)) != 0; }
  void insert(const Message& m) override { keys_.insert(key(m)); }
  void merge(const MessageSet& other, Node by) override {
    for (const std::uint64_t k : static_cast<const MessageTable&>(other).keys_) {
      keys_.insert(by == 0 ? k : key(translate(message(k), by)));
    }
  }
  std::uint64_t size() const override { return keys_.size(); }
  std::unique_ptr<MessageSet> clone() const override {
    return std::make_unique<MessageTable>(*this);
  }
  std::vector<Node> missing_origins(std::size_t) const override { return {}; }

 private:
  static std::uint64_t key(const Message& m) {
    return std::uint64_t{m.origin} << 32 | m.destination;
  }
  static Message message(std::uint64_t key) {
    return {static_cast<Node>(key >> 32), static_cast<Node>(key)};
  }
  Message translate(const Message& m, Node by) const {
    return {topology_.translate(m.origin, by),
            m.destination == kNoNode ? kNoNode : topology_.translate(m.destination, by)};
  }

  const Topology& topology_;
  std::unordered_set<std::uint64_t> keys_;
};

/// Bits up to this many bytes are taken without a thought.
constexpr std::uint64_t kFewBytes = std::uint64_t{1} << 26;

/// Bits are the faster sets. They cost a bit per class and node; a schedule that lists its messages
/// is larger than that itself.
bool bits_are_affordable(const Schedule& schedule) {
  const std::uint64_t bytes =
      std::uint64_t{schedule.symmetry().classes()} * schedule.topology().nodes() / 8;
  return bytes <= std::max<std::uint64_t>(kFewBytes, schedule.bytes());
}

bool takes_trees(const Schedule& schedule, OriginSets origin_sets) {
  if (schedule.collective() != Collective::Gossip) return false;
  if (origin_sets != OriginSets::Automatic) return origin_sets == OriginSets::Trees;
  return !bits_are_affordable(schedule) && NodeTrees::suits(schedule.topology());
}

}  // namespace

std::unique_ptr<MessageSet> make_message_set(const Schedule& schedule) {
  if (schedule.collective() == Collective::Gossip) {
    return std::make_unique<OriginBits>(schedule.topology());
  }
  return std::make_unique<MessageTable>(schedule.topology());
}

std::vector<std::shared_ptr<MessageSet>> make_message_sets(const Schedule& schedule,
                                                           OriginSets origin_sets) {
  std::vector<std::shared_ptr<MessageSet>> sets(schedule.symmetry().classes());
  if (takes_trees(schedule, origin_sets)) {
    const auto trees = std::make_shared<NodeTrees>(schedule.topology());
    for (auto& set : sets) set = std::make_shared<OriginTree>(trees);
  } else {
    for (auto& set : sets) set = make_message_set(schedule);
  }
  return sets;
}

Message Frames::seen_from(Node viewer, const Message& m) const {
  if (trivial_) return m;
  const Node back = topology_.negate(symmetry_.shift(viewer));
  return {topology_.translate(m.origin, back),
          m.destination == kNoNode ? kNoNode : topology_.translate(m.destination, back)};
}

Node Frames::change(Node from, Node to) const {
  if (trivial_) return 0;
  return topology_.translate(symmetry_.shift(from), topology_.negate(symmetry_.shift(to)));
}

}  // namespace gossamer::checking
