#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "topology/topology.hpp"

namespace gossamer {

/// Nodes of a translatable topology with all their digits in one word, a field per factor, so that
/// a translation takes a few instructions, whatever the radices are.
class DigitPacking {
 public:
  /// Nothing if the topology cannot be translated or its digits do not fit.
  static std::optional<DigitPacking> of(const Topology& topology) {
    if (!topology.translatable()) return {};
    DigitPacking packing;
    Node most = 2;
    for (const Graph& factor : topology.factors()) most = std::max(most, factor.nodes);
    packing.width_ = static_cast<unsigned>(std::bit_width(most - 1)) + 1;
    if (topology.factors().size() * packing.width_ > 31) return {};
    for (std::size_t f = 0; f < topology.factors().size(); ++f) {
      const unsigned at = static_cast<unsigned>(f) * packing.width_;
      packing.tops_ |= 1u << (at + packing.width_ - 1);
      packing.bias_ |= ((1u << (packing.width_ - 1)) - topology.factors()[f].nodes) << at;
      packing.strides_[f] = topology.stride(f);
      packing.radices_[f] = topology.factors()[f].nodes;
    }
    packing.digits_ = static_cast<unsigned>(topology.factors().size());
    return packing;
  }

  std::uint32_t pack(Node x) const {
    std::uint32_t packed = 0;
    for (unsigned f = 0; f < digits_; ++f) {
      packed |= x / strides_[f] % radices_[f] << f * width_;
    }
    return packed;
  }

  Node node(std::uint32_t packed) const {
    const std::uint32_t mask = (1u << width_) - 1;
    const std::uint64_t wide = packed;
    // Without a branch for up to three digits: those that are not there have stride 0.
    Node x = packed & mask;
    x += static_cast<std::uint32_t>(wide >> width_ & mask) * strides_[1];
    x += static_cast<std::uint32_t>(wide >> 2 * width_ & mask) * strides_[2];
    for (unsigned f = 3; f < digits_; ++f) x += (packed >> f * width_ & mask) * strides_[f];
    return x;
  }

  /// The same for several of them.
  template <class Numbers>
  Numbers nodes(Numbers packed) const {
    const std::uint32_t mask = (1u << width_) - 1;
    Numbers x = packed & mask;
    for (unsigned f = 1; f < digits_; ++f) x = x + (packed >> f * width_ & mask) * strides_[f];
    return x;
  }

  /// The sum of two packed nodes, digit by digit modulo the radices. After the bias is added, a
  /// field's top bit is set if the sum has reached the radix, and the other bits hold the
  /// remainder. In the other fields the bias is subtracted again.
  template <class Number = std::uint32_t>
  Number translate(Number packed, Number by) const {
    const Number sum = packed + by + bias_;
    const Number reached = sum & tops_;
    const Number ones = reached - (reached >> (width_ - 1));
    return (sum ^ reached) - (~ones & bias_);
  }

 private:
  static constexpr std::size_t kMostDigits = 16;  ///< of two bits at least, in 31
  unsigned width_ = 0, digits_ = 0;
  std::uint32_t tops_ = 0, bias_ = 0;
  std::array<Node, kMostDigits> strides_{}, radices_{};
};

}  // namespace gossamer
