// SystemC has one current simulation; here many exist in one process.
#include <algorithm>

#include "catch.hpp"
#include "driver/suite.hpp"
#include "engines/engine_library.hpp"
#include "engines/prepared.hpp"
#include "engines/same_links.hpp"
#include "runner/fabric_runner.hpp"
#include "support/error.hpp"

namespace gossamer::test {

TEST_CASE("SystemC fabrics run side by side, one after the other, and again") {
  const FabricImage ring = prepare(plan("ring:8", "ring", Duplex::Half), 2, 2);
  const FabricImage torus = prepare(plan("torus:3x3", "product", Duplex::Full), 1, 4);
  const auto a = tb::make_systemc_fabric(), b = tb::make_systemc_fabric();
  a->load(ring);
  for (int run = 0; run < 3; ++run) {
    b->load(torus);
    CHECK(b->cycle() == 0);
    CHECK_FALSE(b->done());
    CHECK(b->running(100).size() == 9);
    a->run(1);
    b->run(1000);
    CHECK(b->done());
    CHECK(b->log(4, 0).size() == 9);
    CHECK(a->cycle() == static_cast<std::uint64_t>(run) + 1);
  }
  a->run(1000);
  CHECK(a->done());
  CHECK(a->last_arrival() == 1 + 13 * 3 + 1 + 2);  // 14 rounds of TIME_LAT cycles, 2 flits
}

TEST_CASE(
    "nothing of a schedule that was run, wrong or cut off before is seen in the next one on the "
    "same SystemC fabric") {
  const std::vector<FabricImage> images = unlike(GENERATE(Duplex::Full, Duplex::Half), 4);
  CHECK(difference_after(*tb::make_systemc_fabric(), *tb::make_systemc_fabric(), images) == "");
}

TEST_CASE("a suite runs on the SystemC engine, several cases at a time") {
  std::vector<SuiteCase> cases =
      select_cases(read_suite("tests/regression.toml").cases, {"ring-8*", "hypercube-3-product*"});
  for (SuiteCase& c : cases) c.request.engine = "systemc";
  tb::FabricRunner runner;
  const auto results = run_suite(cases, 3, runner, {}, [](const SuiteCase&, const SuiteResult&) {});
  CHECK(results.size() == cases.size());
  CHECK(std::ranges::all_of(results, [](const SuiteResult& r) { return r.report.passed(); }));
}

}  // namespace gossamer::test
