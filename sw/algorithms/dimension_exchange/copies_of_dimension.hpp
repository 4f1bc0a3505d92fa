#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/common/algorithm.hpp"
#include "algorithms/dimension_exchange/dimension_exchange.hpp"

/// Shared by algorithms A1 and A2 (Dimakopoulos-Dimopoulos 1998): a product consists of copies of
/// each of its dimensions, and the same exchange runs in all copies at once.
namespace gossamer::copies {

/// The message that a node puts into an exchange: origin and destination as translations of that
/// node.
struct Carried {
  Node origin = 0, destination = 0;
};

/// The translations that leave the exchanges of all dimensions unchanged.
Symmetry symmetry_of(const Topology& topology, Node (*period_of)(const Graph&));

/// Appends hops of the exchanges to a schedule.
class Writer {
 public:
  explicit Writer(Schedule& schedule);

  /// How far the message of a hop goes in `dimension`.
  Node offset(std::size_t dimension, const dimension_exchange::Hop& hop) const;
  /// A hop in all copies of `dimension`, of what all nodes have for the node `offset` digits on.
  void add(std::uint32_t round, std::size_t dimension, const dimension_exchange::Hop& hop,
           const Carried& carried);

 private:
  Node replace_digit(Node x, std::size_t dimension, Node digit) const;

  Schedule& schedule_;
  /// One of each class, by dimension and digit.
  std::vector<std::vector<std::vector<Node>>> nodes_;
};

/// Why neither algorithm can serve: not total exchange, not full duplex, a dimension without an
/// exchange, or too many transfers to list.
std::optional<std::string> refuses(std::string_view name, const Request& request,
                                   Node (*period_of)(const Graph&));

}  // namespace gossamer::copies
