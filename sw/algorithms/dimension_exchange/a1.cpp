// Algorithm A1 (Dimakopoulos-Dimopoulos 1998, section 4): total exchange in G = A x B through a
// single port, from the exchanges of A and B.
//
//   1  do in parallel for all copies B_i, i = 1, ..., n1
//   2    for r = 1, ..., n1
//   3      in B_i, exchange the batches R_r: what nodes (v_i, *) have for row v_r
//   4  do in parallel for all copies A_j, j = 1, ..., n2
//   5    for k = 1, ..., n2
//   6      in A_j, exchange what has come from A_k
//
// B is the last dimension, and the exchanges in A are done in the same way, so that dimension after
// dimension is exchanged, the last one first. Rows and copies are counted from where a node stands
// (row i+r, copy j-k): then all nodes do the same.
//
// The exchanges of a dimension (loops 2 and 5) do not follow one another here but go together from
// stage to stage. That takes as many rounds, and a node reads longer runs of what it holds, so that
// its tables are shorter.

#include <fmt/format.h>

#include "algorithms/common/all.hpp"
#include "algorithms/dimension_exchange/dimension_exchange.hpp"

namespace gossamer {
namespace {

class A1 {
 public:
  explicit A1(Schedule& schedule) : topology_(schedule.topology()), writer_(schedule) {}

  void run() {
    for (std::size_t b = topology_.factors().size(); b-- > 0;) exchange_in(b);
  }

 private:
  /// All exchanges in all copies of B, dimension `b`; A are the dimensions before it.
  void exchange_in(std::size_t b) {
    const auto exchange = dimension_exchange::exchange(topology_.factors()[b], PortModel::Single);
    const Node n1 = topology_.stride(b), n2 = topology_.factors()[b].nodes;
    for (const auto& stage : exchange.stages) {
      for (Node came = 0; came < topology_.nodes(); came += n1 * n2) {
        for (const auto& hops : stage) {
          for (Node row = 0; row < n1; ++row) add_round(b, hops, row, came);
        }
      }
    }
  }

  /// What goes through B has come from the copy `came` before, in the dimensions after B, and has
  /// then to go to row `row` of A.
  void add_round(std::size_t b, const dimension_exchange::Round& hops, Node row, Node came) {
    ++round_;
    const Node origin = topology_.negate(came);
    for (const auto& hop : hops) {
      const Node through_b = writer_.offset(b, hop) * topology_.stride(b);
      writer_.add(round_, b, hop, {.origin = origin, .destination = through_b + row});
    }
  }

  const Topology& topology_;
  copies::Writer writer_;
  std::uint32_t round_ = 0;
};

std::optional<std::string> refuses(const Request& request) {
  return copies::refuses("a1", request);
}

/// Corollary 3: T = sum of n/|V_i| T_i. Equal dimensions that follow one another are counted.
Formula formula(const Request& request) {
  const auto factors = request.topology.factors();
  Formula total;
  for (std::size_t f = 0, same = 1; f < factors.size(); f += same, same = 1) {
    while (f + same < factors.size() && factors[f + same].spec == factors[f].spec) ++same;
    const std::uint64_t exchanges = request.topology.nodes() / factors[f].nodes;
    const std::uint64_t rounds = dimension_exchange::rounds(factors[f], PortModel::Single);
    total.text += f == 0 ? "" : " + ";
    if (same > 1) total.text += fmt::format("{}*", same);
    if (exchanges > 1) total.text += fmt::format("{}*", exchanges);
    total.text += fmt::format("{}", rounds);
    total.rounds += same * exchanges * rounds;
  }
  return total;
}

Schedule plan(const Request& request) {
  Schedule schedule = copies::empty_schedule(request);
  A1(schedule).run();
  return schedule;
}

}  // namespace

const Algorithm kA1 = {
    .name = "a1",
    .source = "Dimakopoulos-Dimopoulos 1998, section 4",
    .summary = "total exchange on products of any graphs, and on Cayley graphs, single port",
    .serves = every({Collective::TotalExchange}, {PortModel::Single}, {Duplex::Full}),
    .needs = refuses,
    .formula = formula,
    .make = plan,
};

}  // namespace gossamer
