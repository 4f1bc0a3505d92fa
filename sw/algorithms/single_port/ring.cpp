#include <fmt/format.h>

#include <vector>

#include "algorithms/common/all.hpp"
#include "algorithms/single_port/single_port.hpp"

namespace gossamer {
namespace ring_algorithm {
namespace {

/// Section 3.1: all messages rotate together.
std::optional<std::uint32_t> send_full(std::uint32_t step) { return step - 1; }

/// Section 3.2.1: each full-duplex step takes two steps; even places transmit first, then odd ones.
std::optional<std::uint32_t> send_half_even(std::uint32_t step, Node i) {
  const bool turn = (step + i) % 2 == 1;
  if (!turn) return std::nullopt;
  return (step - 1) / 2;
}

/// Section 3.2.2: place 0 repeats N RT RT ... RT: N does nothing, R receives, T transmits; place i
/// does the same i steps later. So in step j the places j, j+2, ..., j+n-3 transmit and j-1 does
/// nothing. (The set printed in the paper has one place too many, and two of its places are
/// neighbours: docs/research/errata.md.)
std::optional<std::uint32_t> send_half_odd(Node n, std::uint32_t step, Node i) {
  // Transmissions in the first k steps of place 0's behaviour.
  const auto transmissions = [n](std::uint64_t k) {
    const std::uint64_t rest = k % n;
    return k / n * (n / 2) + (rest == 0 ? 0 : (rest - 1) / 2);
  };
  const std::uint64_t start = (n - i) % n;  // where in that sequence place i begins
  const std::uint64_t now = start + step - 1;
  const bool transmits = now % n != 0 && now % n % 2 == 0;
  if (!transmits) return std::nullopt;
  return static_cast<std::uint32_t>(transmissions(now) - transmissions(start));
}

}  // namespace

Formula formula(Node n, Duplex duplex) {
  if (duplex == Duplex::Full) return {"n-1", n - std::uint64_t{1}};
  if (n % 2 == 0) return {"2(n-1)", 2 * (n - std::uint64_t{1})};
  return {"2n", 2 * std::uint64_t{n}};
}

std::optional<std::uint32_t> send(Node n, Duplex duplex, std::uint32_t step, Node i) {
  if (duplex == Duplex::Full) return send_full(step);
  if (n % 2 == 0) return send_half_even(step, i);
  return send_half_odd(n, step, i);
}

Node period(Node n, Duplex duplex) {
  if (duplex == Duplex::Full) return 1;
  return n % 2 == 0 ? 2 : 0;
}

}  // namespace ring_algorithm

namespace {

/// Is x linked to x+1 (mod n) and to nothing else?
bool is_ring(const Topology& topology) {
  return topology.factors().size() == 1 && topology.translatable() && topology.ports() <= 2;
}

std::optional<std::string> refuses(const Request& request) {
  if (is_ring(request.topology)) return std::nullopt;
  return fmt::format("ring needs a ring; {} is none", request.topology.spec());
}

Formula formula(const Request& request) {
  return ring_algorithm::formula(request.topology.nodes(), request.duplex);
}

Schedule plan(const Request& request) {
  const Topology& topology = request.topology;
  const CycleGossip gossip(topology, numbers_below(topology.nodes()), request.duplex);
  return schedule_of(gossip, topology, request.duplex);
}

}  // namespace

const Algorithm kRing = {
    .name = "ring",
    .source = "Dimakopoulos 1999, section 3",
    .summary = "gossip on rings, single port, full or half duplex",
    .serves = every({Collective::Gossip}, {PortModel::Single}, {Duplex::Full, Duplex::Half}),
    .needs = refuses,
    .formula = formula,
    .make = plan,
};

}  // namespace gossamer
