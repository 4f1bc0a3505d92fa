#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "algorithms/common/all.hpp"
#include "algorithms/reductions/reductions.hpp"
#include "support/job.hpp"

namespace gossamer {
namespace {

using namespace reductions;

Request factor_request(const Request& request, const Graph& graph) {
  return {.topology = Topology(graph.spec, {graph}),
          .collective = Collective::Gossip,
          .ports = request.ports,
          .duplex = request.duplex};
}

/// A gossip on a factor, by rounds. Messages have both ends where they begin, so that they are the
/// same backwards.
std::vector<Hop> gossip_of(const Request& on_factor) {
  const Schedule all = without_orbits(algorithm_for(on_factor)->plan(on_factor));
  std::vector<Hop> gossip;
  Holders holders(all.topology().nodes());
  for (const Transfer& t : all.transfers()) {
    const auto path = all.path(t);
    for (const Message& m : all.messages(t)) {
      if (!holders.add(path[1], m.origin)) continue;
      gossip.push_back({t.round, path[0], path[1], {m.origin, m.origin}});
    }
  }
  return gossip;
}

/// How finely vectors are cut, if they are: flits of a piece. A node sends a message on some cycles
/// after it has come, so that short ones at the end of a transfer make a round longer.
constexpr std::uint32_t kFine[] = {1, 3};

class Planner {
 public:
  /// `gossips`: by factor.
  Planner(const Request& request, std::vector<std::vector<Hop>> gossips, std::uint32_t fine)
      : request_(request),
        gossips_(std::move(gossips)),
        by_blocks_(request.collective == Collective::ReduceScatter) {
    const std::uint32_t most = by_blocks_ ? 1 : std::min(request.topology.nodes(), kMostPieces);
    pieces_ = std::clamp(request.flits / fine, 1u, most);
  }

  /// Cycles, nearly.
  double cycles() const {
    const double piece = static_cast<double>(request_.flits) / pieces_;
    double share = static_cast<double>(request_.flits), sum = 0;
    if (by_blocks_) share *= request_.topology.nodes();
    for (std::size_t f = 0; f < gossips_.size(); ++f) {
      share /= request_.topology.factors()[f].nodes;
      const double flits = std::max(share, piece);
      const double round = std::max(flits, flits - piece + kRound);
      sum += (by_blocks_ ? 1 : 2) * gossips_[f].back().round * round;
    }
    return sum;
  }

  Schedule plan() {
    const Model model{request_.ports, request_.duplex, Switching::Packet, /*combining=*/true};
    Schedule schedule = empty_schedule(request_, model);
    schedule.cut(pieces_);
    for (std::size_t f = 0; f < gossips_.size(); ++f) {
      add(schedule, f, reversed(gossips_[f]));
    }
    for (std::size_t f = gossips_.size(); f-- > 0 && !by_blocks_;) add(schedule, f, gossips_[f]);
    return schedule;
  }

 private:
  /// One dimension, in all copies of the factor.
  void add(Schedule& to, std::size_t f, const std::vector<Hop>& way) {
    for (auto hop = way.begin(); hop != way.end();) {
      stop_if_interrupted();
      const std::uint32_t round = hop->round;
      const std::size_t sent = to.transfers().size();
      for (; hop != way.end() && hop->round == round; ++hop) add_copies(to, base_ + 1, f, *hop);
      if (to.transfers().size() > sent) ++base_;  // nothing is left of some shares of few pieces
    }
  }

  void add_copies(Schedule& to, std::uint32_t round, std::size_t f, const Hop& hop) {
    const Topology& topology = request_.topology;
    const Node stride = topology.stride(f), row = stride * topology.factors()[f].nodes;
    for (Node i = 0; i < topology.nodes() / topology.factors()[f].nodes; ++i) {
      const Node x = i / stride * row + i % stride + hop.from * stride;
      const Node owner = x + (hop.message.origin - hop.from) * stride;
      const std::vector<Message> share = share_of(f + 1, owner);
      if (share.empty()) continue;
      const Node path[] = {x, x + (hop.to - hop.from) * stride};
      to.add(round, path, share);
    }
  }

  /// What is left to a node after so many steps: blocks of the nodes that are where it is in these
  /// dimensions, or its part of the vector.
  std::vector<Message> share_of(std::size_t steps, Node x) const {
    const Topology& topology = request_.topology;
    std::vector<Message> share;
    for (Node y = 0; by_blocks_ && y < topology.nodes(); ++y) {
      std::size_t f = 0;
      while (f < steps && topology.digit(y, f) == topology.digit(x, f)) ++f;
      if (f == steps) share.push_back({y, kNoNode, 0});
    }
    if (by_blocks_) return share;
    std::uint64_t begin = 0, end = pieces_;
    for (std::size_t f = 0; f < steps; ++f) {
      const Node d = topology.digit(x, f), n = topology.factors()[f].nodes;
      const std::uint64_t length = end - begin;
      end = begin + length * (d + 1) / n;
      begin += length * d / n;
    }
    for (; begin < end; ++begin) {
      share.push_back({request_.root, kNoNode, static_cast<std::uint32_t>(begin)});
    }
    return share;
  }

  Request request_;
  std::vector<std::vector<Hop>> gossips_;
  bool by_blocks_;
  std::uint32_t pieces_ = 1;
  std::uint32_t base_ = 0;
};

/// Transfers, and the messages that they list, at most.
std::uint64_t listed(const Request& request) {
  const std::uint64_t n = request.topology.nodes();
  std::uint64_t steps = 0;
  for (const Graph& graph : request.topology.factors()) steps += graph.nodes - 1;
  const bool blocks = request.collective == Collective::ReduceScatter;
  const std::uint64_t transfers = (blocks ? 1 : 2) * n * steps;
  if (transfers > kMostTransfers) return transfers;
  const std::uint64_t pieces = std::min<std::uint64_t>(request.flits, n);
  return std::max(transfers, blocks ? n * n : 2 * n * pieces);
}

std::optional<std::string> refuses(const Request& request) {
  if (!request.regular()) return "dimension-reduce plans for all nodes, and blocks of one length";
  if (request.pieces) return "dimension-reduce cuts vectors as it needs: leave the pieces out";
  const Topology& topology = request.topology;
  if (topology.factors().size() < 2) {
    return fmt::format("dimension-reduce needs two dimensions, {} has one", topology.spec());
  }
  if (const std::uint64_t most = listed(request); most > kMostTransfers) {
    return fmt::format("dimension-reduce would list up to {} messages on {}; it lists {} at most",
                       most, topology.spec(), kMostTransfers);
  }
  for (const Graph& graph : topology.factors()) {
    const Request forward = factor_request(request, graph);
    if (algorithm_for(forward) == nullptr) return kAnyGraph.refuses(forward);
  }
  return std::nullopt;
}

Schedule plan(const Request& request) {
  std::vector<std::vector<Hop>> gossips;
  for (const Graph& graph : request.topology.factors()) {
    gossips.push_back(gossip_of(factor_request(request, graph)));
  }
  std::optional<Planner> best;
  for (const std::uint32_t fine : kFine) {
    Planner planner(request, gossips, fine);
    if (!best || planner.cycles() < best->cycles()) best.emplace(std::move(planner));
  }
  return best->plan();
}

}  // namespace

const Algorithm kDimensionReduce = {
    .name = "dimension-reduce",
    .summary = "reductions to all on products of graphs, one dimension after the other",
    .serves = every({Collective::ReduceScatter, Collective::AllReduce}, {PortModel::Single},
                    {Duplex::Full, Duplex::Half}),
    .needs = refuses,
    .make = plan,
    .combining = true,
    .any_graph = true,
    .cuts = true,
};

}  // namespace gossamer
