// Files with one transfer of each orbit: the key "translations".
#include <random>
#include <sstream>

#include "broken_rules.hpp"
#include "catch.hpp"
#include "samples/schedules.hpp"
#include "schedule/jsonl.hpp"
#include "support/error.hpp"

using namespace gossamer;
using namespace gossamer::samples;

namespace {

using Catch::Matchers::Contains;

std::string orbits_text(const Schedule& schedule) {
  std::ostringstream out;
  write_jsonl(schedule, out, Orbits::Kept);
  return out.str();
}

std::string file(const std::string& topology, const std::string& keys,
                 const std::string& collective = "gossip") {
  return R"({"gossamer":1,"topology":")" + topology + R"(","collective":")" + collective +
         R"(","model":{"ports":"all","duplex":"full","switching":"packet","combining":true},)" +
         keys + "}\n";
}

std::string complaint(const std::string& text) {
  try {
    from_text(text);
    return "none";
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a ring of 65,536 nodes is written and read as one orbit a round") {
  const Schedule back = from_text(orbits_text(ring_orbits(65536)));
  CHECK(back.transfers().size() == 65535);
  CHECK(back.symmetry().order() == 65536);
  CHECK(test::broken_rules(back) == "");
}

TEST_CASE("random schedules of orbits are read back as they were") {
  std::mt19937 random(11);
  for (int i = 0; i < 100; ++i) {
    const Schedule schedule = i % 2 == 0 ? random_legal(random) : random_wild(random);
    const Schedule back = from_text(orbits_text(schedule));
    CHECK(back.symmetry().elements() == schedule.symmetry().elements());
    CHECK(text_of(back) == text_of(schedule));
  }
}

TEST_CASE("a schedule without orbits has no translations in its file") {
  const Schedule schedule = ring_expanded(5);
  CHECK(orbits_text(schedule) == text_of(schedule));
}

TEST_CASE("translations that make no sense are refused with the place") {
  CHECK_THAT(complaint(file("ring:4", R"("translations":[4])")),
             Contains("test.jsonl:1") && Contains("whole number from 0 to 3"));
  CHECK_THAT(complaint(file("ring:4", R"("translations":1)")),
             Contains("expected a list of nodes"));
  CHECK_THAT(complaint(file("product:ring:4,path:3", R"("translations":[4])")),
             Contains("moves along path:3"));
  CHECK_THAT(complaint(file("ring:4", R"("root":0,"translations":[1])", "broadcast")),
             Contains("unknown key \"translations\""));
  CHECK_THAT(complaint(file("ring:4", R"("faults":{"nodes":[1]},"translations":[1])")),
             Contains("unknown key \"translations\""));
  CHECK_THAT(complaint(file("torus:343x343x343", R"("translations":[1])")), Contains("none"));
  CHECK_THAT(complaint(file("torus:512x512x512", R"("translations":[])")),
             Contains("134217728 nodes; a schedule has 16777216 at most"));
}
