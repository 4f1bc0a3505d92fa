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

}  // namespace gossamer::test
