// A simulation does not depend on the number of its threads.
#include "catch.hpp"
#include "engine_library.hpp"
#include "engines/prepared.hpp"
#include "engines/same_links.hpp"

namespace gossamer::test {
namespace {

std::unique_ptr<Fabric> load(const FabricImage& image, unsigned threads) {
  auto fabric = tb::make_tile_fabric(image.kind, false, 3);
  fabric->use_threads(threads);
  fabric->load(image);
  return fabric;
}

}  // namespace

TEST_CASE("one, two and three threads show the same on every link in every cycle") {
  const Schedule schedule = plan("torus:5x5x5", "product", Duplex::Full);
  const FabricImage image = prepare(schedule, 1, 6);
  const unsigned threads = GENERATE(2u, 3u);
  const auto one = load(image, 1), several = load(image, threads);
  CHECK(first_disagreement(*one, *several, schedule.topology()) == "");
  CHECK(one->flits_moved() > 0);
  CHECK(several->errors().empty());
  bool same = true;
  for (Node x = 0; x < schedule.topology().nodes(); ++x) {
    same = same && one->log(x, 0) == several->log(x, 0);
  }
  CHECK(same);
}

TEST_CASE("more threads than nodes simulate a fabric too") {
  const Schedule schedule = plan("ring:3", "ring", Duplex::Full);
  const FabricImage image = prepare(schedule, 2, 2);
  const auto one = load(image, 1), several = load(image, 5);
  CHECK(first_disagreement(*one, *several, schedule.topology()) == "");
}

}  // namespace gossamer::test
