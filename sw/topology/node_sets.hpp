#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

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

}  // namespace gossamer
