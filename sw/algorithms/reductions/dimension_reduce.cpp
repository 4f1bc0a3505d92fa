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
  std::uint32_t branches = 1;  ///< the most links over which a node sends its own message
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
  std::vector<std::uint32_t> sent(n);
  for (const Transfer& t : all.transfers()) {
    const auto path = all.path(t);
    for (const Message& m : all.messages(t)) {
      if (!holders.add(path[1], m.origin)) continue;
      gossip.hops.push_back({t.round, path[0], path[1], {m.origin}});
      if (path[0] == m.origin) ++sent[m.origin];
    }
  }
  gossip.branches = std::ranges::max(sent);
  return gossip;
}

/// Each message once around a ring, in one direction.
FactorGossip lap_of(const Graph& ring, bool up) {
  const Node n = ring.nodes;
  FactorGossip lap{{}, n - 1};
  for (std::uint32_t round = 1; round < n; ++round) {
    for (Node origin = 0; origin < n; ++origin) {
      const auto at = [&](Node step) {
        return up ? (origin + step) % n : (origin + n - step % n) % n;
      };
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

/// A part of the vector: the order in which it takes the dimensions, and how in each.
struct Part {
  std::vector<std::size_t> order;
  std::vector<FactorGossip> gossips;  ///< by factor
};

/// How finely vectors are cut, if they are: flits of a piece. A node sends a message on some cycles
/// after it has come, so that short ones at the end of a transfer make a round longer.
constexpr std::uint32_t kFine[] = {1, 3};

class Planner {
 public:
  Planner(const Request& request, std::vector<Part> parts, std::uint32_t fine)
      : request_(request),
        parts_(std::move(parts)),
        by_blocks_(request.collective == Collective::ReduceScatter) {
    const auto count = static_cast<std::uint64_t>(parts_.size());
    const std::uint64_t most = by_blocks_ ? count : count * request.topology.nodes();
    pieces_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
        request.flits / fine, 1, std::min<std::uint64_t>(most, kMostPieces)));
  }

  /// Cycles, nearly: those of the rounds, and of what the last node on the way of a share must
  /// merge, a word after the other.
  double cycles() const {
    const Topology& topology = request_.topology;
    const double piece = static_cast<double>(request_.flits) / pieces_;
    double share = static_cast<double>(request_.flits) / static_cast<double>(parts_.size()),
           sum = 0;
    if (by_blocks_) share *= topology.nodes();
    for (std::size_t step = 0; step < parts_[0].order.size(); ++step) {
      double rounds = 0, merged = 0, left = 0;
      for (const Part& part : parts_) {
        const std::size_t f = part.order[step];
        const FactorGossip& gossip = part.gossips[f];
        const double kept = share / topology.factors()[f].nodes, flits = std::max(kept, piece);
        rounds = std::max(rounds, gossip.rounds * std::max(flits, flits - piece + kRound));
        merged += kept * gossip.branches;
        left = std::max(left, kept);
      }
      sum += (by_blocks_ ? 1 : 2) * rounds + merged;
      share = left;
    }
    return sum;
  }

  Schedule plan() {
    const Model model{request_.ports, request_.duplex, Switching::Packet, /*combining=*/true};
    Schedule schedule = empty_schedule(request_, model);
    schedule.cut(pieces_);
    const std::size_t steps = parts_[0].order.size();
    for (std::size_t step = 0; step < steps; ++step) {
      add(
          schedule, step, [](const FactorGossip& g, Node) { return backwards(g); }, false);
    }
    if (by_blocks_) return schedule;
    const bool to_root = request_.collective == Collective::Reduce;
    for (std::size_t step = steps; step-- > 0;) {
      add(
          schedule, step,
          [&](const FactorGossip& g, Node root) { return to_root ? towards(g, root) : g; },
          to_root);
    }
    return schedule;
  }

 private:
  /// One dimension of each part, in all copies of the factor; or only in those whose nodes are
  /// in the dimensions that follow where the root is.
  template <class Way>
  void add(Schedule& to, std::size_t step, const Way& way, bool to_root) {
    const Topology& topology = request_.topology;
    std::vector<FactorGossip> ways;
    std::uint32_t rounds = 0;
    for (const Part& part : parts_) {
      const std::size_t f = part.order[step];
      ways.push_back(way(part.gossips[f], topology.digit(request_.root, f)));
      rounds = std::max(rounds, ways.back().rounds);
    }
    std::vector<std::size_t> next(parts_.size());
    for (std::uint32_t round = 1; round <= rounds; ++round) {
      stop_if_interrupted();
      const std::size_t sent = to.transfers().size();
      for (std::size_t p = 0; p < parts_.size(); ++p) {
        const std::vector<Hop>& hops = ways[p].hops;
        for (; next[p] < hops.size() && hops[next[p]].round == round; ++next[p]) {
          add_copies(to, base_ + 1, p, step, hops[next[p]], to_root);
        }
      }
      if (to.transfers().size() > sent) ++base_;  // nothing is left of some shares of few pieces
    }
  }

  void add_copies(Schedule& to, std::uint32_t round, std::size_t p, std::size_t step,
                  const Hop& hop, bool to_root) {
    const Topology& topology = request_.topology;
    const Part& part = parts_[p];
    const std::size_t f = part.order[step];
    const Node stride = topology.stride(f), row = stride * topology.factors()[f].nodes;
    for (Node i = 0; i < topology.nodes() / topology.factors()[f].nodes; ++i) {
      const Node x = i / stride * row + i % stride + hop.from * stride;
      if (to_root && !at_root(part, step, x)) continue;
      const Node owner = x + (hop.message.origin - hop.from) * stride;
      const std::vector<Message> share = share_of(p, step + 1, owner);
      if (share.empty()) continue;
      const Node path[] = {x, x + (hop.to - hop.from) * stride};
      to.add(round, path, share);
    }
  }

  bool at_root(const Part& part, std::size_t step, Node x) const {
    const Topology& topology = request_.topology;
    for (std::size_t i = step + 1; i < part.order.size(); ++i) {
      const std::size_t f = part.order[i];
      if (topology.digit(x, f) != topology.digit(request_.root, f)) return false;
    }
    return true;
  }

  /// What is left to a node of a part after so many steps.
  std::vector<Message> share_of(std::size_t p, std::size_t steps, Node x) const {
    const Topology& topology = request_.topology;
    std::vector<Message> share;
    if (by_blocks_) {
      for (const Node y : blocks_of(parts_[p], steps, x)) {
        for (std::uint32_t piece = 0; piece < pieces_; ++piece) {
          if ((y + piece) % parts_.size() == p) share.push_back({y, kNoNode, piece});
        }
      }
      return share;
    }
    const std::uint64_t count = parts_.size();
    std::uint64_t begin = pieces_ * p / count, end = pieces_ * (p + 1) / count;
    for (std::size_t i = 0; i < steps; ++i) {
      const std::size_t f = parts_[p].order[i];
      const std::uint64_t d = topology.digit(x, f), n = topology.factors()[f].nodes;
      const std::uint64_t length = end - begin;
      end = begin + length * (d + 1) / n;
      begin += length * d / n;
    }
    for (std::uint64_t piece = begin; piece < end; ++piece) {
      share.push_back({request_.root, kNoNode, static_cast<std::uint32_t>(piece)});
    }
    return share;
  }

  /// The nodes that are where x is, in the dimensions of so many steps.
  std::vector<Node> blocks_of(const Part& part, std::size_t steps, Node x) const {
    const Topology& topology = request_.topology;
    std::vector<Node> nodes = {0};
    for (std::size_t i = 0; i < part.order.size(); ++i) {
      const std::size_t f = part.order[i];
      const Node d = topology.digit(x, f), all = topology.factors()[f].nodes;
      std::vector<Node> more;
      for (const Node y : nodes) {
        for (Node e = i < steps ? d : 0; e < (i < steps ? d + 1 : all); ++e) {
          more.push_back(y + e * topology.stride(f));
        }
      }
      nodes = std::move(more);
    }
    return nodes;
  }

  Request request_;
  std::vector<Part> parts_;
  bool by_blocks_;
  std::uint32_t pieces_ = 1;
  std::uint32_t base_ = 0;
};

bool both_ways(const Request& request) {
  return request.ports == PortModel::All && request.duplex == Duplex::Full;
}

/// Around rings the messages of a gossip may go one way only, if nodes can send and receive at the
/// same time: then nothing meets.
bool has_laps(const Request& request) {
  if (request.ports == PortModel::Single && request.duplex == Duplex::Half) return false;
  return std::ranges::all_of(request.topology.factors(), [](const Graph& g) {
    return g.spec.starts_with("ring:") && g.nodes > 2;
  });
}

/// `laps`: around rings, one way; if there are links both ways, in parts of their own.
std::vector<Part> parts_of(const Request& request, bool laps) {
  const auto factors = request.topology.factors();
  const std::size_t rotations = request.ports == PortModel::All ? factors.size() : 1;
  const int ways = laps && both_ways(request) ? 2 : 1;
  std::vector<Part> parts;
  for (int way = 0; way < ways; ++way) {
    std::vector<FactorGossip> gossips;
    for (const Graph& graph : factors) {
      gossips.push_back(laps ? lap_of(graph, way == 0) : gossip_of(factor_request(request, graph)));
    }
    for (std::size_t r = 0; r < rotations; ++r) {
      Part part{.order = {}, .gossips = gossips};
      for (std::size_t i = 0; i < factors.size(); ++i)
        part.order.push_back((r + i) % factors.size());
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

/// Transfers, and the messages that they list, at most.
std::uint64_t listed(const Request& request) {
  const std::uint64_t n = request.topology.nodes(), ways = 2 * request.topology.factors().size();
  std::uint64_t steps = 0;
  for (const Graph& graph : request.topology.factors()) steps += graph.nodes - 1;
  const bool blocks = request.collective == Collective::ReduceScatter;
  const std::uint64_t transfers = (blocks ? 1 : 2) * ways * n * steps;
  if (transfers > kMostTransfers) return transfers;
  const std::uint64_t most = std::min<std::uint64_t>(request.flits, blocks ? ways : ways * n);
  return std::max(transfers, (blocks ? n * n : 2 * n) * most);
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
    const std::vector<Part> parts = parts_of(request, laps);
    for (const std::uint32_t fine : kFine) {
      Planner planner(request, parts, fine);
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
                    {PortModel::Single, PortModel::All}, {Duplex::Full, Duplex::Half}),
    .needs = refuses,
    .make = plan,
    .combining = true,
    .any_graph = true,
    .cuts = true,
};

}  // namespace gossamer
