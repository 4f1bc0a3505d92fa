// rtl/fabric/link_elastic.sv between two clocks, against a list of what was sent: links of several
// lengths, one run after another, with any skew, resets and wrong bits. (What samples of a changing
// signal do is proved: rtl/formal.)
#include <cstdint>
#include <optional>

#include "Vlink_elastic_13.h"
#include "Vlink_elastic_5.h"
#include "Vlink_elastic_63.h"
#include "Vlink_elastic_7_parity.h"
#include "Vlink_elastic_8.h"
#include "Vlink_elastic_8_parity.h"
#include "block.hpp"
#include "catch.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

using Time = std::int64_t;
constexpr Time kPeriod = 1000;  // of the sender's clock
constexpr Time kNever = INT64_MAX;

/// What happens in a run.
struct Run {
  Time tx_start = kNever, rx_start = kNever;  ///< at the first edge from then on
  Time tx_reset = kNever, rx_reset = kNever;  ///< likewise, for a cycle
  Time end = 0;
  unsigned flips = 0;  ///< percent of the places that change on the wire
};

/// What came of it.
struct Outcome {
  unsigned flits = 0;  ///< from the receiver's start on
  bool skew = false, parity = false;
  Time ended = 0;  ///< the receiver's local cycle in which one of them came
};

/// A link, its two clocks, and what must come out. `kBits`: of data.
template <class Model, int kStages, bool kParity, unsigned kBits>
class ElasticLink {
 public:
  static constexpr int kCycles = kStages;
  static constexpr int kWithin = kStages - 5;  ///< the skew that it takes, in cycles
  static constexpr int kDepth = static_cast<int>(std::bit_ceil(2u * kStages));
  static constexpr bool kHasParity = kParity;

  /// The receiver's clock: its first edge, from 0 to kPeriod-1, and its period.
  ElasticLink(std::uint32_t seed, Time phase, Time period = kPeriod)
      : context_(tb::make_context(seed, false)),
        link_(std::make_unique<Model>(context_.get())),
        random_(seed),
        period_(period),
        next_rx_(phase) {
    link_->tx_clk_i = link_->rx_clk_i = 0;
    link_->eval();
    run({.end = 8 * kPeriod});
  }

  Time now() const { return now_; }

  /// Until `plan.end`, with flits at random. Everything that comes out is compared.
  Outcome run(const Run& plan) {
    plan_ = plan;
    outcome_ = {};
    while (std::min(next_tx_, next_rx_) < plan.end) {
      now_ = std::min(next_tx_, next_rx_);
      const bool tx = next_tx_ == now_, rx = next_rx_ == now_;
      if (tx) before_tx();
      if (rx) before_rx();
      link_->tx_clk_i = tx;
      link_->rx_clk_i = rx;
      link_->eval();
      link_->tx_clk_i = link_->rx_clk_i = 0;
      link_->eval();
      if (tx) next_tx_ += kPeriod;
      if (rx) {
        next_rx_ += period_;
        after_rx();
      }
    }
    now_ = plan.end;
    return outcome_;
  }

 private:
  /// What the sender puts into a place, as it is behind the wire.
  struct Place {
    bool valid, last;
    std::uint32_t data;
    bool parity;
    bool right() const { return (std::popcount(data) + valid + last + parity) % 2 != 0; }
  };

  bool comes(Time& when) {
    if (now_ < when) return false;
    when = kNever;
    return true;
  }
  /// The sender's inputs in the cycle that ends now. Like a node, it sends nothing from a reset on
  /// until its start; in the cycles of the reset there may be anything.
  void before_tx() {
    if (comes(plan_.tx_reset)) {
      tx_in_reset_ = 1;
      tx_was_reset_ = true;
      if (cycle_ && *cycle_ >= kStages) gives_up_by_ = now_ + 3 * kPeriod;
    }
    const bool reset = tx_in_reset_ != 0;
    if (reset) --tx_in_reset_;
    link_->tx_rst_ni = !reset;
    link_->tx_start_i = !reset && comes(plan_.tx_start);
    if (link_->tx_start_i) {
      token_ = sent_.size();
      tx_was_reset_ = false;
    }
    Place place{random_.chance(70) && (reset || !tx_was_reset_), random_.chance(20),
                random_.word() & kMask, false};
    place.parity = kParity ? !place.right() : random_.chance(50);
    if (random_.chance(plan_.flips)) {
      for (unsigned bits = random_.between(1, 4); bits != 0; --bits) flip(place);
    }
    link_->tx_valid_i = place.valid;
    link_->tx_last_i = place.last;
    link_->tx_data_i = place.data;
    link_->tx_parity_i = place.parity;
    sent_.push_back(place);
  }
  static void flip(Place& place, unsigned bit) {
    if (bit < kBits) place.data ^= 1u << bit;
    if (bit == kBits) place.last = !place.last;
    if (bit == kBits + 1) place.valid = !place.valid;
    if (bit == kBits + 2) place.parity = !place.parity;
  }
  void flip(Place& place) { flip(place, random_.below(kBits + 3)); }

  void before_rx() {
    if (comes(plan_.rx_reset)) rx_in_reset_ = 1;
    link_->rx_rst_ni = rx_in_reset_ == 0;
    link_->rx_start_i = rx_in_reset_ == 0 && comes(plan_.rx_start);
  }
  /// The receiver's cycle that has just begun.
  void after_rx() {
    if (rx_in_reset_ != 0 || link_->rx_start_i) {
      cycle_.reset();
      skew_ = parity_ = false;
    }
    if (rx_in_reset_ != 0) --rx_in_reset_;
    if (link_->rx_start_i) {
      cycle_ = 1;
      gives_up_by_ = kNever;
      outcome_.flits = 0;
    } else if (cycle_) {
      ++*cycle_;
    }
    if (skew_ || parity_ || !cycle_ || *cycle_ < kStages) {
      REQUIRE_FALSE(link_->rx_valid_o);
      REQUIRE(bool{link_->skew_o != 0} == skew_);
      REQUIRE(bool{link_->parity_o != 0} == parity_);
      return;
    }
    if (*cycle_ == kStages) first_ = token_;
    passes(first_ + static_cast<std::size_t>(*cycle_ - kStages));
  }
  /// The cycle in which the place that was sent as number `index` is due.
  void passes(std::size_t index) {
    INFO("at " << now_ << ", in local cycle " << *cycle_);
    const bool known = index < sent_.size();
    const bool right = !kParity || (known && sent_[index].right());
    skew_ = outcome_.skew = link_->skew_o;
    parity_ = outcome_.parity = link_->parity_o;
    if (skew_ || parity_) {
      outcome_.ended = *cycle_;
      REQUIRE_FALSE((skew_ && parity_));
      REQUIRE((skew_ || !right));
      REQUIRE_FALSE(link_->rx_valid_o);
      return;
    }
    REQUIRE(now_ < gives_up_by_);
    if (tx_was_reset_ && !link_->rx_valid_o) return;  // it counts from 0 again: idle places
    REQUIRE(known);
    REQUIRE(right);
    REQUIRE(bool{link_->rx_valid_o != 0} == sent_[index].valid);
    if (!link_->rx_valid_o) return;
    REQUIRE(bool{link_->rx_last_o != 0} == sent_[index].last);
    REQUIRE(std::uint32_t{link_->rx_data_o} == sent_[index].data);
    ++outcome_.flits;
  }

  static constexpr std::uint32_t kMask = ~0u >> (32 - kBits);

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Model> link_;
  Random random_;
  Time period_, next_tx_ = 0, next_rx_, now_ = 0;
  Run plan_;
  Outcome outcome_;
  unsigned tx_in_reset_ = 3, rx_in_reset_ = 3;  // cycles
  bool tx_was_reset_ = true;                    // since its last start
  Time gives_up_by_ = kNever;                   // a receiver whose sender was reset
  std::vector<Place> sent_;
  std::size_t token_ = 0;               // what the sender sent in its last cycle 0
  std::size_t first_ = 0;               // where the receiver began
  std::optional<Time> cycle_;           // of the receiver, from its start on
  bool skew_ = false, parity_ = false;  // it has given up
};

/// What links of one kind are put through. Skews are of the receiver's start, in cycles.
template <class Link>
struct Drive {
  static constexpr int kWithin = Link::kWithin, kStages = Link::kCycles, kDepth = Link::kDepth;
  static constexpr int kLinks = kStages > 20 ? 6 : 20;
  static constexpr Time kLong = 2 * kDepth;  ///< the token is old then

  Random random{1};

  /// A phase for which there is a skew that the link takes.
  Time draw_phase() { return kWithin == 0 || random.chance(20) ? 0 : random.below(kPeriod); }
  Time draw_skew(Time phase) { return Time{random.below(2 * kWithin + (phase == 0))} - kWithin; }

  /// A run after a pause, both in cycles, in which the receiver's start comes `skew` after the
  /// sender's, and `phase` later.
  static Run skewed(const Link& link, Time pause, Time phase, Time skew, Time cycles) {
    const Time start = (link.now() / kPeriod + 1 + pause + std::max<Time>(0, -skew)) * kPeriod;
    return {.tx_start = start,
            .rx_start = start + skew * kPeriod + phase,
            .end = start + (cycles + std::max<Time>(0, skew)) * kPeriod};
  }

  void within() {
    for (int i = 0; i < kLinks; ++i) {
      const Time phase = draw_phase();
      Link link(random.word(), phase);
      unsigned flits = 0;
      for (int r = 0; r < 12; ++r) {
        const Time most = kWithin - (phase != 0);
        const Time skew = r == 0 ? -kWithin : r == 1 ? most : draw_skew(phase);
        INFO("phase " << phase << ", skew " << skew);
        const Outcome outcome = link.run(
            skewed(link, random.below(kLong), phase, skew, random.between(kStages + 2, 2 * kLong)));
        REQUIRE_FALSE(outcome.skew);
        REQUIRE_FALSE(outcome.parity);
        flits += outcome.flits;
      }
      REQUIRE(flits > 0);
    }
  }

  void beyond() {
    for (int i = 0; i < kLinks; ++i) {
      const Time phase = random.below(kPeriod);
      Link link(random.word(), phase);
      for (int r = 0; r < 12; ++r) {
        const Time skew = Time{random.below(4 * kDepth)} - 2 * kDepth;
        INFO("phase " << phase << ", skew " << skew);
        const Outcome outcome = link.run(skewed(link, kLong, phase, skew, 2 * kLong));
        if (skew > -kStages && skew < kDepth - kStages + 2) continue;
        REQUIRE(outcome.skew);
        REQUIRE(outcome.ended == kStages);
        REQUIRE(outcome.flits == 0);
      }
      Run alone = skewed(link, kLong, phase, 0, kLong);
      alone.tx_start = kNever;
      REQUIRE(link.run(alone).ended == kStages);
    }
  }

  void resets() {
    for (int i = 0; i < kLinks; ++i) {
      const Time phase = draw_phase();
      Link link(random.word(), phase);
      for (int r = 0; r < 12; ++r) {
        INFO("phase " << phase);
        Run run = skewed(link, kLong, phase, draw_skew(phase), 2 * kLong);
        const Time of_run = random.below(static_cast<std::uint32_t>(run.end - link.now()));
        if (r % 3 != 0) run.tx_reset = link.now() + of_run;
        if (r % 3 != 1) run.rx_reset = link.now() + of_run;
        if (r % 3 == 2) run.rx_reset = run.rx_start + random.below(kStages + 2) * kPeriod;
        link.run(run);
        REQUIRE_FALSE(link.run(skewed(link, 4, phase, draw_skew(phase), kLong)).skew);
      }
    }
  }

  void drifts() {
    for (int i = 0; i < kLinks; ++i) {
      const Time less = random.between(20, 100), period = kPeriod + (i % 2 ? less : -less);
      Link link(random.word(), 0, period);
      INFO("period " << period);
      const Outcome outcome =
          link.run(skewed(link, kLong, 0, 0, kDepth * (kPeriod / less + 1) + kLong));
      REQUIRE(outcome.skew);
      REQUIRE((kWithin == 0 || outcome.flits > 0));
    }
  }

  /// How often wrong bits were noticed.
  unsigned flips() {
    unsigned noticed = 0;
    for (int i = 0; i < kLinks; ++i) {
      const Time phase = draw_phase();
      Link link(random.word(), phase);
      for (int r = 0; r < 12; ++r) {
        Run run = skewed(link, kLong, phase, draw_skew(phase), 2 * kLong);
        run.flips = 4;
        const Outcome outcome = link.run(run);
        REQUIRE_FALSE(outcome.skew);
        noticed += outcome.parity;
      }
    }
    return noticed;
  }
};

using Five = ElasticLink<Vlink_elastic_5, 5, false, 32>;
using Seven = ElasticLink<Vlink_elastic_7_parity, 7, true, 8>;
using Eight = ElasticLink<Vlink_elastic_8, 8, false, 32>;
using EightParity = ElasticLink<Vlink_elastic_8_parity, 8, true, 32>;
using Thirteen = ElasticLink<Vlink_elastic_13, 13, false, 1>;
using SixtyThree = ElasticLink<Vlink_elastic_63, 63, false, 32>;

}  // namespace

TEMPLATE_TEST_CASE(
    "elastic link: any phase, skews that it takes: its latency is that of STAGES registers", "",
    Five, Seven, Eight, EightParity, Thirteen, SixtyThree) {
  Drive<TestType>().within();
}

TEMPLATE_TEST_CASE("elastic link: any skew: what comes is right, or the link gives up", "", Five,
                   Seven, Eight, EightParity, Thirteen, SixtyThree) {
  Drive<TestType>().beyond();
}

TEMPLATE_TEST_CASE("elastic link: after a reset of either end in a run the next run is right", "",
                   Five, Seven, Eight, EightParity, Thirteen, SixtyThree) {
  Drive<TestType>().resets();
}

TEMPLATE_TEST_CASE("elastic link: clocks that drift apart end a run, and nothing wrong comes", "",
                   Five, Seven, Eight, EightParity, Thirteen, SixtyThree) {
  Drive<TestType>().drifts();
}

TEMPLATE_TEST_CASE("elastic link: wrong bits are noticed if their number in a place is odd", "",
                   Seven, EightParity) {
  REQUIRE(Drive<TestType>().flips() > 100);
}
