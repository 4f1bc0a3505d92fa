// Algorithm A1 (paper 5, section 4): total exchange in G = A x B through a single port, from the
// exchanges of A and B.
//
//   1  do in parallel for all copies B_i, i = 1, ..., n1
//   2    for r = 1, ..., n1
//   3      in B_i, exchange the batches R_r: what nodes (v_i, *) have for row v_r
//   4  do in parallel for all copies A_j, j = 1, ..., n2
//   5    for k = 1, ..., n2
//   6      in A_j, exchange what has come from A_k
//
// B is the last dimension, and A is solved in the same way. Rows and copies are counted from where
// a node stands (row i+r, copy j-k), which changes their order only: then all nodes do the same.

#include "algorithms/a1.hpp"

#include <fmt/format.h>

#include <utility>

#include "algorithms/copies_of_dimension.hpp"

namespace gossamer {
namespace {

using copies::Batch;
using dimension_exchange::Exchange;

class A1 {
 public:
  explicit A1(Schedule& schedule)
      : topology_(schedule.topology()), schedule_(schedule), writer_(schedule) {
    for (const Graph& graph : topology_.factors()) {
      exchanges_.push_back(dimension_exchange::single_port(graph));
    }
  }

  void run() { exchange_first(topology_.factors().size(), 0); }

 private:
  /// In all copies of the product of the first `count` dimensions, what has come from the copy
  /// `came` before: A1 itself.
  void exchange_first(std::size_t count, Node came) {
    if (count == 0) return;
    const std::size_t b = count - 1;
    const Node n1 = topology_.stride(b), n2 = topology_.factors()[b].nodes;
    for (Node r = 0; r < n1; ++r) exchange_in(b, row(b, r, came));
    for (Node k = 0; k < n2; ++k) exchange_first(b, came + k * n1);
  }

  /// Batch R_r: for each node of B, the message that has then to go to row r of A.
  Batch row(std::size_t b, Node r, Node came) const {
    const Node origin = topology_.negate(came);
    Batch batch;
    for (Node digit = 0; digit < topology_.factors()[b].nodes; ++digit) {
      batch.push_back({origin, r + digit * topology_.stride(b)});
    }
    return batch;
  }

  void exchange_in(std::size_t dimension, const Batch& batch) {
    for (const auto& hops : exchanges_[dimension].rounds) {
      writer_.add(++round_, dimension, hops, batch);
    }
  }

  const Topology& topology_;
  Schedule& schedule_;
  copies::Writer writer_;
  std::vector<Exchange> exchanges_;
  std::uint32_t round_ = 0;
};

std::optional<std::string> refuses(const Request& request) {
  if (request.ports != PortModel::Single) {
    return "a1 is a single-port algorithm: ask for single ports";
  }
  return copies::refuses("a1", request, dimension_exchange::single_port_period);
}

/// Corollary 3: T = sum of n/|V_i| T_i. Equal dimensions that follow one another are counted.
Formula formula(const Request& request) {
  const auto factors = request.topology.factors();
  Formula total;
  for (std::size_t f = 0, same = 1; f < factors.size(); f += same, same = 1) {
    while (f + same < factors.size() && factors[f + same].spec == factors[f].spec) ++same;
    const std::uint64_t exchanges = request.topology.nodes() / factors[f].nodes;
    const std::uint64_t rounds = dimension_exchange::single_port_rounds(factors[f]);
    total.text += f == 0 ? "" : " + ";
    if (same > 1) total.text += fmt::format("{}*", same);
    if (exchanges > 1) total.text += fmt::format("{}*", exchanges);
    total.text += fmt::format("{}", rounds);
    total.rounds += same * exchanges * rounds;
  }
  return total;
}

Schedule plan(const Request& request) {
  constexpr Model kModel = {PortModel::Single, Duplex::Full, Switching::Packet, false};
  Schedule schedule(request.topology, Collective::TotalExchange, kModel,
                    copies::symmetry_of(request.topology, dimension_exchange::single_port_period));
  schedule.algorithm = kA1.name;
  A1(schedule).run();
  return schedule;
}

}  // namespace

const Algorithm kA1 = {
    .name = "a1",
    .source = "paper 5, section 4",
    .summary = "total exchange on products of rings, paths, complete graphs, single port",
    .refuses = refuses,
    .formula = formula,
    .plan = plan,
};

}  // namespace gossamer
