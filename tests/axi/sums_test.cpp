// rtl/axi/axi_fabric.sv whose nodes reduce, as software and streams see it.
#include <algorithm>

#include "axi/gossips.hpp"
#include "schedule/chunks.hpp"

namespace gossamer::test {
namespace {

/// Every reduction that there is for these nodes, on such a fabric: each word that comes out is
/// that of the tile engine, and the words that are a result are the sum of the members' words.
template <class Bench>
unsigned check_sums(const std::string& topology, PortModel ports, Duplex duplex,
                    const PortStages& stages) {
  unsigned checked = 0;
  for (const Collective what :
       {Collective::Reduce, Collective::ReduceScatter, Collective::AllReduce}) {
    for (const Algorithm& algorithm : algorithms()) {
      const Request request{.topology = Topology::parse(topology),
                            .collective = what,
                            .ports = ports,
                            .duplex = duplex,
                            .root = 1,
                            .flits = 3 + checked % 3};
      if (algorithm.refuses(request)) continue;
      const Schedule schedule = algorithm.plan(request);
      INFO(algorithm.name << ", " << to_string(what) << " of " << request.flits);
      const FabricImage image =
          prepare(schedule, request.flits, request.topology.ports(), nullptr, stages);
      check_run<Bench>(image, ++checked, 20);
      const CompiledSchedule compiled = compile(schedule, request.flits, request.topology.ports(),
                                                false, nullptr, nullptr, stages);
      const Payload payload(schedule, request.flits, kPayloadSeed);
      Bench bench(checked, 0);
      REQUIRE(bench.commit(bench.tables(image)) == kOkay);
      inject_all(bench, image);
      bench.drain();
      bench.start();
      bench.finish();
      CHECK(bench.control(rtl::AXI_CYCLES) == period(image)->cycle());
      std::size_t wanted = 0;
      for (Node x = 0; x < Bench::kNodes; ++x) {
        for_each_expected(schedule, x, [&](const Message&) { return ++wanted != 0; });
      }
      REQUIRE(compiled.sums.size() == wanted);
      for (const auto& [x, m, place] : compiled.sums) {
        for (std::uint32_t k = 0; k < payload.flits(m); ++k) {
          std::uint32_t sum = 0;
          for (Node y = 0; y < Bench::kNodes; ++y) sum += payload.part(y, m, k);
          const auto& packets = bench.packets(x);
          const auto packet = std::ranges::find(packets, Port{place.log}, &Packet::port);
          REQUIRE(packet != packets.end());
          CHECK(packet->words.at(place.index + k) == sum);
          CHECK(bench
                    .read(axi_address(x, rtl::CFG_STORE,
                                      place.log << rtl::CFG_LOG_LSB | (place.index + k)))
                    .data == sum);
        }
      }
    }
  }
  return checked;
}

}  // namespace

TEST_CASE(
    "AXI: reductions bring the sum to where it is wanted, word for word, in the cycles of the tile "
    "engine") {
  CHECK(check_sums<Sum>("torus:3x2", PortModel::All, Duplex::Full, {0, 0, 1}) == 11);
  CHECK(check_sums<SumHalf>("ring:4", PortModel::Single, Duplex::Half, {}) == 5);
}

TEST_CASE("AXI: a full store of own words comes out again where nothing has replaced them") {
  const Request request{.topology = Topology::parse("ring:4"),
                        .collective = Collective::Reduce,
                        .ports = PortModel::Single,
                        .duplex = Duplex::Half,
                        .flits = 1};
  const auto& planner =
      *std::ranges::find_if(algorithms(), [&](const Algorithm& a) { return !a.refuses(request); });
  FabricImage image = prepare(planner.plan(request), 1, 2);
  for (NodeProgram& program : image.programs) {  // they do nothing
    program.slots.resize(1);
    program.slots[0] = {.select = std::vector<Port>(image.kind.ports, select_none(image.kind))};
    program.slots[0].final = true;
    for (auto& list : program.channels) list.clear();
  }
  SumHalf bench(1, 10);
  REQUIRE(bench.commit(bench.tables(image)) == kOkay);
  std::uint32_t word = 0;
  for (const std::uint32_t size : {64u, 63u, 1u}) {
    std::vector<Words> sent(kNodes);
    for (Node x = 0; x < kNodes; ++x) {
      REQUIRE(bench.write(axi_address(x, rtl::AXI_PACKET, 0), size) == kOkay);
      for (std::uint32_t i = 0; i < size; ++i) sent[x].push_back(++word);
      bench.inject(x, sent[x]);
    }
    bench.drain();
    bench.start();
    bench.finish();
    for (Node x = 0; x < kNodes; ++x) CHECK(bench.packets(x).back() == Packet{1, sent[x]});
  }
  CHECK_FALSE(bench.status(rtl::AXI_ERROR));
}

}  // namespace gossamer::test
