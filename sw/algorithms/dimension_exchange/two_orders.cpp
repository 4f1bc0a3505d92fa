// Total exchange through all ports on any product A x B, from the exchanges of A and B, which keeps
// the busier of the two busy in every round.
//
// Number the nodes of A from 0 to |A|-1 and call j-i modulo |A| the offset of a message from node i
// to node j; the same for B. A message with both offsets unlike 0 needs an exchange in A and one in
// B, in any order. In an exchange in A every node sends one message for each offset but 0, so all
// of A's messages fill |B| exchanges, and all of B's fill |A|. Let
//
//   messages whose offsets have an even sum go through A first, the others through B first.
//
// Then the messages of each offset of A come in two equal halves, those that enter A from their
// origin and those that come from B, and so do B's. (If |B| is even, the one that needs A alone
// makes the halves equal; if |B| is odd, it is left over and may go at any time.) With T rounds for
// the one of A and B that takes more:
//
//   A exchanges the first half from round 1 on, the second half so as to end in round T, and what
//   is left over in between; B does the same with the other halves.
//
// First halves end by T/2 and second halves begin after T/2, so everything is there in time. A and
// B may be products themselves: T is then the most rounds that any of the dimensions needs for its
// exchanges.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "algorithms/common/all.hpp"
#include "algorithms/dimension_exchange/dimension_exchange.hpp"

namespace gossamer {
namespace {

using copies::Batch;
using copies::Turn;

class TwoOrders {
 public:
  explicit TwoOrders(const Topology& topology)
      : topology_(topology), turns_(topology.factors().size()) {
    exchange(turns_.size(), copies::own_messages(topology.nodes()), 0);
  }

  /// Of each dimension, one after the other.
  const std::vector<std::vector<Turn>>& turns() const { return turns_; }

 private:
  Node nodes_of(std::size_t dimensions) const {
    Node nodes = 1;
    for (std::size_t f = 0; f < dimensions; ++f) nodes *= topology_.factors()[f].nodes;
    return nodes;
  }

  /// The most rounds that one of the first dimensions needs.
  std::uint64_t rounds_of(std::size_t dimensions) const {
    std::uint64_t most = 0;
    for (std::size_t f = 0; f < dimensions; ++f) {
      const Graph& graph = topology_.factors()[f];
      most = std::max(most, nodes_of(dimensions) / graph.nodes *
                                dimension_exchange::rounds(graph, PortModel::All));
    }
    return most;
  }

  /// Exchanges what all nodes have for their copies of the first dimensions: A is all but the last
  /// of them, B the last.
  void exchange(std::size_t dimensions, const Batch& have, std::uint64_t after) {
    if (dimensions == 1) {
      turns_[0].push_back({after, have});
      return;
    }
    const std::size_t b = dimensions - 1;
    const Node a_nodes = nodes_of(b), b_nodes = topology_.factors()[b].nodes;
    const std::uint64_t end = after + rounds_of(dimensions);
    const std::uint64_t in_a = rounds_of(b);
    const std::uint64_t in_b = dimension_exchange::rounds(topology_.factors()[b], PortModel::All);

    const auto own = [&](Node x, Node y) { return have[x + a_nodes * y]; };
    const auto from_b = [&](Node x, Node y) { return copies::moved(topology_, own(x, y), y, b); };
    const auto from_a = [&](Node x, Node y) { return copies::moved(topology_, own(x, y), x, 0); };
    const Node a_half = b_nodes / 2, b_half = a_nodes / 2;
    for (Node r = 0; r < a_half; ++r) {
      exchange(b, batch_for_a(a_nodes, b_nodes, r, 0, own), after + r * in_a);
    }
    if (b_nodes % 2 == 1)
      exchange(b, {have.begin(), have.begin() + a_nodes}, after + a_half * in_a);
    for (Node r = 0; r < a_half; ++r) {
      exchange(b, batch_for_a(a_nodes, b_nodes, r, 1, from_b), end - (a_half - r) * in_a);
    }
    for (Node r = 0; r < b_half; ++r) {
      turns_[b].push_back({after + r * in_b, batch_for_b(a_nodes, b_nodes, r, 1, own)});
    }
    if (a_nodes % 2 == 1) {
      Batch left_over(b_nodes);
      for (Node y = 1; y < b_nodes; ++y) left_over[y] = own(0, y);
      turns_[b].push_back({after + b_half * in_b, std::move(left_over)});
    }
    for (Node r = 0; r < b_half; ++r) {
      turns_[b].push_back({end - (b_half - r) * in_b, batch_for_b(a_nodes, b_nodes, r, 0, from_a)});
    }
  }

  /// The r-th of `count` offsets whose sum with `other` is even (parity 0) or odd: from 0 on, or,
  /// if the number of offsets is odd, from 1 on.
  static Node nth(Node count, Node other, Node parity, Node r) {
    const Node first = count % 2;
    return first + (other + first + parity) % 2 + 2 * r;
  }

  template <typename Find>
  static Batch batch_for_a(Node a_nodes, Node b_nodes, Node r, Node parity, Find find) {
    Batch batch(a_nodes);
    for (Node x = 1; x < a_nodes; ++x) batch[x] = find(x, nth(b_nodes, x, parity, r));
    return batch;
  }
  template <typename Find>
  static Batch batch_for_b(Node a_nodes, Node b_nodes, Node r, Node parity, Find find) {
    Batch batch(b_nodes);
    for (Node y = 1; y < b_nodes; ++y) batch[y] = find(nth(a_nodes, y, parity, r), y);
    return batch;
  }

  const Topology& topology_;
  std::vector<std::vector<Turn>> turns_;
};

std::optional<std::string> refuses(const Request& request) {
  return copies::refuses("two-orders", request);
}

/// The most that a dimension needs for its exchanges: T = max of N/|V_i| T_i.
Formula formula(const Request& request) {
  Formula most;
  for (const Graph& graph : request.topology.factors()) {
    const std::uint64_t exchanges = request.topology.nodes() / graph.nodes;
    const std::uint64_t rounds = dimension_exchange::rounds(graph, PortModel::All);
    if (exchanges * rounds <= most.rounds) continue;
    most.text =
        exchanges == 1 ? fmt::format("{}", rounds) : fmt::format("{}*{}", exchanges, rounds);
    most.rounds = exchanges * rounds;
  }
  return most;
}

Schedule plan(const Request& request) {
  return copies::all_port_schedule(request, TwoOrders(request.topology).turns());
}

}  // namespace

const Algorithm kTwoOrders = {
    .name = "two-orders",
    .summary = "total exchange on products of any graphs, all ports",
    .serves = every({Collective::TotalExchange}, {PortModel::All}, {Duplex::Full}),
    .needs = refuses,
    .formula = formula,
    .make = plan,
};

}  // namespace gossamer
