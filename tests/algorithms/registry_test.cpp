#include "algorithms/registry.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "algorithms/samples.hpp"
#include "best_algorithm.hpp"
#include "bounds/bounds.hpp"
#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "play.hpp"
#include "support/error.hpp"
#include "topology/kinds.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

template <typename F>
std::string error_of(F f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("every algorithm is found by its name, and names are unique") {
  std::set<std::string> names;
  for (const Algorithm& candidate : algorithms()) {
    CHECK(names.insert(candidate.name).second);
    CHECK(&algorithm(candidate.name) == &candidate);
    CHECK_FALSE(candidate.source.empty());
    CHECK_FALSE(candidate.summary.empty());
  }
  for (const char* name : {"ring", "hamiltonian", "product", "delmas-perennes"}) {
    CHECK(names.count(name) == 1);
  }
}

TEST_CASE("an unknown algorithm is answered with the nearest one") {
  CHECK(error_of([] { algorithm("hamiltonain"); }) ==
        "unknown algorithm 'hamiltonain': did you mean 'hamiltonian'?");
  CHECK(error_of([] { algorithm("quicksort"); }).find("known are: ring, hamiltonian") !=
        std::string::npos);
}

TEST_CASE("without a name the algorithm with the fewest rounds is taken") {
  CHECK(best_algorithm(gossip_on("ring:9", Duplex::Half)).name == "ring");
  CHECK(best_algorithm(gossip_on("torus:3x5", Duplex::Half)).name == "hamiltonian");
  CHECK(best_algorithm(gossip_on("mesh:3x3", Duplex::Full)).name == "product");
  Request request = gossip_on("torus:7x7x7", Duplex::Full);
  request.ports = PortModel::All;
  CHECK(best_algorithm(request).name == "lee-code");  // as many rounds, shorter dipaths
}

TEST_CASE("where no algorithm serves, one line says the reason that matters, or what would do") {
  Request request = gossip_on("ring:9", Duplex::Full);
  request.cycle = {0, 1, 2};
  request.collective = Collective::Gather;
  const std::string error = error_of([&] { best_algorithm(request); });
  CAPTURE(error);
  CHECK(error.find('\n') == std::string::npos);
  CHECK(error ==
        "no algorithm for gather on ring:9 through a single port: any-graph takes no cycle");
}

TEST_CASE("a refusal names what serves the same topology") {
  Request request = gossip_on("torus:4x4", Duplex::Half);
  request.tolerant = true;
  CHECK(error_of([&] { best_algorithm(request); }) ==
        "no algorithm for gossip on torus:4x4 through a single port over half-duplex links that "
        "tolerates faults: translation serves it through all ports without faults");
  request = gossip_on("torus:4x4", Duplex::Full);
  request.tolerant = true;
  CHECK(error_of([&] { best_algorithm(request); }) ==
        "no algorithm for gossip on torus:4x4 through a single port that tolerates faults: "
        "translation serves it through all ports without faults");
}

TEST_CASE("an algorithm without a formula is taken where no other serves, through all ports") {
  constexpr std::array kBoth = {PortModel::Single, PortModel::All};
  Request request = gossip_on("ring:9", Duplex::Full);
  request.collective = Collective::Gather;
  CHECK(best_algorithm(request).name == "any-graph");
  CHECK(best_choice(request, kBoth).ports == PortModel::All);
  request = gossip_on("edges:tests/data/star-9.json", Duplex::Full);
  CHECK(best_choice(request, kBoth).algorithm->name == "any-graph");
  CHECK(best_choice(request, kBoth).ports == PortModel::All);
}

TEST_CASE("of both port models the one with fewer rounds is taken, and single ports among equals") {
  constexpr std::array kBoth = {PortModel::Single, PortModel::All};
  const auto best = [&](const char* topology) {
    return best_choice(gossip_on(topology, Duplex::Full), kBoth);
  };
  CHECK(best("torus:7x7x7").algorithm->name == "lee-code");
  CHECK(best("torus:7x7x7").formula.rounds == 4);
  CHECK(best("path:2").ports == PortModel::Single);
  CHECK(best("mesh:3x4").algorithm->name == "hamiltonian");  // product takes one more round
  // The same rounds, but a schedule that lists every transfer.
  CHECK(best_algorithm(gossip_on("torus:4x4", Duplex::Full)).name == "product");
}
