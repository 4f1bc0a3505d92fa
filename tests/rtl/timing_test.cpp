// The timing constants of rtl/node/gossamer_pkg.sv (docs/hardware/timing.md), measured on the RTL
// itself. If an edit makes the RTL a cycle slower or faster, these tests fail and name the
// constant.
#include <fmt/format.h>

#include <functional>

#include "catch.hpp"
#include "hand_made.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

/// Fabrics with six nodes in a circle along dimension 0: port 0 leads onwards, port 1 backwards.
struct Kind {
  const char* name;
  const char* topology;
  bool single_port, half_duplex, many_channels;
};
constexpr Kind kKinds[] = {{"single port, full duplex", "ring:6", true, false, false},
                           {"single port, half duplex", "ring:6", true, true, false},
                           {"all ports, one channel", "torus:6x3x3", false, false, false},
                           {"all ports, a channel for each", "torus:6x3x3", false, false, true}};
constexpr Port kOn = 0, kBack = 1;

HandMade fabric_of(const Kind& kind) {
  return HandMade(kind.topology, kind.single_port, kind.half_duplex, kind.many_channels);
}

/// Requires a constant to have the measured value; otherwise it is stale.
void require_constant(const std::string& constant, long measured, long package,
                      const std::string& how) {
  INFO("timing constants stale: the RTL's " << constant << " is " << measured
                                            << ", gossamer_pkg says " << package << " (" << how
                                            << ")");
  REQUIRE(measured == package);
}

/// The smallest slot length with which tables work; with every longer one they must work, too.
long smallest_length(const std::function<bool(std::uint32_t)>& works) {
  constexpr std::uint32_t kLongest = 40;
  std::uint32_t smallest = kLongest + 1;
  for (std::uint32_t length = kLongest; length > 0 && works(length); --length) smallest = length;
  INFO("no slot of up to " << kLongest << " cycles works: timing constants stale, or worse");
  REQUIRE(smallest <= kLongest);
  return smallest;
}

/// The i-th word that arrived at port kBack of node `x`.
Segment arrived(const HandMade& f, std::uint32_t i) {
  const bool single = f.kind().single_port;
  return {single ? 0 : kBack, (single ? f.own_words : 0) + i, 1, 0, 1, false};
}

/// A circuit from node 0 over `hops` hops, in a slot of `length` cycles at all nodes.
void circuit(HandMade& f, Node hops, std::uint32_t flits, std::uint32_t length) {
  f.read(0, kOn, {f.kind().own_log(), 0, flits, 0, 1, false});
  send(f.slot(0, length), kOn, flits);
  for (Node x = 1; x < hops; ++x) forward(f.slot(x, length), kBack, kOn);
  receive(f.slot(hops, length), kBack);
  for (Node x = hops + 1; x < 6; ++x) f.slot(x, length);
}

/// The last cycle in which a flit of such a circuit is on its last link, if the slot is long.
std::uint64_t last_arrival(const Kind& kind, Node hops, std::uint32_t flits) {
  HandMade f = fabric_of(kind);
  circuit(f, hops, flits, 30);
  const Outcome outcome = f.run();
  REQUIRE(outcome.clean());
  return outcome.last_arrival;
}

/// Does a circuit work whose last word is sent on to the next node in the very next slot?
bool passed_on(const Kind& kind, Node hops, std::uint32_t flits, std::uint32_t length) {
  HandMade f = fabric_of(kind);
  circuit(f, hops, flits, length);
  f.read(hops, kOn, arrived(f, flits - 1));
  for (Node x = 0; x < 6; ++x) {
    SlotEntry& slot = f.slot(x, 3);
    if (x == hops) send(slot, kOn, 1);
    if (x == hops + 1) receive(slot, kBack);
  }
  const Outcome outcome = f.run();
  return outcome.clean() &&
         outcome.fabric->log(hops + 1, f.kind().single_port ? 0 : kBack).back() ==
             HandMade::word(0, flits - 1);
}

/// Does a link work that carries `flits` flits in one direction, and in the next slot flits in the
/// other direction?
bool turned_round(std::uint32_t flits, std::uint32_t length) {
  HandMade f("ring:4", true, true);
  f.read(0, kOn, {0, 0, flits, 0, 1, false});
  f.read(1, kBack, {0, 0, 2, 0, 1, false});
  send(f.slot(0, length), kOn, flits);
  receive(f.slot(1, length), kBack);
  receive(f.slot(0, 4), kOn);
  send(f.slot(1, 4), kBack, 2);
  return f.run().clean();
}

}  // namespace

TEST_CASE("timing: TIME_DELTA and TIME_TAU are what a hop and a flit cost") {
  for (const Kind& kind : kKinds) {
    DYNAMIC_SECTION(kind.name) {
      for (Node hops = 1; hops < 5; ++hops) {
        for (std::uint32_t flits : {1u, 2u, 7u}) {
          CAPTURE(hops, flits);
          const auto here = static_cast<long>(last_arrival(kind, hops, flits));
          require_constant("TIME_DELTA",
                           static_cast<long>(last_arrival(kind, hops + 1, flits)) - here,
                           rtl::TIME_DELTA, "arrival one hop further");
          require_constant("TIME_TAU",
                           static_cast<long>(last_arrival(kind, hops, flits + 1)) - here,
                           rtl::TIME_TAU, "arrival of one flit more");
        }
      }
    }
  }
}

TEST_CASE("timing: TIME_START is when the first slot begins after the start pulse") {
  for (const Kind& kind : kKinds) {
    DYNAMIC_SECTION(kind.name) {
      const auto arrival = static_cast<long>(last_arrival(kind, 1, 1));
      require_constant("TIME_START", arrival - long{rtl::TIME_DELTA} - long{rtl::TIME_TAU},
                       rtl::TIME_START, "arrival of the first flit after one hop");
    }
  }
}

TEST_CASE("timing: a stream is read in as many cycles as it has flits, and not in one fewer") {
  for (const Kind& kind : kKinds) {
    DYNAMIC_SECTION(kind.name) {
      for (std::uint32_t flits = 1; flits <= 6; ++flits) {
        const long length = smallest_length([&](std::uint32_t length) {
          HandMade f = fabric_of(kind);
          circuit(f, 1, flits, length);
          return f.run().clean();
        });
        require_constant(fmt::format("smallest slot for {} flits", flits), length,
                         flits * rtl::TIME_TAU, "no other limit");
      }
    }
  }
}

TEST_CASE("timing: TIME_LAT is the smallest slot after which a flit can be sent on") {
  for (const Kind& kind : kKinds) {
    DYNAMIC_SECTION(kind.name) {
      const long length =
          smallest_length([&](std::uint32_t length) { return passed_on(kind, 1, 1, length); });
      require_constant("TIME_LAT", length, rtl::TIME_LAT, "smallest slot of a relay");
    }
  }
}

TEST_CASE(
    "timing: a packet can be sent on after max(L, TIME_LAT) cycles, while its tail still arrives") {
  for (const Kind& kind : kKinds) {
    DYNAMIC_SECTION(kind.name) {
      for (std::uint32_t flits = 1; flits <= 6; ++flits) {
        const long length = smallest_length([&](std::uint32_t length) {
          HandMade f = fabric_of(kind);
          circuit(f, 1, flits, length);
          for (std::uint32_t i = 0; i < flits; ++i) f.read(1, kOn, arrived(f, i));
          send(f.slot(1, 8), kOn, flits);
          receive(f.slot(2, 8), kBack);
          return f.run().clean();
        });
        require_constant(fmt::format("smallest slot for {} flits", flits), length,
                         std::max(flits * rtl::TIME_TAU, rtl::TIME_LAT), "if they are passed on");
      }
    }
  }
}

TEST_CASE("timing: TIME_ALPHA is what a circuit's slot takes beyond its hops and flits") {
  for (const Kind& kind : kKinds) {
    DYNAMIC_SECTION(kind.name) {
      for (Node hops = 1; hops <= 4; ++hops) {
        for (std::uint32_t flits = 1; flits <= 4; ++flits) {
          const long length = smallest_length(
              [&](std::uint32_t length) { return passed_on(kind, hops, flits, length); });
          const long without = hops * rtl::TIME_DELTA + flits * rtl::TIME_TAU;
          require_constant("TIME_ALPHA", length - without, rtl::TIME_ALPHA,
                           fmt::format("{} hops, {} flits", hops, flits));
        }
      }
    }
  }
}

TEST_CASE("timing: in a circuit's slot a node stores what it passes on over all its other links") {
  for (const Kind& kind : kKinds) {
    DYNAMIC_SECTION(kind.name) {
      for (std::uint32_t flits = 1; flits <= 4; ++flits) {
        HandMade f = fabric_of(kind);
        const std::uint32_t length = rtl::TIME_ALPHA + 2 * rtl::TIME_DELTA + flits;
        f.read(0, kOn, {f.kind().own_log(), 0, flits, 0, 1, false});
        send(f.slot(0, length), kOn, flits);
        SlotEntry& fork = f.slot(1, length);
        receive(fork, kBack);
        std::vector<Endpoint> stored = {{1, kBack}};
        for (Port p = 0; p < f.topology().ports(); ++p) {
          if (p == kBack) continue;
          forward(fork, kBack, p);
          stored.push_back(f.topology().peer(1, p));
          receive(f.slot(stored.back().node, length), stored.back().port);
        }
        const Outcome outcome = f.run();
        REQUIRE(outcome.clean());
        for (const Endpoint& end : stored) {
          CAPTURE(flits, end.node, end.port);
          auto log = outcome.fabric->log(end.node, f.kind().single_port ? 0 : end.port);
          if (f.kind().single_port) log.erase(log.begin(), log.begin() + f.own_words);
          std::vector<std::uint32_t> words;
          for (std::uint32_t i = 0; i < flits; ++i) words.push_back(HandMade::word(0, i));
          CHECK(log == words);
        }
      }
    }
  }
}

TEST_CASE("timing: TIME_GUARD is what a slot takes beyond its flits if the next reverses a link") {
  for (std::uint32_t flits = 1; flits <= 6; ++flits) {
    const long length =
        smallest_length([&](std::uint32_t length) { return turned_round(flits, length); });
    require_constant("TIME_GUARD", length - flits * rtl::TIME_TAU, rtl::TIME_GUARD,
                     fmt::format("after {} flits", flits));
  }
}
