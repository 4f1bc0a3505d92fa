#include "algorithms/cut_through/cut_through.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "algorithms/any_graph/any_graph.hpp"
#include "algorithms/cut_through/retiming.hpp"
#include "algorithms/dimension_exchange/two_orders.hpp"
#include "algorithms/edge_colouring/edge_colouring.hpp"
#include "algorithms/translation/translation.hpp"
#include "gossamer_constants.hpp"
#include "schedule/chunks.hpp"
#include "support/interrupt.hpp"

namespace gossamer {
namespace {

using namespace cut_through;

/// Whose routes are taken: those of the first that serves the request.
const Algorithm* router(const Request& request) {
  for (const Algorithm* one : {&kEdgeColouring, &kTwoOrders, &kTranslation, &kAnyGraph}) {
    if (!request.regular() && !one->any_chunks) continue;
    if (!one->refuses(request)) return one;
  }
  return nullptr;
}

/// A slot has the cycles of a hop, and carries as many flits.
std::uint32_t fewest_pieces(const Request& request) {
  return (request.flits + request.hop - 1) / request.hop;
}

std::optional<std::string> refuses(const Request& request) {
  if (!request.cycle.empty()) return "cut-through takes no cycle: use hamiltonian";
  if (request.ports != PortModel::All) return "cut-through uses all ports: ask for these";
  if (request.duplex != Duplex::Full) return "cut-through needs full-duplex links";
  if (!request.sizes.equal()) {
    return "cut-through serves messages that are equally long: use any-graph";
  }
  constexpr std::uint32_t kMostPieces = 8;
  const std::uint32_t fewest = fewest_pieces(request);
  if (fewest > kMostPieces) {
    return fmt::format(
        "cut-through plans messages of {} flits at most, a flit for each cycle of a hop in each of "
        "{} pieces; for {} flits packets do as well",
        kMostPieces * request.hop, kMostPieces, request.flits);
  }
  if (request.pieces && (*request.pieces < fewest || *request.pieces > request.flits)) {
    return fmt::format("cut-through cuts {} flits into {} pieces at least, and {} at most",
                       request.flits, fewest, request.flits);
  }
  if (router(request) == nullptr) return kAnyGraph.refuses(request);
  return std::nullopt;
}

/// The steps of a schedule of packets, each for a piece, and what they carry: those on the way of
/// something that is wanted, to which a message comes for the first time. The schedule's messages
/// may go in circles, as long as no packet is late.
struct Routes {
  std::vector<Step> steps;
  std::vector<Node> from, to;
  std::vector<Message> messages;

  Routes(const Schedule& packets, std::uint32_t pieces) {
    const Topology& topology = packets.topology();
    const auto transfers = packets.transfers();
    const auto message = [&](std::uint32_t i) { return packets.messages(transfers[i])[0]; };
    const std::vector<std::uint32_t> before = wanted_before(packets);
    std::vector<std::uint32_t> step_of(transfers.size());
    for (std::uint32_t i = 0; i < transfers.size(); ++i) {
      if (before[i] == kNotWanted) continue;
      step_of[i] = static_cast<std::uint32_t>(steps.size());
      const auto [tail, head] = ends(packets, i);
      Step step{packets.symmetry().class_of(tail) * topology.ports() + topology.port_to(tail, head),
                kNoStep, transfers[i].round};
      Message m = message(i);
      for (m.piece = 0; m.piece < pieces; ++m.piece) {
        if (before[i] != kNoStep) step.before = step_of[before[i]] + m.piece;
        steps.push_back(step);
        from.push_back(tail);
        to.push_back(head);
        messages.push_back(m);
      }
    }
  }

 private:
  static constexpr std::uint32_t kNotWanted = kNoStep - 1;

  /// By transfer: the one that brings the message. All transfers of a message are seen from the
  /// same origin.
  static std::vector<std::uint32_t> wanted_before(const Schedule& packets) {
    const auto transfers = packets.transfers();
    const auto message = [&](std::uint32_t i) { return packets.messages(transfers[i])[0]; };
    std::vector<std::uint32_t> by_message(transfers.size());
    std::iota(by_message.begin(), by_message.end(), 0u);
    std::ranges::stable_sort(by_message, {}, message);
    std::vector<std::uint32_t> before(transfers.size(), kNotWanted);
    std::vector<std::uint32_t> came(packets.topology().nodes());  // 1 + transfer, of this message
    for (std::size_t begin = 0, end = 0; begin < by_message.size(); begin = end) {
      stop_if_interrupted();
      const Message m = message(by_message[begin]);
      while (end < by_message.size() && message(by_message[end]) == m) {
        const auto [tail, head] = ends(packets, by_message[end]);
        if (came[head] == 0 && !is_initial(packets, head, m)) came[head] = 1 + by_message[end];
        ++end;
      }
      for (std::size_t k = end; k-- > begin;) {
        const std::uint32_t i = by_message[k];
        const auto [tail, head] = ends(packets, i);
        if (came[head] != 1 + i) continue;
        if (before[i] == kNotWanted && !is_expected(packets, head, m)) continue;
        before[i] = came[tail] == 0 ? kNoStep : came[tail] - 1;
        if (came[tail] != 0 && before[came[tail] - 1] == kNotWanted)
          before[came[tail] - 1] = kNoStep;
      }
      for (std::size_t k = begin; k < end; ++k) came[ends(packets, by_message[k]).head] = 0;
    }
    return before;
  }

 private:
  struct Ends {
    Node tail, head;
  };
  static Ends ends(const Schedule& packets, std::uint32_t i) {
    const TransferHop hop = packets.hops(packets.transfers()[i])[0];
    return {hop.from, hop.to};
  }
};

/// Adds the steps to a schedule: those that follow one another at once are a path, or a tree.
void add_transfers(Schedule& schedule, const Routes& routes,
                   const std::vector<std::uint32_t>& rounds) {
  const std::vector<Step>& steps = routes.steps;
  std::vector<bool> stored(steps.size(), false);
  std::vector<std::uint32_t> first(steps.size());  // step of each transfer
  std::vector<std::vector<std::uint32_t>> parts(steps.size());
  std::vector<std::vector<std::uint32_t>> begins(1);  // by round
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    const std::uint32_t before = steps[i].before;
    stored[i] = is_expected(schedule, routes.to[i], routes.messages[i]);
    const bool passes = before != kNoStep && rounds[i] == rounds[before] + 1;
    first[i] = passes ? first[before] : i;
    parts[first[i]].push_back(i);
    if (passes) continue;
    if (before != kNoStep) stored[before] = true;
    begins.resize(std::max<std::size_t>(begins.size(), rounds[i] + std::size_t{1}));
    begins[rounds[i]].push_back(i);
  }
  std::vector<std::uint32_t> branch(steps.size());
  for (const auto& beginning : begins) {
    for (const std::uint32_t begin : beginning) {
      std::vector<Branch> branches;
      bool tree = false;
      for (const std::uint32_t i : parts[begin]) {
        branch[i] = static_cast<std::uint32_t>(branches.size());
        const std::uint32_t before = i == begin ? TransferHop::kNone : branch[steps[i].before];
        tree = tree || (before + 1 != branches.size()) ||
               stored[i] != (branches.size() + 1 == parts[begin].size());
        branches.push_back({routes.to[i], before, stored[i]});
      }
      const Node source = routes.from[begin];
      const std::span<const Message> message{&routes.messages[begin], 1};
      if (tree) {
        schedule.add_tree(rounds[begin], source, branches, message);
        continue;
      }
      std::vector<Node> path = {source};
      for (const Branch& b : branches) path.push_back(b.to);
      schedule.add(rounds[begin], path, message);
    }
  }
}

bool slow(const Request& request) {
  constexpr Node kQuickly = 16384;
  const Algorithm& of_packets = *router(request);
  return of_packets.slow != nullptr ? of_packets.slow(request)
                                    : request.topology.nodes() > kQuickly;
}

Schedule plan(const Request& request) {
  Request of_packets = request;
  of_packets.pieces.reset();
  const Schedule packets = router(request)->plan(of_packets);
  Model model = packets.model();
  model.switching = Switching::Pipelined;
  Schedule schedule(packets.topology(), packets.collective(), model, packets.symmetry());
  schedule.algorithm = kCutThrough.name;
  schedule.root = packets.root;
  schedule.members = packets.members;
  const std::uint32_t pieces = request.pieces.value_or(fewest_pieces(request));
  schedule.cut(pieces);
  const Routes routes(packets, pieces);
  add_transfers(schedule, routes, retimed(routes.steps));
  return schedule;
}

}  // namespace

const Algorithm kCutThrough = {
    .name = "cut-through",
    .source = "ours",
    .summary = "every collective on any connected graph, all ports, few flits, pipelined circuits",
    .serves = every({Collective::Gossip, Collective::TotalExchange, Collective::Broadcast,
                     Collective::Scatter, Collective::Gather},
                    {PortModel::All}, {Duplex::Full}),
    .refuses = refuses,
    .formula = nullptr,
    .plan = plan,
    .switching = Switching::Pipelined,
    .any_graph = true,
    .slow = slow,
    .cuts = true,
    .any_chunks = true,
};

}  // namespace gossamer
