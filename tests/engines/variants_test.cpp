#include <algorithm>
#include <bit>
#include <random>
#include <set>
#include <vector>

#include "catch.hpp"
#include "driver/suite.hpp"
#include "engines/engine_library.hpp"
#include "engines/prepared.hpp"
#include "engines/same_links.hpp"
#include "engines/tile/log_store.hpp"
#include "fabric/fabric.hpp"
#include "gossamer_constants.hpp"
#include "support/error.hpp"
#include "tables/expected_logs.hpp"

namespace gossamer::test {

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
inline FabricImage with_own_programs(FabricImage image) {
  std::vector<NodeProgram> programs;
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    programs.push_back(image.programs[image.program_of[x]]);
    image.program_of[x] = x;
  }
  image.programs = std::move(programs);
  return image;
}

inline void spoil(SlotEntry& e, const NodeKind& kind, Dice& dice) {
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

inline void spoil(std::vector<Segment>& list, const NodeKind& kind, Dice& dice) {
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
inline void spoil_registers(FabricImage& image, Dice& dice) {
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

/// Changes one thing in one program.
inline void spoil(FabricImage& image, Dice& dice) {
  const auto programs = static_cast<std::uint32_t>(image.programs.size());
  NodeProgram& program = image.programs[dice.below(programs)];
  if (dice.below(10) < 7) {
    const auto entries = static_cast<std::uint32_t>(program.slots.size());
    spoil(program.slots[dice.below(entries)], image.kind, dice);
  } else {
    const auto lists = static_cast<std::uint32_t>(program.channels.size());
    spoil(program.channels[dice.below(lists)], image.kind, dice);
  }
}

/// Changes a few things: in tables, and now and then the capacity of logs or a node's registers.
inline FabricImage spoiled(FabricImage image, std::uint32_t seed) {
  Dice dice(seed);
  for (std::uint32_t n = 1 + dice.below(3); n > 0; --n) spoil(image, dice);
  if (dice.below(8) == 0) --image.capacity;
  if (dice.below(4) == 0) spoil_registers(image, dice);
  return image;
}

// A fabric does the same however it is simulated: without the nodes in which nothing happens, by
// several threads, with stores that keep only what differs, eight nodes at a time, with all its
// memories (flat), as a model in SystemC. Each is held against a tile engine that spares nothing,
// on every link in every cycle, in every word and every error; on cases.toml as planned, and with
// random changes of their tables and registers.

namespace {

/// How it is simulated. The seeds are those of registers' first values.
struct Way {
  std::string engine = "tile";
  unsigned threads = 1;
  bool idle = true, compressed = false, lanes = false;
  bool model() const { return engine != "tile"; }
};
const Way kPlain{.idle = false};

std::string words(const Way& way) {
  return fmt::format("{}, {} threads{}{}", way.engine, way.threads,
                     way.compressed ? ", compressed" : "", way.lanes ? ", lanes" : "");
}

/// A case of a suite, planned, with the images of its nodes.
struct Planned {
  Case asked;
  Schedule schedule;
  unsigned flits;

  explicit Planned(const Case& c)
      : asked(c), schedule(make_plan(c).schedule), flits(flits_of(c, schedule)) {}

  /// For nodes with exactly the topology's ports, or for tiles.
  FabricImage image(bool exact) const {
    const Port ports = schedule.topology().ports();
    const Port of_tile = adaptive(schedule) ? 8 : tb::tile_ports(ports);
    return prepare(schedule, flits, exact ? std::max<Port>(ports, 2) : of_tile, nullptr,
                   asked.stages.on(schedule));
  }
  std::unique_ptr<Fabric> load(FabricImage image, const Way& way) const {
    std::unique_ptr<Fabric> fabric;
    if (way.engine == "systemc") {
      fabric = tb::make_systemc_fabric();
    } else if (way.engine == "flat") {
      fabric = tb::make_flat_fabric(image.topology, image.kind, depths_for(image, tb::kFlatDepths),
                                    false, 12, image.stages);
    } else {
      fabric = tb::make_tile_fabric(image.kind, false, 3, image.most_stages() != 0,
                                    way.lanes ? tb::Speed::Fast : tb::Speed::Plain);
    }
    fabric->skip_idle(way.idle);
    fabric->use_threads(way.threads);
    if (way.compressed) {
      image.expected = expected_logs(schedule, image.kind, Payload(schedule, flits, kPayloadSeed));
    }
    fabric->load(image);
    return fabric;
  }
  bool can_be_compressed() const {
    const Payload payload(schedule, flits, kPayloadSeed);
    return expected_logs(schedule, image(false).kind, payload) != nullptr;
  }

  void check(const Way& way) const {
    INFO(asked.name << ": " << words(way));
    const FabricImage exact = image(way.model());
    const auto plain = load(image(false), kPlain), other = load(exact, way);
    CHECK(first_disagreement(*plain, *other, schedule.topology()) == "");
    const unsigned logs = exact.kind.single_port ? 1 : schedule.topology().ports();
    CHECK(unlike_logs(*plain, *other, schedule.topology().nodes(), logs) == "");
    CHECK(plain->flits_moved() > 0);
    if (schedule.faults.empty()) CHECK(text(plain->errors()) == "");
    if (!way.compressed) return;
    std::uint64_t stored = 0;
    for (Node x = 0; x < schedule.topology().nodes(); ++x) {
      CHECK(other->as_expected(x));
      for (unsigned g = 0; g < exact.kind.logs(); ++g) stored += plain->log(x, g).size();
    }
    CHECK(other->compared().words == stored);
    CHECK(other->compared().different == 0);
  }

  /// Random wrong tables, other ones for each case; adds the codes of the errors that they raise.
  void check_wrong(const Way& way, std::uint32_t seeds, std::set<std::uint32_t>& codes) const {
    // What compressed stores expect is for the nodes of each program.
    const FabricImage right = way.compressed ? image(false) : with_own_programs(image(false));
    const Compare compare = way.model() || way.lanes ? Compare::NotData : Compare::Everything;
    std::uint32_t seed = 0;
    for (const char letter : asked.name) seed = seed * 31 + static_cast<unsigned char>(letter);
    for (const std::uint32_t end = seed + seeds; seed != end; ++seed) {
      INFO(asked.name << ": " << words(way) << ", seed " << seed);
      FabricImage wrong = spoiled(right, seed);
      if (seed % 3 == 0) wrong.own_words[seed % wrong.own_words.size()] ^= 0x10;
      if (way.engine == "flat") wrong.capacity = right.capacity;  // its memories are as they are
      const auto plain = load(wrong, kPlain);
      std::unique_ptr<Fabric> other;
      try {
        other = load(wrong, way);
      } catch (const InputError&) {  // what nobody could write into a node
        REQUIRE(way.engine == "flat");
        continue;
      }
      const std::string difference =
          first_disagreement(*plain, *other, schedule.topology(), compare, 3000);
      if (difference != "no end") CHECK(difference == "");
      for (const NodeError& e : plain->errors()) {
        for (unsigned code = 0; code < rtl::ERROR_CODES; ++code)
          if (e.seen >> code & 1) codes.insert(code);
      }
      if (compare == Compare::NotData) continue;
      CHECK(unlike_logs(*plain, *other, schedule.topology().nodes(), right.kind.logs()) == "");
    }
  }
};

std::vector<Planned> planned(const std::string& pattern = "*") {
  std::vector<Planned> all;
  for (const SuiteCase& c : select_cases(read_suite("tests/engines/cases.toml").cases, {pattern}))
    all.emplace_back(c.request);
  return all;
}

Case asked(const std::string& topology, const std::string& algorithm, unsigned flits) {
  Case c;
  c.name = c.topology = topology;
  c.algorithm = algorithm;
  c.flits = flits;
  return c;
}

/// Nodes of several kinds, so many that eight of them do the same.
std::vector<Planned> for_lanes() {
  std::vector<Case> cases{asked("torus:7x7x7", "delmas-perennes", 1),
                          asked("torus:7x7x7", "delmas-perennes", 3),
                          asked("torus:7x7x7", "lee-code", 2), asked("torus:4x6", "any-graph", 3),
                          asked("ring:9", "ring-reduce", 9)};
  cases[3].ports = PortModel::Single;
  cases[3].duplex = Duplex::Half;
  cases[3].stages = LinkStages::parse("0,3");  // unlike ones: lanes are by port
  cases[4].ports = PortModel::All;
  cases[4].collective = Collective::AllReduce;
  cases[4].op = Operator::OP_MIN;
  return {cases.begin(), cases.end()};
}

}  // namespace

TEST_CASE("variants: whatever is spared, every link, word and error is the same") {
  for (const Planned& p : planned()) {
    p.check({});
    p.check({.threads = 3});
    if (p.can_be_compressed()) p.check({.threads = 2, .compressed = true});
    if (p.asked.engine == "flat") p.check({.engine = "flat"});
  }
}

TEST_CASE("variants: wrong tables and wrong words do the same, too") {
  std::set<std::uint32_t> codes;
  for (const Planned& p : planned()) {
    p.check_wrong({}, 8, codes);
    p.check_wrong({.threads = 2}, 3, codes);
    if (p.can_be_compressed()) p.check_wrong({.compressed = true}, 8, codes);
    if (p.asked.engine == "flat" && p.image(true).kind.ports == p.image(false).kind.ports)
      p.check_wrong({.engine = "flat"}, 8, codes);
  }
  CHECK(codes.size() >= 8);
}

TEST_CASE("variants: the model in SystemC is as the RTL, and raises every error where it does") {
  if (!GOSSAMER_SYSTEMC) return;
  std::set<std::uint32_t> codes;
  for (const Planned& p : planned()) {
    p.check({.engine = "systemc"});
    // Two ends seldom drive one link at once.
    const bool half = p.schedule.model().duplex == Duplex::Half;
    p.check_wrong({.engine = "systemc"}, half ? 300 : 50, codes);
  }
  for (const rtl::NamedValue& code : rtl::error_e_table) {
    INFO(code.name);
    // Whatever is written into a table is written with its parity.
    const bool possible = code.value != 0 && code.value != unsigned(rtl::error_e::ERR_PARITY);
    CHECK(codes.contains(code.value) == possible);
  }
}

TEST_CASE("variants: nodes that are evaluated at once, in lanes, do what each does by itself") {
  std::set<std::uint32_t> codes;
  for (const Planned& p : for_lanes()) {
    p.check({.lanes = true});
    if (p.can_be_compressed()) p.check({.threads = 3, .compressed = true, .lanes = true});
    p.check_wrong({.lanes = true}, 4, codes);
  }
  CHECK(codes.size() > 2);
}

TEST_CASE("variants: nothing of a run, wrong or cut off, is seen in the next one on a fabric") {
  const std::string engine = GENERATE("tile", "flat", "systemc");
  if (engine == "systemc" && !GOSSAMER_SYSTEMC) return;
  const Duplex duplex = GENERATE(Duplex::Full, Duplex::Half);
  std::vector<FabricImage> images = unlike(duplex, 4);
  const auto make = [&]() -> std::unique_ptr<Fabric> {
    const FabricImage& image = images.back();
    if (engine == "systemc") return tb::make_systemc_fabric();
    if (engine == "tile") return tb::make_tile_fabric(image.kind, false, 11);
    return tb::make_flat_fabric(image.topology, image.kind,
                                depths_for(images.front(), tb::kFlatDepths), false, 12);
  };
  CHECK(difference_after(*make(), *make(), images) == "");
  if (engine != "tile") return;
  // Stores that are compared with what is expected, before such that are not, and the other way
  // round.
  const Schedule schedule = plan("torus:4x4", "product", duplex);
  images.front().expected =
      expected_logs(schedule, images.front().kind, Payload(schedule, 5, kPayloadSeed));
  images.front().own_words[0] ^= 1;
  CHECK(difference_after(*make(), *make(), images) == "");
  std::ranges::reverse(images);
  CHECK(difference_after(*make(), *make(), images) == "");
}

TEST_CASE("variants: more than a million wrong words in compressed stores end the run") {
  const Schedule schedule = plan("ring:4", "ring", Duplex::Full);
  FabricImage image = prepare(schedule, 1u << 19, 2);
  image.expected = expected_logs(schedule, image.kind, Payload(schedule, 1u << 19, kPayloadSeed));
  tb::LogStore<1, true, false, 1> store;
  store.load(image, 0, 4);
  const auto fill = [&](std::size_t words) {
    for (std::size_t i = 0; i < words; ++i) store.append(1, 0, 0);
  };
  fill(tb::kMostDifferentWords);
  CHECK(store.compared().different == tb::kMostDifferentWords);
  CHECK_THROWS_AS(fill(1), GaveUp);
}

// torus_fabric with all its memories, in runs that other engines do not have.

namespace {

std::unique_ptr<Fabric> flat_of(const FabricImage& image) {
  return tb::make_flat_fabric(image.topology, image.kind, depths_for(image, tb::kFlatDepths), false,
                              12);
}

}  // namespace

TEST_CASE("a flat fabric that was read in the middle of a run does not run on") {
  const Schedule schedule = plan("ring:8", "ring", Duplex::Full);
  const FabricImage image = prepare(schedule, 2, 2);
  const auto fabric = flat_of(image);
  fabric->load(image);
  fabric->run(5);
  CHECK(fabric->log(3, 0).size() >= 2);
  CHECK_THROWS_AS(fabric->run(1), std::logic_error);
}

}  // namespace gossamer::test
