#pragma once

#include <array>
#include <vector>

#include "engines/tile/lanes.hpp"
#include "fabric/quotient.hpp"

namespace gossamer::tb {

/// The links at one port of the nodes of a group: where they lead, and how words change on them.
/// The words of all eight are translated at once, by the sums of Quotient::arriving().
class LaneLinks {
 public:
  /// `to` has the slots at the other ends, by lane.
  LaneLinks(const Quotient* quotient, const LaneNodes& nodes, Port p,
            const std::array<std::uint32_t, kLanes>& to)
      : to_(to), quotient_(quotient), nodes_(nodes), port_(p) {
    if (quotient == nullptr || !quotient->one_flit_per_origin()) return;
    first_ = quotient->first();
    count_ = quotient->nodes();
    by_ = nodes.lanes([&](Node x) { return quotient->by(x, p); });
    for (std::size_t b = 0; b < quotient->blocks().size(); ++b) {
      Block& block = blocks_.emplace_back();
      block.size = quotient->blocks()[b].size;
      block.magic = quotient->blocks()[b].magic;
      for (unsigned lane = 0; lane < nodes.count; ++lane) {
        block.limits[lane % 2][lane / 2] = quotient->limit(nodes.node[lane], p, b) ^ kSign;
      }
    }
  }

  const std::array<std::uint32_t, kLanes>& to() const { return to_; }

  /// The words that arrive if these are sent.
  [[gnu::always_inline]] Lanes arriving(Lanes words) const {
    if (quotient_ == nullptr) return words;
    if (blocks_.empty()) return one_by_one(words);
    const Lanes number = Payload::number(words);
    const Lanes message = number - first_;
    const __m256i even = message.bits(), odd = _mm256_srli_epi64(even, 32);
    __m256i less_even = _mm256_setzero_si256(), less_odd = less_even;
    for (const Block& block : blocks_) {
      less_even = _mm256_add_epi64(less_even, block.passing(even, 0));
      less_odd = _mm256_add_epi64(less_odd, block.passing(odd, 1));
    }
    const Lanes less(reinterpret_cast<Lanes::Numbers>(
        _mm256_blend_epi32(less_even, _mm256_slli_epi64(less_odd, 32), 0xaa)));
    const Lanes known = -Lanes(message < count_);  // a word of no message stays as it is
    return Payload::word(number + ((by_ - less) & known));
  }

 private:
  static constexpr std::uint64_t kSign = std::uint64_t{1} << 63;  // AVX2 compares signed numbers
  /// A digit of the nodes (DigitBlock), with the limits of the even and the odd lanes.
  struct Block {
    std::uint64_t size, magic;
    alignas(32) std::uint64_t limits[2][kLanes / 2] = {};
    /// The size where the digit passes its radix, otherwise 0. The messages are in the low halves.
    [[gnu::always_inline]] __m256i passing(__m256i message, unsigned odd) const {
      const __m256i m = _mm256_set1_epi64x(static_cast<long long>(magic));
      const __m256i product = _mm256_add_epi64(
          _mm256_mul_epu32(message, m),
          _mm256_slli_epi64(_mm256_mul_epu32(message, _mm256_srli_epi64(m, 32)), 32));
      const __m256i limit = _mm256_load_si256(reinterpret_cast<const __m256i*>(limits[odd]));
      const __m256i sign = _mm256_set1_epi64x(static_cast<long long>(kSign));
      return _mm256_and_si256(_mm256_cmpgt_epi64(_mm256_xor_si256(product, sign), limit),
                              _mm256_set1_epi64x(static_cast<long long>(size)));
    }
  };

  Lanes one_by_one(Lanes words) const {
    for (unsigned lane = 0; lane < nodes_.count; ++lane) {
      words.set(lane, quotient_->arriving(nodes_.node[lane], port_, words[lane]));
    }
    return words;
  }

  std::array<std::uint32_t, kLanes> to_;
  const Quotient* quotient_;
  LaneNodes nodes_;
  Port port_;
  std::uint32_t first_ = 0, count_ = 0;
  Lanes by_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace gossamer::tb
