#include "schedule/chunks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "bounds/bounds.hpp"
#include "bounds/distances.hpp"
#include "bounds/flits.hpp"
#include "bounds/flows.hpp"
#include "gossamer_constants.hpp"
#include "support/job.hpp"
#include "topology/topology.hpp"

namespace gossamer {
namespace {

using namespace bounds;

/// Steps that a search may take, so that a bound is found in some tenths of a second.
constexpr std::uint64_t kMostSteps = 20'000'000;
/// On graphs of so few nodes all claims are tried, also where closed forms give a bound.
constexpr Node kFewNodes = 32;

/// What has to go from a node to all others of a list; `amount` is its flits, or its pieces. What
/// is reduced is written backwards in time and over links that lead back, as if its sum went to all
/// that add a part: the same words cross the same links. Of an all-reduce each member has to hear
/// from each.
struct Need {
  Node from = 0;
  std::uint64_t amount = 0;
  std::span<const Node> to;  ///< may hold `from` itself, which needs nothing
};

/// All that has to be moved over a net, and what that takes. Times are counted so that a flit that
/// crosses links for h cycles, the k-th one behind another, takes h + k. Every claim holds for
/// single flits, whichever others go with them in a message, a piece or a circuit: it counts flits
/// that must cross some links or ports, of which each carries one a cycle, and hops that must be
/// made before or afterwards. A flit of a sum crosses with the parts of others that are added to
/// it, but never with another flit of the same or of another sum. The same claims hold for rounds
/// of packets without combining, with hops of 1.
class Claims {
 public:
  Claims(const Schedule& s, PortModel ports, const Net& net,
         const std::function<std::uint64_t(const Message&)>& amount)
      : s_(s),
        net_(net),
        single_(ports == PortModel::Single),
        half_(s.model().duplex == Duplex::Half),
        everybody_(numbers_below(net.nodes())) {
    if (reduces(s.collective())) {
      for (const Node x : origins_of_sums(s)) add(x, amount({x}), group_of(x));
    } else {
      for (Node x = 0; x < net.nodes(); ++x) add_messages_of(x, amount);
    }
    for (const Need& need : needs_) pairs_ += need.to.size();
    measure();
  }

  bool empty() const { return needs_.empty(); }
  std::uint64_t farthest() const { return farthest_; }
  std::uint64_t hops() const { return hops_; }

  /// What a node must take in or send through its ports: that of the far ones is on its last links
  /// so much later. A half-duplex port has one direction at a time.
  std::uint64_t ports(bool far = true) const {
    std::uint64_t most = 0;
    for (Node x = 0; x < net_.nodes(); ++x) {
      const std::uint64_t in = net_.in(x).size(), out = net_.out(x).size();
      most = std::max(
          {most, passing(in_[x], single_ ? 1 : in, far), passing(out_[x], single_ ? 1 : out, far)});
      if (!half_) continue;
      const std::uint64_t all = sum(in_[x]) + sum(out_[x]);
      if (all == 0) continue;
      most = std::max(most, net_.least_hop() + divide_up(all, single_ ? 1 : links_at(x)));
    }
    return most;
  }

  /// The longest way of all: of flits one behind the other through single ports, else a flow over
  /// paths that share no arc. Tries those that may take longest, as many as it has time for, if
  /// that may be more than `known`.
  std::uint64_t ways(std::uint64_t known) const {
    struct Pair {
      std::uint64_t shortest = 0, amount = 0;
      Node from = 0, to = 0;
      std::uint64_t most() const { return shortest + amount; }
    };
    std::vector<Pair> tried;
    std::uint64_t most = 0;
    for_each_source([&](const Need& need, const std::vector<std::uint64_t>& time) {
      Pair best;
      std::uint64_t least = 0;
      for (const Node y : need.to) {
        if (y == need.from) continue;
        const std::uint64_t flits = need.amount;
        const std::uint64_t arcs = std::min(net_.out(need.from).size(), net_.in(y).size());
        const std::uint64_t takes = time[y] + divide_up(flits, single_ ? 1 : arcs);
        if (takes <= least) continue;
        least = takes;
        best = {time[y], flits, need.from, y};
      }
      most = std::max(most, least);
      if (!single_ && best.most() > known) tried.push_back(best);
    });
    const std::uint64_t work = net_.arcs().size() * 4 * (1 + net_.arcs().size() / net_.nodes());
    std::ranges::sort(tried, std::ranges::greater(), &Pair::most);
    tried.resize(std::min<std::size_t>(tried.size(), kMostSteps / 4 / work));
    for (const Pair& way : tried) {
      if (way.most() <= most) break;
      const auto paths = hops_of_disjoint_paths(net_, way.from, way.to);
      most = std::max(most, cycles_of_flow(paths, way.amount));
    }
    return most;
  }

  /// Hops of all flits, over all links.
  std::uint64_t links() const {
    return over(hops_, [](const NetArc&) { return true; });
  }

  /// What single-port packets can do at once: a transmission takes two ports.
  std::uint64_t packets_at_once() const {
    return divide_up(hops_, std::max<std::uint64_t>(net_.nodes() / (half_ ? 2 : 1), 1));
  }

  /// What must enter or leave some nodes, over the links that lead there. Tried are the nodes
  /// nearest to or from each node, and those of the lowest digits: one after the other is added.
  std::uint64_t cuts() const {
    std::uint64_t most = 0, work = 0;
    Cut cut(*this);
    const auto try_order = [&](const auto& key) {
      work += pairs_ + net_.nodes() * net_.arcs().size();
      if (work > kMostSteps / 4) return;
      stop_if_interrupted();
      std::vector<Node> order = everybody_;
      std::ranges::stable_sort(order, {}, key);
      most = std::max(most, cut.most_of(order));
    };
    Node stride = 1;
    for (const Graph& factor : s_.topology().factors()) {
      if (factor.nodes > 1) try_order([&](Node x) { return x / stride % factor.nodes; });
      stride *= factor.nodes;
    }
    for (Node x = 0; x < net_.nodes() && work <= kMostSteps / 4; ++x) {
      for (const Leads leads : {Leads::Away, Leads::There}) {
        const auto time = times(net_, {&x, 1}, leads);
        try_order([&](Node y) { return time[y]; });
      }
    }
    return most;
  }

  /// Loads of the best fractional routing of messages that each go to one node; see flows.hpp.
  std::uint64_t routing(PortModel ports) const {
    if (same_to_all(s_.collective())) return 0;
    const std::uint64_t n = net_.nodes();
    if (n * n > kMostSteps) return 0;
    std::vector<std::uint64_t> flits(n * n, 0);
    for (const Need& need : needs_) flits[need.from * n + need.to[0]] += need.amount;
    return net_.least_hop() + routing_load(s_.topology(), ports, s_.model().duplex, flits).of(1);
  }

  /// What nodes add up and hear of through single ports: every addition takes a port that receives,
  /// and one that sends what nothing else adds. So does what is only heard of, but one that sends
  /// may be heard by many.
  std::uint64_t sums() const {
    if (!single_ || !reduces(s_.collective())) return 0;
    const std::uint64_t ends = half_ ? all_reduce() ? hops_ + hops_ / 2 : 2 * hops_ : hops_;
    return net_.least_hop() + divide_up(ends, net_.nodes());
  }

  /// A broadcast through single ports, of each group by itself; or what comes together backwards in
  /// time, for each node that has a sum in the end.
  std::uint64_t spread() const {
    std::uint64_t most = 0;
    if (!single_ || !has_root(s_.collective()) || !same_to_all(s_.collective())) return 0;
    const auto one = [&](const Need& need, const std::vector<std::uint64_t>& time) {
      Profile distances;
      for (Node x = 0; x < net_.nodes(); ++x) {
        const std::uint64_t least = x == need.from ? 0 : 1;
        const std::uint64_t hops = std::max(time[x] / net_.most_hop(), least);
        if (distances.size() <= hops) distances.resize(hops + 1, 0);
        ++distances[hops];
      }
      const std::uint64_t hop = net_.least_hop();
      if (reduces(s_.collective())) {
        most = std::max(most, port_sum(distances, others(need), hop) + need.amount);
      }
      if (!all_reduce()) {
        most = std::max(most, 1 + port_spread(distances, others(need), need.amount, hop));
      }
    };
    for (const Need& need : needs_) {
      for (const Node x : all_reduce() ? need.to : std::span<const Node>(&need.from, 1)) {
        one(Need{x, need.amount, need.to},
            times(net_, {&x, 1}, all_reduce() ? Leads::There : Leads::Away));
      }
    }
    return most;
  }

  /// Of packets that are whole: each makes a hop when it has made the one before; that takes
  /// `round` cycles at least.
  std::uint64_t packets(std::uint64_t round) const {
    std::uint64_t most = 0;
    for_each_source([&](const Need& need, const std::vector<std::uint64_t>& time) {
      for (const Node y : need.to) {
        if (y == need.from) continue;
        const std::uint64_t hops = time[y] / net_.least_hop();
        most = std::max(most,
                        net_.least_hop() + need.amount + (hops - 1) * std::max(need.amount, round));
      }
    });
    return most;
  }

 private:
  using Passing = std::map<std::uint64_t, std::uint64_t>;  ///< flits by the time of their way

  bool all_reduce() const { return s_.collective() == Collective::AllReduce; }
  std::span<const Node> group_of(Node x) const {
    if (s_.members.several()) return s_.members.group(s_.members.group_of(x));
    return s_.members.all() ? std::span<const Node>(everybody_) : s_.members.group();
  }
  static std::uint64_t others(const Need& need) {
    return need.to.size() - static_cast<std::uint64_t>(std::ranges::count(need.to, need.from));
  }

  void add(Node from, std::uint64_t amount, std::span<const Node> to) {
    if (amount > 0 && (to.size() > 1 || (to.size() == 1 && to[0] != from))) {
      needs_.push_back({from, amount, to});
    }
  }
  void add_messages_of(Node x, const std::function<std::uint64_t(const Message&)>& amount) {
    for_each_initial(s_, x, [&](const Message& m) {
      if (m.piece > 0) return;
      const Node to = m.destination;
      add(x, amount(m), to == kNoNode ? group_of(x) : std::span<const Node>(&everybody_[to], 1));
    });
  }

  /// Calls act(need, times) for each need, with the times from its source to all nodes; of an
  /// all-reduce for each member as the source of its part.
  template <typename Act>
  void for_each_source(const Act& act) const {
    std::vector<std::uint64_t> time;
    Node of = kNoNode;
    const auto one = [&](Need need, Node from) {
      if (from != of) {
        stop_if_interrupted();
        time = times(net_, {&from, 1});
        of = from;
      }
      need.from = from;
      act(need, time);
    };
    for (const Need& need : needs_) {
      if (all_reduce()) {
        for (const Node x : need.to) one(need, x);
      } else {
        one(need, need.from);
      }
    }
  }

  void measure() {
    in_.resize(net_.nodes());
    out_.resize(net_.nodes());
    std::vector<bool> sends(net_.nodes(), false), wants(net_.nodes(), false);
    for_each_source([&](const Need& need, const std::vector<std::uint64_t>& time) {
      std::uint64_t far = 0, count = 0;
      std::vector<bool> at;  // are there nodes so many hops away at least?
      for (const Node y : need.to) {
        if (y == need.from) continue;
        far = std::max(far, time[y]);
        ++count;
        wants[y] = true;
        if (!all_reduce()) in_[y][time[y]] += need.amount;
        const bool alike = net_.least_hop() == net_.most_hop();
        const std::size_t hops = alike ? time[y] / net_.most_hop() : 0;
        if (at.size() <= hops) at.resize(hops + 1, false);
        at[hops] = true;
      }
      sends[need.from] = true;
      farthest_ = std::max(farthest_, far);
      if (all_reduce()) return;
      out_[need.from][far] += need.amount;
      // A hop to each of them, and one for each distance at which only others are.
      hops_ += need.amount * (reduces(s_.collective()) ? count : hops_to(count, at, far));
    });
    std::vector<Node> sources, targets;
    for (Node x = 0; x < net_.nodes(); ++x) {
      if (sends[x]) sources.push_back(x);
      if (wants[x]) targets.push_back(x);
    }
    before_ = times(net_, sources);
    after_ = times(net_, targets, Leads::There);
    if (sources.size() == 1) only_source_ = sources[0];
    if (targets.size() == 1) only_target_ = targets[0];
    // Who knows the whole sum first has heard of all others, and they need a hop more each.
    if (all_reduce()) {
      for (const Need& need : needs_) hops_ += 2 * (need.to.size() - 1) * need.amount;
    }
  }

  std::uint64_t hops_to(std::uint64_t count, const std::vector<bool>& at, std::uint64_t far) const {
    if (at.size() <= 1) return std::max(count, divide_up(far, net_.most_hop()));
    return count + static_cast<std::uint64_t>(std::count(at.begin() + 1, at.end(), false));
  }

  static std::uint64_t sum(const Passing& flits) {
    return std::accumulate(flits.begin(), flits.end(), std::uint64_t{0},
                           [](std::uint64_t all, const auto& some) { return all + some.second; });
  }
  std::uint64_t passing(const Passing& flits, std::uint64_t at_once, bool far) const {
    std::uint64_t most = 0, so_far = 0;
    for (auto i = flits.rbegin(); i != flits.rend(); ++i) {
      so_far += i->second;
      most = std::max(most, (far ? i->first : net_.least_hop()) + divide_up(so_far, at_once));
    }
    return most;
  }

  std::uint64_t links_at(Node x) const {
    std::vector<std::uint32_t> links;
    for (const std::uint32_t a : net_.in(x)) links.push_back(net_.arcs()[a].link);
    for (const std::uint32_t a : net_.out(x)) links.push_back(net_.arcs()[a].link);
    std::ranges::sort(links);
    return static_cast<std::uint64_t>(std::unique(links.begin(), links.end()) - links.begin());
  }

  /// Cycles until `amount` flits have crossed the arcs that are chosen, or with half duplex their
  /// links, and have gone on: nothing comes to an arc before the way from the nearest source, and
  /// nothing that crosses it is over before the way to the nearest target.
  template <typename Chosen>
  std::uint64_t over(std::uint64_t amount, const Chosen& chosen) const {
    if (amount == 0) return 0;
    struct Used {
      std::uint64_t hop = 0, before = ~std::uint64_t{0}, after = before;
    };
    std::vector<Used> used(half_ ? net_.links() : net_.arcs().size());
    for (std::size_t a = 0; a < net_.arcs().size(); ++a) {
      const NetArc& arc = net_.arcs()[a];
      if (!chosen(arc) || only_source_ == arc.head || only_target_ == arc.tail) continue;
      Used& one = used[half_ ? arc.link : a];
      one.hop = arc.hop;
      one.before = std::min(one.before, before_[arc.tail]);
      one.after = std::min(one.after, after_[arc.head]);
    }
    std::vector<std::uint64_t> begin;
    for (const Used& one : used) {
      if (one.hop > 0) begin.push_back(one.before + one.hop + one.after);
    }
    return cycles_over(std::move(begin), amount);
  }

  /// A set of nodes that grows, and what must cross its border.
  class Cut {
   public:
    explicit Cut(const Claims& all) : all_(all), touched_(all.net_.nodes()) {
      for (std::size_t i = 0; i < all.needs_.size(); ++i) {
        const Need& need = all.needs_[i];
        for (const Node y : need.to) touched_[y].push_back(i);
        if (others(need) == need.to.size()) touched_[need.from].push_back(i);
      }
    }

    std::uint64_t most_of(std::span<const Node> order) {
      inside_.assign(order.size(), false);
      held_.assign(all_.needs_.size(), 0);
      enters_ = leaves_ = 0;
      std::uint64_t most = 0;
      for (const Node x : order.first(order.size() - 1)) {
        add(x);
        const auto enters = [&](const NetArc& a) { return !inside_[a.tail] && inside_[a.head]; };
        const auto leaves = [&](const NetArc& a) { return inside_[a.tail] && !inside_[a.head]; };
        const auto both = [&](const NetArc& a) { return inside_[a.tail] != inside_[a.head]; };
        most = std::max({most, all_.over(enters_, enters), all_.over(leaves_, leaves)});
        if (all_.half_) most = std::max(most, all_.over(enters_ + leaves_, both));
      }
      return most;
    }

   private:
    void add(Node x) {
      for (const std::size_t i : touched_[x]) count(i, ~std::uint64_t{0});
      inside_[x] = true;
      for (const std::size_t i : touched_[x]) {
        const Need& need = all_.needs_[i];
        if (x != need.from || others(need) < need.to.size()) ++held_[i];
        count(i, 1);
      }
    }
    /// Adds what must cross for one need, so many times.
    void count(std::size_t i, std::uint64_t times) {
      const Need& need = all_.needs_[i];
      const bool any = held_[i] > 0, all = held_[i] == need.to.size();
      const bool from = inside_[need.from];
      if (any && (all_.all_reduce() ? !all : !from)) enters_ += need.amount * times;
      if (!all && (all_.all_reduce() ? any : from)) leaves_ += need.amount * times;
    }

    const Claims& all_;
    std::vector<std::vector<std::size_t>> touched_;  ///< by node: the needs that it is part of
    std::vector<bool> inside_;
    std::vector<std::size_t> held_;  ///< by need: targets inside
    std::uint64_t enters_ = 0, leaves_ = 0;
  };

  const Schedule& s_;
  const Net& net_;
  bool single_, half_;
  std::vector<Node> everybody_;
  std::vector<Need> needs_;
  std::uint64_t pairs_ = 0;
  std::vector<Passing> in_, out_;
  std::uint64_t hops_ = 0, farthest_ = 0;
  std::vector<std::uint64_t> before_, after_;  ///< the way from the nearest source, to a target
  Node only_source_ = kNoNode, only_target_ = kNoNode;  ///< if there are no others
};

Net net_of(const Schedule& s, std::span<const std::uint64_t> hops) {
  const bool spreads = s.collective() == Collective::AllReduce || !reduces(s.collective());
  return Net(s.topology(), hops, /*backwards=*/!spreads);
}

}  // namespace

Bound chunk_bound(const Schedule& s, std::uint32_t pieces) {
  const Net net = net_of(s, {});
  const Claims claims(s, s.model().ports, net, [&](const Message& m) {
    return s.sizes.equal() ? pieces : std::min(pieces, s.sizes.of(m.origin, m.destination));
  });
  Bound best{0, "nothing has to be sent"};
  if (claims.empty()) return best;
  best = {1, "something has to be sent"};
  // A flit that takes h + k has its last hop in round h + k - 1.
  const auto in_rounds = [&](std::uint64_t value, const char* source) {
    best.claim(value - std::min<std::uint64_t>(value, 1), source);
  };
  const bool packets = s.model().switching == Switching::Packet;
  const bool hop_takes_a_round = s.model().switching != Switching::Circuit;
  if (hop_takes_a_round) in_rounds(claims.farthest() + 1, "distance, a hop a round");
  if (s.model().combining) return best;
  in_rounds(claims.ports(false), "messages through the ports of a node");
  if (!hop_takes_a_round) return best;
  in_rounds(claims.ports(), "messages through the ports of a node, the far ones last");
  in_rounds(claims.links(), "hops of all messages, over all links");
  if (packets && s.model().ports == PortModel::Single) {
    in_rounds(1 + claims.packets_at_once(), "hops of all messages, over all ports");
  }
  in_rounds(claims.ways(best.value + 1), "the longest way, over links that can be used at once");
  in_rounds(claims.cuts(), "what must cross a cut, over its links");
  in_rounds(claims.routing(packets ? s.model().ports : PortModel::All),
            "loads of the best fractional routing");
  return best;
}

Bound chunk_bound_cycles(const Schedule& s, PortModel ports, unsigned flits,
                         std::span<const std::uint32_t> stages) {
  std::vector<std::uint64_t> hops(s.topology().ports(),
                                  rtl::TIME_DELTA + (reduces(s.collective()) ? rtl::TIME_JOIN : 0));
  for (std::size_t p = 0; p < stages.size(); ++p) hops[p] += stages[p];
  const Net net = net_of(s, hops);
  const ChunkFlits chunks = s.chunk_flits(flits);
  const Claims claims(s, ports, net, [&](const Message& m) { return chunks.cut(m).flits; });
  if (claims.empty()) return {0, "nothing has to be sent"};
  Bound best;
  best.claim(claims.ports(), "what a node must take in or send, through its ports");
  best.claim(claims.links(), "hops of all flits, over links that flits can have come to");
  best.claim(claims.ways(best.value), "the longest way, over links that can be used at once");
  best.claim(claims.cuts(), "what must cross a cut, over its links");
  best.claim(claims.routing(PortModel::All), "loads of the best fractional routing");
  best.claim(claims.spread(), "what single ports can pass on and send, flit by flit");
  best.claim(claims.sums(), "what single ports can add up and pass on");
  best.value += rtl::TIME_START;
  return best;
}

std::uint64_t chunk_bound_packets(const Schedule& s, unsigned flits, std::uint64_t stages) {
  const std::vector<std::uint64_t> hops(s.topology().ports(), rtl::TIME_DELTA + stages);
  const Net net = net_of(s, hops);
  const ChunkFlits chunks = s.chunk_flits(flits);
  const Claims messages(s, s.model().ports, net,
                        [&](const Message& m) { return chunks.cut(m).flits; });
  const Claims packets(s, s.model().ports, net, [&](const Message& m) { return chunks.of(m); });
  return rtl::TIME_START +
         std::max({messages.ports(), messages.links(), packets.packets(rtl::TIME_LAT + stages)});
}

namespace {

/// "schedule of packets with one message each"
std::string schedules_of(const Model& model, bool fork, std::uint32_t pieces) {
  std::string text = "schedule of ";
  if (model.ports == PortModel::Single) text += "single-port ";
  switch (model.switching) {
    case Switching::Packet: text += "packets"; break;
    case Switching::Circuit: text += "circuits"; break;
    case Switching::Pipelined: text += "pipelined circuits"; break;
  }
  if (model.switching != Switching::Packet && !fork) text += " that do not fork";
  if (!model.combining) text += pieces > 1 ? " with one piece each" : " with one message each";
  if (pieces > 1) text += fmt::format(", in {} pieces or more,", pieces);
  return text;
}

}  // namespace

Bound bound_of_rounds(const Schedule& s, std::uint32_t pieces, bool fork) {
  Bound best;
  if (s.regular()) {
    best = strongest_bound(s.topology(), s.collective(), s.model(), s.root, fork);
  }
  if (!s.regular() || (pieces > 1 && s.model().switching == Switching::Packet)) {
    const Bound chunks = chunk_bound(s, pieces);
    if (chunks.value > best.value) best = chunks;
  }
  best.of = schedules_of(s.model(), fork, pieces);
  return best;
}

Bound bound_of_cycles(const Schedule& s, PortModel ports, unsigned flits,
                      std::span<const std::uint32_t> stages) {
  // What passes through a node on a circuit takes none of its ports.
  const Model any{ports, s.model().duplex, Switching::Circuit};
  Bound best;
  if (s.regular()) {
    best = lower_bound_cycles(s.topology(), s.collective(), any, s.root, flits, stages);
  }
  if (!s.regular() || s.topology().nodes() <= kFewNodes) {
    const Bound flit_by_flit = chunk_bound_cycles(s, ports, flits, stages);
    if (flit_by_flit.value > best.value) best = flit_by_flit;
  }
  if (ports == PortModel::Single) best.of = "schedule through single ports";
  return best;
}

}  // namespace gossamer
