#include <set>

#include "algorithms/algorithm.hpp"
#include "catch.hpp"
#include "play.hpp"
#include "support/error.hpp"

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

TEST_CASE("where no algorithm serves, one line says why each refused") {
  Request request = gossip_on("ring:9", Duplex::Full);
  request.collective = Collective::Gather;
  const std::string error = error_of([&] { best_algorithm(request); });
  CAPTURE(error);
  CHECK(error.find('\n') == std::string::npos);
  CHECK(error.find("no algorithm for gather on ring:9") == 0);
  CHECK(error.find("hamiltonian serves gossip only, not gather") != std::string::npos);
}
