#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <vector>

#include "algorithms/bertsekas/bertsekas.hpp"
#include "algorithms/common/all.hpp"
#include "algorithms/reductions/reductions.hpp"

namespace gossamer {
namespace {

/// Schedules of single messages over single links, those of formulas first.
const std::array kForward = {&kTranslation, &kProduct, &kHamiltonian, &kBertsekas, &kAnyGraph};

void refuse_lists_unknown(const Transfer& t) {
  if (t.carry != Carry::Listed || t.tree) {
    throw std::logic_error("only paths of listed messages have a direction");
  }
}

void add_renamed(Schedule& to, std::uint32_t round, std::span<const Node> path,
                 std::vector<Message> messages, const Renamed& renamed) {
  for (Message& m : messages) m = renamed(m);
  to.add(round, path, messages);
}

}  // namespace

const Algorithm* algorithm_for(const Request& forward) {
  const Algorithm* best = nullptr;
  std::uint64_t fewest = 0;
  for (const Algorithm* one : kForward) {
    if (one->formula == nullptr || one->refuses(forward)) continue;
    if (!forward.regular() && !one->any_chunks) continue;
    const std::uint64_t rounds = one->formula(forward).rounds;
    if (best != nullptr && fewest <= rounds) continue;
    best = one;
    fewest = rounds;
  }
  return best != nullptr || kAnyGraph.refuses(forward) ? best : &kAnyGraph;
}

Topology turned(const Topology& topology) {
  if (!topology.one_way()) return topology;
  std::vector<Graph> factors(topology.factors().begin(), topology.factors().end());
  for (Graph& factor : factors) {
    const std::vector<bool> silent = factor.silent;
    for (std::size_t i = 0; i < silent.size(); ++i) {
      const Endpoint e = factor.peers[i];
      if (e.connected()) factor.silent[i] = silent[std::size_t{e.node} * factor.ports + e.port];
    }
  }
  return {topology.spec(), std::move(factors)};
}

void add_backwards(Schedule& to, const Schedule& forward, const Renamed& renamed) {
  const Schedule all = without_orbits(forward);
  const auto transfers = all.transfers();
  Holders holders(all.topology().nodes());
  std::vector<std::vector<Message>> first(transfers.size());  // that come for the first time
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    refuse_lists_unknown(transfers[i]);
    const Node end = all.path(transfers[i]).back();
    for (const Message& m : all.messages(transfers[i])) {
      if (holders.add(end, m.origin)) first[i].push_back(m);
    }
  }
  const std::uint32_t last = to.rounds() + all.rounds() + 1;
  // A node needs an output to add up what comes by the others; it has three at least.
  std::map<Node, Port> come;
  std::vector<std::size_t> later;
  const auto add = [&](std::size_t i, std::uint32_t round) {
    const auto path = all.path(transfers[i]);
    add_renamed(to, round, std::vector<Node>(path.rbegin(), path.rend()), std::move(first[i]),
                renamed);
  };
  for (std::size_t i = transfers.size(); i-- > 0;) {
    if (first[i].empty()) continue;
    const bool to_root = transfers[i].round == 1;
    const Port all_ports = std::max<Port>(all.topology().ports(), 3);
    if (to_root && ++come[all.source(transfers[i])] == all_ports) {
      later.push_back(i);
      continue;
    }
    add(i, last - transfers[i].round);
  }
  for (const std::size_t i : later) add(i, last);
}

void add_forward(Schedule& to, const Schedule& forward, const Renamed& renamed) {
  const Schedule all = without_orbits(forward);
  const std::uint32_t before = to.rounds();
  for (const Transfer& t : all.transfers()) {
    refuse_lists_unknown(t);
    const MessageList messages = all.messages(t);
    add_renamed(to, before + t.round, all.path(t), {messages.begin(), messages.end()}, renamed);
  }
}

}  // namespace gossamer
