// Algorithm A2 (Dimakopoulos-Dimopoulos 1998, section 5): total exchange in G = A x B, both of n
// nodes, through all ports. While the r-th exchange runs in all copies of A, another runs in all
// copies of B, which brings each node what it needs for the (r+1)-th in A.
//
//   1  do in parallel
//   2    TEB: for r = 1, ..., n-1
//   3      in B_i, node (v_i, u_j) sends to (v_i, u_(j+l)) its message for
//   4        (v_(i+l'), u_(j+l)), l' = (r-1) (+) l, for l = 1, ..., n-1
//   5      (for r = n: its message for (v_i, u_(j+l)))
//   6    TEA: for r = 1, ..., n
//   7      in A_j, node (v_i, u_j) sends
//   8        its own messages for A_j (r = 1), or what the (r-1)-th exchange in B_i has brought it
//
// Indices of nodes count modulo n, (+) rotates 1, ..., n-1. A and B are products of 2^(k-1)
// dimensions themselves, solved in the same way; sums of indices are then translations, so that all
// nodes do the same. The dimensions only need equal sizes (section 6): where rounds differ, those
// with fewer wait.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "algorithms/common/all.hpp"
#include "algorithms/dimension_exchange/dimension_exchange.hpp"

namespace gossamer {
namespace {

using copies::Batch;
using copies::Turn;

/// T_H: those dimensions that need fewer rounds wait.
std::uint64_t longest_rounds(const Topology& topology) {
  std::uint64_t longest = 0;
  for (const Graph& graph : topology.factors()) {
    longest = std::max(longest, dimension_exchange::rounds(graph, PortModel::All));
  }
  return longest;
}

/// Fills in what each dimension exchanges in which turn; a turn is an exchange in all dimensions.
class A2 {
 public:
  explicit A2(const Topology& topology)
      : topology_(topology),
        n_(topology.factors()[0].nodes),
        rounds_(longest_rounds(topology)),
        turns_(topology.factors().size()) {
    exchange({0, turns_.size()}, copies::own_messages(topology.nodes()), 0);
  }

  /// Of each dimension, one after the other.
  const std::vector<std::vector<Turn>>& turns() const { return turns_; }

 private:
  struct Dimensions {
    std::size_t first = 0, count = 0;
  };

  Node nodes_of(std::size_t count) const {
    Node nodes = 1;
    for (std::size_t f = 0; f < count; ++f) nodes *= n_;
    return nodes;
  }
  Node turns_of(std::size_t count) const { return nodes_of(count - 1); }

  /// A2 itself: exchanges what all nodes have for their copies of the product of `g`, from `turn`
  /// on.
  void exchange(Dimensions g, const Batch& have, Node turn) {
    if (g.count == 1) {
      turns_[g.first].push_back({turn * rounds_, have});
      return;
    }
    const std::size_t half = g.count / 2;
    const Dimensions a{g.first, half}, b{g.first + half, half};
    const Node n = nodes_of(half);
    Batch for_a(have.begin(), have.begin() + n);
    for (Node r = 1; r <= n; ++r, turn += turns_of(half)) {
      exchange(a, for_a, turn);
      exchange(b, r < n ? batch(have, n, r) : last_batch(have, n), turn);
      if (r < n) for_a = brought(have, n, r, b);
    }
  }

  /// Lines 3 and 4; `have` goes by l' + n l.
  static Batch batch(const Batch& have, Node n, Node r) {
    Batch sent(n);
    for (Node l = 1; l < n; ++l) sent[l] = have[rotated(n, r, l) + n * l];
    return sent;
  }

  /// Line 5.
  static Batch last_batch(const Batch& have, Node n) {
    Batch sent(n);
    for (Node l = 1; l < n; ++l) sent[l] = have[n * l];
    return sent;
  }

  /// Line 8: a node now has the messages for (v_(i+l'), u_j) that were at (v_i, u_(j-l)).
  Batch brought(const Batch& have, Node n, Node r, Dimensions b) const {
    Batch received(n);
    for (Node l = 1; l < n; ++l) {
      received[rotated(n, r, l)] =
          copies::moved(topology_, have[rotated(n, r, l) + n * l], l, b.first);
    }
    return received;
  }

  /// (r-1) (+) l.
  static Node rotated(Node n, Node r, Node l) { return (r - 1 + l - 1) % (n - 1) + 1; }

  const Topology& topology_;
  Node n_;
  std::uint64_t rounds_;  ///< of a turn
  std::vector<std::vector<Turn>> turns_;
};

std::optional<std::string> refuses(const Request& request) {
  if (const auto why = copies::refuses("a2", request)) {
    return why;
  }
  const auto factors = request.topology.factors();
  if ((factors.size() & (factors.size() - 1)) != 0) {
    return fmt::format("a2 needs 1, 2, 4, 8, ... dimensions; {} has {}", request.topology.spec(),
                       factors.size());
  }
  for (const Graph& graph : factors) {
    if (graph.nodes == factors[0].nodes) continue;
    return fmt::format("a2 needs dimensions of equal size; {} has {} and {}",
                       request.topology.spec(), factors[0].nodes, graph.nodes);
  }
  return std::nullopt;
}

/// Corollary 4: T = n^(d-1) T_H.
Formula formula(const Request& request) {
  const auto factors = request.topology.factors();
  const std::uint64_t exchanges = request.topology.nodes() / factors[0].nodes;
  const std::uint64_t longest = longest_rounds(request.topology);
  std::string text = fmt::format("{}", longest);
  if (factors.size() == 2) text = fmt::format("{}*{}", factors[0].nodes, longest);
  if (factors.size() > 2) {
    text = fmt::format("{}^{}*{}", factors[0].nodes, factors.size() - 1, longest);
  }
  return {std::move(text), exchanges * longest};
}

Schedule plan(const Request& request) {
  return copies::all_port_schedule(request, A2(request.topology).turns());
}

}  // namespace

const Algorithm kA2 = {
    .name = "a2",
    .source = "Dimakopoulos-Dimopoulos 1998, section 5",
    .summary = "total exchange on H^2, H^4, H^8, ... (H any graph), all ports",
    .serves = every({Collective::TotalExchange}, {PortModel::All}, {Duplex::Full}),
    .needs = refuses,
    .formula = formula,
    .make = plan,
};

}  // namespace gossamer
