#include "checker/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "schedule/chunks.hpp"
#include "schedule/schedule.hpp"
#include "support/job.hpp"

namespace gossamer::checking {

std::optional<std::string> whole_schedule_fault(const Schedule& schedule) {
  if (const auto fault = adaptive_fault(schedule)) return fault;
  if (const auto fault = root_fault(schedule)) return fault;
  const Model& model = schedule.model();
  if (schedule.tolerance > 0 &&
      (schedule.collective() != Collective::Broadcast || !schedule.regular() || model.combining ||
       model.ports != PortModel::All || model.switching != Switching::Circuit)) {
    return "a tolerance is of a broadcast to all nodes through all ports, by circuits for a piece "
           "each";
  }
  if (schedule.faults.from_cycle != 0 && schedule.tolerance == 0) {
    return fmt::format("cycle={}: only of schedules with a tolerance links die as they are used",
                       schedule.faults.from_cycle);
  }
  if (!schedule.faults.empty() && !adaptive(schedule)) {
    if (const std::uint32_t from = schedule.faults.from_round; from > 1) {
      return fmt::format("from={}: only of adaptive schedules faults begin later", from);
    }
    if (schedule.symmetry().order() > 1) return "faults leave no translations: list all transfers";
    for (const Node x : schedule.faults.nodes) {
      if (schedule.members.has(x) && !schedule.works_out())
        return fmt::format("node {} is dead, and a member", x);
    }
  }
  if (!schedule.members.all() && schedule.symmetry().order() > 1) {
    return "members leave no translations: use the trivial symmetry";
  }
  if (!schedule.sizes.equal() && schedule.symmetry().order() > 1) {
    return "messages of several lengths leave no translations: use the trivial symmetry";
  }
  if (reduces(schedule.collective())) {
    const std::string name = fmt::format("the {}", to_string(schedule.collective()));
    if (schedule.symmetry().order() > 1) return name + " lists the transfers of all nodes";
    if (std::ranges::any_of(schedule.transfers(),
                            [](const Transfer& t) { return t.carry != Carry::Listed; })) {
      return name + " lists what its transfers carry";
    }
  }
  if (!has_root(schedule.collective()) || schedule.members.several()) return std::nullopt;
  if (schedule.root >= schedule.topology().nodes()) {
    return fmt::format("root {} is no node; nodes are 0 to {}", schedule.root,
                       schedule.topology().nodes() - 1);
  }
  if (!schedule.members.has(schedule.root)) {
    return fmt::format("the root {} is no member", schedule.root);
  }
  if (schedule.symmetry().order() > 1) {
    return fmt::format("a {} has a root, so that it has no translations: use the trivial symmetry",
                       to_string(schedule.collective()));
  }
  return std::nullopt;
}

namespace {

/// A tree leads to each node once, and to none in vain.
/// A join leads each node's sum to the source once, and to none in vain.
bool check_join(const Schedule& schedule, const Transfer& t, FaultLog& faults) {
  const TransferHops hops = schedule.hops(t);
  const TransferHop last = hops[hops.size() - 1];
  const auto fault = [&](const TransferHop& hop, std::string text) {
    faults.add(t, hop.from, hop.to, "{}", text);
    return false;
  };
  if (!schedule.joins()) return fault(last, "a join is of a reduction with pipelined switching");
  std::unordered_set<Node> joined = {schedule.source(t)};
  const Port lane = schedule.lane_of_join(t);
  for (const TransferHop hop : hops) {
    if (!joined.insert(hop.from).second) {
      return fault(hop, fmt::format("the join takes the sum of node {} twice", hop.from));
    }
    if (hop.stored && port_in(schedule.topology(), hop) == lane) {
      return fault(hop, "the lane of the join leads back to a node whose sum it takes");
    }
  }
  return true;
}

bool check_tree(const Schedule& schedule, const Transfer& t, FaultLog& faults) {
  std::unordered_set<Node> reached = {schedule.source(t)}, passed_on;
  for (const TransferHop hop : schedule.hops(t)) passed_on.insert(hop.from);
  for (const TransferHop hop : schedule.hops(t)) {
    if (!reached.insert(hop.to).second) {
      faults.add(t, hop.from, hop.to, "the tree comes to node {} twice; it comes to each node once",
                 hop.to);
      return false;
    }
    if (!hop.stored && !passed_on.contains(hop.to)) {
      faults.add(t, hop.from, hop.to, "the tree ends at node {}, which does not store what comes",
                 hop.to);
      return false;
    }
  }
  return true;
}

}  // namespace

bool check_path(const Schedule& schedule, const Transfer& t, FaultLog& faults) {
  const Topology& topology = schedule.topology();
  if (t.path_size < 2) {
    faults.add(t, kNoNode, kNoNode, "a path needs two nodes at least, source and destination");
    return false;
  }
  const TransferHops hops = schedule.hops(t);
  for (const auto [from, to, before, depth, stored, lane] : hops) {
    if (topology.port_to(from, to, lane) != kNoPort) continue;
    const Node stranger = from >= topology.nodes() ? from : to;
    faults.add_missing_link(
        t, from, to,
        stranger >= topology.nodes() ? fmt::format("{} is no node of {}; nodes are 0 to {}",
                                                   stranger, topology.spec(), topology.nodes() - 1)
        : topology.port_to(to, from) != kNoPort
            ? fmt::format("the link is one-way, from {} to {}", to, from)
            : fmt::format("{} has no such link; a path follows links", topology.spec()));
    return false;
  }
  for (const TransferHop hop : hops) {
    if (t.carry == Carry::New || schedule.works_out()) continue;
    if (!schedule.faults.dead(hop.from, hop.to)) continue;
    faults.add_missing_link(t, hop.from, hop.to, "the link is dead");
  }
  const Node source = schedule.source(t);
  if (t.join) return check_join(schedule, t, faults);
  if (t.tree) {
    if (!check_tree(schedule, t, faults)) return false;
  } else if (source == hops[hops.size() - 1].to) {
    faults.add(t, source, hops[0].to, "the path ends at node {}, where it starts", source);
    return false;
  }
  // A crossbar has no way from an input to the output of the same port.
  for (std::uint32_t i = 1; i < hops.size(); ++i) {
    const auto [from, to, before, depth, stored, lane] = hops[i];
    if (before == TransferHop::kNone || hops[before].from != to) continue;
    faults.add(t, from, to, "the path leaves node {} through the link that it came in by", from);
    return false;
  }
  if (schedule.model().switching == Switching::Packet && hops.size() > 1) {
    faults.add(t, source, hops[0].to, "the {} has {} links; a packet crosses one in a round",
               t.tree ? "tree" : "path", hops.size());
  }
  return true;
}

void check_load(const Schedule& schedule, const Transfer& t, FaultLog& faults) {
  const auto fault = [&](std::string text) {
    const TransferHop first = schedule.hops(t)[0];
    faults.add(t, first.from, first.to, "{}", text);
  };
  const bool combining = schedule.model().combining;
  if (t.carry != Carry::Listed) {
    if (!combining) fault("carries everything; without combining a transfer carries one message");
    return;
  }
  if (t.messages_size == 0) fault("carries no message");
  if (t.messages_size < 2) return;
  if (!combining) {
    fault(fmt::format("carries {} messages; without combining a transfer carries one message",
                      t.messages_size));
  } else if (schedule.model().switching == Switching::Pipelined) {
    fault(fmt::format("carries {} messages; a pipelined transfer carries one", t.messages_size));
  }
  const MessageList messages = schedule.messages(t);
  bool in_order = true;  // most are
  for (std::size_t i = 1; i < messages.size() && in_order; ++i) {
    in_order = messages[i - 1] < messages[i];
  }
  if (in_order) return;
  std::vector<Message> sorted(messages.begin(), messages.end());
  std::sort(sorted.begin(), sorted.end(), [](const Message& a, const Message& b) {
    stop_if_interrupted();
    return a < b;
  });
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) fault(fmt::format("lists {} twice", to_text(schedule, *twice)));
}

bool check_message(const Schedule& schedule, const Transfer& t, const Message& m,
                   FaultLog& faults) {
  const auto fault = why_no_chunk(schedule, m);
  if (!fault) return true;
  const TransferHop first = schedule.hops(t)[0];
  faults.add(t, first.from, first.to, "{} does not exist: {}", to_text(schedule, m), *fault);
  return false;
}

std::string not_held_text(const Schedule& schedule, Node source, const Message& m) {
  const Symmetry& symmetry = schedule.symmetry();
  const Message wanted = moved(m, schedule.view_of(source));
  const std::string text = fmt::format(
      "node {} sends {} but does not hold it when the round starts", source, to_text(schedule, m));
  for (const Transfer& other : schedule.transfers()) {
    for (const TransferHop hop : schedule.stored_hops(other)) {
      const Node at = hop.to;
      if (at >= schedule.topology().nodes() || symmetry.class_of(at) != symmetry.class_of(source)) {
        continue;
      }
      for (const Message& listed : schedule.messages(other)) {
        if (moved(listed, schedule.view_of(at)) == wanted) {
          return text + fmt::format("; a transfer of round {} takes it there", other.round);
        }
      }
    }
  }
  return text + "; no transfer that lists it takes it there";
}

namespace {

/// "message 3" or "messages [0-48,5] (49)".
std::string messages_text(const std::vector<Node>& origins, std::uint64_t count, Node destination) {
  if (destination == kNoNode) {
    return count == 1 ? fmt::format("message {}", origins[0])
                      : fmt::format("messages {} ({})", runs_text(origins, count), count);
  }
  return count == 1
             ? fmt::format("message [{},{}]", origins[0], destination)
             : fmt::format("messages [{},{}] ({})", runs_text(origins, count), destination, count);
}

}  // namespace

std::string missing_text(const Schedule& schedule, const MissingByNode::Group& lacking) {
  const std::string nodes = nodes_text(lacking.nodes);
  const bool many = lacking.nodes.size() > 1;
  if (many && !same_to_all(schedule.collective())) {  // each lacks its own
    const std::string count = lacking.count > 1 ? fmt::format(" ({})", lacking.count) : "";
    return fmt::format("{} lack what node{} {}{} send{} each of them", nodes,
                       lacking.count > 1 ? "s" : "", runs_text(lacking.origins, lacking.count),
                       count, lacking.count > 1 ? "" : "s");
  }
  const Node to = same_to_all(schedule.collective()) ? kNoNode : lacking.nodes[0];
  return fmt::format("{} lack{} {}{}", nodes, many ? "" : "s",
                     schedule.pieces() > 1 ? "pieces of " : "",
                     messages_text(lacking.origins, lacking.count, to));
}

std::string missing_text(const Replay& run) {
  const auto& missing = run.missing;
  std::string text =
      fmt::format("{} of {} messages are missing at healthy nodes: ", missing.size(), run.expected);
  constexpr std::size_t kNamed = 4;  // nodes that lack the same stand together, so many groups
  MissingByNode lacking(kNamed + 1);
  for (std::size_t i = 0; i < missing.size();) {
    const Node node = missing[i].node;
    std::vector<Node> origins;
    for (; i < missing.size() && missing[i].node == node; ++i) origins.push_back(missing[i].origin);
    const std::uint64_t count = origins.size();
    lacking.add(node, std::move(origins), count);
  }
  for (std::size_t g = 0; g < lacking.groups().size(); ++g) {
    const auto& [nodes, origins, count] = lacking.groups()[g];
    if (g == kNamed) return text + "; ...";
    text += fmt::format("{}{} lack{} {}", g > 0 ? "; " : "", nodes_text(nodes),
                        nodes.size() > 1 ? "" : "s", runs_text(origins, count));
    if (count > 1) text += fmt::format(" ({})", count);
  }
  return text;
}

std::string to_text(const Schedule& schedule, const Message& m) {
  const std::string piece = schedule.pieces() == 1 ? "" : fmt::format("piece {} of ", m.piece);
  if (same_to_all(schedule.collective())) return fmt::format("{}message {}", piece, m.origin);
  return fmt::format("{}message [{},{}]", piece, m.origin, m.destination);
}

}  // namespace gossamer::checking
