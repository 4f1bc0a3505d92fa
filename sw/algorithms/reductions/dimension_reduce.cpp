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

/// A gossip on a factor, by rounds.
struct FactorGossip {
  std::vector<Hop> hops;
  std::uint32_t rounds = 0;
};

Request factor_request(const Request& request, const Graph& graph) {
  return {.topology = Topology(graph.spec, {graph}),
          .collective = Collective::Gossip,
          .ports = request.ports,
          .duplex = request.duplex};
}

FactorGossip gossip_of(const Request& on_factor) {
  const Schedule all = without_orbits(algorithm_for(on_factor)->plan(on_factor));
  const Node n = all.topology().nodes();
  FactorGossip gossip{{}, all.rounds()};
  Holders holders(n);
  for (const Transfer& t : all.transfers()) {
    const auto path = all.path(t);
    for (const Message& m : all.messages(t)) {
      if (!holders.add(path[1], m.origin)) continue;
      gossip.hops.push_back({t.round, path[0], path[1], {m.origin}});
    }
  }
  return gossip;
}

/// Each message once around a ring, in one direction.
FactorGossip lap_of(const Graph& ring) {
  const Node n = ring.nodes;
  FactorGossip lap{{}, n - 1};
  for (std::uint32_t round = 1; round < n; ++round) {
    for (Node origin = 0; origin < n; ++origin) {
      const auto at = [&](Node step) { return (origin + step) % n; };
      lap.hops.push_back({round, at(round - 1), at(round), {origin}});
    }
  }
  return lap;
}

/// Of a gossip, only the hops that bring each message to one node.
FactorGossip towards(const FactorGossip& gossip, Node root) {
  FactorGossip way{{}, gossip.rounds};
  std::vector<Node> wanted_at;  // by origin
  for (std::size_t i = gossip.hops.size(); i-- > 0;) {
    const Hop& hop = gossip.hops[i];
    wanted_at.resize(std::max<std::size_t>(wanted_at.size(), hop.message.origin + 1), root);
    if (hop.to != wanted_at[hop.message.origin]) continue;
    wanted_at[hop.message.origin] = hop.from;
    way.hops.push_back(hop);
  }
  std::ranges::reverse(way.hops);
  return way;
}

FactorGossip backwards(const FactorGossip& gossip) {
  FactorGossip back{{}, gossip.rounds};
  for (auto hop = gossip.hops.rbegin(); hop != gossip.hops.rend(); ++hop) {
    back.hops.push_back({gossip.rounds + 1 - hop->round, hop->to, hop->from, hop->message});
  }
  return back;
}

/// How finely vectors are cut, if they are: flits of a piece. A node sends a message on some cycles
/// after it has come, so that short ones at the end of a transfer make a round longer.
constexpr std::uint32_t kFine[] = {1, 3};

class Planner {
 public:
  /// `gossips`: by factor.
  Planner(const Request& request, std::vector<FactorGossip> gossips, std::uint32_t fine)
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
      sum += (by_blocks_ ? 1 : 2) * gossips_[f].rounds * round;
    }
    return sum;
  }

  Schedule plan() {
    const Model model{request_.ports, request_.duplex, Switching::Packet, /*combining=*/true};
    Schedule schedule = empty_schedule(request_, model);
    schedule.cut(pieces_);
    for (std::size_t f = 0; f < gossips_.size(); ++f) {
      add(schedule, f, backwards(gossips_[f]), false);
    }
    if (by_blocks_) return schedule;
    const bool to_root = request_.collective == Collective::Reduce;
    for (std::size_t f = gossips_.size(); f-- > 0;) {
      const Node root = request_.topology.digit(request_.root, f);
      add(schedule, f, to_root ? towards(gossips_[f], root) : gossips_[f], to_root);
    }
    return schedule;
  }

 private:
  /// One dimension, in all copies of the factor; or only in those whose nodes are in the dimensions
  /// that follow where the root is.
  void add(Schedule& to, std::size_t f, const FactorGossip& way, bool to_root) {
    auto hop = way.hops.begin();
    for (std::uint32_t round = 1; round <= way.rounds; ++round) {
      stop_if_interrupted();
      const std::size_t sent = to.transfers().size();
      for (; hop != way.hops.end() && hop->round == round; ++hop) {
        add_copies(to, base_ + 1, f, *hop, to_root);
      }
      if (to.transfers().size() > sent) ++base_;  // nothing is left of some shares of few pieces
    }
  }

  void add_copies(Schedule& to, std::uint32_t round, std::size_t f, const Hop& hop, bool to_root) {
    const Topology& topology = request_.topology;
    const Node stride = topology.stride(f), row = stride * topology.factors()[f].nodes;
    for (Node i = 0; i < topology.nodes() / topology.factors()[f].nodes; ++i) {
      const Node x = i / stride * row + i % stride + hop.from * stride;
      if (to_root && !at_root(f + 1, x)) continue;
      const Node owner = x + (hop.message.origin - hop.from) * stride;
      const std::vector<Message> share = share_of(f + 1, owner);
      if (share.empty()) continue;
      const Node path[] = {x, x + (hop.to - hop.from) * stride};
      to.add(round, path, share);
    }
  }

  /// Is it where the root is, in the dimensions from this one on?
  bool at_root(std::size_t f, Node x) const {
    const Topology& topology = request_.topology;
    for (; f < gossips_.size(); ++f) {
      if (topology.digit(x, f) != topology.digit(request_.root, f)) return false;
    }
    return true;
  }

  /// What is left to a node after so many steps: blocks of the nodes that are where it is in these
  /// dimensions, or its part of the vector.
  std::vector<Message> share_of(std::size_t steps, Node x) const {
    const Topology& topology = request_.topology;
    std::vector<Message> share;
    std::uint64_t begin = 0, end = pieces_;
    std::vector<Node> blocks = {0};
    for (std::size_t f = 0; f < gossips_.size(); ++f) {
      const Node d = topology.digit(x, f), n = topology.factors()[f].nodes;
      std::vector<Node> more;
      for (const Node y : blocks) {
        for (Node e = f < steps ? d : 0; e < (f < steps ? d + 1 : n); ++e) {
          more.push_back(y + e * topology.stride(f));
        }
      }
      blocks = std::move(more);
      if (f >= steps) continue;
      const std::uint64_t length = end - begin;
      end = begin + length * (d + 1) / n;
      begin += length * d / n;
    }
    if (by_blocks_) {
      for (const Node y : blocks) share.push_back({y, kNoNode, 0});
      return share;
    }
    for (std::uint64_t piece = begin; piece < end; ++piece) {
      share.push_back({request_.root, kNoNode, static_cast<std::uint32_t>(piece)});
    }
    return share;
  }

  Request request_;
  std::vector<FactorGossip> gossips_;
  bool by_blocks_;
  std::uint32_t pieces_ = 1;
  std::uint32_t base_ = 0;
};

/// Around rings the messages of a gossip may go one way only, if nodes can send and receive at the
/// same time: then nothing meets.
bool has_laps(const Request& request) {
  if (request.duplex == Duplex::Half) return false;
  return std::ranges::all_of(request.topology.factors(), [](const Graph& g) {
    return g.spec.starts_with("ring:") && g.nodes > 2;
  });
}

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
  std::optional<Planner> best;
  for (const bool laps : {false, true}) {
    if (laps && !has_laps(request)) continue;
    std::vector<FactorGossip> gossips;
    for (const Graph& graph : request.topology.factors()) {
      gossips.push_back(laps ? lap_of(graph) : gossip_of(factor_request(request, graph)));
    }
    for (const std::uint32_t fine : kFine) {
      Planner planner(request, gossips, fine);
      if (!best || planner.cycles() < best->cycles()) best.emplace(std::move(planner));
    }
  }
  return best->plan();
}

}  // namespace

const Algorithm kDimensionReduce = {
    .name = "dimension-reduce",
    .summary = "reductions on products of graphs, one dimension after the other",
    .serves = every({Collective::Reduce, Collective::ReduceScatter, Collective::AllReduce},
                    {PortModel::Single}, {Duplex::Full, Duplex::Half}),
    .needs = refuses,
    .make = plan,
    .combining = true,
    .any_graph = true,
    .cuts = true,
};

}  // namespace gossamer
