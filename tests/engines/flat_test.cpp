// torus_fabric with all its memories, in runs that other engines do not have.
#include "catch.hpp"
#include "engines/engine_library.hpp"
#include "engines/prepared.hpp"
#include "engines/same_links.hpp"
#include "gossamer_constants.hpp"

namespace gossamer::test {
namespace {

std::unique_ptr<Fabric> flat_of(const FabricImage& image) {
  return tb::make_flat_fabric(image.topology, image.kind, depths_for(image, tb::kFlatDepths), false,
                              12);
}

}  // namespace

TEST_CASE(
    "in tile and flat engine an own word is the old one until its result is kept: the tables wait "
    "as long as they must") {
  Schedule schedule(Topology::parse("ring:4"), Collective::AllReduce,
                    {PortModel::All, Duplex::Full, Switching::Packet, false});
  const Message vector[] = {{0}};
  const auto send = [&](std::uint32_t round, Node from, Node to) {
    const Node path[] = {from, to};
    schedule.add(round, path, vector);
  };
  send(1, 2, 1), send(2, 1, 0), send(2, 3, 0), send(3, 0, 1), send(3, 0, 3), send(4, 1, 2);
  FabricImage image = prepare(schedule, 1, 2);
  constexpr std::size_t slot = 2;  // the root combines what has come, before anything is sent
  const SlotEntry& combines = image.programs[0].slots.at(slot);
  REQUIRE(combines.reads);
  REQUIRE(combines.length == rtl::TIME_OP + rtl::TIME_KEEP);
  const std::uint32_t early = GENERATE(0u, 1u, 2u);
  INFO("the result is read " << early << " cycles early");
  for (NodeProgram& p : image.programs) p.slots.at(slot).length -= early;
  const auto tile = tb::make_tile_fabric(image.kind, false, 11), flat = flat_of(image);
  tile->load(image);
  flat->load(image);
  CHECK(first_disagreement(*tile, *flat, schedule.topology()) == "");
  CHECK(unlike_logs(*tile, *flat, 4, image.kind.logs() + 1) == "");
  std::uint32_t sum = 0;
  for (Node x = 0; x < 4; ++x) sum += Payload(schedule, 1, kPayloadSeed).part(x, {0}, 0);
  REQUIRE(tile->log(2, 1).size() == 1);
  CHECK((tile->log(2, 1)[0] == sum) == (early == 0));
}

TEST_CASE("a flat fabric that was read in the middle of a run does not run on") {
  const Schedule schedule = plan("ring:8", "ring", Duplex::Full);
  const FabricImage image = prepare(schedule, 2, 2);
  const auto fabric = flat_of(image);
  fabric->load(image);
  fabric->run(5);
  CHECK(fabric->log(3, 0).size() >= 2);
  CHECK_THROWS_AS(fabric->run(1), std::logic_error);
}

}  // namespace gossamer::test
