#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace gossamer::any_graph {

/// Random numbers that are the same on every machine (the generator splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// From 0 to `count` - 1. The slight preference of some numbers does not matter here.
  std::uint32_t below(std::uint32_t count) {
    return static_cast<std::uint32_t>(((next() >> 32) * count) >> 32);
  }
  template <typename T>
  void shuffle(std::vector<T>& all) {
    for (auto i = static_cast<std::uint32_t>(all.size()); i > 1; --i) {
      std::swap(all[i - 1], all[below(i)]);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace gossamer::any_graph
