#include "import/part_sets.hpp"

#include <bit>

#include "support/memory.hpp"

namespace gossamer {

PartSets::PartSets(Node nodes) : words_((nodes + 63) / 64) {
  Bits bits(words_);
  number(bits);
  for (Node x = 0; x < nodes; ++x) bits[x / 64] |= std::uint64_t{1} << x % 64;
  all_ = number(bits);
}

std::uint32_t PartSets::number(const Bits& bits) {
  const auto [found, is_new] = numbers_.try_emplace(bits, static_cast<std::uint32_t>(sets_.size()));
  if (!is_new) return found->second;
  sets_.push_back(found);
  if (std::has_single_bit(sets_.size())) {  // there will be as many again
    require_memory(2.0 * static_cast<double>(sets_.size() * (words_ + 8) * sizeof(bits[0])),
                   "the sets of nodes whose parts are in the sums of the import");
  }
  return found->second;
}

std::uint32_t PartSets::of(Node x) {
  Bits bits(words_);
  bits[x / 64] = std::uint64_t{1} << x % 64;
  return number(bits);
}

std::uint32_t PartSets::both(std::uint32_t a, std::uint32_t b) {
  Bits bits = sets_[a]->first;
  for (std::size_t i = 0; i < words_; ++i) bits[i] |= sets_[b]->first[i];
  return number(bits);
}

bool PartSets::contains(std::uint32_t a, std::uint32_t part) const {
  for (std::size_t i = 0; i < words_; ++i) {
    if ((sets_[part]->first[i] & ~sets_[a]->first[i]) != 0) return false;
  }
  return true;
}

std::optional<Node> PartSets::common(std::uint32_t a, std::uint32_t b) const {
  for (std::size_t i = 0; i < words_; ++i) {
    const std::uint64_t bits = sets_[a]->first[i] & sets_[b]->first[i];
    if (bits != 0) return static_cast<Node>(64 * i + std::countr_zero(bits));
  }
  return std::nullopt;
}

std::vector<Node> PartSets::nodes(std::uint32_t a) const {
  std::vector<Node> all;
  for (std::size_t i = 0; i < words_; ++i) {
    for (std::uint64_t bits = sets_[a]->first[i]; bits != 0; bits &= bits - 1) {
      all.push_back(static_cast<Node>(64 * i + std::countr_zero(bits)));
    }
  }
  return all;
}

}  // namespace gossamer
