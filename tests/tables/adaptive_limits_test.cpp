// Schedules that adaptive nodes cannot hold are refused, with the node's limits.
#include <fmt/format.h>

#include "catch.hpp"
#include "driver/case.hpp"
#include "support/error.hpp"
#include "tables/compiler.hpp"

using namespace gossamer;

namespace {

/// The refusal of a gossip by `algorithm`; nothing if it is compiled.
std::string refusal(const std::string& topology, unsigned flits) {
  Case c;
  c.topology = topology;
  c.algorithm = "chau-fu";
  const Schedule schedule = make_plan(c).schedule;
  try {
    compile(schedule, flits, schedule.topology().ports());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("adaptive nodes distinguish 256 messages") {
  CHECK(refusal("hypercube:8", 1) == "");
  CHECK(refusal("hypercube:9", 1) ==
        "hypercube:9: adaptive nodes distinguish 256 messages, so that a hypercube runs up to "
        "dimension 8");
}

TEST_CASE("the messages of an adaptive node must fit into its log, each in a power of two words") {
  const std::uint64_t most = std::uint64_t{1} << rtl::SLOT_LEN_W;
  const auto flits = static_cast<unsigned>(most / 4);
  CHECK(refusal("hypercube:2", flits + 1) ==
        fmt::format("hypercube:2: a node's log has {} words for messages of {} flits; it can have "
                    "at most {}",
                    2 * most, flits + 1, most));
  // Those that fit may be too long for a slot; the message then names the round.
  CHECK_THAT(refusal("hypercube:2", flits), !Catch::Matchers::Contains("a node's log has"));
}
