// Wrong tables on the SystemC model and on the RTL: chosen ones and some hundred random ones. Both
// must show the same flits in the same cycles and raise the same errors, first slot and port
// included.
#include <algorithm>
#include <bit>
#include <random>
#include <set>

#include "catch.hpp"
#include "engines/engine_library.hpp"
#include "engines/prepared.hpp"
#include "side_by_side.hpp"

namespace gossamer::test {
namespace {

constexpr std::uint64_t kLimit = 3000;

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t n) { return engine_() % n; }
  /// One more, one less, nothing, or a small number.
  std::uint32_t near(std::uint32_t value) {
    switch (below(4)) {
      case 0: return value + 1;
      case 1: return value == 0 ? 1 : value - 1;
      case 2: return 0;
      default: return below(12);
    }
  }

 private:
  std::mt19937 engine_;
};

/// Every node gets its own program, so that a single one can be wrong.
FabricImage with_own_programs(FabricImage image) {
  std::vector<NodeProgram> programs;
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    programs.push_back(image.programs[image.program_of[x]]);
    image.program_of[x] = x;
  }
  image.programs = std::move(programs);
  return image;
}

void spoil(SlotEntry& e, const NodeKind& kind, Dice& dice) {
  const std::uint32_t codes = 1u << std::bit_width(kind.ports);
  switch (dice.below(9)) {
    case 0: e.length = dice.near(e.length); break;
    case 1: e.stream = dice.near(e.stream); break;
    case 2: e.repeat = dice.near(e.repeat); break;
    case 3: e.loops = dice.near(e.loops); break;
    case 4: e.begins = !e.begins; break;
    case 5: e.loop = !e.loop; break;
    case 6: e.final = !e.final; break;
    case 7: e.receive ^= std::uint64_t{1} << dice.below(kind.ports); break;
    default: e.select[dice.below(kind.ports)] = dice.below(codes);
  }
}

void spoil(std::vector<Segment>& list, const NodeKind& kind, Dice& dice) {
  if (list.empty()) return;
  const std::size_t at = dice.below(static_cast<std::uint32_t>(list.size()));
  Segment& s = list[at];
  switch (dice.below(kind.adaptive ? 8 : 7)) {
    case 0: s.base = dice.near(s.base); break;
    case 1: s.run = dice.near(s.run); break;
    case 2: s.stride = dice.near(s.stride); break;
    case 3: s.count = dice.near(s.count); break;
    case 4: s.log = dice.below(kind.ports + 1); break;
    case 5: s.stop = !s.stop; break;
    case 7: s.same = !s.same; break;
    default: list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

/// Changes dead outputs, or an adaptive node's position.
void spoil_registers(FabricImage& image, Dice& dice) {
  const Node nodes = image.topology.nodes();
  if (image.kind.adaptive && dice.below(2) == 0) {
    if (dice.below(3) == 0) {
      image.initiator.resize(nodes);
      image.initiator[dice.below(nodes)] = dice.below(nodes) << image.message_shift;
    } else {
      image.partner[dice.below(image.topology.ports())] = dice.below(nodes) << image.message_shift;
    }
  } else {
    image.dead.resize(nodes);
    image.dead[dice.below(nodes)] = dice.below(1u << image.kind.ports);
    image.dead_after = dice.below(6);
  }
}

/// Changes one thing in one node's program.
void spoil(FabricImage& image, Dice& dice) {
  NodeProgram& program = image.programs[dice.below(image.topology.nodes())];
  if (dice.below(10) < 7) {
    const auto entries = static_cast<std::uint32_t>(program.slots.size());
    spoil(program.slots[dice.below(entries)], image.kind, dice);
  } else {
    const auto lists = static_cast<std::uint32_t>(program.channels.size());
    spoil(program.channels[dice.below(lists)], image.kind, dice);
  }
}

/// Returns the first error codes of the nodes.
std::set<std::uint32_t> check_same(const FabricImage& image) {
  Pair pair = load_both(image, image);
  REQUIRE(first_difference(pair, image.topology, kLimit, Compare::NotData) == "");
  REQUIRE(text(pair.model->errors()) == text(pair.tile->errors()));
  std::set<std::uint32_t> codes;
  for (const NodeError& e : pair.tile->errors()) codes.insert(e.first_code);
  return codes;
}

struct Base {
  const char* topology;
  const char* algorithm;
  Collective collective;
  PortModel ports;
  Duplex duplex;
  unsigned flits;
};

FabricImage image_of(const Base& base) {
  Request request{.topology = Topology::parse(base.topology), .cycle = {}};
  request.collective = base.collective;
  request.ports = base.ports;
  request.duplex = base.duplex;
  const Schedule schedule = algorithm(base.algorithm).plan(request);
  return with_own_programs(prepare(schedule, base.flits, ports_of_tile(schedule)));
}

}  // namespace

TEST_CASE("a wrong table raises the same errors in SystemC and in the RTL") {
  FabricImage image = prepare(plan("ring:8", "ring", Duplex::Full), 4, 2);
  REQUIRE(image.programs.size() == 1);
  NodeProgram& program = image.programs.front();
  std::set<std::uint32_t> wanted;
  const auto expect = [&wanted](rtl::error_e e) { wanted = {static_cast<std::uint32_t>(e)}; };
  SECTION("none if it is right") {}
  SECTION("a stream cut off by its slot") {
    program.slots.front().length = 3;
    expect(rtl::error_e::ERR_CUT);
  }
  SECTION("a stream that nobody receives") {
    program.slots.front().receive = 0;
    expect(rtl::error_e::ERR_UNEXPECTED);
  }
  SECTION("a stream that nobody sends") {
    program.slots.front().stream = 0;
    expect(rtl::error_e::ERR_MISSING);
  }
  SECTION("a table without its last entry") {
    program.slots.back().final = false;
    expect(rtl::error_e::ERR_MALFORMED);
  }
  SECTION("a list without its last segment") {
    program.channels[0].pop_back();
    expect(rtl::error_e::ERR_EXHAUSTED);
  }
  SECTION("a word that never comes") {
    program.channels[0].front().base = 5;
    expect(rtl::error_e::ERR_UNWRITTEN);
  }
  SECTION("a store that is too small") {
    image.capacity = 30;
    expect(rtl::error_e::ERR_OVERFLOW);
  }
  SECTION("two sends through one port") {
    program.slots.front().select = {select_local(0), select_local(1)};
    expect(rtl::error_e::ERR_LIMIT);
  }
  CHECK(check_same(image) == wanted);
}

TEST_CASE("random wrong tables do the same in SystemC and in the RTL") {
  using enum Collective;
  const Base bases[] = {
      {"ring:4", "ring", Gossip, PortModel::Single, Duplex::Full, 3},
      {"ring:5", "ring", Gossip, PortModel::Single, Duplex::Half, 2},
      {"torus:3x3", "product", Gossip, PortModel::Single, Duplex::Full, 1},
      {"hypercube:3", "product", Gossip, PortModel::Single, Duplex::Half, 2},
      {"hypercube:4", "bertsekas", TotalExchange, PortModel::All, Duplex::Full, 1},
      {"torus:3x3", "translation", Gossip, PortModel::All, Duplex::Full, 2},
      {"hypercube:3", "chau-fu", Gossip, PortModel::Single, Duplex::Full, 2},
      {"hypercube:3", "chau-fu", Gossip, PortModel::All, Duplex::Full, 3},
      {"hypercube:3", "chau-fu-initiated", Gossip, PortModel::All, Duplex::Full, 1},
  };
  std::set<std::uint32_t> reported;
  std::uint32_t seed = 0;
  for (const Base& base : bases) {
    const FabricImage right = image_of(base);
    for (int i = 0; i < 250; ++i) {
      INFO(base.topology << " " << base.algorithm << ", seed " << seed);
      Dice dice(seed++);
      FabricImage wrong = right;
      for (std::uint32_t n = 1 + dice.below(3); n > 0; --n) spoil(wrong, dice);
      if (dice.below(8) == 0) wrong.capacity = right.capacity - 1;
      if (dice.below(4) == 0) spoil_registers(wrong, dice);
      reported.merge(check_same(wrong));
    }
  }
  for (const rtl::NamedValue& code : rtl::error_e_table) {
    INFO(code.name);
    // Whatever is written into a table is written with its parity.
    const bool possible =
        code.value != 0 && code.value != static_cast<unsigned>(rtl::error_e::ERR_PARITY);
    CHECK(reported.contains(code.value) == possible);
  }
}

}  // namespace gossamer::test
