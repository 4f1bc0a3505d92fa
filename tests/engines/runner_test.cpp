// The engines as the command uses them.
#include <fmt/format.h>

#include <random>

#include "catch.hpp"
#include "engines/engine_library.hpp"
#include "engines/make_fabric.hpp"
#include "engines/prepared.hpp"
#include "engines/same_links.hpp"
#include "runner/fabric_runner.hpp"
#include "refusal.hpp"

namespace gossamer::test {
namespace {

std::string refusal(const Schedule& schedule, const std::string& engine) {
  RunOptions options;
  options.engine = engine;
  return ::refusal([&] { tb::FabricRunner().run(schedule, options); });
}

}  // namespace

TEST_CASE("both engines run a schedule as predicted") {
  RunOptions options;
  options.flits = 4;
  options.engine = GENERATE("tile", "flat");
  const auto duplex = GENERATE(Duplex::Full, Duplex::Half);
  const RunResult result = tb::FabricRunner().run(plan("ring:8", "ring", duplex), options);
  INFO(options.engine);
  CHECK(result.problems == std::vector<std::string>{});
  CHECK(result.cycles_measured == result.cycles_predicted);
  CHECK(result.delivered == 56);
  CHECK(result.words_checked == 8 * 8 * 4);
}

TEST_CASE("an initiated gossip runs as the model says, with more faults than it tolerates") {
  const auto ports = GENERATE(PortModel::Single, PortModel::All);
  Schedule schedule = plan_any("hypercube:3", "chau-fu-initiated", Collective::Gossip, ports);
  std::mt19937 random(3);
  for (unsigned i = 0; i < 120; ++i) {
    // Three or four links of twelve, half of the times with a dead node.
    std::string faults = i % 2 == 0 ? "links=" : fmt::format("nodes={};links=", 1 + random() % 7);
    for (unsigned k = 3 + i % 4 / 2; k > 0; --k) {
      const auto from = static_cast<Node>(random() % 8);
      faults += fmt::format("{}-{}{}", from, from ^ (1U << random() % 3), k > 1 ? "," : "");
    }
    RunOptions options;
    options.flits = 1 + i / 4 % 3;
    CAPTURE(faults, options.flits);
    schedule.faults = parse_faults(faults, schedule.topology(), 1);
    for (const std::string& problem : tb::FabricRunner().run(schedule, options).problems) {
      // The list ends with how many more there are.
      const bool more = problem.ends_with(" in message stores");
      CHECK((more || problem.find(" never got the message") != std::string::npos));
    }
  }
}

TEST_CASE("a tile compiled for speed shows on every link what the quickly compiled one does") {
  const Schedule schedule = plan("ring:8", "ring", Duplex::Full);
  const FabricImage image = prepare(schedule, 3, 2);
  const auto quick = tb::make_tile_fabric(image.kind, false, 3);
  const auto fast = tb::make_tile_fabric(image.kind, false, 4, false, tb::Speed::Fast);
  quick->load(image);
  fast->load(image);
  CHECK(first_disagreement(*quick, *fast, schedule.topology()) == "");
}

TEST_CASE("only long runs ask for a tile compiled for speed") {
  struct Seen {};
  const auto is_long = [](unsigned flits) {
    bool found = false;
    RunOptions options;
    options.flits = flits;
    const tb::MakeFabric look = [&](const RunOptions& seen,
                                    const FabricImage&) -> std::unique_ptr<Fabric> {
      found = seen.long_run;
      throw Seen();
    };
    try {
      tb::FabricRunner(nullptr, look).run(plan("ring:64", "ring", Duplex::Full), options);
    } catch (const Seen&) {
    }
    return found;
  };
  CHECK_FALSE(is_long(1));
  CHECK_FALSE(is_long(10'000));  // 63 rounds of 64 nodes: 40 million
  CHECK(is_long(14'000));
}

TEST_CASE("the flat engine says which topologies it cannot be") {
  CHECK(refusal(plan("butterfly:3", "hamiltonian", Duplex::Full), "flat") ==
        "topology 'butterfly:3': torus_fabric is a product of rings and paths, and butterfly:3 is "
        "neither; use the tile engine");
  CHECK(refusal(plan("ghc:4x4", "hamiltonian", Duplex::Full), "flat") ==
        "topology 'ghc:4x4': torus_fabric is a product of rings and paths, and complete:4 is "
        "neither; use the tile engine");
}

TEST_CASE("an engine that does not exist is refused by name") {
  CHECK(refusal(plan("ring:4", "ring", Duplex::Full), "flet") ==
        "unknown engine 'flet': known are tile, flat and systemc");
}

}  // namespace gossamer::test
