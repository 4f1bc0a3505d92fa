#include "fabric/operators.hpp"

#include <algorithm>

namespace gossamer {
namespace {

/// Sums in lanes; `tops` has the highest bit of each. The bits below cannot carry into the next
/// lane.
std::uint32_t lanes(std::uint32_t a, std::uint32_t b, std::uint32_t tops) {
  return ((a & ~tops) + (b & ~tops)) ^ ((a ^ b) & tops);
}

}  // namespace

std::uint32_t combined(Operator op, std::uint32_t a, std::uint32_t b) {
  const auto x = static_cast<std::int32_t>(a), y = static_cast<std::int32_t>(b);
  switch (op) {
    case Operator::Sum: return a + b;
    case Operator::Sum16: return lanes(a, b, 0x80008000);
    case Operator::Sum8: return lanes(a, b, 0x80808080);
    case Operator::Min: return static_cast<std::uint32_t>(std::min(x, y));
    case Operator::Max: return static_cast<std::uint32_t>(std::max(x, y));
    case Operator::MinU: return std::min(a, b);
    case Operator::MaxU: return std::max(a, b);
    case Operator::And: return a & b;
    case Operator::Or: return a | b;
    case Operator::Xor: break;
  }
  return a ^ b;
}

}  // namespace gossamer
