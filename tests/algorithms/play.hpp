#pragma once

#include <fmt/format.h>

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

/// The result of playing a schedule.
struct Played {
  std::string fault;  ///< the first broken rule; empty if none
  /// By node and send: which word of the sender's log was sent (own message first, then by
  /// arrival).
  std::vector<std::vector<std::size_t>> words;
};

/// Plays a single-port gossip of one-hop, one-message transfers, every orbit expanded: paper 1's
/// model taken literally, without code of the checker.
inline Played play(const Schedule& schedule) {
  const Topology& topology = schedule.topology();
  const Node n = topology.nodes();
  std::vector<std::vector<Node>> logs(n);
  std::vector<std::vector<std::size_t>> place(n, std::vector<std::size_t>(n, n));
  for (Node x = 0; x < n; ++x) {
    logs[x].push_back(x);
    place[x][x] = 0;
  }
  Played played{{}, std::vector<std::vector<std::size_t>>(n)};
  const auto transfers = schedule.transfers();
  for (std::size_t i = 0; i < transfers.size();) {
    const std::uint32_t round = transfers[i].round;
    std::vector<bool> sends(n, false), receives(n, false);
    std::vector<std::pair<Node, Node>> arrivals;
    for (; i < transfers.size() && transfers[i].round == round; ++i) {
      const auto path = schedule.path(transfers[i]);
      const auto messages = schedule.messages(transfers[i]);
      if (path.size() != 2 || messages.size() != 1) return {"no packet of one message", {}};
      for (const Node by : schedule.symmetry().elements()) {
        const Node from = topology.translate(path[0], by), to = topology.translate(path[1], by);
        const Node origin = topology.translate(messages[0].origin, by);
        const auto fault = [&](const char* what) {
          return Played{
              fmt::format("round {}, {} to {}, message {}: {}", round, from, to, origin, what), {}};
        };
        if (topology.port_to(from, to) == kNoPort) return fault("no link");
        if (place[from][origin] == n) return fault("not held");
        if (place[to][origin] != n) return fault("held already");
        if (sends[from] || receives[to]) return fault("port used twice");
        sends[from] = receives[to] = true;
        played.words[from].push_back(place[from][origin]);
        arrivals.emplace_back(to, origin);
      }
    }
    for (Node x = 0; schedule.model().duplex == Duplex::Half && x < n; ++x) {
      if (sends[x] && receives[x]) {
        return {fmt::format("round {}: {} sends and receives", round, x), {}};
      }
    }
    for (const auto& [to, origin] : arrivals) {
      place[to][origin] = logs[to].size();
      logs[to].push_back(origin);
    }
  }
  for (Node x = 0; x < n; ++x) {
    if (logs[x].size() != n) return {fmt::format("{} lacks messages", x), {}};
  }
  return played;
}

/// Did every node send the words of its log in order, each once? The order of paper 1's FIFO.
inline bool in_log_order(const Played& played) {
  for (const auto& words : played.words) {
    for (std::size_t k = 0; k < words.size(); ++k) {
      if (words[k] != k) return false;
    }
  }
  return true;
}

/// The lower bounds of Dimakopoulos 1999, section 2, equations (1) to (3).
inline std::uint64_t single_port_bound(Node n, Duplex duplex) {
  if (duplex == Duplex::Full) return n - 1;
  return n % 2 == 0 ? 2 * (n - 1) : 2 * n;
}

}  // namespace gossamer::test
