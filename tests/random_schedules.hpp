#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "slow_check.hpp"

/// Small random schedules of every model, most of them legal, grown transfer by transfer.
namespace gossamer::test {

template <typename T>
const T& pick(std::mt19937& random, const std::vector<T>& from) {
  return from[random() % from.size()];
}

struct Grown {
  Schedule schedule;
  bool legal = true;
};

class Grower {
 public:
  /// `legal_only`: rules are never broken.
  Grower(std::mt19937& random, const Model& model, bool legal_only)
      : random_(random), model_(model), legal_only_(legal_only) {}

  /// Messages may be cut into pieces.
  bool cuts = false;

  Grown grow() {
    Schedule schedule = start();
    const std::uint32_t rounds = 1 + random_() % 5;
    for (std::uint32_t r = 1; r <= rounds; ++r) {
      for (std::uint32_t tries = 1 + random_() % 6; tries > 0; --tries) {
        Schedule more = schedule;
        add_transfer(more, r);
        if (slow_check(more).legal) {
          schedule = std::move(more);
        } else if (!legal_only_ && random_() % 25 == 0) {
          return {std::move(more), false};
        }
      }
    }
    return {std::move(schedule), true};
  }

 private:
  Schedule start() {
    static const std::vector<std::string> kSpecs = {"ring:3",    "ring:4",     "ring:5",
                                                    "path:4",    "complete:4", "mesh:2x3",
                                                    "torus:3x3", "hypercube:3"};
    static const std::vector<Collective> kCollectives = {
        Collective::Gossip, Collective::TotalExchange, Collective::Broadcast, Collective::Scatter,
        Collective::Gather};
    const Topology topology = Topology::parse(pick(random_, kSpecs));
    const Collective collective = pick(random_, kCollectives);
    std::vector<Node> generators;
    if (topology.translatable() && !has_root(collective) && random_() % 2 == 0) {
      generators.push_back(static_cast<Node>(random_() % topology.nodes()));
    }
    Schedule schedule(topology, collective, model_, Symmetry(topology, generators));
    if (has_root(collective)) schedule.root = static_cast<Node>(random_() % topology.nodes());
    if (cuts && random_() % 3 == 0) schedule.cut(1 + random_() % 4);
    return schedule;
  }

  std::vector<Node> path(const Topology& topology) {
    std::vector<Node> nodes = {static_cast<Node>(random_() % topology.nodes())};
    std::size_t hops = 1;
    if (model_.switching != Switching::Packet) hops += random_() % 4;
    if (!legal_only_ && random_() % 40 == 0) ++hops;
    while (nodes.size() <= hops) {
      const Endpoint e =
          topology.peer(nodes.back(), static_cast<Port>(random_() % topology.ports()));
      const bool turns = nodes.size() > 1 && e.node == nodes[nodes.size() - 2];
      if (e.connected() && (!turns || random_() % 20 == 0)) nodes.push_back(e.node);
      if (turns && topology.nodes() < 3) break;
      if (turns && random_() % 4 == 0) break;  // the end of a path has no other link
    }
    return nodes;
  }

  /// One of all messages of the collective; sometimes one that it does not have.
  Message message(const Schedule& s) {
    const Node n = s.topology().nodes();
    const auto node = [&] { return static_cast<Node>(random_() % n); };
    const std::uint32_t piece = s.pieces() == 1 ? 0 : random_() % s.pieces();
    if (!legal_only_ && random_() % 50 == 0) return {node(), node(), piece};
    switch (s.collective()) {
      case Collective::Broadcast: return {s.root, kNoNode, piece};
      case Collective::Gossip: return {node(), kNoNode, piece};
      case Collective::Scatter: return {s.root, node(), piece};
      case Collective::Gather: return {node(), s.root, piece};
      case Collective::TotalExchange: break;
      case Collective::Reduce:
      case Collective::AllReduce: return {s.root, kNoNode, piece};
      case Collective::ReduceScatter: return {node(), kNoNode, piece};
    }
    return {node(), node(), piece};
  }

  /// A tree, or a path that is stored on its way.
  std::vector<Branch> tree(const Topology& topology, Node source) {
    std::vector<Branch> branches;
    std::vector<Node> reached = {source};
    for (std::size_t tries = 2 + random_() % 8; tries > 0; --tries) {
      const std::size_t from = random_() % 3 == 0 ? random_() % reached.size() : reached.size() - 1;
      const Endpoint e =
          topology.peer(reached[from], static_cast<Port>(random_() % topology.ports()));
      const bool again = std::ranges::find(reached, e.node) != reached.end();
      if (!e.connected() || (again && (legal_only_ || random_() % 20 != 0))) continue;
      const auto before = static_cast<std::uint32_t>(from) - 1;  // of the source: kNone
      branches.push_back({e.node, before, random_() % 2 == 0});
      reached.push_back(e.node);
    }
    for (std::uint32_t i = 0; i < branches.size(); ++i) {
      const bool ends = std::ranges::find(branches, i, &Branch::before) == branches.end();
      if (ends && (legal_only_ || random_() % 20 != 0)) branches[i].stored = true;
    }
    return branches;
  }

  void add_transfer(Schedule& s, std::uint32_t round) {
    const std::vector<Node> nodes = path(s.topology());
    const bool forks = model_.switching != Switching::Packet && random_() % 2 == 0;
    const auto branches = forks ? tree(s.topology(), nodes[0]) : std::vector<Branch>{};
    if (model_.combining && random_() % 3 == 0) {
      if (branches.empty()) return s.add_everything(round, nodes, 0);
      return s.add_tree(round, nodes[0], branches, {}, Carry::Everything);
    }
    std::vector<Message> messages;
    const std::size_t count = model_.combining ? 1 + random_() % 3 : 1;
    for (int tries = 0; messages.size() < count && tries < 20; ++tries) {
      const Message m = message(s);
      if (random_() % 3 != 0 && m.origin != nodes.front()) continue;
      if (std::ranges::find(messages, m) == messages.end()) messages.push_back(m);
    }
    if (branches.empty()) return s.add(round, nodes, messages);
    s.add_tree(round, nodes[0], branches, messages);
  }

  std::mt19937& random_;
  Model model_;
  bool legal_only_;
};

/// All models; `runnable`: those that hardware can run.
inline std::vector<Model> all_models(bool runnable) {
  std::vector<Model> models;
  for (const PortModel ports : {PortModel::Single, PortModel::All}) {
    for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
      for (const Switching switching :
           {Switching::Packet, Switching::Circuit, Switching::Pipelined}) {
        for (const bool combining : {false, true}) {
          if (runnable && switching == Switching::Pipelined && duplex == Duplex::Half) continue;
          models.push_back({ports, duplex, switching, combining});
        }
      }
    }
  }
  return models;
}

inline std::string name_of(const Model& m) {
  return std::string(to_string(m.ports)) + ", " + std::string(to_string(m.duplex)) + ", " +
         std::string(to_string(m.switching)) + (m.combining ? ", combining" : "");
}

}  // namespace gossamer::test
