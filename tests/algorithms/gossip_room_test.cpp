// Fabrics that are too large to plan are refused before memory is allocated.

#include <string>

#include "algorithms/common/algorithm.hpp"
#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"

using namespace gossamer;
using Catch::Matchers::Contains;

namespace {

/// The refusal of a gossip without translations on a ring of 1,000 nodes; empty if it fits.
std::string refusal(std::uint64_t free) {
  Schedule schedule(Topology::parse("ring:1000"), Collective::Gossip, Model{});
  limit_free_memory(free);
  std::string why;
  try {
    make_room_for_gossip(schedule);
  } catch (const TooLarge& error) {
    why = error.what();
  }
  forget_memory_limit();
  return why;
}

}  // namespace

TEST_CASE("a gossip that does not fit is refused with what it needs and what would fit") {
  const std::string text = refusal(10'000'000);
  CHECK_THAT(text, Contains("ring:1000: the schedule of 999000 transfers"));
  CHECK_THAT(text, Contains("and 10 MB are free"));
  CHECK_THAT(text, Contains("enough for about"));
  CHECK(text.find('\n') == std::string::npos);
  // The number that the message suggests does fit: it is before the last word.
  const std::string nodes = text.substr(text.find("about ") + 6);
  Schedule smaller(Topology::parse("ring:" + nodes.substr(0, nodes.find(' '))), Collective::Gossip,
                   Model{});
  limit_free_memory(10'000'000);
  CHECK_NOTHROW(make_room_for_gossip(smaller));
  forget_memory_limit();
}
