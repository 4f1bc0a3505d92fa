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
        pieces_(std::clamp(request.flits / fine, 1u,
                           std::min(request.topology.nodes(), kMostPieces))) {}

  /// Cycles, nearly.
  double cycles() const {
    const double piece = static_cast<double>(request_.flits) / pieces_;
    double share = static_cast<double>(request_.flits), sum = 0;
    for (std::size_t f = 0; f < gossips_.size(); ++f) {
      share /= request_.topology.factors()[f].nodes;
      const double flits = std::max(share, piece);
      const double round = std::max(flits, flits - piece + kRound);
      sum += 2 * gossips_[f].rounds * round;
    }
    return sum;
  }

  Schedule plan() {
    const Model model{request_.ports, request_.duplex, Switching::Packet, /*combining=*/true};
    Schedule schedule = empty_schedule(request_, model);
    schedule.cut(pieces_);
    for (std::size_t f = 0; f < gossips_.size(); ++f) {
      add(schedule, f, backwards(gossips_[f]));
    }
    for (std::size_t f = gossips_.size(); f-- > 0;) add(schedule, f, gossips_[f]);
    return schedule;
  }

 private:
  /// One dimension, in all copies of the factor.
  void add(Schedule& to, std::size_t f, const FactorGossip& way) {
    auto hop = way.hops.begin();
    for (std::uint32_t round = 1; round <= way.rounds; ++round) {
      stop_if_interrupted();
      const std::size_t sent = to.transfers().size();
      for (; hop != way.hops.end() && hop->round == round; ++hop) {
        add_copies(to, base_ + 1, f, *hop);
      }
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

  /// What is left to a node after so many steps: its part of the vector.
  std::vector<Message> share_of(std::size_t steps, Node x) const {
    std::uint64_t begin = 0, end = pieces_;
    for (std::size_t f = 0; f < steps; ++f) {
      const Node d = request_.topology.digit(x, f), n = request_.topology.factors()[f].nodes;
      const std::uint64_t length = end - begin;
      end = begin + length * (d + 1) / n;
      begin += length * d / n;
    }
    std::vector<Message> share;
    for (; begin < end; ++begin) {
      share.push_back({request_.root, kNoNode, static_cast<std::uint32_t>(begin)});
    }
    return share;
  }

  Request request_;
  std::vector<FactorGossip> gossips_;
  std::uint32_t pieces_;
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
  const std::uint64_t transfers = 2 * n * steps;
  if (transfers > kMostTransfers) return transfers;
  const std::uint64_t pieces = std::min<std::uint64_t>(request.flits, n);
  return std::max(transfers, 2 * n * pieces);
}

std::optional<std::string> refuses(const Request& request) {
  if (!request.regular()) return "dimension-reduce plans for all nodes";
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
    .summary = "all-reduce on products of graphs, one dimension after the other",
    .serves = every({Collective::AllReduce}, {PortModel::Single}, {Duplex::Full, Duplex::Half}),
    .needs = refuses,
    .make = plan,
    .combining = true,
    .any_graph = true,
    .cuts = true,
};

}  // namespace gossamer
