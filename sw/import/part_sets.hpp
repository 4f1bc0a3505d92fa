#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer {

/// Sets of nodes whose parts are in a sum, as numbers. Equal sets have equal numbers; 0 is the
/// empty one.
class PartSets {
 public:
  explicit PartSets(Node nodes);
  std::uint32_t of(Node x);
  std::uint32_t all() const { return all_; }
  /// Throws InputError if there is not enough memory.
  std::uint32_t both(std::uint32_t a, std::uint32_t b);
  bool contains(std::uint32_t a, std::uint32_t part) const;
  /// A node that is in both, if there is one.
  std::optional<Node> common(std::uint32_t a, std::uint32_t b) const;
  std::vector<Node> nodes(std::uint32_t a) const;

 private:
  using Bits = std::vector<std::uint64_t>;
  std::uint32_t number(const Bits& bits);

  std::size_t words_;
  std::uint32_t all_ = 0;
  std::map<Bits, std::uint32_t> numbers_;
  std::vector<std::map<Bits, std::uint32_t>::const_iterator> sets_;
};

}  // namespace gossamer
