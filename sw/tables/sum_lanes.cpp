#include "tables/sum_lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "schedule/chunks.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"
#include "support/refuse.hpp"
#include "tables/timing.hpp"

namespace gossamer {
namespace {

std::uint64_t bit(Port p) { return std::uint64_t{1} << p; }

/// Follows how many parts are in which sum, and finds outputs that add.
class LaneFinder {
 public:
  LaneFinder(const Schedule& schedule, unsigned flits, const PortStages& stages)
      : s_(schedule), flits_(schedule.chunk_flits(flits)), stages_(stages) {
    const double sums = static_cast<double>(s_.topology().nodes()) * s_.pieces() *
                        static_cast<double>(origins_of_sums(s_).size());
    require_memory(sums * 64, s_.topology().spec() + ": whose parts are in its sums");
  }

  /// `overlap`: a round may end before all is added, if the outputs that add are free in the next
  /// one, too.
  void play(SumLanes& lanes, bool overlap) {
    Uses uses;
    SumLanes::Round round = gather(1, uses);
    for (std::uint32_t number = 1; number <= s_.rounds(); ++number) {
      stop_if_interrupted();
      Uses next;
      SumLanes::Round following = gather(number + 1, next);
      const bool overlaps = overlap && find_lanes(round, uses, &next);
      if (!overlaps && !find_lanes(round, uses, nullptr)) {
        refuse(
            "round {}: node {} has no output left that adds up what comes; one that sends, or by "
            "whose port something comes, does not",
            number, without_lane_);
      }
      std::uint64_t end = 0;
      for (const auto& [of, sum] : round) {
        if (sum.adds) end = std::max(end, sum.begin + flits_.of(sum.message));
      }
      lanes.end.push_back(end);
      lanes.least.push_back(overlaps ? 0 : end);
      lanes.rounds.push_back(std::move(round));
      round = std::move(following);
      uses = std::move(next);
    }
  }

 private:
  /// Outputs of a node that send, and ports whose arrivals are stored, in a round.
  using Uses = std::map<Node, std::uint64_t>;

  SumLanes::Round gather(std::uint32_t number, Uses& uses) {
    SumLanes::Round round;
    std::map<std::pair<Node, Message>, std::uint32_t> come;  // parts
    for (const Transfer& t : s_.transfers_of(number)) {
      const std::vector<std::uint64_t> ways = arrival_cycles(s_, t, stages_);
      std::size_t hops = 0;
      for (const TransferHop hop : s_.hops(t)) {
        uses[hop.from] |= bit(port_out(s_.topology(), hop));
        if (hop.stored) take(round, come, t, hop, ways[hops]);
        ++hops;
      }
    }
    for (auto& [of, sum] : round) {
      std::uint32_t& all = parts(of.first, sum.message);
      const bool several = (sum.inputs & (sum.inputs - 1)) != 0;
      sum.held = sum.whole == 0 && all != 0;
      sum.adds = sum.whole == 0 && (sum.held || several) && flits_.of(sum.message) != 0;
      if (!sum.adds) uses[of.first] |= sum.inputs;
      all = sum.whole != 0 ? contributors(s_, sum.message) : all + come[of];
    }
    return round;
  }

  std::uint32_t& parts(Node x, const Message& m) {
    const auto [found, is_new] = parts_.try_emplace({x, m});
    if (is_new && is_initial(s_, x, m)) found->second = 1;
    return found->second;
  }

  void take(SumLanes::Round& round, std::map<std::pair<Node, Message>, std::uint32_t>& come,
            const Transfer& t, const TransferHop& hop, std::uint64_t begin) {
    const Node from = s_.source(t);
    for (const Message& m : s_.messages(t)) {
      const std::pair key{hop.to, m};
      const auto [found, is_new] = round.try_emplace(key, SumLanes::Sum{hop.to, m, begin});
      const std::uint64_t input = bit(port_in(s_.topology(), hop));
      const std::uint32_t its = parts(from, m);
      if (!is_new && found->second.begin != begin) {
        refuse(
            "round {}: two sums come to node {} at different times; a node adds up what comes at "
            "the same time",
            t.round, hop.to);
      }
      found->second.inputs |= input;
      if (its == contributors(s_, m)) found->second.whole |= input;
      come[key] += its;
      begin += flits_.of(m);
    }
  }

  /// To each sum the first output behind its input that is free, also in the next round. False if
  /// there is none, or an entry would send over a half-duplex link by which something still comes.
  bool find_lanes(SumLanes::Round& round, const Uses& uses, const Uses* next) {
    struct Lane {
      Port port;
      std::uint64_t begin, end;
    };
    std::map<Node, std::vector<Lane>> lanes;
    const Port ports = ports_that_add(s_.topology());
    const auto used = [](const Uses& by, Node x) {
      const auto found = by.find(x);
      return found == by.end() ? 0 : found->second;
    };
    for (auto& entry : round) {
      SumLanes::Sum& sum = entry.second;
      if (!sum.adds) continue;
      const std::uint64_t later = next == nullptr ? 0 : used(*next, sum.node);
      if (s_.model().duplex == Duplex::Half && (later & sum.inputs) != 0) return false;
      const std::uint64_t taken = used(uses, sum.node) | later | sum.inputs;
      const std::uint64_t end = sum.begin + flits_.of(sum.message);
      std::vector<Lane>& others = lanes[sum.node];
      const auto is_free = [&](Port p) {
        return (taken & bit(p)) == 0 && std::ranges::none_of(others, [&](const Lane& other) {
                 return other.port == p && other.begin < end && sum.begin < other.end;
               });
      };
      const auto first = static_cast<Port>(std::countr_zero(sum.inputs));
      Port after = 1;
      while (after < ports && !is_free((first + after) % ports)) ++after;
      without_lane_ = sum.node;
      if (after == ports) return false;
      sum.lane = (first + after) % ports;
      others.push_back({sum.lane, sum.begin, end});
    }
    return true;
  }

  const Schedule& s_;
  ChunkFlits flits_;
  const PortStages& stages_;
  std::map<std::pair<Node, Message>, std::uint32_t> parts_;
  Node without_lane_ = 0;
};

}  // namespace

SumLanes::SumLanes(const Schedule& s, unsigned flits, const PortStages& stages) {
  const bool equal =
      std::ranges::adjacent_find(stages, std::ranges::not_equal_to()) == stages.end();
  LaneFinder(s, flits, stages).play(*this, s.model().switching == Switching::Packet && equal);
}

Port ports_that_add(const Topology& topology) { return std::max<Port>(topology.ports(), 3); }

}  // namespace gossamer
