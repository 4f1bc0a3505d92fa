#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "schedule/schedule.hpp"

namespace gossamer::test {

inline Request gossip_on(const std::string& topology, Duplex duplex) {
  return {Topology::parse(topology),
          Collective::Gossip,
          PortModel::Single,
          duplex,
          /*root=*/0,
          /*cycle=*/{}};
}

/// By node and send: which word of its log a node sends, its own message first and then what came,
/// in a gossip of one-hop, one-message transfers.
inline std::vector<std::vector<std::size_t>> words_sent(const Schedule& given) {
  const Schedule schedule = without_orbits(given);
  const Node n = schedule.topology().nodes();
  std::vector<std::vector<Node>> logs(n), came(n);
  std::vector<std::vector<std::size_t>> words(n);
  for (Node x = 0; x < n; ++x) logs[x].push_back(x);
  for (std::uint32_t round = 1; round <= schedule.rounds(); ++round) {
    for (const Transfer& t : schedule.transfers_of(round)) {
      const auto path = schedule.path(t);
      const Node origin = schedule.messages(t)[0].origin;
      const auto& log = logs[path[0]];
      words[path[0]].push_back(std::ranges::find(log, origin) - log.begin());
      came[path[1]].push_back(origin);
    }
    for (Node x = 0; x < n; ++x) {
      logs[x].insert(logs[x].end(), came[x].begin(), came[x].end());
      came[x].clear();
    }
  }
  return words;
}

/// The lower bounds of Dimakopoulos 1999, section 2, equations (1) to (3).
inline std::uint64_t single_port_bound(Node n, Duplex duplex) {
  if (duplex == Duplex::Full) return n - 1;
  return n % 2 == 0 ? 2 * (n - 1) : 2 * n;
}

}  // namespace gossamer::test
