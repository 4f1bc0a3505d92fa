#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer::any_graph {

using Word = std::uint64_t;
inline constexpr std::uint32_t kWordBits = 64;

/// Sets of messages, all of the same size, as rows of bits.
class BitSets {
 public:
  BitSets(std::size_t sets, std::uint32_t messages)
      : words_((messages + kWordBits - 1) / kWordBits), bits_(sets * words_) {}

  /// Words of a set.
  std::uint32_t words() const { return words_; }
  Word* operator[](std::size_t set) { return bits_.data() + set * words_; }
  const Word* operator[](std::size_t set) const { return bits_.data() + set * words_; }

  static bool contains(const Word* set, Node m) {
    return set[m / kWordBits] >> (m % kWordBits) & 1;
  }
  static void insert(Word* set, Node m) { set[m / kWordBits] |= Word{1} << (m % kWordBits); }
  static void remove(Word* set, Node m) { set[m / kWordBits] &= ~(Word{1} << (m % kWordBits)); }

 private:
  std::uint32_t words_;
  std::vector<Word> bits_;
};

}  // namespace gossamer::any_graph
