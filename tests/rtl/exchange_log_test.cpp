// rtl/node/exchange_log.sv against a list of the messages that crossed each link (Chau-Fu).
#include <algorithm>
#include <deque>
#include <optional>

#include "Vexchange_log.h"
#include "Vexchange_log_single.h"
#include "Vexchange_log_staged.h"
#include "Vexchange_log_two.h"
#include "block.hpp"
#include "catch.hpp"
#include "gossamer_constants.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

// blocks.mk: 2, 3 or 8 ports, 8 messages that a node can distinguish, addresses of 6 bits, or
// of 24.
constexpr unsigned kMessages = 8;

/// A node in random slots, word by word, and a model of what it should do.
template <class Model, unsigned kPorts>
class Node {
 public:
  static constexpr unsigned kAddrBits = std::is_same_v<Model, Vexchange_log_two> ? 24 : 6;

  /// `stages` of the links at each port.
  Node(std::uint32_t seed, const std::array<unsigned, kPorts>& stages)
      : stages_(stages), block_(seed), random_(seed) {}

  /// A message begins every 2^`shift` words.
  void run(unsigned shift, bool has_own, unsigned capacity, bool initiated, unsigned initiator) {
    shift_ = shift;
    turn_ = random_.below(3);
    capacity_ = capacity;
    initiated_ = initiated;
    initiator_ = initiator;
    has_own_ = has_own;
    sent_.assign(kPorts, std::vector<std::optional<unsigned>>(kMessages));
    arrived_ = sent_;
    arrived_in_.reset();
    // Arrivals of an earlier run do not count.
    for (Position& position : offered_) position.take = 0;
    std::uint64_t partner = 0, stages = 0;
    for (unsigned p = 0; p < kPorts; ++p) {
      partner |= std::uint64_t{neighbour(p)} << (p * kAddrBits);
      stages |= std::uint64_t{stages_[p]} << (p * rtl::LINK_STAGES_W);
    }
    block_->stages_i = stages;
    block_->own_words_i = has_own ? random_.between(1, (1u << kAddrBits) - 1) : 0;
    block_->capacity_i = capacity;
    block_->shift_i = shift;
    block_->partner_i = partner;
    block_->initiated_i = initiated;
    block_->initiator_i = initiator << shift;
    block_->position_i = block_->take_i = 0;
    block_->start_i = 1;
    const unsigned first_slot = random_.below((1u << slot_bits()) - 12);
    block_->slot_i = first_slot;
    block_.edge();
    block_->start_i = 0;
    // Sometimes the initiator's message comes first at the end of slot 0 over one link and at the
    // beginning of slot 1 over another one.
    const bool meet = random_.chance(50);
    const std::array<unsigned, 2> over{random_.below(kPorts), random_.below(kPorts)};
    const unsigned first = random_.below(6);
    for (unsigned k = 0; k < 12; ++k) {
      const unsigned slot = first_slot + k;
      const bool meets = meet && k < 2;
      const bool same = !meets && random_.chance(50);
      const unsigned offer = random_.below(1 << kPorts);
      const unsigned messages = random_.between(1, 6);
      for (unsigned i = 0; i < messages; ++i) {
        const bool here = meets && i == (k == 0 ? messages - 1 : 0);
        // Behind it the own one, which the node may send as soon as it has heard of the initiator.
        const unsigned message = here ? over_link(over[k]) : meets ? 0 : next_message();
        // Some words of a message: the first ones must not keep the others from being sent.
        for (unsigned word = 0; word < 4; ++word) {
          unsigned take = random_.below(1 << kPorts);
          if (here) take = k == 1 || word >= first ? 1u << over[k] : 0;
          if (meets && k == 0 && !here) take = 0;
          CAPTURE(slot, message, word, same, offer);
          cycle({slot, message << shift | (word * 0x155555u & ((1u << shift) - 1)), same, take},
                offer, random_.chance(90));
        }
      }
      // Two cycles without a position, so that the slot's last flits arrive within it where links
      // have no stages. Of longer links flits of two slots come in the same cycle.
      for (unsigned i = 0; i < 2; ++i) {
        const bool here = meets && k == 0;
        const unsigned address =
            here ? over_link(over[0]) << shift : random_.below(1u << kAddrBits);
        const unsigned take = !here            ? random_.below(1 << kPorts)
                              : 4 + i >= first ? 1u << over[0]
                                               : 0;
        cycle({slot, address, same, take}, offer, false);
      }
    }
  }

 private:
  struct Position {
    unsigned slot = 0, addr = 0;
    bool same = false;
    unsigned take =
        0;  ///< ports at which a flit comes two cycles later, and as many more as there are stages
  };
  using Slots = std::vector<std::vector<std::optional<unsigned>>>;

  /// Often one that arrives somewhere as the initiator's: over links of different stages that of
  /// two slots may arrive in the same cycle.
  unsigned next_message() {
    if (random_.chance(50)) return random_.below(kMessages);
    return over_link(random_.below(kPorts));
  }
  /// The message that arrives at `port` as the initiator's.
  unsigned over_link(unsigned port) const {
    return (initiator_ ^ neighbour(port) >> shift_) % kMessages;
  }

  /// Of eight ports several lead to neighbours of the same number.
  unsigned neighbour(unsigned p) const { return 1u << (p + turn_) % 3 << shift_; }
  static constexpr unsigned slot_bits() {
    return std::is_same_v<Model, Vexchange_log_staged> ? 8 : 4;
  }

  bool before(const std::optional<unsigned>& when, unsigned slot) const {
    return when && *when != slot;
  }

  void cycle(const Position& now, unsigned offer, bool position) {
    const unsigned message = (now.addr >> shift_) % kMessages;
    const bool own = message == 0 && has_own_;
    bool held = own;
    unsigned log = own ? kPorts : 0;
    for (unsigned p = 0; p < kPorts; ++p) {
      if (!before(arrived_[p][message], now.slot)) continue;
      held = true;
      if (!own) log = p;
    }
    const bool awake = !initiated_ || initiator_ == 0 || before(arrived_in_, now.slot);
    unsigned send = 0;
    for (unsigned p = 0; p < kPorts; ++p) {
      if (!(offer >> p & 1) || !position || !awake || !held) continue;
      if (message == neighbour(p) >> shift_) continue;
      if (before(sent_[p][message], now.slot) || before(arrived_[p][message], now.slot)) continue;
      send |= 1u << p;
    }
    // Arrivals belong to the position of two cycles before, and of as many more as the link has
    // stages.
    const auto then = [&](unsigned p) -> const Position& { return offered_[1 + stages_[p]]; };
    unsigned take = 0, write = 0, overflow = 0;
    for (unsigned p = 0; p < kPorts; ++p) take |= then(p).take & 1u << p;
    if (single()) take &= -take;  // one at a time
    std::array<unsigned, kPorts> at{};
    for (unsigned p = 0; p < kPorts; ++p) {
      at[p] = then(p).same ? then(p).addr : then(p).addr ^ neighbour(p);
      if (take >> p & 1) (at[p] < capacity_ ? write : overflow) |= 1u << p;
    }
    block_->slot_i = now.slot;
    block_->position_i = position;
    block_->addr_i = now.addr;
    block_->same_i = now.same;
    block_->offer_i = offer;
    block_->take_i = take;
    block_->query_i = query_;
    block_.settle();
    REQUIRE(block_->send_o == send);
    if (send != 0) REQUIRE(block_->log_o == (single() ? 0 : log));
    REQUIRE(block_->overflow_o == overflow);
    REQUIRE(block_->write_o == (single() ? write != 0 : write));
    for (unsigned p = 0; p < kPorts; ++p) {
      if (!(write >> p & 1)) continue;
      REQUIRE(tb::get_field(block_->write_addr_o, single() ? 0 : p * kAddrBits, kAddrBits) ==
              at[p]);
    }
    unsigned arrived = 0;
    for (unsigned p = 0; p < kPorts; ++p) {
      arrived |= (query_ < kMessages && arrived_[p][query_ % kMessages].has_value()) << p;
    }
    REQUIRE(block_->arrived_o == arrived);
    block_.edge();
    REQUIRE(block_->sent_o == send);
    query_ = random_.below(kMessages + 4);
    std::optional<unsigned> heard;  // of slots that bring it in the same cycle the earliest
    for (unsigned p = 0; p < kPorts; ++p) {
      if (send >> p & 1) sent_[p][message] = now.slot;
      if (!(write >> p & 1)) continue;
      arrived_[p][at[p] >> shift_] = then(p).slot;
      if (at[p] >> shift_ == initiator_)
        heard = std::min(heard.value_or(then(p).slot), then(p).slot);
    }
    if (!arrived_in_) arrived_in_ = heard;
    offered_.pop_back();
    offered_.push_front(now);
  }

  static constexpr bool single() { return std::is_same_v<Model, Vexchange_log_single>; }

  std::array<unsigned, kPorts> stages_;
  Block<Model> block_;
  Random random_;
  unsigned shift_ = 0, turn_ = 0, capacity_ = 0, initiator_ = 0, query_ = 0;
  bool initiated_ = false, has_own_ = false;
  Slots sent_, arrived_;
  std::optional<unsigned> arrived_in_;  ///< in which slot the initiator's message came
  std::deque<Position> offered_ =
      std::deque<Position>(2 + rtl::MAX_LINK_STAGES);  ///< the last one first
};

template <class Model, unsigned kPorts>
void run_random_slots(const std::array<unsigned, kPorts>& stages = {}, int runs = 150) {
  Random random(1);
  Node<Model, kPorts> node(1, stages);
  for (int i = 0; i < runs; ++i) {
    const bool initiated = random.chance(50);
    const bool has_own = random.chance(70);
    constexpr unsigned kAddrBits = Node<Model, kPorts>::kAddrBits;
    const unsigned shift = kAddrBits == 6 ? 2 : random.below(kAddrBits - 2);
    const unsigned words = std::min(kMessages << shift, (1u << kAddrBits) - 1);
    const unsigned capacity = random.chance(50) ? words : random.between(1, words);
    CAPTURE(i, shift, has_own, capacity, initiated);
    node.run(shift, has_own, capacity, initiated, random.below(kMessages));
  }
}

}  // namespace

TEST_CASE("exchange log: a message is sent once, where it has not crossed the link before") {
  SECTION("a log per port") { run_random_slots<Vexchange_log, 3>(); }
  SECTION("two ports, a log for each") { run_random_slots<Vexchange_log_two, 2>(); }
  SECTION("a single log") { run_random_slots<Vexchange_log_single, 3>(); }
  SECTION("links with register stages") {
    run_random_slots<Vexchange_log_staged, 8>({0, 5, 2, 0, 1, 9, 5, 2}, 500);
    constexpr unsigned kMost = rtl::MAX_LINK_STAGES;
    run_random_slots<Vexchange_log_staged, 8>({kMost, 3, 4, kMost, kMost, 24, 39, kMost}, 500);
    run_random_slots<Vexchange_log_staged, 8>({7, 0, 0, 0, 0, kMost, kMost, 0});
  }
}
