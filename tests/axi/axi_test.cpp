// rtl/axi/axi_fabric.sv with real schedules, as software and streams see it. What a master can do
// at any time is compared with a model in tests/lifecycle.
#include <algorithm>
#include <map>

#include "Vaxi_all.h"
#include "Vaxi_far.h"
#include "Vaxi_one_stream.h"
#include "Vaxi_programs.h"
#include "Vaxi_programs_single.h"
#include "Vaxi_single.h"
#include "Vaxi_single___024root.h"
#include "Vaxi_sum.h"
#include "Vaxi_sum_half.h"
#include "Vaxi_torus.h"
#include "axi/bench.hpp"
#include "catch.hpp"
#include "engines/engine_library.hpp"
#include "engines/prepared.hpp"
#include "schedule/chunks.hpp"
#include "tables/programs.hpp"

namespace gossamer::test {
namespace {

using Single = AxiBench<Vaxi_single>;
using Torus = AxiBench<Vaxi_torus>;  ///< two dimensions, and so three ports

/// A period as the tile engine runs it.
std::unique_ptr<Fabric> period(const FabricImage& image) {
  auto fabric = tb::make_tile_fabric(image.kind, false, 3, image.most_stages() != 0);
  fabric->load(image);
  while (!fabric->done()) fabric->run(1);
  REQUIRE(fabric->errors().empty());
  return fabric;
}

Words own_words(const FabricImage& image, Node x) {
  const auto begin = image.own_words.begin() + static_cast<std::ptrdiff_t>(image.own_begin[x]);
  return {begin, begin + image.own_size(x)};
}

/// What comes out of a node: its logs, as the tile engine has them.
std::vector<Packet> arrivals(const FabricImage& image, const Fabric& fabric, Node x) {
  std::vector<Packet> all;
  for (unsigned g = 0; g < image.kind.logs(); ++g) {
    Packet packet{g, fabric.log(x, g)};
    if (image.kind.own_log() == 0) {
      packet.words.erase(packet.words.begin(), packet.words.begin() + image.own_size(x));
    }
    if (!packet.words.empty()) all.push_back(packet);
  }
  return all;
}

/// The packets of all nodes, in the next period. In one stream none of a later period may come
/// before one of an earlier one.
template <class Bench>
void inject_all(Bench& bench, const FabricImage& image) {
  bench.send();
  for (Node x = 0; x < Bench::kNodes; ++x) {
    if (image.own_size(x) > 0) bench.inject(x, own_words(image, x));
  }
}

/// A period that is aborted at some time, and two that are not: words, cycles and flits are those
/// of the tile engine. Starts are written before packets have come.
template <class Bench>
void check_run(const FabricImage& image, std::uint32_t seed) {
  const auto expected = period(image);
  const unsigned stall = seed % 4 * 20;
  Bench bench(seed, stall);
  REQUIRE(bench.commit(bench.tables(image)) == kOkay);
  inject_all(bench, image);
  bench.control(rtl::AXI_RUN, 3);
  bench.pass(10 + seed % static_cast<std::uint32_t>(expected->cycle()));
  bench.control(rtl::AXI_RUN, 1u << rtl::AXI_ABORT);
  bench.finish();
  bench.pass(100);
  for (Node x = 0; x < Bench::kNodes; ++x) bench.packets(x);
  const std::uint32_t before = bench.control(rtl::AXI_PERIODS);
  for (std::uint32_t again = 1; again <= 2; ++again) {
    REQUIRE(bench.control(rtl::AXI_RUN, 1) == kOkay);
    inject_all(bench, image);
    bench.finish();
    bench.pass(40);  // words on their way through one stream
    for (Node x = 0; x < Bench::kNodes; ++x) {
      const auto packets = bench.packets(x);
      CAPTURE(seed, x);
      CHECK(packets == arrivals(image, *expected, x));
    }
    CHECK(bench.control(rtl::AXI_PERIODS) == before + again);
    CHECK(bench.control(rtl::AXI_CYCLES) == expected->cycle());
    CHECK(bench.control(rtl::AXI_FLITS) == expected->flits_moved());
    CHECK((bench.control(rtl::AXI_STATUS) & ~(1u << rtl::AXI_BANK)) == 0);
  }
}

/// Each sum is where the compiler says: in the tile engine's logs, and so in the packets.
void check_sums(const Schedule& schedule, unsigned flits, const FabricImage& image,
                const PortStages& stages) {
  const CompiledSchedule compiled =
      compile(schedule, flits, schedule.topology().ports(), false, nullptr, nullptr, stages);
  const Payload payload(schedule, flits, kPayloadSeed);
  const auto fabric = period(image);
  const Node nodes = schedule.topology().nodes();
  std::size_t wanted = 0;
  for (Node x = 0; x < nodes; ++x) {
    for_each_expected(schedule, x, [&](const Message&) { return ++wanted != 0; });
  }
  REQUIRE(compiled.held.size() == wanted);
  for (const auto& [x, m, place] : compiled.held) {
    for (std::uint32_t k = 0; k < payload.flits(m); ++k) {
      std::uint32_t sum = 0;
      for (Node y = 0; y < nodes; ++y) sum += payload.part(y, m, k);
      CHECK(fabric->log(x, place.log).at(place.index + k) == sum);
    }
  }
}

/// Every collective by every algorithm whose tables fit. Returns how many there were.
template <class Bench>
unsigned check_all(const std::string& topology, PortModel ports, Duplex duplex, bool sums,
                   const PortStages& stages = {}) {
  unsigned checked = 0;
  for (const CollectiveTerms& terms : kCollectiveTerms) {
    for (const Algorithm& algorithm : algorithms()) {
      const Request request{.topology = Topology::parse(topology),
                            .collective = terms.collective,
                            .ports = ports,
                            .duplex = duplex,
                            .root = 1,
                            .flits = 1 + checked % 3};
      if (reduces(terms.collective) != sums || algorithm.refuses(request)) continue;
      const Schedule schedule = algorithm.plan(request);
      // A pipelined schedule is for the stages that it was planned with.
      if (schedule.model().switching == Switching::Pipelined && !stages.empty()) continue;
      FabricImage image{request.topology};
      try {
        image = prepare(schedule, request.flits, request.topology.ports(), nullptr, stages);
        Bench(1, 0).tables(image);
      } catch (const InputError&) {
        continue;  // for nodes of another kind, or with more room; sums of different times
      }
      CAPTURE(algorithm.name, to_string(terms.collective), request.flits);
      check_run<Bench>(image, ++checked);
      if (sums) check_sums(schedule, request.flits, image, stages);
    }
  }
  return checked;
}

/// A broadcast, one of what it has brought from another root, and two all-gathers in the same logs:
/// all twice, in turn, without a write between.
template <class Bench>
void check_programs(PortModel ports) {
  std::vector<Schedule> schedules;
  for (const Node root : {0u, 2u}) {
    schedules.push_back(algorithm("any-graph")
                            .plan({.topology = Topology::parse("ring:4"),
                                   .collective = Collective::Broadcast,
                                   .ports = ports,
                                   .root = root,
                                   .flits = 3}));
  }
  for (int k = 0; k < 2; ++k) {
    schedules.push_back(plan_any("ring:4", "any-graph", Collective::Gossip, ports, 3));
  }
  std::vector<Schedule*> shared;
  std::vector<Program> programs;
  for (Schedule& s : schedules) {
    shared.push_back(&s);
    programs.push_back({.schedule = &s, .flits = 3, .seed = static_cast<unsigned>(shared.size())});
  }
  programs[1].after = programs[1].takes = 0;
  programs[3].after = 2;
  share_nodes(shared);
  const Programs all = programs_of(programs, 2, true);
  Bench bench(1, 40);
  REQUIRE(bench.commit(bench.tables(all.image, all.packets)) == kOkay);
  const auto keeps = [](unsigned k) { return k | 1u << rtl::AXI_PROGRAM_KEEP; };
  bench.control(rtl::AXI_PROGRAMS, 0 | keeps(1) << 4 | 2 << 8 | keeps(3) << 12);
  bench.control(rtl::AXI_LAST_PROGRAM, 3);
  std::array<std::map<Port, Words>, 4> logs;
  for (std::size_t start = 0; start < 8; ++start) {
    const std::size_t k = start % 4;
    FabricImage image = all.alone[k].image;
    if (programs[k].takes) image.own_words = all.alone[0].image.own_words;
    const auto expected = period(image);
    REQUIRE(bench.control(rtl::AXI_RUN, 1) == kOkay);
    if (!programs[k].takes) inject_all(bench, image);
    bench.finish();
    for (Node x = 0; x < 4; ++x) {
      if (!programs[k].after) logs[x].clear();
      for (const Packet& p : arrivals(image, *expected, x)) {
        logs[x][p.port].insert(logs[x][p.port].end(), p.words.begin(), p.words.end());
      }
      std::vector<Packet> packets;
      for (const auto& [port, words] : logs[x]) packets.push_back({port, words});
      CAPTURE(start, x);
      CHECK(bench.packets(x) == packets);
    }
    CHECK(bench.control(rtl::AXI_CYCLES) == expected->cycle());
  }
}

}  // namespace

TEST_CASE("AXI: programs run in turn, one on what another one has brought") {
  check_programs<AxiBench<Vaxi_programs>>(PortModel::All);
  check_programs<AxiBench<Vaxi_programs_single>>(PortModel::Single);
}

TEST_CASE("AXI: what any algorithm plans comes out word for word, in the tile engine's cycles") {
  constexpr auto kAll = PortModel::All, kOne = PortModel::Single;
  CHECK(check_all<Single>("ring:4", kOne, Duplex::Full, false) > 9);
  CHECK(check_all<AxiBench<Vaxi_all>>("ring:4", kAll, Duplex::Full, false) > 9);
  CHECK(check_all<AxiBench<Vaxi_far>>("ring:4", kAll, Duplex::Full, false, {3, 3}) > 9);
  CHECK(check_all<Torus>("torus:3x2", kAll, Duplex::Full, false, {0, 0, 1}) > 9);
  CHECK(check_all<AxiBench<Vaxi_one_stream>>("torus:3x2", kAll, Duplex::Full, false) > 9);
  CHECK(check_all<AxiBench<Vaxi_sum>>("torus:3x2", kAll, Duplex::Full, true) > 6);
  CHECK(check_all<AxiBench<Vaxi_sum_half>>("ring:4", kOne, Duplex::Half, true) > 2);
}

TEST_CASE(
    "AXI: a table that does not end, a packet, a dead receiver and an error name their node, "
    "whichever of six") {
  FabricImage image =
      prepare(plan_any("torus:3x2", "translation", Collective::Gossip, PortModel::All), 1, 3,
              nullptr, {0, 0, 1});
  image.programs.assign(6, image.programs[image.program_of[0]]);  // one each
  for (Node bad = 0; bad < 6; ++bad) {
    CAPTURE(bad);
    FabricImage endless = image, wrong = image;
    for (Node x = 0; x < 6; ++x) endless.program_of[x] = wrong.program_of[x] = x;
    endless.programs[bad].slots.back().length = 1000;
    for (Node x = bad; x < 6; ++x) wrong.programs[x].slots.front().receive = 0;
    Torus bench(bad, 0);
    const auto named = [&](unsigned reg) { return bench.control(reg) >> rtl::AXI_BAD_NODE; };
    REQUIRE(bench.commit(bench.tables(endless)) == kOkay);
    bench.control(rtl::AXI_LIMIT, 200);
    bench.control(rtl::AXI_RUN, 1);
    for (Node x = 0; x < 6; ++x) {
      CHECK(bench.control(rtl::AXI_HOLDER) == (1u << rtl::AXI_NO_PACKET | x << rtl::AXI_BAD_NODE));
      bench.inject(x, own_words(image, x));
      bench.pass(8);
    }
    bench.pass(60);
    CHECK(bench.control(rtl::AXI_HOLDER) == (1u << rtl::AXI_UNENDED | bad << rtl::AXI_BAD_NODE));
    bench.finish();
    const auto late = [&](unsigned why) {
      CHECK((bench.control(rtl::AXI_STATUS) & ~(1u << rtl::AXI_BANK)) ==
            (1u << rtl::AXI_LATE | 1u << why | bad << rtl::AXI_BAD_NODE));
      bench.control(rtl::AXI_IRQ, ~0u);
    };
    late(rtl::AXI_UNENDED);
    REQUIRE(bench.commit(bench.tables(image)) == kOkay);
    bench.block_sink(bad, true);  // its DMA died
    bench.control(rtl::AXI_PATIENCE, 300);
    bench.control(rtl::AXI_RUN, 1);
    inject_all(bench, image);
    bench.pass(100);
    CHECK(bench.control(rtl::AXI_HOLDER) == (1u << rtl::AXI_SENDING | bad << rtl::AXI_BAD_NODE));
    bench.finish();
    late(rtl::AXI_SENDING);
    bench.block_sink(bad, false);
    REQUIRE(bench.commit(bench.tables(wrong)) == kOkay);
    bench.control(rtl::AXI_RUN, 1);
    bench.inject(bad, {1, 2});
    bench.pass(20);
    CHECK(named(rtl::AXI_STATUS) == bad);
    inject_all(bench, image);
    bench.finish();
    Node lowest = 0;
    while (bench.read(axi_address(lowest, rtl::CFG_REGISTERS, rtl::CFG_ERRORS)).data == 0) ++lowest;
    CHECK(bench.control(rtl::AXI_FAILED) == lowest);
  }
}

TEST_CASE("AXI: counters of periods, cycles, flits and words count on through all of their bits") {
  const FabricImage image = prepare(plan("ring:4", "ring", Duplex::Full), 3, 2);
  Single bench(1, 0);
  auto& root = *bench.block()->rootp;
  auto& periods = root.axi_fabric__DOT__periods;
  auto& cycles = root.axi_fabric__DOT__cycles;
  auto& flits = root.axi_fabric__DOT__flits_q;
  auto& words = root.axi_fabric__DOT__count;
  auto& missed = root.axi_fabric__DOT__missed_q;
  auto& waited = root.axi_fabric__DOT__i_period__DOT__waited_q;
  REQUIRE(bench.commit(bench.tables(image)) == kOkay);
  const auto run = [&](std::uint32_t add) {  // what is counted by the end, if so much was before
    bench.control(rtl::AXI_PATIENCE, add + 100);
    bench.control(rtl::AXI_RUN, 1);
    waited += add;
    inject_all(bench, image);
    while (!(bench.control(rtl::AXI_HOLDER) >> rtl::AXI_UNENDED & 1)) bench.pass(1);
    REQUIRE(cycles < 20);
    cycles += add;
    flits += add;
    periods += add;
    missed += add;
    bench.block()->start_i = 1;
    bench.pass(1);
    bench.block()->start_i = 0;
    bench.finish();
    CHECK_FALSE(bench.status(rtl::AXI_LATE));
    return std::array{bench.control(rtl::AXI_CYCLES), bench.control(rtl::AXI_FLITS)};
  };
  const auto usual = run(0);
  std::uint32_t ended = 1;
  for (unsigned bit = 7; bit < 32; ++bit) {
    CAPTURE(bit);
    const std::uint32_t add = (1u << bit) - 4;
    CHECK(run(add) == std::array{usual[0] + add, usual[1] + add});
    CHECK(bench.control(rtl::AXI_PERIODS) == (ended += add + 1));
    CHECK(bench.control(rtl::AXI_MISSED) == ended);
    bench.control(rtl::AXI_BEGIN, 1);
    words += (1u << bit) - 1;
    REQUIRE(bench.write(axi_address(0, rtl::CFG_SLOTS, 0), 0) == kOkay);
    CHECK(bench.control(rtl::AXI_LENGTH) == 1u << bit);
    REQUIRE(bench.commit(bench.tables(image)) == kOkay);
  }
}

}  // namespace gossamer::test
