// rtl/fabric/link_elastic.sv between two clocks, against a list of what was sent: links of all
// lengths, one run after another, with any skew, starts that are missing, resets and wrong bits.
// (What samples of a changing signal do is proved: rtl/formal.)
#include <cstdint>
#include <optional>

#include "Vlink_elastic_7_parity.h"
#include "Vlink_elastic_8.h"
#include "Vlink_elastic_any.h"
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

/// A link of `kFirst` to `kLast` stages, its two clocks, and what must come out. `kBits`: of data.
template <class Model, int kFirst, int kLast, bool kParity, unsigned kBits>
class ElasticLink {
 public:
  static constexpr int kLeast = kFirst, kMost = kLast;

  /// The receiver's clock: its first edge, from 0 to kPeriod-1, and its period.
  ElasticLink(int stages, std::uint32_t seed, Time phase, Time period = kPeriod)
      : context_(tb::make_context(seed, false)),
        link_(std::make_unique<Model>(context_.get())),
        random_(seed),
        stages_(stages),
        period_(period),
        next_rx_(phase) {
    if constexpr (kFirst != kLast) link_->stages_i = stages;
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

  /// A start of the sender.
  struct Token {
    std::size_t place;
    Time at;
    bool sure;            ///< it came two lengths of the link after the one before
    bool taken = false;   ///< the receiver had its chance
    Time ended = kNever;  ///< by a start that came too soon, or a reset
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
      end_token();
      if (cycle_ && *cycle_ >= stages_) gives_up_by_ = now_ + 3 * kPeriod;
    }
    const bool reset = tx_in_reset_ != 0;
    if (reset) --tx_in_reset_;
    link_->tx_rst_ni = !reset;
    link_->tx_start_i = !reset && comes(plan_.tx_start);
    if (link_->tx_start_i) {
      starts_sending();
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
  void starts_sending() {
    if (token_ && token_->ended == kNever && now_ - token_->at <= fresh_for()) return end_token();
    const bool sure = !token_ || now_ - token_->at >= 2 * stages_ * kPeriod ||
                      now_ - std::min(token_->ended, now_) >= 4 * kPeriod;
    if (owed_) may_miss_until_ = now_ + 4 * kPeriod;
    previous_ = token_;
    token_ = {sent_.size(), now_, sure};
    owed_ = true;
  }
  void end_token() {
    if (!token_ || token_->ended != kNever) return;
    token_->ended = now_;
    if (owed_) may_miss_until_ = now_ + 4 * kPeriod;
    owed_ = false;
  }
  /// After a start of the sender the receiver may take this long, and the link as long as this and
  /// three cycles to say that it never started.
  Time fresh_for() const { return (2 * stages_ - 8) * kPeriod; }

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
    if (rx_in_reset_ != 0) {
      --rx_in_reset_;
      if (token_) {
        token_->taken = owed_ = false;
        may_miss_until_ = std::min(token_->at, now_) + fresh_for() + 4 * kPeriod;
      }
    }
    if (link_->rx_start_i) {
      cycle_ = 1;
      rx_started_ = now_;
      owed_ = false;
      gives_up_by_ = kNever;
      outcome_.flits = 0;
    } else if (cycle_) {
      ++*cycle_;
    }
    if (!cycle_ || *cycle_ > stages_) notices_a_missing_start();
    if (skew_ || parity_ || !cycle_ || *cycle_ < stages_) {
      REQUIRE_FALSE(link_->rx_valid_o);
      REQUIRE(bool{link_->skew_o != 0} == skew_);
      REQUIRE(bool{link_->parity_o != 0} == parity_);
      return;
    }
    if (*cycle_ == stages_) begins();
    passes(first_ + static_cast<std::size_t>(*cycle_ - stages_));
  }
  /// The sender has started and the receiver has not.
  void notices_a_missing_start() {
    const Time since = token_ ? now_ - token_->at : 0;
    if (owed_ && since > fresh_for() && link_->skew_o) skew_ = true;
    if (now_ <= may_miss_until_ && link_->skew_o) skew_ = true;
    if (skew_) outcome_.skew = true;
    if (owed_ && period_ == kPeriod && since > fresh_for() + 3 * kPeriod) {
      INFO("at " << now_ << ": nobody took the token of " << token_->at);
      REQUIRE(skew_);
    }
  }
  /// The cycle in which the token is due: whether it must come.
  void begins() {
    // What crosses takes two cycles.
    const bool crosses = previous_ && token_->at >= now_ - 2 * kPeriod;
    auto& token = crosses ? previous_ : token_;
    INFO("at " << now_ << ", started at " << rx_started_ << ", the sender at "
               << (token ? token->at : -1));
    const Time most = (stages_ - 5) * kPeriod;
    const Time late = token ? rx_started_ - token->at : kNever;
    const bool in_time = late > -most - 2 * kPeriod && late <= most;
    if (period_ == kPeriod) {
      if (!in_time || token->taken) REQUIRE(link_->skew_o);
      if (token && token->ended < now_ - 3 * kPeriod) REQUIRE(link_->skew_o);
      if (in_time && late >= -most && !token->taken && token->sure && token->ended == kNever &&
          !crosses) {
        REQUIRE_FALSE(link_->skew_o);
      }
    }
    if (!token) return;
    first_ = token->place;
    token->taken |= in_time;
    owed_ = owed_ && !in_time;
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
  int stages_;
  Time period_, next_tx_ = 0, next_rx_, now_ = 0;
  Run plan_;
  Outcome outcome_;
  unsigned tx_in_reset_ = 3, rx_in_reset_ = 3;  // cycles
  bool tx_was_reset_ = true;                    // since its last start
  Time gives_up_by_ = kNever;                   // a receiver whose sender was reset
  std::vector<Place> sent_;
  std::optional<Token> token_, previous_;
  bool owed_ = false;         // the receiver must take it
  Time may_miss_until_ = -1;  // it may say that it could not
  Time rx_started_ = 0;
  std::size_t first_ = 0;               // where the receiver began
  std::optional<Time> cycle_;           // of the receiver, from its start on
  bool skew_ = false, parity_ = false;  // it has given up
};

/// What links of one kind are put through. Skews are of the receiver's start, in cycles.
template <class Link>
struct Drive {
  int stages;
  int most = stages - 5;  ///< the skew that they take
  int depth = static_cast<int>(std::bit_ceil(2u * static_cast<unsigned>(stages)));
  Time pause = 2 * depth;  ///< the token is old then
  Random random{static_cast<std::uint32_t>(stages)};
  static constexpr int kLinks = Link::kLeast == Link::kMost ? 20 : 2;
  static constexpr int kRuns = Link::kLeast == Link::kMost ? 12 : 6;

  /// A phase for which there is a skew that the link takes.
  Time draw_phase() { return most == 0 || random.chance(20) ? 0 : random.below(kPeriod); }
  Time draw_skew(Time phase) { return Time{random.below(2 * most + (phase == 0))} - most; }

  /// A run after a wait, both in cycles, in which the receiver's start comes `skew` after the
  /// sender's, and `phase` later.
  static Run skewed(const Link& link, Time wait, Time phase, Time skew, Time cycles) {
    const Time start = (link.now() / kPeriod + 1 + wait + std::max<Time>(0, -skew)) * kPeriod;
    return {.tx_start = start,
            .rx_start = start + skew * kPeriod + phase,
            .end = start + (cycles + std::max<Time>(0, skew)) * kPeriod};
  }

  /// Every other link has the same skew in all its runs.
  void within() {
    for (int i = 0; i < kLinks; ++i) {
      const Time phase = i % 4 == 0 ? 0 : draw_phase();
      Link link(stages, random.word(), phase);
      unsigned flits = 0;
      for (int r = 0; r < kRuns; ++r) {
        const Time last = most - (phase != 0);
        const Time skew = i % 2 == 0 ? std::min(last, Time{0})
                          : r == 0   ? -most
                          : r == 1   ? last
                                     : draw_skew(phase);
        INFO("phase " << phase << ", skew " << skew);
        const Outcome outcome = link.run(
            skewed(link, random.below(pause), phase, skew, random.between(2 * stages, 2 * pause)));
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
      Link link(stages, random.word(), phase);
      for (int r = 0; r < kRuns; ++r) {
        const Time skew = Time{random.below(4 * depth)} - 2 * depth;
        INFO("phase " << phase << ", skew " << skew);
        const Outcome outcome = link.run(skewed(link, pause, phase, skew, 2 * pause));
        if (skew >= -most - 2 && skew < most + (phase == 0)) continue;
        REQUIRE(outcome.skew);
        REQUIRE(outcome.ended == stages);
        REQUIRE(outcome.flits == 0);
      }
    }
  }

  /// Runs as soon after one another as may be, in some of which a start is lost, or too early or
  /// too late. Such a run passes nothing, and says so; nor does it spoil the next.
  void lost() {
    for (int i = 0; i < kLinks; ++i) {
      const Time phase = i % 2 == 0 ? 0 : random.below(kPeriod);
      Link link(stages, random.word(), phase);
      for (int r = 0; r < 2 * kRuns; ++r) {
        const unsigned kind = r % 2 == 0 ? 0 : random.between(1, 4);
        const Time far = most + random.between(1, depth);
        const Time skew = kind == 3 ? far : kind == 4 ? -far - 2 : draw_skew(phase);
        Run run = skewed(link, 0, phase, skew, 2 * stages);
        if (kind == 1) run.tx_start = kNever;
        if (kind == 2) run.rx_start = kNever;
        if (most == 0 && phase != 0 && kind == 0) continue;
        INFO("phase " << phase << ", skew " << skew << ", kind " << kind);
        const Outcome outcome = link.run(run);
        REQUIRE(outcome.skew == (kind != 0));
        if (kind != 0 && kind != 2) {
          REQUIRE(outcome.flits == 0);
          REQUIRE(outcome.ended == stages);
        }
      }
    }
  }

  /// Starts of both ends at any times, most of them too soon after one another.
  void any_starts() {
    for (int i = 0; i < kLinks; ++i) {
      const Time phase = i % 2 == 0 ? 0 : random.below(kPeriod);
      Link link(stages, random.word(), phase);
      for (int r = 0; r < 40; ++r) {
        const Time now = link.now();
        const auto within = [&] { return now + Time{random.below(3 * stages)} * kPeriod; };
        Run run{.tx_start = within(), .rx_start = within(), .end = 0};
        run.end = within();
        link.run(run);
      }
    }
  }

  void resets() {
    for (int i = 0; i < kLinks; ++i) {
      const Time phase = draw_phase();
      Link link(stages, random.word(), phase);
      for (int r = 0; r < kRuns; ++r) {
        INFO("phase " << phase);
        Run run = skewed(link, pause, phase, draw_skew(phase), 2 * pause);
        const Time of_run = random.below(static_cast<std::uint32_t>(run.end - link.now()));
        if (r % 3 != 0) run.tx_reset = link.now() + of_run;
        if (r % 3 != 1) run.rx_reset = link.now() + of_run;
        if (r % 3 == 2) run.rx_reset = run.rx_start + random.below(stages + 2) * kPeriod;
        link.run(run);
        REQUIRE_FALSE(link.run(skewed(link, 4, phase, draw_skew(phase), pause)).skew);
      }
    }
  }

  void drifts() {
    for (int i = 0; i < kLinks; ++i) {
      const Time less = random.between(20, 100), period = kPeriod + (i % 2 ? less : -less);
      Link link(stages, random.word(), 0, period);
      INFO("period " << period);
      const Outcome outcome =
          link.run(skewed(link, pause, 0, 0, depth * (kPeriod / less + 1) + pause));
      REQUIRE(outcome.skew);
      REQUIRE((most == 0 || outcome.flits > 0));
    }
  }

  /// How often wrong bits were noticed.
  unsigned flips() {
    unsigned noticed = 0;
    for (int i = 0; i < kLinks; ++i) {
      const Time phase = draw_phase();
      Link link(stages, random.word(), phase);
      for (int r = 0; r < kRuns; ++r) {
        Run run = skewed(link, pause, phase, draw_skew(phase), 2 * pause);
        run.flips = 4;
        const Outcome outcome = link.run(run);
        REQUIRE_FALSE(outcome.skew);
        noticed += outcome.parity;
      }
    }
    return noticed;
  }
};

using Seven = ElasticLink<Vlink_elastic_7_parity, 7, 7, true, 8>;
using Eight = ElasticLink<Vlink_elastic_8, 8, 8, false, 32>;
using AnyLength = ElasticLink<Vlink_elastic_any, 5, 63, true, 32>;

/// The same with links of every length.
template <class Link, class Test>
void for_all_lengths(Test test) {
  for (int stages = Link::kLeast; stages <= Link::kMost; ++stages) {
    INFO(stages << " stages");
    Drive<Link> drive{stages};
    test(drive);
  }
}

}  // namespace

TEMPLATE_TEST_CASE(
    "elastic link: any phase, skews that it takes: its latency is that of STAGES registers", "",
    Seven, Eight, AnyLength) {
  for_all_lengths<TestType>([](auto& drive) { drive.within(); });
}

TEMPLATE_TEST_CASE("elastic link: any skew: what comes is right, or the link gives up", "", Seven,
                   Eight, AnyLength) {
  for_all_lengths<TestType>([](auto& drive) { drive.beyond(); });
}

TEMPLATE_TEST_CASE(
    "elastic link: a start that is lost, early or late gives an error, never a run before", "",
    Seven, Eight, AnyLength) {
  for_all_lengths<TestType>([](auto& drive) { drive.lost(); });
}

TEMPLATE_TEST_CASE(
    "elastic link: starts that come too soon give an error, or what was sent for them", "", Seven,
    Eight, AnyLength) {
  for_all_lengths<TestType>([](auto& drive) { drive.any_starts(); });
}

TEMPLATE_TEST_CASE("elastic link: after a reset of either end in a run the next run is right", "",
                   Seven, Eight, AnyLength) {
  for_all_lengths<TestType>([](auto& drive) { drive.resets(); });
}

TEMPLATE_TEST_CASE("elastic link: clocks that drift apart end a run, and nothing wrong comes", "",
                   Seven, Eight, AnyLength) {
  for_all_lengths<TestType>([](auto& drive) { drive.drifts(); });
}

TEST_CASE("elastic link: wrong bits are noticed if their number in a place is odd") {
  for_all_lengths<Seven>([](auto& drive) { REQUIRE(drive.flips() > 100); });
}
