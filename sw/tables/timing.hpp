#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adaptive/adaptive.hpp"
#include "gossamer_constants.hpp"
#include "schedule/schedule.hpp"
#include "tables/link_stages.hpp"
#include "tables/sum_lanes.hpp"

namespace gossamer {

/// What decides how long a round takes.
struct RoundShape {
  std::uint64_t longest = 0;       ///< most cycles for hops and flits over the round's paths
  std::uint64_t longest_hops = 0;  ///< for the hops of that path; pipelined: for one hop
  std::uint64_t most_flits = 0;    ///< most flits on one link
  /// Most flits on a link before its last message, and the link's stages.
  std::uint64_t last_message = 0;
  /// Cycles until the last flit has passed a half-duplex link that the next round reverses.
  std::uint64_t reversing_flits = 0;
  std::uint64_t joining = 0;    ///< cycles that it takes longer until what came may be sent on
  std::uint64_t all_added = 0;  ///< cycles that it must take, so that all sums are added
  /// Of a node with a single log: most cycles until its next arrivals may come.
  std::uint64_t one_log = 0;
};

/// What the cycles of a slot are spent on. A packet's hop is over before the next slot reads what
/// it brought, so that hops cost cycles on circuits alone.
struct SlotParts {
  std::uint64_t alpha = 0;    ///< start-up
  std::uint64_t hops = 0;     ///< the first flit's way
  std::uint64_t flits = 0;    ///< one after the other
  std::uint64_t waiting = 0;  ///< until what came may be sent on, or a link has turned around
  std::uint64_t sum() const { return alpha + hops + flits + waiting; }
};

/// Cycles of a round's slot (docs/hardware/timing.md). The only place that knows.
SlotParts slot_parts(Switching switching, const RoundShape& shape);

/// When everything happens, in cycles from the start pulse. There is a slot for each round, and for
/// pipelined schedules for the links that are used after the last round began.
struct Timeline {
  std::vector<std::uint64_t> start;   ///< first cycle of each slot, [0] for round 1
  std::vector<std::uint64_t> length;  ///< cycles of each slot
  std::vector<SlotParts> parts;       ///< and what they are spent on
  /// Cycle in which the last flit is on its last link, or in which the last sum is written.
  std::uint64_t last_arrival = 0, last_on_link = 0;
  std::uint64_t joining = 0;  ///< cycles that a hop takes more, in nodes that join
  PortStages stages = {};     ///< register stages of the links

  /// The cycle in which the first word of a round's transfers is on its first link.
  std::uint64_t first_flit(std::uint32_t round) const {
    return start[round - 1] + 1 + rtl::TIME_DELTA + joining;
  }
  /// Does the run end with sums that are written, after the last flit has arrived?
  bool ends_merging() const { return last_arrival > last_on_link; }
  /// Cycles of a hop over the link at a node's port `p`.
  std::uint64_t hop(Port p) const { return hop_cycles(stages, p) + joining; }
  static std::uint64_t hop_cycles(const PortStages& stages, Port p) {
    return rtl::TIME_DELTA + (p < stages.size() ? stages[p] : 0);
  }
};

/// A slot for each round is held in memory and walked through.
inline constexpr std::uint32_t kMaxRounds = 1u << 24;

/// Why a schedule cannot be written into any tables: it has no transfers, or too many rounds; or
/// one has no path, a link or a message that does not exist, or is adaptive and has several links.
/// Nothing if all can.
std::optional<std::string> why_not(const Schedule& schedule);

/// The most flits of a piece with which schedules of this model run over hops of so many cycles.
inline std::uint64_t most_flits(const Model& model, std::uint64_t hop) {
  const bool any = model.switching != Switching::Pipelined;
  return any ? ~std::uint64_t{0} : hop / model.hop_rounds;
}

/// Cycles of a hop over the link at a node's port.
std::uint64_t cycles_of_hop(const Schedule& schedule, const PortStages& stages, Port p);

/// By hop of a transfer: cycles from the source on, that hop's own as the last.
std::vector<std::uint64_t> arrival_cycles(const Schedule& schedule, const Transfer& t,
                                          const PortStages& stages);

/// Throws InputError if the hardware cannot run the schedule with messages of so many flits: a
/// piece has none, or a pipelined one has more than a hop over links of these stages takes cycles.
void refuse_flits(const Schedule& schedule, unsigned flits, const PortStages& stages);

/// What is worked out of a schedule before it runs. The report makes it, and hands it on to the
/// table compiler, the link oracle and the page, so that each schedule is checked and timed once.
struct ScheduleTiming {
  unsigned flits = 1;
  std::shared_ptr<const Offers> offers;  ///< of adaptive schedules
  /// Flits of every transfer, in the order of schedule.transfers(). What is "new" is as much as the
  /// slot offers.
  std::vector<std::uint64_t> sizes;
  std::shared_ptr<const SumLanes> sums;  ///< of a reduction by packets or circuits
  Timeline time;
};

/// Throws InputError for more rounds than kMaxRounds, and for pipelined schedules with messages of
/// more flits than a hop takes cycles or on half-duplex links: the hardware cannot run them.
/// `stages` as LinkStages::on returns them.
std::shared_ptr<const ScheduleTiming> timed(const Schedule& schedule, unsigned flits,
                                            const PortStages& stages = {});

/// Where a node first misses a flit: at the input, or of a sum at the output that adds it up. The
/// windows of all inputs close at the end of the slot, so of several the least port counts.
struct Missed {
  std::uint32_t round = 0;
  Port port = 0;
  auto operator<=>(const Missed&) const = default;
};
using MissedBy = std::map<Node, Missed>;

/// By tail and port of an arc, what nodes miss if nothing comes over it. What a node then sends,
/// though it does not have it, is words all the same, and a sum without a part goes on. So only
/// those miss something to which the circuit leads on, and of a sum the first that has something to
/// add. Of schedules without orbits, and not of those that adapt. Where sums are stored, nodes
/// count cycles instead of rounds.
std::vector<MissedBy> missed_by_arc(const Schedule& schedule, const ScheduleTiming& timed);

/// Adds what a node misses to what is known of all.
void add_missed(MissedBy& all, Node node, const Missed& missed);

}  // namespace gossamer
