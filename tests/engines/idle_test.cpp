// Nodes in which nothing happens are not simulated; the results must be the same.
#include "catch.hpp"
#include "engines/engine_library.hpp"
#include "engines/prepared.hpp"
#include "engines/same_links.hpp"

namespace gossamer::test {
namespace {

std::unique_ptr<Fabric> load(const FabricImage& image, bool skip) {
  auto fabric = tb::make_tile_fabric(image.kind, false, 3);
  fabric->skip_idle(skip);
  fabric->load(image);
  return fabric;
}

void check_same(const Topology& topology, const FabricImage& image) {
  const auto skipping = load(image, true), simulating = load(image, false);
  CHECK(first_disagreement(*skipping, *simulating, topology) == "");
  const auto a = skipping->errors(), b = simulating->errors();
  REQUIRE(a.size() == b.size());
  bool same = true;
  for (std::size_t i = 0; i < a.size(); ++i) {
    same = same && a[i].node == b[i].node && a[i].seen == b[i].seen &&
           a[i].first_code == b[i].first_code && a[i].first_slot == b[i].first_slot &&
           a[i].first_port == b[i].first_port;
  }
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (unsigned g = 0; g < image.kind.logs(); ++g) {
      same = same && skipping->log(x, g) == simulating->log(x, g);
    }
  }
  CHECK(same);
}

/// A broadcast along a path: only a few nodes at a time are active, most wait.
Schedule walk(const std::string& spec, Node hops) {
  Schedule s(Topology::parse(spec), Collective::Broadcast,
             {PortModel::Single, Duplex::Full, Switching::Packet, false});
  for (Node x = 0; x < hops; ++x) s.add_hop(x + 1, x, x + 1, 0);
  return s;
}

}  // namespace

TEST_CASE("skipping idle nodes changes nothing on any link in any cycle") {
  const unsigned flits = GENERATE(1u, 2u, 9u);
  INFO(flits << " flits");
  SECTION("circuits on a torus") {
    const Schedule s =
        algorithm("delmas-perennes")
            .plan(
                {.topology = Topology::parse("torus:7x7x7"), .ports = PortModel::All, .cycle = {}});
    check_same(s.topology(), prepare(s, flits, 6));
  }
  SECTION("a broadcast along a path") {
    const Schedule s = walk("ring:12", 9);
    check_same(s.topology(), prepare(s, flits, 2));
  }
  SECTION("a product on a torus") {
    const Schedule s = plan("torus:5x5x5", "product", Duplex::Full);
    check_same(s.topology(), prepare(s, flits, 6));
  }
}

TEST_CASE("skipping idle nodes changes no error") {
  const Schedule s = walk("ring:12", 9);
  FabricImage image = prepare(s, 3, 2);
  NodeProgram& program = image.programs[image.program_of[4]];
  SECTION("flits that nobody takes") {
    for (SlotEntry& slot : program.slots) slot.receive = 0;
  }
  SECTION("flits that never come") {
    for (SlotEntry& slot : image.programs[image.program_of[3]].slots) slot.stream = 0;
  }
  SECTION("a slot that is too long") { program.slots[0].length += 40; }
  SECTION("a table that ends before a flit arrives") {
    program.slots.resize(1);
    program.slots[0].repeat = 1;
    program.slots[0].loop = false;
    program.slots[0].final = true;
  }
  check_same(s.topology(), image);
  const auto fabric = load(image, true);
  while (!fabric->done() && fabric->cycle() < 1000) fabric->run(10);
  CHECK(fabric->errors().size() > 0);
}

}  // namespace gossamer::test
