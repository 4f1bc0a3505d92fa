// Slots that are one cycle shorter than the software computes them: whenever that changes anything
// in the run, some check notices it.
#include <fmt/format.h>

#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "checks/link_oracle.hpp"
#include "checks/scoreboard.hpp"
#include "engines/engine_library.hpp"
#include "errors.hpp"
#include "expand_program.hpp"
#include "tables/compiler.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

constexpr Node kEveryNode = kNoNode;

/// The differences that the checks of a run noticed.
struct Verdict {
  bool hardware = false;  ///< a node raised an error
  bool words = false;     ///< a store has wrong contents
  bool links = false;     ///< a link differs from the schedule in some cycle
  bool cycles = false;    ///< the measured count differs from the prediction
  bool caught() const { return hardware || words || links || cycles; }
};

/// A compiled schedule whose slots can be shortened, its tables written out slot by slot.
class Bench {
 public:
  Bench(Schedule schedule, unsigned flits)
      : schedule_(std::move(schedule)),
        payload_(schedule_, flits, 1),
        compiled_(compile(schedule_, flits, tb::tile_ports(schedule_.topology().ports()))),
        oracle_(schedule_, compiled_.time, transfer_flits(schedule_, flits), payload_) {
    FabricImage& image = compiled_.image;
    image.own_begin.assign(1, 0);
    for (Node x = 0; x < nodes(); ++x) {
      for (const Message& m : own_messages(schedule_, x)) {
        for (unsigned i = 0; i < flits; ++i) image.own_words.push_back(payload_.word({m, i}));
      }
      image.own_begin.push_back(image.own_words.size());
    }
    for (NodeProgram& program : image.programs) {
      program.slots = expand(program.slots);
      program.slots.back().final = true;
    }
  }

  Node nodes() const { return schedule_.topology().nodes(); }
  std::size_t slots() const { return compiled_.time.length.size(); }

  /// Does a node send words from its store in a later slot?
  bool sends_after(std::size_t slot, Node x) const {
    const auto& slots = compiled_.image.programs[compiled_.image.program_of[x]].slots;
    for (std::size_t later = slot + 1; later < slots.size(); ++later) {
      for (Port p = 0; p < schedule_.topology().ports(); ++p) {
        if (slots[later].select[p] == select_local(p) && slots[later].stream > 0) return true;
      }
    }
    return false;
  }

  Verdict run_as_compiled() const { return run(compiled_.image); }
  /// Makes one slot shorter by so many cycles, at one node or at all of them.
  Verdict run_shortened(std::size_t slot, Node x = kEveryNode, std::uint32_t by = 1) const {
    FabricImage image = compiled_.image;
    if (x == kEveryNode) {
      for (NodeProgram& program : image.programs) program.slots[slot].length -= by;
    } else {
      NodeProgram program = image.programs[image.program_of[x]];
      program.slots[slot].length -= by;
      image.program_of[x] = static_cast<std::uint32_t>(image.programs.size());
      image.programs.push_back(program);
    }
    return run(image);
  }

 private:
  Verdict run(const FabricImage& image) const {
    const auto fabric = tb::make_tile_fabric(image.kind, false, 1);
    fabric->load(image);
    Verdict verdict;
    const std::uint64_t limit = compiled_.time.start.back() + compiled_.time.length.back() + 50;
    verdict.links =
        tb::compare_links(*fabric, image, oracle_, payload_, limit).difference.has_value();
    fabric->run(limit - std::min(limit, fabric->cycle()));
    verdict.hardware = !fabric->errors().empty();
    verdict.cycles = fabric->last_arrival() != compiled_.time.last_arrival;
    verdict.words = !tb::score(*fabric, image, payload_, schedule_.collective(), schedule_.root)
                         .problems.empty();
    return verdict;
  }

  Schedule schedule_;
  Payload payload_;
  CompiledSchedule compiled_;
  tb::LinkOracle oracle_;
};

Schedule gossip(const char* name, const char* topology, PortModel ports, Duplex duplex) {
  Request request{.topology = Topology::parse(topology), .cycle = {}};
  request.ports = ports;
  request.duplex = duplex;
  REQUIRE_FALSE(algorithm(name).refuses(request));
  return algorithm(name).plan(request);
}

/// Node 0 sends to nodes 5, 4, ... 1 of a ring, one after the other; each message takes one hop per
/// slot.
Schedule pipelined_broadcast() {
  Schedule s(Topology::parse("ring:6"), Collective::Broadcast,
             {PortModel::Single, Duplex::Full, Switching::Pipelined, false});
  const Message message{0, kNoNode};
  for (Node to = 5; to > 0; --to) {
    std::vector<Node> path;
    for (Node x = 0; x <= to; ++x) path.push_back(x);
    s.add(6 - to, path, {&message, 1});
  }
  return s;
}

/// Every slot but the last one: shortened everywhere, and at single nodes (every `step`-th).
void notices_every_slot(const Bench& bench, Node step = 1) {
  REQUIRE_FALSE(bench.run_as_compiled().caught());
  for (std::size_t slot = 0; slot + 1 < bench.slots(); ++slot) {
    CAPTURE(slot);
    CHECK(bench.run_shortened(slot).caught());
    for (Node x = 0; x < bench.nodes(); x += step) {
      CAPTURE(x);
      if (bench.sends_after(slot, x)) CHECK(bench.run_shortened(slot, x).caught());
    }
  }
}

/// Messages that fill their slots: the hardware notices by itself, even in the last slot.
void raises_in_every_slot(const Bench& bench) {
  for (std::size_t slot = 0; slot < bench.slots(); ++slot) {
    CAPTURE(slot);
    CHECK(bench.run_shortened(slot).hardware);
  }
}

}  // namespace

TEST_CASE("short slots: packets on rings, full duplex") {
  for (unsigned flits : {1u, 2u, 3u, 4u}) {
    CAPTURE(flits);
    const Bench bench(gossip("ring", "ring:5", PortModel::Single, Duplex::Full), flits);
    notices_every_slot(bench);
    if (flits >= rtl::TIME_LAT) raises_in_every_slot(bench);
  }
}

TEST_CASE("short slots: packets on even and odd rings, half duplex") {
  for (const char* topology : {"ring:6", "ring:5"}) {
    for (unsigned flits : {1u, 4u}) {
      CAPTURE(topology, flits);
      const Bench bench(gossip("ring", topology, PortModel::Single, Duplex::Half), flits);
      notices_every_slot(bench);
      if (flits >= rtl::TIME_LAT) raises_in_every_slot(bench);
    }
  }
}

TEST_CASE("short slots: products whose half-duplex links must turn around") {
  for (const char* topology : {"product:path:2,path:2", "product:path:2,ring:3"}) {
    for (unsigned flits : {1u, 3u, 5u}) {
      CAPTURE(topology, flits);
      const Bench bench(gossip("product", topology, PortModel::Single, Duplex::Half), flits);
      notices_every_slot(bench);
      if (flits >= rtl::TIME_LAT) raises_in_every_slot(bench);
    }
  }
}

TEST_CASE("short slots: circuits on the 7x7x7 torus") {
  for (const char* name : {"delmas-perennes", "delmas-perennes-split"}) {
    CAPTURE(name);
    const Bench bench(gossip(name, "torus:7x7x7", PortModel::All, Duplex::Full), 1);
    notices_every_slot(bench, 60);
    // The hardware notices by itself if the longest circuit does not fit into its slot.
    for (std::size_t slot = 0; slot < bench.slots(); ++slot) {
      CAPTURE(slot);
      CHECK(bench.run_shortened(slot, kEveryNode, rtl::TIME_ALPHA + 2).hardware);
    }
  }
}

TEST_CASE("short slots: pipelined circuits, a slot of one cycle per hop") {
  const Bench bench(pipelined_broadcast(), 1);
  notices_every_slot(bench);
  raises_in_every_slot(bench);
}
