#pragma once

#include <functional>

#include "node_bench.hpp"

namespace gossamer::test {

inline constexpr Node kNodes = 3;  ///< one or more rings: an even port leads up, the next one down

/// A variant of the node: how it is built, and the RTL.
struct NodeVariant {
  const char* name;
  NodeBuild build;
  std::function<std::unique_ptr<NodeRtl>(std::uint32_t seed)> make;
};

const std::vector<NodeVariant>& node_variants();

/// An address on the configuration port.
inline std::uint32_t region(std::uint32_t number, std::uint32_t rest, std::uint32_t bank = 0) {
  return bank << rtl::CFG_BANK_LSB | number << rtl::CFG_REGION_LSB | rest;
}

}  // namespace gossamer::test
