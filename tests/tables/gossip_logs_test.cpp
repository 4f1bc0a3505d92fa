// Ropes (sw/tables/gossip_logs.hpp) against a play of all nodes, message by message.
#include "tables/gossip_logs.hpp"

#include <algorithm>
#include <random>
#include <set>

#include "catch.hpp"
#include "tables/compiled.hpp"
#include "tables/expected_logs.hpp"

namespace gossamer {
namespace {

/// A node's logs by port, the own one last: all that arrived, and of that what the node did not
/// hold before.
struct NodeLogs {
  std::vector<std::vector<Node>> arrived, fresh;
  std::set<Node> held;

  void arrive(std::size_t log, Node origin) {
    arrived[log].push_back(origin);
    if (held.insert(origin).second) fresh[log].push_back(origin);
  }
  std::vector<Node> everything() const {
    std::vector<Node> all = fresh.back();
    for (std::size_t g = 0; g + 1 < fresh.size(); ++g)
      all.insert(all.end(), fresh[g].begin(), fresh[g].end());
    return all;
  }
};

std::vector<NodeLogs> played(const Schedule& s) {
  const Topology& topology = s.topology();
  const std::vector<std::vector<Node>> none(topology.ports() + 1);
  std::vector<NodeLogs> logs(topology.nodes(), NodeLogs{none, none, {}});
  for (Node x = 0; x < topology.nodes(); ++x) logs[x].arrive(topology.ports(), x);
  std::vector<NodeLogs> before = logs;
  for (std::uint32_t round = 1; round <= s.rounds(); ++round) {
    before = logs;
    for (Port in = 0; in < topology.ports(); ++in) {
      for (const Transfer& t : s.transfers_of(round)) {
        const auto path = s.path(t);
        if (topology.port_to(path[1], path[0]) != in) continue;
        for (const Node by : s.symmetry().elements()) {
          for (const Node origin : before[topology.translate(path[0], by)].everything()) {
            logs[topology.translate(path[1], by)].arrive(in, origin);
          }
        }
      }
    }
  }
  return logs;
}

/// Everything, from some nodes to neighbours, round after round; most messages come more than once.
Schedule any_gossip(const Topology& topology, const std::vector<Node>& generators,
                    std::mt19937& random) {
  const Model model{.ports = PortModel::All, .switching = Switching::Circuit, .combining = true};
  Schedule s(topology, Collective::Gossip, model, Symmetry(topology, generators));
  for (std::uint32_t round = 1; round <= 6; ++round) {
    for (Node c = 0; c < s.symmetry().classes(); ++c) {
      for (Port p = 0; p < topology.ports(); ++p) {
        if (random() % 3 == 0) continue;
        const Node from = s.symmetry().representative(c);
        s.add_everything(round, std::vector<Node>{from, topology.peer(from, p).node});
      }
    }
  }
  return s;
}

}  // namespace

TEST_CASE(
    "logs of a gossip: ropes say what a play of all nodes says, however short their arrays are") {
  struct Fabric {
    const char* spec;
    std::vector<Node> generators;
  };
  // The prime 67 is too large for trees of sets.
  const Fabric fabric = GENERATE(Fabric{"ring:16", {2}}, Fabric{"ring:67", {1}},
                                 Fabric{"torus:4x6", {2, 8}}, Fabric{"torus:3x3x3", {13}},
                                 Fabric{"torus:7x7", {10}}, Fabric{"hypercube:5", {3, 24}});
  CAPTURE(fabric.spec);
  const Topology topology = Topology::parse(fabric.spec);
  std::mt19937 random(11);
  for (int i = 0; i < 5; ++i) {
    const Schedule s = any_gossip(topology, fabric.generators, random);
    const std::vector<NodeLogs> logs = played(s);
    const Payload payload(s, 1, 1);
    const NodeKind kind = node_kind(s, topology.ports());
    for (const std::uint32_t written_out : {0u, 5u, GossipLogs::kWrittenOut}) {
      CAPTURE(i, written_out);
      const auto expected = expected_logs(s, kind, payload, written_out);
      for (Node x = 0; x < topology.nodes(); ++x) {
        const Node c = s.symmetry().class_of(x);
        for (Port p = 0; p < topology.ports(); ++p) {
          REQUIRE(expected->words(c, p) == logs[x].arrived[p].size());
          std::vector<std::uint32_t> words(logs[x].arrived[p].size()), right;
          expected->copy_words(c, expected->shift(x, c), p, 0, words);
          for (const Node origin : logs[x].arrived[p])
            right.push_back(payload.word({{origin, kNoNode}, 0}));
          REQUIRE(words == right);
        }
      }
    }
  }
}

}  // namespace gossamer
