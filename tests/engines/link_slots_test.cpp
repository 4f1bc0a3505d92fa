// The slots of the links against a plain list of flits, on random operations.
#include "engines/tile/link_slots.hpp"

#include <random>

#include "catch.hpp"

namespace gossamer::test {
namespace {

/// The flits on the inputs, one by one.
template <unsigned P>
class PlainSlots {
 public:
  explicit PlainSlots(std::size_t nodes) : flits_(2, std::vector<Flit>(nodes * P)) {}
  Flit& at(std::uint64_t cycle, std::size_t node, Port port) {
    return flits_[cycle % 2][node * P + port];
  }

 private:
  std::vector<std::vector<Flit>> flits_;
};

template <unsigned P>
void compare(unsigned seed) {
  constexpr Node kNodes = 5;
  constexpr std::uint32_t kUntouched = 0x7e57;
  std::mt19937 random(seed);
  tb::LinkSlots<P> slots;
  slots.clear(kNodes);
  PlainSlots<P> plain(kNodes);
  for (std::uint64_t cycle = 0; cycle < 400; ++cycle) {
    const auto now = slots.at(cycle), next = slots.at(cycle + 1);
    for (int i = 0; i < 6; ++i) {
      const auto node = static_cast<Node>(random() % kNodes);
      const auto port = static_cast<Port>(random() % P);
      const Flit flit{true, random() % 2 == 0, static_cast<std::uint32_t>(random())};
      next.put(slots.slot(node, port), flit.last, flit.data);
      plain.at(cycle + 1, node, port) = flit;
    }
    for (Node x = 0; x < kNodes; ++x) {
      bool any = false;
      for (Port p = 0; p < P; ++p) any = any || plain.at(cycle, x, p).valid;
      REQUIRE(now.any(x) == any);
      if (x == 2) {  // as another rank receives them: one by one
        for (Port p = 0; p < P; ++p) {
          Flit& expected = plain.at(cycle, x, p);
          const Flit taken = now.take_slot(slots.slot(x, p));
          REQUIRE(taken.valid == expected.valid);
          REQUIRE(taken.last == expected.last);
          if (taken.valid) REQUIRE(taken.data == expected.data);
          expected = {};
        }
      } else if (x == 1) {  // the flags without the words
        const std::uint64_t seen = now.valid(x);
        const tb::Inputs taken = now.take_flags(x);
        REQUIRE(taken.valid == seen);
        for (Port p = 0; p < P; ++p) {
          Flit& expected = plain.at(cycle, x, p);
          REQUIRE((taken.valid >> p & 1) == expected.valid);
          REQUIRE((taken.last >> p & 1) == expected.last);
          if (expected.valid) REQUIRE(now.word(x, p) == expected.data);
          expected = {};
        }
        REQUIRE(taken.valid >> P == 0);
        REQUIRE(taken.last >> P == 0);
      } else {
        std::array<std::uint32_t, P + 1> data;
        data.fill(kUntouched);
        const tb::Inputs taken = now.take(x, data.data());
        for (Port p = 0; p < P; ++p) {
          Flit& expected = plain.at(cycle, x, p);
          REQUIRE((taken.valid >> p & 1) == expected.valid);
          REQUIRE((taken.last >> p & 1) == expected.last);
          if (expected.valid) REQUIRE(data[p] == expected.data);
          expected = {};
        }
        REQUIRE(taken.valid >> P == 0);
        REQUIRE(taken.last >> P == 0);
        REQUIRE(data[P] == kUntouched);
      }
      REQUIRE_FALSE(now.any(x));
    }
  }
  slots.at(0).put(slots.slot(3, P - 1), false, 1);
  slots.at(1).put(slots.slot(4, 0), true, 1);
  slots.clear(kNodes);
  for (Node x = 0; x < kNodes; ++x) {
    CHECK_FALSE(slots.at(0).any(x));
    CHECK_FALSE(slots.at(1).any(x));
  }
}

}  // namespace

TEST_CASE("slots of links hold what a plain list of flits holds") {
  compare<1>(1);
  compare<2>(2);
  compare<7>(3);
  compare<8>(4);
  compare<9>(5);
  compare<20>(6);
}

TEST_CASE("eight slots are moved at once, each with its flags and its word, and left empty") {
  std::mt19937 random(7);
  for (unsigned trial = 0; trial < 200; ++trial) {
    tb::LinkSlots<8> slots;
    slots.clear(6);
    const auto now = slots.at(trial);
    // The last entry is another group's.
    std::array<std::uint32_t, 9> to = {16, 17, 18, 30, 20, 41, 22, 23, 45};
    std::shuffle(to.begin(), to.begin() + 8, random);
    std::array<Flit, 8> flits = {};
    for (unsigned k = 0; k < 8; ++k) {
      if (random() % 3 == 0) continue;
      flits[k] = {true, random() % 2 == 0, static_cast<std::uint32_t>(random())};
      now.put(8 + k, flits[k].last, flits[k].data);
    }
    now.put(0, true, 5);  // of another group
    now.move_group(8, to.data());
    for (std::uint32_t slot = 0; slot < 48; ++slot) {
      Flit expected = slot == 0 ? Flit{true, true, 5} : Flit{};
      for (unsigned k = 0; k < 8; ++k) {
        if (to[k] == slot) expected = flits[k];
      }
      const Flit taken = now.take_slot(slot);
      REQUIRE(taken.valid == expected.valid);
      REQUIRE(taken.last == expected.last);
      if (taken.valid) REQUIRE(taken.data == expected.data);
    }
  }
}

TEST_CASE("flits of links with stages stay until their cycle comes") {
  for (const std::uint32_t stages : {0u, 1u, 2u, 3u, 4u, 7u}) {
    tb::LinkSlots<2> slots;
    slots.clear(3, stages);
    CAPTURE(stages);
    CHECK(slots.period() >= stages + 2);
    for (std::uint64_t cycle = 0; cycle < 60; ++cycle) {
      const auto flit = static_cast<std::uint32_t>(cycle);
      slots.at(cycle + 1 + stages).put(slots.slot(1, 1), cycle % 2 == 0, flit);
      const Flit taken = slots.at(cycle).take_slot(slots.slot(1, 1));
      REQUIRE(taken.valid == (cycle > stages));
      if (taken.valid) REQUIRE(taken.data == cycle - 1 - stages);
      REQUIRE_FALSE(slots.at(cycle).any(1));
    }
    slots.clear(9, stages);
    for (std::uint64_t cycle = 0; cycle < slots.period(); ++cycle) {
      REQUIRE_FALSE(slots.at(cycle).any(1));
    }
  }
}

}  // namespace gossamer::test
