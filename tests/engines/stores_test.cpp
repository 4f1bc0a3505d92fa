// The tile engine's compressed stores against its explicit ones (docs/research/scale.md).
#include "catch.hpp"
#include "engines/engine_library.hpp"
#include "engines/prepared.hpp"
#include "engines/same_links.hpp"
#include "runner/fabric_runner.hpp"
#include "support/error.hpp"
#include "tables/expected_logs.hpp"

namespace gossamer::test {
namespace {

struct Case {
  std::string topology, algorithm;
  Duplex duplex;
  PortModel ports;
  unsigned flits;
};

Schedule plan(const Case& c) {
  Request request{.topology = Topology::parse(c.topology), .cycle = {}};
  request.duplex = c.duplex;
  request.ports = c.ports;
  return algorithm(c.algorithm).plan(request);
}

struct Loaded {
  FabricImage image;
  std::unique_ptr<Fabric> fabric;
};

/// `tampered`: the first word of node 0 is wrong.
Loaded load(const Schedule& schedule, unsigned flits, bool compressed, bool tampered = false) {
  FabricImage image = prepare(schedule, flits, tb::tile_ports(schedule.topology().ports()));
  if (compressed) {
    image.expected = expected_logs(schedule, image.kind, Payload(schedule, flits, kPayloadSeed));
    REQUIRE(image.expected != nullptr);
  }
  if (tampered) image.own_words[0] ^= 0x10;
  auto fabric = tb::make_tile_fabric(image.kind, false, 3);
  fabric->load(image);
  return {std::move(image), std::move(fabric)};
}

void check_same_logs(const Loaded& a, const Loaded& b) {
  bool same = true;
  for (Node x = 0; x < a.image.topology.nodes(); ++x) {
    for (unsigned g = 0; g < a.image.kind.logs(); ++g) {
      same = same && a.fabric->log(x, g) == b.fabric->log(x, g);
    }
  }
  CHECK(same);
}

std::uint64_t words_of(const Loaded& loaded) {
  std::uint64_t words = 0;
  for (Node x = 0; x < loaded.image.topology.nodes(); ++x) {
    for (unsigned g = 0; g < loaded.image.kind.logs(); ++g) {
      words += loaded.fabric->log(x, g).size();
    }
  }
  return words;
}

Node count_as_expected(const Loaded& loaded) {
  Node count = 0;
  for (Node x = 0; x < loaded.image.topology.nodes(); ++x) count += loaded.fabric->as_expected(x);
  return count;
}

}  // namespace

TEST_CASE("compressed and explicit stores agree in every cycle on every link, and in every word") {
  const auto c =
      GENERATE(Case{"torus:7x7x7", "delmas-perennes", Duplex::Full, PortModel::All, 1},
               Case{"torus:7x7x7", "delmas-perennes", Duplex::Full, PortModel::All, 3},
               Case{"torus:7x7x7", "delmas-perennes-split", Duplex::Full, PortModel::All, 2},
               Case{"torus:5x5x5", "translation", Duplex::Full, PortModel::All, 1},
               Case{"torus:5x4", "translation", Duplex::Full, PortModel::All, 2},
               Case{"ring:9", "ring", Duplex::Full, PortModel::Single, 4},
               Case{"ring:8", "ring", Duplex::Half, PortModel::Single, 1});
  INFO(c.topology << ", " << c.algorithm << ", " << c.flits << " flits");
  const Schedule schedule = plan(c);
  const Loaded with = load(schedule, c.flits, true), without = load(schedule, c.flits, false);
  CHECK(first_disagreement(*with.fabric, *without.fabric, schedule.topology()) == "");
  CHECK(with.fabric->flits_moved() > 0);
  check_same_logs(with, without);
  CHECK(with.fabric->compared().words == words_of(without));
  CHECK(with.fabric->compared().different == 0);
  CHECK(without.fabric->compared().words == 0);
  CHECK(count_as_expected(with) == schedule.topology().nodes());
  CHECK(count_as_expected(without) == 0);
}

TEST_CASE("a word that is not what the schedule says is stored, sent on and read as it came") {
  const auto c = GENERATE(Case{"torus:7x7x7", "delmas-perennes", Duplex::Full, PortModel::All, 1},
                          Case{"ring:9", "ring", Duplex::Full, PortModel::Single, 4});
  INFO(c.topology);
  const Schedule schedule = plan(c);
  const Loaded with = load(schedule, c.flits, true, true);
  const Loaded without = load(schedule, c.flits, false, true);
  CHECK(first_disagreement(*with.fabric, *without.fabric, schedule.topology()) == "");
  check_same_logs(with, without);
  const Node nodes = schedule.topology().nodes();
  CHECK(with.fabric->compared().words == words_of(without));
  CHECK(with.fabric->compared().different == (c.ports == PortModel::All ? nodes - 1 : nodes));
  // All nodes have received it; a node of several logs stores its own message in none of them.
  CHECK(count_as_expected(with) == (c.ports == PortModel::All ? 1 : 0));
}

TEST_CASE("in the middle of a run compressed stores know how many words they have compared") {
  const Schedule schedule = plan({"torus:5x5x5", "translation", Duplex::Full, PortModel::All, 2});
  const Loaded with = load(schedule, 2, true), without = load(schedule, 2, false);
  std::uint64_t before = 0;
  for (int part = 0; part < 3; ++part) {
    with.fabric->run(15);
    without.fabric->run(15);
    REQUIRE_FALSE(with.fabric->done());
    CHECK(with.fabric->compared().words == words_of(without));
    CHECK(with.fabric->compared().words > before);
    before = with.fabric->compared().words;
  }
}

TEST_CASE("a run with compressed stores is judged as one with explicit stores") {
  RunOptions options;
  options.flits = 2;
  const Schedule schedule =
      plan({"torus:7x7x7", "delmas-perennes", Duplex::Full, PortModel::All, 2});
  options.compressed = false;
  const RunResult without = tb::FabricRunner().run(schedule, options);
  options.compressed = true;
  const RunResult with = tb::FabricRunner().run(schedule, options);
  CHECK(with.problems == std::vector<std::string>{});
  CHECK(with.delivered == std::uint64_t{343} * 342);
  CHECK(with.delivered == without.delivered);
  CHECK(with.expected == without.expected);
  CHECK(with.words_checked == without.words_checked);
  CHECK(with.cycles_measured == without.cycles_measured);
}

TEST_CASE("a fabric too large for the memory is refused with what would fit") {
  RunOptions options;
  options.flits = 4000;
  options.compressed = false;
  options.symmetric = false;  // one node of each class would fit
  const Schedule schedule = plan({"torus:16x16x16", "product", Duplex::Full, PortModel::Single, 1});
  std::string why;
  try {
    tb::FabricRunner().run(schedule, options);
  } catch (const InputError& e) {
    why = e.what();
  }
  INFO(why);
  CHECK(
      why.starts_with("torus:16x16x16: a run that keeps every word that arrives needs about 268."));
  CHECK(why.ends_with(" such nodes fit"));
}

TEST_CASE("packed digits are translated as nodes are") {
  const std::string spec =
      GENERATE("torus:5x4x3", "ring:7", "hypercube:6", "torus:49x49", "ghc:3x4");
  const Topology topology = Topology::parse(spec);
  const auto packing = DigitPacking::of(topology);
  REQUIRE(packing.has_value());
  const Node step = topology.nodes() > 1000 ? 13 : 1;
  bool same = true;
  for (Node x = 0; x < topology.nodes(); x += step) {
    same = same && packing->node(packing->pack(x)) == x;
    for (Node by = 0; by < topology.nodes(); by += step) {
      const std::uint32_t sum = packing->translate(packing->pack(x), packing->pack(by));
      same = same && packing->node(sum) == topology.translate(x, by);
    }
  }
  CHECK(same);
  CHECK_FALSE(DigitPacking::of(Topology::parse("mesh:3x4")).has_value());
}

}  // namespace gossamer::test
