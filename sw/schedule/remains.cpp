#include "schedule/remains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "support/error.hpp"
#include "support/refuse.hpp"

namespace gossamer {
namespace {

/// Which nodes `from` reaches over arcs that are alive; backwards: which reach it.
std::vector<bool> reached(const Topology& topology, const FaultSet& faults, Node from,
                          bool backwards) {
  std::vector<bool> found(topology.nodes());
  reached_from(from, found, [&](Node x, const auto& reach) {
    for (Port p = 0; p < topology.ports(); ++p) {
      const Endpoint e = topology.peer(x, p);
      if (!e.connected()) continue;
      const bool leads = backwards ? topology.sends(e.node, e.port) && !faults.dead(e.node, x)
                                   : topology.sends(x, p) && !faults.dead(x, e.node);
      if (leads) reach(e.node);
    }
  });
  return found;
}

/// The links between some nodes that are alive, with new numbers of the nodes.
Topology part_of(const Topology& whole, const FaultSet& faults, const std::vector<Node>& nodes,
                 const std::vector<Node>& number) {
  Graph graph;
  graph.spec = "rest of " + whole.spec();  // no ring, though it may be of one
  graph.nodes = static_cast<Node>(nodes.size());
  graph.ports = whole.ports();
  graph.parallel = whole.parallel();
  for (const Node x : nodes) {
    graph.names.push_back(whole.name(x));
    for (Port p = 0; p < whole.ports(); ++p) {
      Endpoint e = whole.peer(x, p);
      const bool inside = e.connected() && number[e.node] != kNoNode;
      const bool out = inside && whole.sends(x, p) && !faults.dead(x, e.node);
      const bool in = inside && whole.sends(e.node, e.port) && !faults.dead(e.node, x);
      e = out || in ? Endpoint{number[e.node], e.port} : Endpoint{};
      graph.peers.push_back(e);
      graph.silent.push_back(in && !out);
    }
  }
  if (std::ranges::count(graph.silent, true) == 0) graph.silent.clear();
  return {fmt::format("{} without {}", whole.spec(), to_string(faults)), {std::move(graph)}};
}

/// The members that have a new number, by these.
Members renumbered(const Members& members, const Topology& topology,
                   const std::vector<Node>& number) {
  const auto kept = [&](std::size_t count, const auto& member) {
    std::vector<Node> group;
    for (std::size_t i = 0; i < count; ++i) {
      if (const Node x = number[member(i)]; x != kNoNode) group.push_back(x);
    }
    return group;
  };
  if (!members.several()) {
    return {kept(members.count(static_cast<Node>(number.size())),
                 [&](std::size_t i) { return members[static_cast<Node>(i)]; }),
            topology};
  }
  std::vector<std::vector<Node>> groups;
  for (std::size_t i = 0; i < members.groups(); ++i) {
    const auto all = members.group(i);
    std::vector<Node> group = kept(all.size(), [&](std::size_t k) { return all[k]; });
    const auto root = std::ranges::find(group, number[members.root(i)]);
    if (root != group.end()) std::rotate(group.begin(), root, root + 1);
    if (!group.empty()) groups.push_back(std::move(group));
  }
  return {std::move(groups), topology};
}

/// Throws InputError for members that have no number.
void refuse_cut_off(const Schedule& whole, const std::vector<Node>& number) {
  std::vector<Node> cut_off;
  const Members& members = whole.members;
  for (Node i = 0; i < members.count(whole.topology().nodes()); ++i) {
    if (number[members[i]] == kNoNode) cut_off.push_back(members[i]);
  }
  if (cut_off.empty()) return;
  refuse("faults: {} {} cut off from node {}", nodes_text(cut_off),
         cut_off.size() == 1 ? "is" : "are", members[0]);
}

}  // namespace

std::vector<bool> nodes_used(const Schedule& schedule) {
  std::vector<bool> used(schedule.topology().nodes(), schedule.members.all());
  for (const Node x : schedule.members.group()) used[x] = true;
  if (schedule.members.all()) return used;
  for (const Transfer& t : schedule.transfers()) {
    for (const TransferHop hop : schedule.hops(t)) used[hop.from] = used[hop.to] = true;
  }
  return used;
}

void take_out_dead(Schedule& schedule) {
  if (const auto fault = root_fault(schedule)) throw InputError("faults: " + *fault);
  const Node nodes = schedule.topology().nodes();
  std::vector<Node> number = numbers_below(nodes);
  for (const Node x : schedule.faults.nodes) number[x] = kNoNode;
  const Members& members = schedule.members;
  bool any = false;
  for (Node i = 0; i < members.count(nodes); ++i) any = any || number[members[i]] != kNoNode;
  if (!any) throw InputError("faults: all members are dead");
  schedule.members = renumbered(members, schedule.topology(), number);
  if (schedule.sizes.equal()) return;
  std::vector<std::uint32_t> flits(schedule.sizes.all().begin(), schedule.sizes.all().end());
  for (std::size_t i = 0; i < flits.size(); ++i) {
    const bool pairs = schedule.sizes.by_pair();
    if (number[pairs ? i / nodes : i] == kNoNode || (pairs && number[i % nodes] == kNoNode)) {
      flits[i] = 0;
    }
  }
  schedule.sizes = {nodes, std::move(flits)};
}

Schedule remains_of(const Schedule& whole, std::vector<Node>* old_numbers) {
  const Topology& topology = whole.topology();
  const Node first = whole.members[0];
  const auto to = reached(topology, whole.faults, first, /*backwards=*/false);
  const auto from = reached(topology, whole.faults, first, /*backwards=*/true);
  std::vector<Node> nodes, number(topology.nodes(), kNoNode);
  for (Node x = 0; x < topology.nodes(); ++x) {
    if (!to[x] || !from[x]) continue;
    number[x] = static_cast<Node>(nodes.size());
    nodes.push_back(x);
  }
  refuse_cut_off(whole, number);
  if (nodes.size() == 1) refuse("faults: only node {} is left, which has nobody to send to", first);
  Schedule left = without_transfers(whole, part_of(topology, whole.faults, nodes, number));
  left.faults = {};
  left.members = renumbered(whole.members, left.topology(), number);
  if (!whole.sizes.equal()) {
    std::vector<std::uint32_t> flits;
    for (const Node x : nodes) {
      for (const Node y : nodes) {
        if (whole.sizes.by_pair() || x == y) flits.push_back(whole.sizes.of(x, y));
      }
    }
    left.sizes = {static_cast<Node>(nodes.size()), std::move(flits)};
  }
  left.root = number[whole.root] == kNoNode ? 0 : number[whole.root];
  if (old_numbers != nullptr) *old_numbers = std::move(nodes);
  return left;
}

Schedule in_whole(const Schedule& planned, const Whole& whole) {
  Schedule all = without_transfers(planned, whole.schedule.topology());
  all.root = has_root(planned.collective()) ? whole.nodes[planned.root] : 0;
  all.members = whole.schedule.members;
  all.sizes = whole.schedule.sizes;
  all.faults = whole.schedule.faults;
  for (const Transfer& t : planned.transfers()) all.add_renumbered(planned, t, whole.nodes);
  return all;
}

}  // namespace gossamer
