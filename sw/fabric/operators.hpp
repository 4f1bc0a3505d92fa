#pragma once

#include <algorithm>
#include <cstdint>

#include "gossamer_constants.hpp"

namespace gossamer {

/// What rtl/node/join_op.sv makes of two words of `flit_w` bits, at most 32: y = op(a, b). An
/// operator that has no name adds.
inline std::uint32_t combine(rtl::op_e op, std::uint32_t a, std::uint32_t b, unsigned flit_w) {
  const std::uint32_t mask = ~0u >> (32 - flit_w), sign = 1u << (flit_w - 1);
  const auto lanes = [&](unsigned bits) {
    std::uint32_t sum = 0;
    for (unsigned at = 0; at < flit_w; at += bits) {
      const std::uint32_t lane = ((1u << bits) - 1) << at;
      sum |= ((a & lane) + (b & lane)) & lane;
    }
    return sum & mask;
  };
  switch (op) {
    case rtl::op_e::OP_SUM16: return lanes(16);
    case rtl::op_e::OP_SUM8: return lanes(8);
    case rtl::op_e::OP_MIN: return (a ^ sign) < (b ^ sign) ? a : b;
    case rtl::op_e::OP_MAX: return (a ^ sign) < (b ^ sign) ? b : a;
    case rtl::op_e::OP_MINU: return std::min(a, b);
    case rtl::op_e::OP_MAXU: return std::max(a, b);
    case rtl::op_e::OP_AND: return a & b;
    case rtl::op_e::OP_OR: return a | b;
    case rtl::op_e::OP_XOR: return a ^ b;
    default: return (a + b) & mask;
  }
}

}  // namespace gossamer
