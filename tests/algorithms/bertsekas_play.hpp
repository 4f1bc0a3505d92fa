#pragma once

#include <fmt/format.h>

#include <bit>
#include <string>

#include "algorithms/bertsekas/bertsekas.hpp"
#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"

namespace bertsekas_test {

using namespace gossamer;

inline Request request(const std::string& topology, Collective collective, Node root = 0) {
  return {Topology::parse(topology), collective, PortModel::All, Duplex::Full, root, /*cycle=*/{}};
}

inline Request on_cube(unsigned d, Collective collective, Node root = 0) {
  return request(fmt::format("hypercube:{}", d), collective, root);
}

inline std::uint64_t power(unsigned exponent) { return std::uint64_t{1} << exponent; }
inline unsigned ones(Node t) { return static_cast<unsigned>(std::popcount(t)); }

/// The closed forms of Bertsekas et al. 1991, table I; for a broadcast the distance and the links
/// of a tree.
struct TableOne {
  std::uint64_t rounds, transmissions;
};
inline TableOne table_one(unsigned d, Collective collective) {
  const std::uint64_t others = power(d) - 1, over_links = others / d + (others % d != 0 ? 1 : 0);
  switch (collective) {
    case Collective::Gossip: return {over_links, power(d) * others};
    case Collective::TotalExchange: return {power(d - 1), d * power(2 * d - 1)};
    case Collective::Broadcast: return {d, others};
    default: break;
  }
  return {over_links, d * power(d - 1)};
}

inline std::string first_fault(const CheckReport& report) {
  return report.ok() ? "none" : to_string(report.faults.front());
}

}  // namespace bertsekas_test
