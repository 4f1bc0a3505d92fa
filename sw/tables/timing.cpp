#include "tables/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "gossamer_constants.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "tables/adaptive_timing.hpp"

namespace gossamer {
namespace {

/// Identifies the orbit of the arc that leaves `tail` through `port`.
std::uint64_t arc_key(const Schedule& s, Node tail, Port port) {
  return std::uint64_t{s.symmetry().class_of(tail)} * s.topology().ports() + port;
}

using Transfers = std::span<const Transfer>;

/// Flits of round `now` on half-duplex links that round `next` reverses.
std::uint64_t reversing_flits(const Schedule& s, Transfers now, const std::uint64_t* sizes,
                              Transfers next) {
  std::unordered_set<std::uint64_t> arcs_of_next;
  for (const Transfer& t : next) {
    stop_if_interrupted();
    const auto path = s.path(t);
    for (std::size_t h = 0; h + 1 < path.size(); ++h) {
      arcs_of_next.insert(arc_key(s, path[h], s.topology().port_to(path[h], path[h + 1])));
    }
  }
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const auto path = s.path(now[i]);
    for (std::size_t h = 0; h + 1 < path.size(); ++h) {
      const Port back = s.topology().port_to(path[h + 1], path[h]);
      if (arcs_of_next.contains(arc_key(s, path[h + 1], back))) most = std::max(most, sizes[i]);
    }
  }
  return most;
}

static_assert(rtl::TIME_LAT == rtl::TIME_DELTA + kPipelinedStoreRounds,
              "a pipelined round is a cycle");

/// The hardware forwards a flit in the next cycle. A pipelined round of one cycle is one hop
/// further in the next round; a longer round is not. Paths of pipelined schedules have no guard
/// when they reverse a link.
void refuse_pipelined(const Schedule& s, unsigned flits) {
  if (s.model().switching != Switching::Pipelined) return;
  if (flits != 1) {
    throw InputError(fmt::format("pipelined schedules run with messages of 1 flit, not {}", flits));
  }
  if (s.model().duplex == Duplex::Half) {
    throw InputError("pipelined schedules run on full-duplex links only");
  }
}

}  // namespace

SlotParts slot_parts(Switching switching, const RoundShape& shape) {
  SlotParts parts;
  parts.flits = shape.most_flits;
  switch (switching) {
    case Switching::Packet: {
      // The message that arrived last may be sent first.
      std::uint64_t cycles =
          std::max<std::uint64_t>(shape.most_flits, shape.last_message + rtl::TIME_LAT);
      if (shape.reversing_flits != 0) {
        cycles = std::max<std::uint64_t>(cycles, shape.reversing_flits + rtl::TIME_GUARD);
      }
      parts.waiting = cycles - shape.most_flits;
      break;
    }
    case Switching::Circuit:
      parts.alpha = rtl::TIME_ALPHA;
      parts.hops = shape.longest_hops;
      parts.flits = shape.longest - shape.longest_hops;
      break;
    case Switching::Pipelined: parts.waiting = shape.most_flits == 0 ? 1 : 0; break;
  }
  return parts;
}

namespace {

std::vector<std::uint64_t> flits_of_slots(const Schedule& s, const Offers& offers, unsigned flits) {
  std::vector<std::uint64_t> most;
  for (const Transfer& t : s.transfers()) {
    most.push_back(std::uint64_t{offers.length(t.round)} * flits);
  }
  return most;
}

std::vector<std::uint64_t> flits_of_transfers(const Schedule& s, unsigned flits,
                                              const CheckReport* checked) {
  const auto transfers = s.transfers();
  const bool counted = std::ranges::any_of(
      transfers, [](const Transfer& t) { return t.carry == Carry::Everything; });
  std::vector<std::uint64_t> sizes;
  if (counted) sizes = checked != nullptr ? checked->carried : check(s, 0).carried;
  sizes.resize(transfers.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (transfers[i].carry == Carry::Listed) sizes[i] = transfers[i].messages_size;
    sizes[i] *= flits;
  }
  return sizes;
}

}  // namespace

std::vector<std::uint64_t> transfer_flits(const Schedule& s, unsigned flits) {
  return adaptive(s) ? flits_of_slots(s, offers(s), flits) : flits_of_transfers(s, flits, nullptr);
}

Timeline timeline(const Schedule& s, const std::vector<std::uint64_t>& sizes, unsigned flits) {
  refuse_pipelined(s, flits);
  if (adaptive(s)) return adaptive_timeline(s, offers(s), flits);
  const auto transfers = s.transfers();
  const Switching switching = s.model().switching;
  Timeline time;
  std::uint64_t now = rtl::TIME_START;
  std::uint32_t slots = s.rounds();
  if (switching == Switching::Pipelined) {
    for (const Transfer& t : transfers) slots = std::max(slots, t.round + t.path_size - 2);
  }
  if (slots > kMaxRounds) {
    throw InputError(
        fmt::format("{} rounds are too many to run; expected {} at most", slots, kMaxRounds));
  }
  std::size_t begin = 0;
  for (std::uint32_t round = 1; round <= slots; ++round) {
    stop_if_interrupted();
    std::size_t end = begin;
    while (end < transfers.size() && transfers[end].round == round) ++end;
    RoundShape shape;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t hops = transfers[i].path_size - 1;
      if (hops + sizes[i] > shape.longest) {
        shape.longest = hops + sizes[i];
        shape.longest_hops = hops;
      }
      shape.most_flits = std::max(shape.most_flits, sizes[i]);
      shape.last_message = shape.most_flits - std::min<std::uint64_t>(shape.most_flits, flits);
      if (sizes[i] != 0) time.last_arrival = std::max(time.last_arrival, now + hops + sizes[i]);
    }
    if (switching == Switching::Packet && s.model().duplex == Duplex::Half) {
      std::size_t next = end;
      while (next < transfers.size() && transfers[next].round == round + 1) ++next;
      shape.reversing_flits =
          reversing_flits(s, transfers.subspan(begin, end - begin), sizes.data() + begin,
                          transfers.subspan(end, next - end));
    }
    if (switching == Switching::Pipelined) shape.most_flits = flits;
    time.start.push_back(now);
    time.parts.push_back(slot_parts(switching, shape));
    time.length.push_back(time.parts.back().sum());
    now += time.length.back();
    begin = end;
  }
  return time;
}

std::shared_ptr<const Timed> timed(const Schedule& s, unsigned flits, const CheckReport* checked) {
  auto result = std::make_shared<Timed>();
  result->flits = flits;
  if (adaptive(s)) {
    refuse_pipelined(s, flits);
    result->offers = std::make_shared<const Offers>(offers(s));
    result->sizes = flits_of_slots(s, *result->offers, flits);
    result->time = adaptive_timeline(s, *result->offers, flits);
  } else {
    result->sizes = flits_of_transfers(s, flits, checked);
    result->time = timeline(s, result->sizes, flits);
  }
  return result;
}

}  // namespace gossamer
