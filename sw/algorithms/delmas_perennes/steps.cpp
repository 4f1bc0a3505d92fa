// The rounds of paper 2 on TM(7^i)^3 as data: which level, which dipaths, how many messages.

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "algorithms/delmas_perennes/delmas_perennes.hpp"

namespace gossamer::delmas_perennes {
namespace {

/// The dipath to -u takes the legs to u, each backwards, in the same order. (Walking the dipath to
/// u from its end would need the same arcs as other translations: see docs/research/errata.md.)
constexpr Dipath negated(Dipath dipath) {
  for (Leg& leg : dipath) leg.steps = static_cast<std::int8_t>(-leg.steps);
  return dipath;
}

constexpr std::array<Dipath, 6> with_opposites(const Dipath& u1, const Dipath& u2,
                                               const Dipath& u3) {
  return {u1, negated(u1), u2, negated(u2), u3, negated(u3)};
}

constexpr auto kUnit = with_opposites({{{0, 1}}}, {{{1, 1}}}, {{{2, 1}}});

// To the columns of M0: (-2,1,0), (0,2,1), (1,3,0).
constexpr auto kGossipA = with_opposites({{{1, 1}, {0, -2}}},          //
                                         {{{2, -1}, {1, 2}, {2, 2}}},  //
                                         {{{0, 1}, {1, 3}}});

// To the columns of M0^2: (-3,0,1), (1,0,2), (-2,0,3).
constexpr auto kGossipB = with_opposites({{{0, -3}, {2, 1}}},                  //
                                         {{{1, -1}, {2, 2}, {0, 1}, {1, 1}}},  //
                                         {{{2, 3}, {0, -2}}});

/// Records the rounds and counts the messages that the next sender holds: a round in which code
/// vertices gain six times what they hold multiplies it by 7.
class Recorder {
 public:
  void gather(StepKind kind, unsigned level, std::span<const Dipath> dipaths) {
    add(kind, level, dipaths, held_);
    held_ *= 7;
  }
  void add(StepKind kind, unsigned level, std::span<const Dipath> dipaths, std::uint64_t messages) {
    steps_.push_back({kind, level, dilation(level), messages, dipaths});
  }
  std::uint64_t held() const { return held_; }
  std::vector<Step> take() { return std::move(steps_); }

 private:
  static std::uint64_t dilation(unsigned level) { return level == 0 ? 1 : 7 * dilation(level - 1); }

  std::vector<Step> steps_;
  std::uint64_t held_ = 1;
};

/// Section 5.2.1: concentrate on the code, gossip within each of its families, gossip between the
/// families, broadcast to the neighbours.
void record_level(Recorder& recorder, unsigned level, unsigned levels, bool split) {
  recorder.gather(StepKind::Concentrate, level, kUnit);
  if (level + 1 < levels) record_level(recorder, level + 1, levels, split);
  recorder.gather(StepKind::Gossip, level, kGossipA);
  recorder.gather(StepKind::Gossip, level, kGossipB);
  if (split) {
    recorder.add(StepKind::HandOutPieces, level, kUnit, recorder.held() / 7);
    recorder.add(StepKind::ExchangePieces, level, kUnit, recorder.held() / 7);
  } else {
    recorder.add(StepKind::Broadcast, level, kUnit, recorder.held());
  }
}

}  // namespace

std::span<const Dipath> unit_dipaths() { return kUnit; }
std::span<const Dipath> gossip_dipaths_a() { return kGossipA; }
std::span<const Dipath> gossip_dipaths_b() { return kGossipB; }

unsigned length(const Dipath& dipath) {
  unsigned hops = 0;
  for (const Leg& leg : dipath) hops += static_cast<unsigned>(std::abs(leg.steps));
  return hops;
}

std::vector<Step> steps(unsigned i, bool split) {
  Recorder recorder;
  if (i > 0) record_level(recorder, 0, i, split);
  return recorder.take();
}

Cost cost(unsigned i, bool split) {
  Cost sum;
  for (const Step& step : steps(i, split)) {
    unsigned longest = 0;
    for (const Dipath& dipath : step.dipaths) longest = std::max(longest, length(dipath));
    ++sum.rounds;
    sum.delta_sum += step.dilation * longest;
    sum.tau_sum += step.messages;
  }
  return sum;
}

}  // namespace gossamer::delmas_perennes
