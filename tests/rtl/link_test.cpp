// rtl/node/link_full.sv and rtl/node/link_half.sv, with the receiving sides of rtl/node/link_rx.sv.
#include "Vlink_full.h"
#include "Vlink_full_adaptive.h"
#include "Vlink_half.h"
#include "block.hpp"
#include "catch.hpp"
#include "gossamer_constants.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

/// A model of the receiving side of one port. In an adaptive node it takes any number of streams in
/// a slot.
class Receiver {
 public:
  explicit Receiver(bool adaptive = false) : adaptive_(adaptive) {}

  struct Outcome {
    bool take = false, unexpected = false, missing = false, cut = false;
  };

  Outcome cycle(bool open, bool close, bool expect, bool forward, bool valid, bool last) {
    Outcome out;
    if (open) between_ = adaptive_ && expect ? State::Waiting : State::Quiet;
    if (open) state_ = expect ? State::Waiting : State::Quiet;
    switch (state_) {
      case State::Quiet: out.unexpected = valid && !forward; break;
      case State::Waiting:
        out.take = valid;
        if (valid) state_ = last ? between_ : State::Within;
        break;
      case State::Within:
        out.take = valid;
        out.missing = !valid;  // a gap
        if (!valid || last) state_ = between_;
        break;
    }
    if (close) {
      out.missing = out.missing || (state_ == State::Waiting && !adaptive_);
      out.cut = state_ == State::Within;
      state_ = between_ = State::Quiet;
    }
    return out;
  }

 private:
  enum class State { Quiet, Waiting, Within };
  bool adaptive_;
  State state_ = State::Quiet;
  State between_ = State::Quiet;  ///< after a stream
};

/// Flits are letters: `v` a flit, `l` the last one of a stream, anything else none.
bool valid(char c) { return c == 'v' || c == 'l'; }

template <class Model>
void quiet(Block<Model>& block) {
  block->tx_valid_i = block->tx_last_i = block->tx_close_i = 0;
  block->rx_begin_next_i = block->rx_close_i = block->rx_expect_i = block->rx_forward_i = 0;
  block->link_valid_i = block->link_last_i = 0;
  block.reset();
}

/// What a receiver reports cycle by cycle, as letters: `t` flit taken, `c` taken and cut by the end
/// of the window, `m` missing, `u` unexpected, `.` nothing. The window begins with the first
/// letter.
template <class Model>
std::string receive(const std::string& link, std::size_t window, bool expect,
                    bool forward = false) {
  Block<Model> block(7);
  quiet(block);
  constexpr unsigned bit = std::is_same_v<Model, Vlink_full> ? 2 : 1;
  std::string reported;
  block->rx_begin_next_i = expect ? bit : 0;
  block.edge();
  block->rx_begin_next_i = 0;
  for (std::size_t t = 0; t < link.size(); ++t) {
    block->rx_close_i = t + 1 == window;
    block->rx_expect_i = expect && t < window ? bit : 0;
    block->rx_forward_i = forward && t < window ? bit : 0;
    block->link_valid_i = valid(link[t]) ? bit : 0;
    block->link_last_i = link[t] == 'l' ? bit : 0;
    block.settle();
    const unsigned take = block->rx_take_o, cut = block->cut_o;
    std::string now;
    if (block->unexpected_o) now += 'u';
    if (block->missing_o) now += 'm';
    if (take & ~cut) now += 't';
    if (cut) now += 'c';
    reported += now.empty() ? "." : now;
    block.edge();
  }
  return reported;
}

/// The sending side: the flits on the link, one cycle later, and where the end of a slot of
/// `window` cycles cuts a stream.
template <class Model>
std::string send(const std::string& flits, std::size_t window) {
  Block<Model> block(7);
  quiet(block);
  std::string reported;
  for (std::size_t t = 0; t < flits.size(); ++t) {
    block->tx_valid_i = valid(flits[t]) ? 1 : 0;
    block->tx_last_i = flits[t] == 'l' ? 1 : 0;
    block->tx_close_i = (t + 1) % window == 0;
    block.settle();
    reported += block->tx_cut_o ? 'c' : '.';
    block.edge();
    reported += block->link_valid_o ? (block->link_last_o ? 'l' : 'v') : ' ';
  }
  return reported;
}

template <class Model>
void receives_as_expected() {
  CHECK(receive<Model>("vvl.", 4, true) == "ttt.");
  CHECK(receive<Model>("..vl", 4, true) == "..tt");
  CHECK(receive<Model>("l...", 1, true) == "t...");    // a window of one cycle
  CHECK(receive<Model>("vvvl", 4, true) == "tttt");    // legal in the window's last cycle
  CHECK(receive<Model>("vvvvl", 4, true) == "tttcu");  // one cycle too late
  // No flit in the window: reported at its end if one was expected.
  CHECK(receive<Model>("....", 3, true) == "..m.");
  CHECK(receive<Model>("....", 3, false) == "....");
  CHECK(receive<Model>("...l", 3, true) == "..mu");  // one cycle too late
  // A gap ends the stream; flits after it are unexpected.
  CHECK(receive<Model>("v.vl", 4, true) == "tmuu");
  // A second stream, or a stream where none is expected, is an error unless the crossbar takes it.
  CHECK(receive<Model>("vlvl", 4, true) == "ttuu");
  CHECK(receive<Model>("vl..", 4, false) == "uu..");
  CHECK(receive<Model>("vl.v", 3, false, true) == "...u");
  CHECK(receive<Model>("vlvl", 4, true, true) == "tt..");  // stored and forwarded
}

template <class Model>
void sends_what_the_crossbar_gives() {
  CHECK(send<Model>("vvl.", 4) == ".v.v.l. ");
  CHECK(send<Model>("vvvl", 4) == ".v.v.v.l");  // legal in the last cycle
  CHECK(send<Model>("vvvv", 4) == ".v.v.vcv");  // the slot ends within the stream
  CHECK(send<Model>("vv..", 4) == ".v.v. c ");  // the stream ended without its last flit
  CHECK(send<Model>("....", 4) == ". . . . ");
  CHECK(send<Model>("v.......", 4) ==
        ".v. . c . . . . ");  // reported once, not again in the next slot
}

/// A reset while streams are sent and received.
template <class Model>
void forgets_at_a_reset() {
  Block<Model> block(7);
  quiet(block);
  for (const bool within : {false, true}) {  // a stream has begun, or is expected
    block->rst_ni = 1;
    block->rx_begin_next_i = 1;
    block.edge();
    block->rx_begin_next_i = !within;  // another window begins, too
    block->rx_expect_i = 1;
    block->tx_valid_i = 1;
    block->tx_last_i = 0;
    block->link_valid_i = within;
    block->link_last_i = 0;
    block.edge();
    block->rst_ni = 0;
    block->rx_begin_next_i = block->rx_expect_i = 0;
    block.edge();
    CHECK(block->link_valid_o == 0);
    block->tx_valid_i = block->link_valid_i = 0;
    block.edge();
    block->rst_ni = 1;
    block->tx_close_i = 1;
    block->link_valid_i = 1;
    block.settle();
    CHECK(block->rx_take_o == 0);
    CHECK(block->unexpected_o == 1);
    CHECK(block->missing_o == 0);
    CHECK(block->tx_cut_o == 0);
    block->tx_close_i = block->link_valid_i = 0;
    block.edge();
  }
}

}  // namespace

TEST_CASE(
    "full-duplex link: a stream is taken whole within its window, everything else is reported") {
  receives_as_expected<Vlink_full>();
}

TEST_CASE(
    "half-duplex link: a stream is taken whole within its window, everything else is reported") {
  receives_as_expected<Vlink_half>();
}

TEST_CASE(
    "links: a flit is on the link one cycle later, and a stream that its slot cuts is reported") {
  sends_what_the_crossbar_gives<Vlink_full>();
  sends_what_the_crossbar_gives<Vlink_half>();
}

TEST_CASE("links: after a reset nothing is expected and nothing is sent, whatever was under way") {
  forgets_at_a_reset<Vlink_full>();
  forgets_at_a_reset<Vlink_half>();
}

namespace {

template <class Model>
void random_windows_and_flits() {
  constexpr bool kHalf = std::is_same_v<Model, Vlink_half>;
  constexpr unsigned kPorts = kHalf || std::is_same_v<Model, Vlink_full> ? 10 : 3,
                     kAll = 1u << kPorts;
  Random random(1);
  Block<Model> block(1);
  quiet(block);
  std::vector<Receiver> receivers(kPorts, Receiver(std::is_same_v<Model, Vlink_full_adaptive>));
  unsigned left = 0;  // cycles of the window
  unsigned expect = 0, expect_next = 0, forward = 0, sent = 0, sent_last = 0, streams = 0;
  for (int t = 0; t < 20000; ++t) {
    CAPTURE(t);
    const bool open = left == 0;
    if (open) {
      left = random.between(1, 6);
      expect = expect_next;
      forward = random.below(kAll) & random.below(kAll);
    }
    const bool close = --left == 0;
    const unsigned flits = random.below(kAll) | random.below(kAll), lasts = random.below(kAll);
    const unsigned tx = random.below(kAll) | random.below(kAll), tx_last = random.below(kAll) & tx;
    const bool tx_close = random.chance(25);
    if (close) expect_next = random.below(kAll);
    block->rx_begin_next_i = close ? expect_next : 0;
    block->rx_close_i = close;
    block->rx_expect_i = expect;
    block->rx_forward_i = forward;
    block->link_valid_i = flits;
    block->link_last_i = lasts;
    block->tx_valid_i = tx;
    block->tx_last_i = tx_last;
    block->tx_close_i = tx_close;
    block.settle();
    streams = (streams | tx) & ~tx_last;  // more flits are to follow
    unsigned take = 0, unexpected = 0, missing = 0, cut = 0;
    const unsigned tx_cut = tx_close ? streams : 0;
    if (tx_close) streams = 0;
    // An end of a half-duplex link does not hear while it drives, and does not drive after it has
    // heard.
    const unsigned heard = kHalf ? flits & ~sent : flits;
    for (unsigned p = 0; p < kPorts; ++p) {
      const auto out = receivers[p].cycle(open, close, expect >> p & 1, forward >> p & 1,
                                          heard >> p & 1, lasts >> p & 1);
      take |= out.take << p;
      unexpected |= out.unexpected << p;
      missing |= out.missing << p;
      cut |= out.cut << p;
    }
    REQUIRE(block->link_valid_o == sent);
    REQUIRE((block->link_last_o & sent) == sent_last);
    REQUIRE(block->rx_take_o == take);
    REQUIRE(block->unexpected_o == unexpected);
    REQUIRE(block->missing_o == missing);
    REQUIRE(block->cut_o == cut);
    REQUIRE(block->tx_cut_o == tx_cut);
    REQUIRE(block->collision_o == (flits & ~heard));
    REQUIRE(block->turnaround_o == (kHalf ? tx & heard : 0));
    block.edge();
    sent = kHalf ? tx & ~flits : tx;
    sent_last = tx_last & sent;
  }
}

}  // namespace

TEST_CASE("full-duplex link: random windows and flits on ten ports") {
  random_windows_and_flits<Vlink_full>();
}

TEST_CASE("half-duplex link: random windows and flits on ten ports, both ends drive at any time") {
  random_windows_and_flits<Vlink_half>();
}

TEST_CASE("full-duplex link of an adaptive node: any number of streams in a window, or none") {
  random_windows_and_flits<Vlink_full_adaptive>();
}

namespace {

/// The two ends of a half-duplex link and the wire between them.
class Wire {
 public:
  explicit Wire(std::uint32_t seed) : ends_{Block<Vlink_half>(seed), Block<Vlink_half>(seed + 1)} {
    for (auto& end : ends_) quiet(end);
    // Every flit is forwarded, so that none is unexpected.
    for (auto& end : ends_) end->rx_forward_i = 1;
  }

  /// The outputs of the ends in a cycle; bit e for end e.
  struct Seen {
    unsigned drives = 0, collision = 0, turnaround = 0, unexpected = 0;
  };

  /// A cycle in which the ends have these flits to send.
  Seen cycle(unsigned wants) {
    for (unsigned e = 0; e < 2; ++e) {
      auto& end = ends_[e];
      end->tx_valid_i = wants >> e & 1;
      end->tx_last_i = 1;
      end->link_valid_i = ends_[1 - e]->link_valid_o;
      end->link_last_i = 1;
    }
    Seen seen;
    for (unsigned e = 0; e < 2; ++e) {
      ends_[e].settle();
      seen.drives |= ends_[e]->link_valid_o << e;
      seen.collision |= ends_[e]->collision_o << e;
      seen.turnaround |= ends_[e]->turnaround_o << e;
      seen.unexpected |= ends_[e]->unexpected_o << e;
    }
    for (auto& end : ends_) end.edge();
    return seen;
  }

 private:
  std::array<Block<Vlink_half>, 2> ends_;
};

}  // namespace

TEST_CASE("half-duplex link: the other end may drive after the guard cycles, not one earlier") {
  for (unsigned undriven = 0; undriven <= rtl::TIME_GUARD + 2; ++undriven) {
    CAPTURE(undriven);
    Wire wire(1);
    // End 0 drives in cycles 1 to 3. If end 1 has a flit in cycle t, it would drive it in t+1.
    const unsigned first = 3 + undriven;
    unsigned driven = 0;
    for (unsigned t = 0; t < 12; ++t) {
      const auto seen = wire.cycle((t < 3 ? 1u : 0u) | (t == first ? 2u : 0u));
      CHECK((seen.drives & 1) == (t >= 1 && t <= 3));
      CHECK(seen.turnaround == (t == first && undriven < rtl::TIME_GUARD ? 2 : 0));
      CHECK(seen.collision == 0);
      if (seen.drives & 2) {
        ++driven;
        CHECK(t == first + 1);
      }
    }
    CHECK(driven == (undriven < rtl::TIME_GUARD ? 0 : 1));  // a flit that came too early is held
  }
}

TEST_CASE("half-duplex link: two drivers collide, and both ends report it") {
  Wire wire(1);
  CHECK(wire.cycle(0b11).collision == 0);
  const auto seen = wire.cycle(0);
  CHECK(seen.drives == 0b11);
  CHECK(seen.collision == 0b11);
  CHECK(seen.unexpected == 0);
  CHECK(wire.cycle(0).drives == 0);
}

TEST_CASE("half-duplex link: whatever the ends send, no flit is lost or garbled silently") {
  Random random(1);
  Wire wire(1);
  unsigned drives = 0, drove = 0;  // in this cycle and in the one before
  for (int t = 0; t < 20000; ++t) {
    CAPTURE(t);
    const unsigned wants = random.below(4) & (random.chance(50) ? 3 : random.below(4));
    const auto seen = wire.cycle(wants);
    REQUIRE(seen.drives == drives);
    REQUIRE(seen.collision == (drives == 0b11 ? 0b11 : 0));
    unsigned next = 0;
    for (unsigned e = 0; e < 2; ++e) {
      const bool other = drives >> (1 - e) & 1;
      const bool self = drives >> e & 1;
      if (!(wants >> e & 1)) continue;
      REQUIRE(bool(seen.turnaround >> e & 1) == (other && !self));
      if (!other) next |= 1u << e;  // otherwise a turnaround or a collision was reported
    }
    // An end never takes over from the other one without an undriven cycle.
    if (drives != 0b11 && drove != 0b11) REQUIRE_FALSE((drives & ~drove) == (drove ^ 3u));
    drove = drives;
    drives = next;
  }
}
