#include "tables/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <vector>

#include "gossamer_constants.hpp"
#include "play/play.hpp"
#include "schedule/chunks.hpp"
#include "schedule/message_sets.hpp"
#include "support/job.hpp"
#include "support/refuse.hpp"
#include "tables/adaptive.hpp"

namespace gossamer {
namespace {

/// Identifies the orbit of the arc that leaves `tail` through `port`.
std::uint64_t arc_key(const Schedule& s, Node tail, Port port) {
  return std::uint64_t{s.symmetry().class_of(tail)} * s.topology().ports() + port;
}

using Transfers = std::span<const Transfer>;

std::uint64_t link_stages(const PortStages& stages, Port p) {
  return p < stages.size() ? stages[p] : 0;
}

/// Stages of the first link of a transfer.
std::uint64_t first_stages(const Schedule& s, const Transfer& t, const PortStages& stages) {
  if (stages.empty()) return 0;
  const TransferHop first = s.hops(t)[0];
  return link_stages(stages, port_out(s.topology(), first));
}

/// Cycles of all hops of a path, of the slowest one of a tree. The root of a join writes the sum.
std::uint64_t hop_cycles(const Schedule& s, const Transfer& t, const PortStages& stages) {
  std::uint64_t most = s.depth(t) * cycles_of_hop(s, {}, 0);
  if (!stages.empty()) most = std::ranges::max(arrival_cycles(s, t, stages));
  return most + (t.join ? cycles_of_hop(s, {}, 0) : 0);
}

/// What is still under way as rounds begin, however many rounds ago it was sent: it must be over
/// before a half-duplex link turns, and before other words come to a node with a single log, which
/// stores one a cycle.
class UnderWay {
 public:
  UnderWay(const Schedule& s, const PortStages& stages) : s_(s), stages_(stages) {
    const bool mixed =
        std::ranges::adjacent_find(stages, std::ranges::not_equal_to()) != stages.end();
    const std::size_t classes = s.symmetry().classes();
    if (s.model().switching != Switching::Packet) return;
    if (s.model().duplex == Duplex::Half) link_ends_.resize(classes * s.topology().ports());
    if (mixed && s.model().ports == PortModel::Single) log_ends_.resize(classes);
  }

  /// Words that are sent from cycle `first` on.
  void send(const Transfer& t, std::uint64_t first, std::uint64_t flits) {
    if (none()) return;
    for (const TransferHop hop : s_.hops(t)) {
      const std::uint64_t end = first + flits + link_stages(stages_, out(hop));
      if (!link_ends_.empty()) later(link_ends_[arc_key(s_, hop.from, out(hop))], end);
      if (!log_ends_.empty()) later(log_ends_[s_.symmetry().class_of(hop.to)], end);
    }
  }
  /// The cycle in which the last word has passed a link that these transfers turn; 0: none turns.
  std::uint64_t last_before(Transfers next) const {
    std::uint64_t last = 0;
    if (link_ends_.empty()) return last;
    for (const Transfer& t : next) {
      stop_if_interrupted();
      for (const TransferHop hop : s_.hops(t)) {
        later(last, link_ends_[arc_key(s_, hop.to, port_in(s_.topology(), hop))]);
      }
    }
    return last;
  }
  /// The cycle from which these transfers can begin, because all logs are free then.
  std::uint64_t logs_free_for(Transfers next) const {
    std::uint64_t first = 0;
    if (log_ends_.empty()) return first;
    for (const Transfer& t : next) {
      for (const TransferHop hop : s_.hops(t)) {
        const std::uint64_t way = link_stages(stages_, out(hop));
        const std::uint64_t end = log_ends_[s_.symmetry().class_of(hop.to)];
        later(first, end - std::min(end, way));
      }
    }
    return first;
  }

 private:
  bool none() const { return link_ends_.empty() && log_ends_.empty(); }
  Port out(const TransferHop& hop) const { return port_out(s_.topology(), hop); }
  static void later(std::uint64_t& time, std::uint64_t other) { time = std::max(time, other); }

  const Schedule& s_;
  const PortStages& stages_;
  std::vector<std::uint64_t> link_ends_;  ///< by arc
  std::vector<std::uint64_t> log_ends_;   ///< by class
};

std::string too_many_rounds(std::uint32_t rounds) {
  return fmt::format("{} rounds are too many to run; expected {} at most", rounds, kMaxRounds);
}

static_assert(rtl::TIME_LAT == rtl::TIME_DELTA + kPipelinedStoreRounds,
              "a pipelined round is a cycle");

/// The cycles of a hop have none in which a half-duplex link could turn.
void refuse_turns(const Schedule& s) {
  // Of each link: round after round, the arc that is used.
  std::vector<std::tuple<std::uint64_t, std::uint32_t, std::uint64_t>> uses;
  for (const Transfer& t : s.transfers()) {
    stop_if_interrupted();
    for (const TransferHop hop : s.hops(t)) {
      const std::uint64_t there = arc_key(s, hop.from, port_out(s.topology(), hop));
      const std::uint64_t back = arc_key(s, hop.to, port_in(s.topology(), hop));
      uses.emplace_back(std::min(there, back), s.round_of(t, hop), there);
    }
  }
  std::ranges::sort(uses);
  for (std::size_t i = 1; i < uses.size(); ++i) {
    const auto [link, round, arc] = uses[i - 1];
    const auto [next_link, next_round, next_arc] = uses[i];
    if (link != next_link || round + s.model().hop_rounds < next_round || arc == next_arc) continue;
    const Port ports = s.topology().ports();
    const Node tail = s.symmetry().representative(static_cast<Node>(arc / ports));
    refuse(
        "the half-duplex link {}-{} turns between rounds {} and {}; with pipelined switching it "
        "runs only with {} in between",
        tail, s.topology().peer(tail, static_cast<Port>(arc % ports)).node, round, next_round,
        s.model().hop_rounds == 1 ? "an idle round"
                                  : fmt::format("{} idle rounds", s.model().hop_rounds));
  }
}

}  // namespace

std::optional<std::string> why_not(const Schedule& s) {
  if (s.transfers().empty()) return "the schedule has no transfers: nothing is to be sent";
  if (s.rounds() > kMaxRounds) return too_many_rounds(s.rounds());
  const Topology& topology = s.topology();
  const Node nodes = topology.nodes();
  for (const Transfer& t : s.transfers()) {
    const TransferHops hops = s.hops(t);
    const auto because = [&t](const std::string& what) {
      return fmt::format("{}round {}{}", t.line != 0 ? fmt::format("line {}, ", t.line) : "",
                         t.round, what);
    };
    if (hops.empty()) return because(": no path");
    const auto of_link = [&](const TransferHop& hop, const char* what) {
      return because(fmt::format(", link {}-{}: {}", hop.from, hop.to, what));
    };
    for (const TransferHop hop : hops) {
      if (hop.from >= nodes || hop.to >= nodes || port_out(topology, hop) == kNoPort) {
        return of_link(hop, "there is no such link to run over");
      }
    }
    if (t.carry == Carry::New && hops.size() > 1) {
      return of_link(hops[0], "an adaptive node cannot send over several links at once");
    }
    for (const Message& m : s.messages(t)) {
      const bool exists = reduces(s.collective()) ? !why_no_chunk(s, m)
                                                  : m.origin < nodes && (m.destination < nodes ||
                                                                         m.destination == kNoNode);
      if (!exists) return of_link(hops[0], "there is no such message to run");
    }
  }
  return std::nullopt;
}

// The hardware forwards a flit in the next cycle. A pipelined round as long as a hop is one hop
// further in the next round; a longer round is not.
void refuse_flits(const Schedule& s, unsigned message_flits, const PortStages& stages) {
  const ChunkFlits cut = s.chunk_flits(message_flits);
  const std::uint32_t longest = cut.longest().flits, flits = cut.longest().of(0);
  if (cut.pieces() > 1 && cut.pieces() > longest) {
    refuse("messages of {} flit{} cannot be cut into {} pieces; expected {} flits at least",
           longest, longest == 1 ? "" : "s", cut.pieces(), cut.pieces());
  }
  if (s.model().switching != Switching::Pipelined) return;
  const std::uint64_t hop = cycles_of_hop(s, stages, 0), rounds = s.model().hop_rounds;
  // Into a log sums that are joined come in the order of rounds if these are cycles.
  if (hop % rounds != 0 || (s.joins() && rounds > 1 && hop != rounds)) {
    const auto some = [](std::uint64_t n, const char* of) {
      return fmt::format("{} {}{}", n, of, n == 1 ? "" : "s");
    };
    refuse("a hop takes {} rounds, but over a link of {} {}; expected links of {}", rounds,
           some(hop - cycles_of_hop(s, {}, 0), "stage"), some(hop, "cycle"),
           some(rounds - cycles_of_hop(s, {}, 0), "stage"));
  }
  const std::uint64_t most = most_flits(s.model(), hop);
  if (flits > most) {
    throw InputError(
        most == 1 ? fmt::format("pipelined schedules run with messages of 1 flit, not {}", flits)
                  : fmt::format("pipelined schedules run with messages of at most {} flits over "
                                "links of {} stages, not {}",
                                most, stages[0], flits));
  }
}

SlotParts slot_parts(Switching switching, const RoundShape& shape) {
  SlotParts parts;
  parts.flits = shape.most_flits;
  switch (switching) {
    case Switching::Packet: {
      // The message that arrived last may be sent first.
      std::uint64_t cycles = std::max<std::uint64_t>(
          shape.most_flits, shape.last_message + rtl::TIME_LAT + shape.joining);
      if (shape.reversing_flits != 0) {
        cycles = std::max<std::uint64_t>(cycles, shape.reversing_flits + rtl::TIME_GUARD);
      }
      cycles = std::max({cycles, shape.one_log, shape.all_added});
      parts.waiting = cycles - shape.most_flits;
      break;
    }
    case Switching::Circuit:
      parts.alpha = rtl::TIME_ALPHA;
      parts.hops = shape.longest_hops;
      parts.flits = shape.longest - shape.longest_hops;
      break;
    case Switching::Pipelined: {
      const std::uint64_t hop = std::max<std::uint64_t>(shape.longest_hops, rtl::TIME_DELTA);
      parts.waiting = hop - std::min(hop, shape.most_flits);
      break;
    }
  }
  return parts;
}

namespace {

/// Flits of every transfer. Everything is each message once.
std::vector<std::uint64_t> carried_flits(const Schedule& s, const ChunkFlits& flits) {
  using Carried = std::shared_ptr<const MessageSet>;  // null: it is listed
  const auto transfers = s.transfers();
  std::vector<std::uint64_t> sizes;
  sizes.reserve(transfers.size());
  std::uint32_t last = 0;  // round in which it matters what nodes hold
  for (const Transfer& t : transfers) {
    if (t.carry == Carry::Everything) last = t.round;
  }
  if (last == 0) {
    for (const Transfer& t : transfers) sizes.push_back(s.listed_flits(t, flits));
    return sizes;
  }
  MessageSets held(s);
  const auto send = [&](const Transfer& t) -> Carried {
    stop_if_interrupted();
    if (t.carry == Carry::Listed) {
      sizes.push_back(s.listed_flits(t, flits));
      return nullptr;
    }
    const Carried all = held[s.symmetry().class_of(s.source(t))];
    sizes.push_back(flits.equal() ? all->size() * flits.longest().of(0) : all->flits(flits));
    return all;
  };
  const auto store = [&](const Brought<Carried>& brought) {
    if (brought.transfer->round >= last) return;
    const Node to = brought.hop.to;
    MessageSet& set = held.changing(s.symmetry().class_of(to));
    if (brought.carried) {
      set.merge(*brought.carried, s.change(s.source(*brought.transfer), to));
      return;
    }
    const Translation seen = s.view_of(to);
    for (const Message& m : s.messages(*brought.transfer)) set.insert(moved(m, seen));
  };
  Story<Carried>(s).tell(send, [&](const auto& all) { std::ranges::for_each(all, store); });
  return sizes;
}

std::vector<std::uint64_t> flits_of_slots(const Schedule& s, const Offers& offers, unsigned flits) {
  std::vector<std::uint64_t> most;
  for (const Transfer& t : s.transfers()) {
    most.push_back(std::uint64_t{offers.length(t.round)} * flits);
  }
  return most;
}

/// Of the last message that a transfer carries, at least.
std::uint64_t last_flits(const Schedule& s, const Transfer& t, const ChunkFlits& flits) {
  if (t.messages_size != 0) return flits.of(s.messages(t).back());
  return flits.equal() ? flits.longest().of(0) : 1;
}

}  // namespace

std::uint64_t cycles_of_hop(const Schedule& s, const PortStages& stages, Port p) {
  return Timeline::hop_cycles(stages, p) + (s.nodes_join() ? rtl::TIME_JOIN : 0);
}

std::vector<std::uint64_t> arrival_cycles(const Schedule& s, const Transfer& t,
                                          const PortStages& stages) {
  std::vector<std::uint64_t> cycles;
  for (const TransferHop hop : s.hops(t)) {
    const std::uint64_t its = cycles_of_hop(s, stages, port_out(s.topology(), hop));
    std::uint64_t before = hop.depth * its;  // of a join, whose links are equal
    if (!t.join) before = hop.before == TransferHop::kNone ? 0 : cycles[hop.before];
    cycles.push_back(before + its);
  }
  return cycles;
}

namespace {

std::uint32_t slots_of(const Schedule& s) {
  std::uint32_t slots = s.rounds();
  if (s.model().switching == Switching::Pipelined) {
    for (const Transfer& t : s.transfers()) slots = std::max(slots, s.last_round(t));
  }
  if (slots <= kMaxRounds) return slots;
  throw InputError(too_many_rounds(slots));
}

Timeline timeline(const Schedule& s, const ScheduleTiming& timed, std::uint32_t slots,
                  const PortStages& stages) {
  const std::vector<std::uint64_t>& sizes = timed.sizes;
  const ChunkFlits chunks = s.chunk_flits(timed.flits);
  const std::uint32_t longest_chunk = chunks.longest().of(0);
  const auto transfers = s.transfers();
  const Switching switching = s.model().switching;
  UnderWay under_way(s, stages);
  Timeline time;
  time.stages = stages;
  std::uint64_t now = rtl::TIME_START;
  const SumLanes* sums = timed.sums.get();
  const std::uint64_t writing = cycles_of_hop(s, {}, 0);  // of a sum, after its last hop
  if (s.nodes_join()) time.joining = rtl::TIME_JOIN;
  const auto add_slot = [&](const SlotParts& parts) {
    time.start.push_back(now);
    time.parts.push_back(parts);
    time.length.push_back(parts.sum());
    now += parts.sum();
  };
  Transfers following = s.transfers_of(1);
  for (std::uint32_t round = 1; round <= slots; ++round) {
    stop_if_interrupted();
    const Transfers starting = following;
    following = s.transfers_of(round + 1);
    RoundShape shape;
    const std::uint64_t adding = sums == nullptr ? 0 : sums->end[round - 1];
    const std::uint64_t adds = adding == 0 ? 0 : writing;
    if (sums != nullptr) shape.all_added = sums->least[round - 1];
    shape.joining = time.joining + adds;
    const std::uint64_t first = now;
    for (const Transfer& t : starting) {
      const std::uint64_t hops = hop_cycles(s, t, stages);
      const std::uint64_t size = sizes[static_cast<std::size_t>(&t - transfers.data())];
      if (hops + size + adds > shape.longest) {
        shape.longest = hops + size + adds;
        shape.longest_hops = hops;
      }
      shape.most_flits = std::max(shape.most_flits, size);
      const std::uint64_t before_last = size - std::min(size, last_flits(s, t, chunks));
      shape.last_message = std::max(shape.last_message, before_last + first_stages(s, t, stages));
      if (size == 0) continue;
      const std::uint64_t last = first + hops + size;
      const std::uint64_t writes = t.join ? writing : 0;
      time.last_arrival = std::max(time.last_arrival, last);
      time.last_on_link = std::max(time.last_on_link, last - writes);
      under_way.send(t, first, size);
    }
    const auto from_first = [&](std::uint64_t cycle) { return cycle - std::min(cycle, first); };
    shape.reversing_flits = from_first(under_way.last_before(following));
    shape.one_log = from_first(under_way.logs_free_for(following));
    if (switching == Switching::Pipelined) {
      shape.most_flits = longest_chunk;
      shape.longest_hops = cycles_of_hop(s, stages, 0) / s.model().hop_rounds;
    }
    SlotParts parts = slot_parts(switching, shape);
    if (round == slots && adds != 0) {  // nothing is sent on
      const std::uint64_t hops = switching == Switching::Circuit ? shape.longest_hops : 0;
      parts = {.hops = hops, .flits = std::max(hops + shape.most_flits, adding) - hops};
    }
    add_slot(parts);
    // Nodes report that their tables have ended, not that a sum is written.
    const bool ends_adding = first + adding + adds > time.last_on_link;
    if (adds != 0 && ends_adding) time.last_arrival = std::max(time.last_arrival, now + adds);
  }
  return time;
}

}  // namespace

std::shared_ptr<const ScheduleTiming> timed(const Schedule& s, unsigned flits,
                                            const PortStages& stages) {
  auto result = std::make_shared<ScheduleTiming>();
  result->flits = flits;
  refuse_flits(s, flits, stages);
  if (s.model().switching == Switching::Pipelined && s.model().duplex == Duplex::Half) {
    refuse_turns(s);
  }
  if (adaptive(s)) {
    result->offers = std::make_shared<const Offers>(offers(s));
    result->sizes = flits_of_slots(s, *result->offers, flits);
    result->time = adaptive_timeline(s, *result->offers, flits, stages);
    return result;
  }
  const std::uint32_t slots = slots_of(s);
  result->sizes = carried_flits(s, s.chunk_flits(flits));
  if (reduces(s.collective()) && !s.joins()) {
    result->sums = std::make_shared<const SumLanes>(s, flits, stages);
  }
  result->time = timeline(s, *result, slots, stages);
  return result;
}

}  // namespace gossamer
