// rtl/node/crossbar.sv: every source for every output, multicast, one register per hop.
#include "Vcrossbar.h"
#include "Vcrossbar_channels.h"
#include "Vcrossbar_hardware.h"
#include "Vcrossbar_one_cycle.h"
#include "Vcrossbar_two.h"
#include "block.hpp"
#include "catch.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

/// The flits on the inputs and on the local read channels in a cycle.
struct Inputs {
  unsigned rx_valid = 0, rx_last = 0, local_valid = 0, local_last = 0;
  std::vector<std::uint32_t> rx_data, local_data;
};

/// A crossbar, and a model of what it should do.
template <class Model, unsigned kPorts, unsigned kChannels>
class Pair {
 public:
  explicit Pair(std::uint32_t seed) : block_(seed), random_(seed), held_(kPorts), known_(kPorts) {}

  static constexpr unsigned kNothing = kPorts;
  static constexpr bool kOneCycle = std::is_same_v<Model, Vcrossbar_one_cycle>;
  static constexpr bool kHardware = std::is_same_v<Model, Vcrossbar_hardware>;

  Inputs random_inputs(unsigned percent_valid) {
    Inputs in;
    for (unsigned p = 0; p < kPorts; ++p) {
      in.rx_valid |= random_.chance(percent_valid) << p;
      in.rx_last |= random_.chance(30) << p;
      in.rx_data.push_back(random_.word());
    }
    for (unsigned c = 0; c < kChannels; ++c) {
      in.local_valid |= random_.chance(percent_valid) << c;
      in.local_last |= random_.chance(30) << c;
      in.local_data.push_back(random_.word());
    }
    return in;
  }

  /// A cycle with these selects; compares the flits for the links, and then the data registers.
  void cycle(const std::vector<unsigned>& select, const Inputs& in) {
    unsigned send = 0, forward = 0, bits = 0, valid = 0, last = 0;
    for (unsigned o = 0; o < kPorts; ++o) {
      bits |= select[o] << (o * kSelectBits);
      if (kHardware) known_[o] = false;         // its data register changes in every cycle
      if (random_.chance(10)) send |= 1u << o;  // allowed, though not needed
      if (select[o] == kNothing) continue;
      send |= 1u << o;
      const bool local = select[o] == o;
      const unsigned channel = kChannels == 1 ? 0 : o;
      if (!local) forward |= 1u << select[o];
      const bool v = (local ? in.local_valid >> channel : in.rx_valid >> select[o]) & 1;
      valid |= v << o;
      const bool l = (local ? in.local_last >> channel : in.rx_last >> select[o]) & 1;
      last |= (kOneCycle || l) << o;  // every flit is a stream
      if (!v) continue;
      held_[o] = local ? in.local_data[channel] : in.rx_data[select[o]];
      known_[o] = true;
    }
    block_->select_i = bits;
    block_->send_i = send;
    block_->forward_i = forward;
    block_->rx_valid_i = in.rx_valid;
    block_->rx_last_i = in.rx_last;
    block_->local_valid_i = in.local_valid;
    block_->local_last_i = in.local_last;
    std::copy(in.rx_data.begin(), in.rx_data.end(), tb::words(block_->rx_data_i));
    std::copy(in.local_data.begin(), in.local_data.end(), tb::words(block_->local_data_i));
    block_.settle();
    REQUIRE(block_->tx_valid_o == valid);
    REQUIRE((block_->tx_last_o & valid) == (last & valid));
    block_.edge();
    for (unsigned o = 0; o < kPorts; ++o) {
      if (known_[o]) REQUIRE(tb::words(block_->data_o)[o] == held_[o]);
    }
  }

  Random& random() { return random_; }

 private:
  static constexpr unsigned kSelectBits = std::bit_width(kPorts);
  Block<Model> block_;
  Random random_;
  std::vector<std::uint32_t> held_;  ///< per output: the last flit that it took
  std::vector<bool> known_;
};

/// Every combination of selects, with all inputs valid and with none: 5^4 for a node of four ports.
template <class Model, unsigned kPorts, unsigned kChannels>
void try_every_combination() {
  Pair<Model, kPorts, kChannels> pair(1);
  std::vector<unsigned> select(kPorts, 0);
  for (bool more = true; more;) {
    CAPTURE(select);
    pair.cycle(select, pair.random_inputs(100));
    pair.cycle(select, pair.random_inputs(0));
    more = false;
    for (unsigned o = 0; o < kPorts && !more; ++o) {
      more = select[o] < kPorts;
      select[o] = more ? select[o] + 1 : 0;
    }
  }
}

template <class Model, unsigned kPorts, unsigned kChannels>
void try_random_traffic() {
  Pair<Model, kPorts, kChannels> pair(2);
  for (int i = 0; i < 5000; ++i) {
    std::vector<unsigned> select;
    for (unsigned o = 0; o < kPorts; ++o) select.push_back(pair.random().below(kPorts + 1));
    CAPTURE(i, select);
    pair.cycle(select, pair.random_inputs(60));
  }
}

}  // namespace

TEST_CASE("crossbar: every output takes every input, its local word, or nothing") {
  SECTION("two ports") { try_every_combination<Vcrossbar_two, 2, 1>(); }
  SECTION("four ports, one channel") { try_every_combination<Vcrossbar, 4, 1>(); }
  SECTION("three ports, a channel for each") { try_every_combination<Vcrossbar_channels, 3, 3>(); }
  SECTION("slots of one cycle") { try_every_combination<Vcrossbar_one_cycle, 4, 1>(); }
}

TEST_CASE("crossbar: random selects and traffic, data held while nothing valid comes") {
  SECTION("two ports") { try_random_traffic<Vcrossbar_two, 2, 1>(); }
  SECTION("four ports, one channel") { try_random_traffic<Vcrossbar, 4, 1>(); }
  SECTION("three ports, a channel for each") { try_random_traffic<Vcrossbar_channels, 3, 3>(); }
  SECTION("four ports, in hardware") { try_random_traffic<Vcrossbar_hardware, 4, 1>(); }
  SECTION("slots of one cycle") { try_random_traffic<Vcrossbar_one_cycle, 4, 1>(); }
}

TEST_CASE("crossbar: one input or local word goes to all outputs at once") {
  Pair<Vcrossbar, 4, 1> pair(3);
  // An output's own port code means the store: input 1 cannot leave through output 1.
  for (int i = 0; i < 20; ++i) {
    pair.cycle({1, 4, 1, 1}, pair.random_inputs(100));
    pair.cycle({0, 1, 2, 3}, pair.random_inputs(100));
    pair.cycle({1, 1, 1, 1}, pair.random_inputs(100));
  }
}
