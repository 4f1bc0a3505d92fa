#include "algorithms/any_graph/rarity.hpp"

#include <algorithm>

namespace gossamer::any_graph {

Rarity::Rarity(Node nodes)
    : holders_(nodes, 1), messages_with_(nodes + 1, 0), at_most_(nodes + 1, nodes) {
  messages_with_[1] = nodes;
  for (std::uint32_t h = 1; h <= nodes; ++h) {
    for (Node m = 0; m < nodes; ++m) BitSets::insert(at_most_[h], m);
  }
}

void Rarity::one_more(Node m) {
  --messages_with_[holders_[m]];
  BitSets::remove(at_most_[holders_[m]], m);
  ++messages_with_[++holders_[m]];
  while (messages_with_[fewest_] == 0) ++fewest_;
}

void Rarity::one_less(Node m) {
  --messages_with_[holders_[m]];
  BitSets::insert(at_most_[--holders_[m]], m);
  ++messages_with_[holders_[m]];
  fewest_ = std::min(fewest_, holders_[m]);
}

bool Rarity::meets(const Word* set, std::uint32_t holders) const {
  const Word* const row = at_most_[holders];
  for (std::uint32_t i = 0; i < at_most_.words(); ++i) {
    if (set[i] & row[i]) return true;
  }
  return false;
}

/// The rarest are mostly among the rarest of all, so the search starts there and takes growing
/// steps before it closes in.
void Rarity::keep_rarest(Word* set) {
  const auto most = static_cast<std::uint32_t>(holders_.size());
  std::uint32_t missed = fewest_ - 1, met = fewest_;
  for (std::uint32_t step = 1; !meets(set, met); step *= 2) {
    missed = met;
    met = std::min(most, met + step);
  }
  while (met - missed > 1) {
    const std::uint32_t middle = missed + (met - missed) / 2;
    (meets(set, middle) ? met : missed) = middle;
  }
  const Word* const row = at_most_[met];
  for (std::uint32_t i = 0; i < at_most_.words(); ++i) set[i] &= row[i];
}

Node random_member(const Word* set, std::uint32_t words, Random& random) {
  std::uint32_t members = 0;
  for (std::uint32_t i = 0; i < words; ++i) members += std::popcount(set[i]);
  std::uint32_t skip = random.below(members);
  for (std::uint32_t i = 0;; ++i) {
    const auto here = static_cast<std::uint32_t>(std::popcount(set[i]));
    if (skip >= here) {
      skip -= here;
      continue;
    }
    Word word = set[i];
    for (; skip > 0; --skip) word &= word - 1;
    return i * kWordBits + static_cast<Node>(std::countr_zero(word));
  }
}

}  // namespace gossamer::any_graph
