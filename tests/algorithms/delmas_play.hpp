#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/delmas_perennes/delmas_perennes.hpp"
#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "schedule/schedule.hpp"

namespace delmas_test {

using gossamer::Node;
using gossamer::Request;
using gossamer::Schedule;
using gossamer::Topology;
using gossamer::Transfer;

inline Request gossip_on(const std::string& topology) {
  return {Topology::parse(topology),
          gossamer::Collective::Gossip,
          gossamer::PortModel::All,
          gossamer::Duplex::Full,
          /*root=*/0,
          /*cycle=*/{}};
}

inline gossamer::delmas_perennes::Cost cost(unsigned i, bool split) {
  using namespace gossamer::delmas_perennes;
  return gossamer::delmas_perennes::cost(steps(kPaperCode, i, split));
}

/// A node of a torus with coordinates given as whole numbers, negative ones included.
inline Node node_at(const Topology& torus, int x1, int x2, int x3) {
  const int n = static_cast<int>(torus.factors()[0].nodes);
  const auto digit = [n](int x) { return static_cast<Node>(((x % n) + n) % n); };
  return digit(x1) + torus.stride(1) * digit(x2) + torus.stride(2) * digit(x3);
}

/// x1 + 2 x2 + 3 x3.
inline Node weight(const Topology& torus, Node x) {
  return torus.digit(x, 0) + 2 * torus.digit(x, 1) + 3 * torus.digit(x, 2);
}

inline std::string first_fault(const gossamer::CheckReport& report) {
  return report.ok() ? "none" : gossamer::to_string(report.faults.front());
}

struct RoundSums {
  std::size_t hops = 0;      ///< of the longest path
  std::size_t messages = 0;  ///< most on one path
  bool operator==(const RoundSums&) const = default;
};

/// Round by round. The checker accepts the schedule.
inline std::vector<RoundSums> sums_of_rounds(const Schedule& schedule) {
  const gossamer::CheckReport report = gossamer::check(schedule);
  CHECK(first_fault(report) == "none");
  std::vector<RoundSums> sums(schedule.rounds());
  for (std::size_t t = 0; t < schedule.transfers().size(); ++t) {
    const Transfer& transfer = schedule.transfers()[t];
    RoundSums& round = sums[transfer.round - 1];
    round.hops = std::max(round.hops, schedule.path(transfer).size() - 1);
    round.messages = std::max<std::size_t>(round.messages, report.carried[t]);
  }
  return sums;
}

}  // namespace delmas_test
