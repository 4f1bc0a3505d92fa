#include "tables/adaptive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "adaptive/adaptive.hpp"
#include "gossamer_constants.hpp"
#include "support/memory.hpp"
#include "support/refuse.hpp"
#include "tables/program_builder.hpp"

namespace gossamer {
namespace {

/// How much later than `t` the next slot must begin so that every message that crosses a link in
/// slot `t` is written before it is read: in flits' cycles from `t`. Rounds are slots.
std::uint64_t next_slot_after(const Schedule& s, const Offers& offers, std::uint32_t round,
                              unsigned flits, const PortStages& stages) {
  std::int64_t least = 0;
  std::set<std::pair<std::vector<Node>, Node>> seen;  // most nodes have the same lists
  for (const Transfer& t : s.transfers_of(round)) {
    const auto path = s.path(t);
    const Node from = path.front(), to = path.back();
    const auto sent = offers.at(round, from), next = offers.at(round + 1, to);
    const auto lat =
        static_cast<std::int64_t>(rtl::TIME_LAT - rtl::TIME_DELTA +
                                  Timeline::hop_cycles(stages, s.topology().port_to(from, to)));
    const auto read = [&](Node message, std::size_t k) {
      const auto at = std::ranges::find(sent, message);
      if (at == sent.end()) return;
      const auto ahead = (at - sent.begin()) - static_cast<std::ptrdiff_t>(k);
      least = std::max(least, static_cast<std::int64_t>(ahead) * flits + lat);
    };
    // Without the initiator's message nothing is sent.
    if (s.initiator && !next.empty()) read(s.initiator->node, 0);
    std::vector<Node> relative{static_cast<Node>(sent.size())};  // where the second list begins
    for (Node o : sent) relative.push_back(o ^ from);
    for (Node o : next) relative.push_back(o ^ to);
    if (!seen.emplace(std::move(relative), from ^ to).second) continue;
    for (std::size_t k = 0; k < next.size(); ++k) read(next[k], k);
  }
  return static_cast<std::uint64_t>(least);
}

}  // namespace

Timeline adaptive_timeline(const Schedule& s, const Offers& offers, unsigned flits,
                           const PortStages& stages) {
  const std::uint64_t longest = stages.empty() ? 0 : std::ranges::max(stages);
  const std::uint64_t shortest = stages.empty() ? 0 : std::ranges::min(stages);
  const bool one_log = s.model().ports == PortModel::Single;
  Timeline time;
  time.stages = stages;
  std::uint64_t now = rtl::TIME_START;
  for (std::uint32_t r = 1; r <= s.rounds(); ++r) {
    RoundShape shape;
    shape.most_flits = std::uint64_t{offers.length(r)} * flits;
    if (!stages.empty()) {
      for (const Transfer& t : s.transfers_of(r)) {
        const auto path = s.path(t);
        const Port out = s.topology().port_to(path[0], path[1]);
        shape.last_message = std::max<std::uint64_t>(shape.last_message, stages[out]);
      }
    }
    // As in timing.cpp: what a long link brings is over before a shorter one brings more.
    if (one_log) shape.one_log = shape.most_flits + longest - shortest;
    SlotParts parts = slot_parts(Switching::Packet, shape);
    if (r < s.rounds()) {
      const std::uint64_t least = next_slot_after(s, offers, r, flits, stages);
      parts.waiting += least - std::min(least, parts.sum());
    }
    time.start.push_back(now);
    time.parts.push_back(parts);
    time.length.push_back(parts.sum());
    now += parts.sum();
  }
  // A slot's receive window closes two cycles after the slot, that of a link with stages later.
  time.last_arrival = time.last_on_link = now + rtl::TIME_DELTA + longest;
  return time;
}

namespace {

/// Distance in words between messages in an adaptive node's logs: 2^shift, at least `flits`.
std::uint32_t adaptive_shift(unsigned flits) {
  return static_cast<std::uint32_t>(std::bit_width(flits - 1));
}

/// A message by its distance from the node that offers it.
using Position = Node;

class AdaptiveCompiler {
 public:
  AdaptiveCompiler(const Schedule& s, std::shared_ptr<const ScheduleTiming> timed, Port ports)
      : s_(s),
        flits_(timed->flits),
        offers_(*timed->offers),
        result_{FabricImage{.topology = s.topology()}, timed->time, timed, 0} {
    result_.image.kind = node_kind(s, ports);
  }

  CompiledSchedule compile() {
    refuse_too_large();
    place();
    std::map<NodeProgram, std::uint32_t> known;
    for (Node x = 0; x < s_.topology().nodes(); ++x) {
      const auto number = static_cast<std::uint32_t>(result_.image.programs.size());
      const auto [found, is_new] = known.try_emplace(program_of(x), number);
      if (is_new) result_.image.programs.push_back(found->first);
      result_.image.program_of.push_back(found->second);
    }
    result_.flits_expected = play(s_, offers_, s_.faults).crossed * flits_;
    return std::move(result_);
  }

 private:
  void refuse_too_large() const {
    const Node nodes = s_.topology().nodes();
    if (nodes > rtl::ADAPTIVE_MESSAGES) {
      refuse(
          "{}: adaptive nodes distinguish {} messages, so that a hypercube runs up to dimension {}",
          s_.topology().spec(), std::uint32_t{rtl::ADAPTIVE_MESSAGES},
          std::bit_width(std::uint32_t{rtl::ADAPTIVE_MESSAGES}) - 1);
    }
    const std::uint64_t words = std::uint64_t{nodes} << adaptive_shift(flits_);
    constexpr std::uint64_t kMostWords = std::uint64_t{1}
                                         << rtl::SLOT_LEN_W;  // those of the slot are as many
    if (words > kMostWords) {
      throw TooLarge(
          fmt::format("{}: a node's log has {} words for messages of {} flits; it can "
                      "have at most {}",
                      s_.topology().spec(), words, flits_, kMostWords));
    }
    constexpr std::uint32_t kSlots = 1u << rtl::ADAPTIVE_SLOT_W;
    if (s_.rounds() >= kSlots) {
      refuse("an adaptive schedule of {} rounds: adaptive nodes execute fewer than {} slots",
             s_.rounds(), kSlots);
    }
  }

  /// Assigns the messages' places in the logs.
  void place() {
    FabricImage& image = result_.image;
    const Topology& t = s_.topology();
    image.message_shift = adaptive_shift(flits_);
    image.capacity = t.nodes() << image.message_shift;
    for (Port p = 0; p < t.ports(); ++p)
      image.partner.push_back(t.peer(0, p).node << image.message_shift);
    if (s_.initiator) {
      for (Node x = 0; x < t.nodes(); ++x) {
        image.initiator.push_back((s_.initiator->node ^ x) << image.message_shift);
      }
    }
  }

  /// The messages that a node's slot steps through.
  struct List {
    std::vector<Position> positions;
    bool same = false;  ///< the neighbours mean the same messages, not the same distances
  };

  /// The messages that the node offers, or, if it only receives, those that arrive. The addresses
  /// of arrivals must follow from the node's own list.
  List list_of(std::uint32_t round, Node x) const {
    const auto own = offers_.at(round, x);
    List list;
    bool distances = true, messages = true;  // on what the neighbours agree so far
    std::vector<Node> here(own.begin(), own.end());
    for (const Transfer& t : s_.transfers_of(round)) {
      const auto path = s_.path(t);
      if (path.back() != x) continue;
      const auto sent = offers_.at(round, path.front());
      if (here.empty()) here.assign(sent.begin(), sent.end());
      messages = messages && std::ranges::equal(sent, here);
      distances = distances && std::ranges::equal(sent, here, {}, [&](Node origin) {
                    return origin ^ path.front() ^ x;
                  });
      if (messages || distances) continue;
      refuse(
          "round {}: nodes {} and {} offer lists that do not agree by translation, so that no "
          "table can tell where arrivals belong",
          round, path.front(), x);
    }
    for (Node origin : here) list.positions.push_back(origin ^ x);
    list.same = !distances;
    return list;
  }

  NodeProgram program_of(Node x) const {
    const NodeKind& kind = result_.image.kind;
    ProgramBuilder builder(1);
    for (std::uint32_t round = 1; round <= s_.rounds(); ++round) {
      SlotEntry entry;
      entry.length = static_cast<std::uint32_t>(result_.time.length[round - 1]);
      entry.select.assign(kind.ports, select_none(kind));
      connect(entry, round, x);
      const List list = list_of(round, x);
      entry.stream = static_cast<std::uint32_t>(list.positions.size() * flits_);
      for (Position p : list.positions) {
        builder.channel(0).read(kind.own_log(), p << result_.image.message_shift, flits_,
                                list.same);
        builder.channel(0).end_run();
      }
      builder.slot(std::move(entry));
    }
    return builder.finish();
  }

  void connect(SlotEntry& entry, std::uint32_t round, Node x) const {
    const Topology& topology = s_.topology();
    for (const Transfer& t : s_.transfers_of(round)) {
      const auto path = s_.path(t);
      if (path.front() == x) {
        const Port out = topology.port_to(x, path.back());
        entry.select[out] = select_local(out);
      } else if (path.back() == x) {
        entry.receive |= std::uint64_t{1} << topology.port_to(x, path.front());
      }
    }
  }

  const Schedule& s_;
  unsigned flits_;
  const Offers& offers_;  ///< result_ keeps them
  CompiledSchedule result_;
};

}  // namespace

std::vector<std::uint64_t> dead_outputs(const Topology& topology, const FaultSet& faults) {
  std::vector<std::uint64_t> dead;
  if (faults.empty()) return dead;
  dead.resize(topology.nodes());
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (Port p = 0; p < topology.ports(); ++p) {
      const Endpoint e = topology.peer(x, p);
      if (e.connected() && faults.silent(x, e.node)) dead[x] |= std::uint64_t{1} << p;
    }
  }
  return dead;
}

CompiledSchedule compile_adaptive(const Schedule& schedule,
                                  std::shared_ptr<const ScheduleTiming> timed, Port ports) {
  return AdaptiveCompiler(schedule, std::move(timed), ports).compile();
}

}  // namespace gossamer
