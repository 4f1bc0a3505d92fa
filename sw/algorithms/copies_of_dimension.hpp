#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "algorithms/dimension_exchange.hpp"

/// What algorithms A1 and A2 (paper 5) share: a product falls into copies of each of its
/// dimensions, and the same exchange runs in all copies at once.
namespace gossamer::copies {

/// A message for which a node stands in: origin and destination as translations of that node.
struct Carried {
  Node origin = 0, destination = 0;
};

/// What a node has for each node of its copy of a dimension, by the offset in that dimension; [0]
/// is not used.
using Batch = std::vector<Carried>;

/// The translations that leave the exchanges of all dimensions as they are.
Symmetry symmetry_of(const Topology& topology, Node (*period_of)(const Graph&));

/// Appends rounds of the exchanges to a schedule.
class Writer {
 public:
  explicit Writer(Schedule& schedule);

  /// One round of the exchange in all copies of `dimension`, in which all nodes have `batch`.
  void add(std::uint32_t round, std::size_t dimension, const dimension_exchange::Round& hops,
           const Batch& batch);

 private:
  Node replace_digit(Node x, std::size_t dimension, Node digit) const;

  Schedule& schedule_;
  /// One of each class, by dimension and digit.
  std::vector<std::vector<std::vector<Node>>> nodes_;
};

/// Why neither algorithm can serve: not total exchange, no full duplex, dimensions of another kind,
/// or too many transfers to list.
std::optional<std::string> refuses(std::string_view name, const Request& request,
                                   Node (*period_of)(const Graph&));

}  // namespace gossamer::copies
