#include <set>
#include <string>

#include "catch.hpp"
#include "driver/rank.hpp"
#include "refusal.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"

using namespace gossamer;

TEST_CASE("every algorithm is found by its name, and names are unique") {
  std::set<std::string> names;
  for (const Algorithm& candidate : algorithms()) {
    CHECK(names.insert(candidate.name).second);
    CHECK(&algorithm(candidate.name) == &candidate);
    CHECK_FALSE(candidate.source.empty());
    CHECK_FALSE(candidate.summary.empty());
  }
  CHECK(refusal([] { algorithm("quicksort"); }).find("known are: ring, hamiltonian") !=
        std::string::npos);
}

TEST_CASE("the algorithm with the fewest rounds is taken, of ports single ones among equals") {
  using enum Collective;
  const std::vector<PortModel> single = {PortModel::Single}, all = {PortModel::All},
                               both = {PortModel::Single, PortModel::All};
  struct Row {
    const char* topology;
    Collective collective;
    Duplex duplex;
    std::vector<PortModel> ports;
    const char* taken;
    PortModel through;
  };
  const Row rows[] = {
      {"ring:9", Gossip, Duplex::Half, single, "ring", PortModel::Single},
      {"torus:3x5", Gossip, Duplex::Half, single, "hamiltonian", PortModel::Single},
      {"mesh:3x3", Gossip, Duplex::Full, single, "product", PortModel::Single},
      // The same rounds, but a schedule that lists every transfer.
      {"torus:4x4", Gossip, Duplex::Full, single, "product", PortModel::Single},
      // As many rounds as another, but shorter dipaths.
      {"torus:7x7x7", Gossip, Duplex::Full, all, "lee-code", PortModel::All},
      {"torus:7x7x7", Gossip, Duplex::Full, both, "lee-code", PortModel::All},
      {"path:2", Gossip, Duplex::Full, both, "ring", PortModel::Single},
      {"mesh:3x4", Gossip, Duplex::Full, both, "hamiltonian", PortModel::Single},
      {"hypercube:4", Gossip, Duplex::Full, all, "bertsekas", PortModel::All},
      {"hypercube:4", TotalExchange, Duplex::Full, all, "bertsekas", PortModel::All},
      {"mesh:9x7", TotalExchange, Duplex::Full, all, "two-orders", PortModel::All},
      {"mesh:4x4", TotalExchange, Duplex::Full, all, "a2", PortModel::All},
      {"torus:5x7", TotalExchange, Duplex::Full, all, "edge-colouring", PortModel::All},
      {"torus:4x4", TotalExchange, Duplex::Full, single, "a1", PortModel::Single},
      // Without a formula, where no other serves.
      {"ring:9", Gather, Duplex::Full, single, "any-graph", PortModel::Single},
      {"ring:9", Gather, Duplex::Full, both, "lee-code", PortModel::All},
      {"edges:tests/data/star-9.json", Gossip, Duplex::Full, both, "any-graph", PortModel::All}};
  for (const Row& row : rows) {
    CAPTURE(row.topology, to_string(row.collective));
    const Candidate choice = choices_by_rounds({.topology = Topology::parse(row.topology),
                                                .collective = row.collective,
                                                .ports = row.ports[0],
                                                .duplex = row.duplex},
                                               row.ports)
                                 .front();
    CHECK(choice.algorithm->name == row.taken);
    CHECK(choice.ports == row.through);
  }
}

TEST_CASE("where no algorithm serves, one line says the reason that matters, or what would do") {
  const std::vector<PortModel> single = {PortModel::Single};
  Request request{.topology = Topology::parse("ring:9"), .collective = Collective::Gather};
  request.cycle = {0, 1, 2};
  CHECK(refusal([&] { choices_by_rounds(request, single); }) ==
        "no algorithm for gather on ring:9 through a single port: any-graph takes no cycle");
  request = {.topology = Topology::parse("torus:4x4"), .duplex = Duplex::Half, .tolerant = true};
  CHECK(refusal([&] { choices_by_rounds(request, single); }) ==
        "no algorithm for gossip on torus:4x4 through a single port over half-duplex links that "
        "tolerates faults: translation serves it through all ports without faults");
}

// Fabrics that are too large to plan are refused before memory is allocated.

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
