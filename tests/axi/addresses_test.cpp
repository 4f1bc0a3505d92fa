// Every kind of address on AXI4-Lite, on both sides of each limit, as docs/hardware/axi.md
// describes it.
#include <fmt/format.h>

#include <map>

#include "Vaxi_all.h"
#include "Vaxi_single.h"
#include "axi/bench.hpp"
#include "catch.hpp"
#include "engines/prepared.hpp"

namespace gossamer::test {
namespace {

/// The parameters of a fabric (models.mk).
struct Build {
  bool single_port;
  static constexpr unsigned kPorts = 2, kEntries = 16, kSegments = 16, kStore = 64;
  unsigned logs() const { return single_port ? 1 : kPorts; }
  unsigned channels() const { return single_port ? 1 : kPorts; }
  unsigned own_log() const { return single_port ? 0 : kPorts; }
};
template <class Model>
constexpr Build kBuild{std::is_same_v<Model, Vaxi_single>};

enum class State { Idle, Open, Running };

struct Address {
  Node node;
  unsigned region, part, index;
  /// Slots, registers and control have no part: it stands above the index.
  unsigned flat() const { return part << rtl::AXI_INDEX_W | index; }
  std::uint64_t bytes() const {
    return std::uint64_t{node} << (2 + rtl::AXI_INDEX_W + rtl::AXI_PART_W + rtl::AXI_REGION_W) |
           std::uint64_t{region} << (2 + rtl::AXI_INDEX_W + rtl::AXI_PART_W) |
           std::uint64_t{part} << (2 + rtl::AXI_INDEX_W) | std::uint64_t{index} << 2;
  }
  bool is(unsigned r, unsigned f) const { return region == r && flat() == f; }
  bool is_table() const {
    return region == rtl::CFG_SLOTS || region == rtl::CFG_LISTS || region == rtl::AXI_ALL_SLOTS ||
           region == rtl::AXI_ALL_LISTS;
  }
  bool is_fault() const {
    return region == rtl::CFG_REGISTERS && flat() >= rtl::CFG_DEAD && flat() <= rtl::CFG_DEAD_AFTER;
  }
};

bool can_be_read(const Address& a, const Build& build, State state) {
  if (a.node >= 4) return false;
  switch (a.region) {
    case rtl::CFG_REGISTERS:
      return (a.flat() >= rtl::CFG_STATUS && a.flat() <= rtl::CFG_DEAD_AFTER) ||
             (a.flat() >= rtl::CFG_LOG_LENGTH && a.flat() < rtl::CFG_LOG_LENGTH + build.logs()) ||
             (a.flat() >= rtl::CFG_LINK_STAGES && a.flat() < rtl::CFG_LINK_STAGES + Build::kPorts);
    case rtl::CFG_STORE:
      return a.part <= build.own_log() && a.index < Build::kStore && state != State::Running;
    case rtl::AXI_CONTROL: return a.node == 0 && a.flat() < rtl::AXI_REGISTERS;
    default: return false;
  }
}

bool can_be_written(const Address& a, const Build& build, State state) {
  constexpr unsigned kEntryWords = (rtl::SLOT_RECEIVE_LSB + 2 + 2 * 2 + 31) / 32;
  if (a.node >= 4) return false;
  switch (a.region) {
    case rtl::CFG_REGISTERS:
      return (a.flat() == rtl::CFG_OWN_WORDS || a.is_fault()) && state != State::Running;
    case rtl::AXI_ALL_SLOTS:
      if (a.node != 0) return false;
      [[fallthrough]];
    case rtl::CFG_SLOTS:
      return a.flat() < Build::kEntries << rtl::CFG_SLOT_LSB &&
             a.flat() % (1u << rtl::CFG_SLOT_LSB) < kEntryWords && state == State::Open;
    case rtl::AXI_ALL_LISTS:
      if (a.node != 0) return false;
      [[fallthrough]];
    case rtl::CFG_LISTS:
      return a.index < Build::kSegments << rtl::CFG_SEG_LSB && a.part < build.channels() &&
             state == State::Open;
    case rtl::CFG_STORE:
      return a.part == build.own_log() && a.index < Build::kStore && state != State::Running;
    case rtl::AXI_PACKET: return a.flat() == 0;
    case rtl::AXI_CONTROL:
      return a.node == 0 && a.flat() < rtl::AXI_REGISTERS && a.flat() != rtl::AXI_STATUS &&
             a.flat() != rtl::AXI_PERIODS && a.flat() != rtl::AXI_NODES &&
             a.flat() != rtl::AXI_FAILED &&
             (a.flat() <= rtl::AXI_IRQ_ENABLE || a.flat() >= rtl::AXI_LIMIT);
    default: return false;
  }
}

/// Both sides of each limit, in every region and part.
std::vector<Address> addresses() {
  std::vector<unsigned> indices = {30, 31, 32, 35, 36, 511, 512, 515, 4095};
  for (unsigned i = 0; i <= 23; ++i) indices.push_back(i);
  for (unsigned i = 60; i <= 68; ++i) indices.push_back(i);
  for (unsigned i = 0; i <= 3; ++i) indices.push_back(rtl::CFG_LINK_STAGES + i);
  for (unsigned i = 480; i <= 485; ++i) indices.push_back(i);
  std::vector<Address> all;
  for (const Node node : {0u, 3u}) {
    for (unsigned region = 0; region < 16; ++region) {
      for (const unsigned part : {0u, 1u, 2u, 3u, 63u}) {
        for (const unsigned index : indices) all.push_back({node, region, part, index});
      }
    }
  }
  for (const unsigned region : {0u, 1u, 2u, 3u, 9u, 10u, 15u}) {
    for (const Node node : {1u, 4u, 7u, 255u}) all.push_back({node, region, 0, 2});
  }
  return all;
}

/// Gossip on a ring of 4 nodes, three words each: forwards, or with all ports in both directions.
template <class Model>
FabricImage image_of() {
  Request request{.topology = Topology::parse("ring:4"), .cycle = {0, 1, 2, 3}};
  if (kBuild<Model>.single_port) return prepare(algorithm("hamiltonian").plan(request), 3, 2);
  Schedule s(Topology::parse("ring:4"), Collective::Gossip,
             {PortModel::All, Duplex::Full, Switching::Packet, true});
  for (const unsigned round : {1u, 2u}) {
    for (Node x = 0; x < 4; ++x) {
      const Node up[] = {x, (x + 1) % 4}, down[] = {x, (x + 3) % 4};
      const Message own[] = {{x, kNoNode}}, passed[] = {{(x + 3) % 4, kNoNode}};
      s.add(round, up, round == 1 ? own : passed);
      if (round == 1) s.add(round, down, own);
    }
  }
  return prepare(s, 3, 2);
}

template <class Model>
void sweep(State state) {
  constexpr Build build = kBuild<Model>;
  AxiBench<Model> bench(3, 0);
  std::uint32_t words = 0;  // of tables
  if (state == State::Open) bench.control(rtl::AXI_BEGIN, 1);
  if (state == State::Running) {  // and arrivals cannot be sent
    const FabricImage image = image_of<Model>();
    for (Node x = 0; x < 4; ++x) {
      const auto begin = image.own_words.begin() + static_cast<std::ptrdiff_t>(image.own_begin[x]);
      bench.inject(x, {begin, begin + image.own_size(x)});
      bench.block_sink(x, true);
    }
    REQUIRE(bench.commit(bench.tables(image)) == kOkay);
    bench.drain();
    bench.start();
    bench.pass(100);
    words = bench.control(rtl::AXI_LENGTH);
    // All arrivals are in the logs: nine words in the only log, after the own words, or six and
    // three.
    for (unsigned g = 0; g < build.logs(); ++g) {
      CHECK(bench.read(axi_address(2, rtl::CFG_REGISTERS, rtl::CFG_LOG_LENGTH + g)).data ==
            (build.single_port ? 12u
             : g == 0          ? 3u
                               : 6u));
    }
  }
  std::map<std::uint64_t, std::uint32_t> written;  // and must read back
  std::vector<std::string> wrong;
  const auto expect = [&](const Address& a, const char* what, unsigned answer, bool good) {
    if (answer == (good ? kOkay : kSlverr)) return;
    wrong.push_back(fmt::format("{} of node {} region {} part {} index {}: {}", what, a.node,
                                a.region, a.part, a.index, answer));
  };
  for (const Address& a : addresses()) {
    const bool is_control = a.is(rtl::AXI_CONTROL, rtl::AXI_RUN) ||
                            a.is(rtl::AXI_CONTROL, rtl::AXI_BEGIN) ||
                            a.is(rtl::AXI_CONTROL, rtl::AXI_COMMIT);
    if (!is_control || a.node != 0) {  // their own tests
      std::uint32_t data = 0xA5000000 + static_cast<std::uint32_t>(a.bytes() >> 2);
      if (a.region == rtl::CFG_REGISTERS) data = a.is_fault() ? 0 : 5 + a.node;
      if (a.is(rtl::AXI_CONTROL, rtl::AXI_CANCEL)) data = 3;  // a node
      if (a.region == rtl::AXI_PACKET) data = Build::kStore;
      const bool good = can_be_written(a, build, state);
      expect(a, "write", bench.write(a.bytes(), data), good);
      if (a.part == 0) expect(a, "write of no part", bench.write(a.bytes(), ~data, 0), good);
      if (good && a.is_table()) ++words;
      if (good && a.region == rtl::CFG_STORE) written[a.bytes()] = data;
      if (good && a.is(rtl::CFG_REGISTERS, rtl::CFG_OWN_WORDS)) written[a.bytes()] = data;
    }
    const auto answer = bench.read(a.bytes());
    const bool good = can_be_read(a, build, state);
    expect(a, "read", answer.response, good);
    if (!good && answer.data != 0) wrong.push_back("a refused read shows something");
  }
  CHECK(wrong == std::vector<std::string>{});
  CHECK(bench.control(rtl::AXI_LENGTH) == words);
  for (const auto& [address, data] : written) {
    INFO(std::hex << address);
    CHECK(bench.read(address).data == data);
  }
}

}  // namespace

TEST_CASE("AXI4-Lite: every address is answered as the page says, whatever the fabric is doing") {
  const State state = GENERATE(State::Idle, State::Open, State::Running);
  sweep<Vaxi_single>(state);
  sweep<Vaxi_all>(state);
}

TEST_CASE("AXI4-Lite: a value that does not fit into its register is refused, others are not") {
  AxiBench<Vaxi_single> bench(1, 0);
  const auto at = [](unsigned reg) { return axi_address(2, rtl::CFG_REGISTERS, reg); };
  const std::uint32_t slots = 1u << rtl::SLOT_REPEAT_W;
  for (const auto& [reg, value, answer] :
       std::vector<std::array<std::uint32_t, 3>>{{rtl::CFG_OWN_WORDS, 64, kOkay},
                                                 {rtl::CFG_OWN_WORDS, 65, kSlverr},
                                                 {rtl::CFG_OWN_WORDS, 1u << 31, kSlverr},
                                                 {rtl::CFG_DEAD, 3, kOkay},
                                                 {rtl::CFG_DEAD_AFTER, slots - 1, kOkay},
                                                 {rtl::CFG_DEAD_AFTER, slots, kSlverr},
                                                 {rtl::CFG_DEAD_AFTER, slots << 3, kSlverr},
                                                 {rtl::CFG_DEAD, 0xffffffff, kOkay}}) {
    INFO("register " << reg << ", value " << value);
    const std::uint32_t before = bench.read(at(reg)).data;
    CHECK(bench.write(at(reg), value) == answer);
    CHECK(bench.read(at(reg)).data == (answer == kSlverr      ? before
                                       : reg == rtl::CFG_DEAD ? value & 3
                                                              : value));
  }
}

TEST_CASE("AXI4-Lite: the limit keeps all bits that are written to it") {
  AxiBench<Vaxi_single> bench(1, 0);
  for (const std::uint32_t limit : {0xffffffffu, 0xaaaaaaaau, 0x55555555u, 0u}) {
    REQUIRE(bench.control(rtl::AXI_LIMIT, limit) == kOkay);
    CHECK(bench.control(rtl::AXI_LIMIT) == limit);
  }
}

TEST_CASE("AXI4-Lite: what comes before the last answer waits; reads and writes take turns") {
  for (const unsigned stall : {0u, 20u, 60u}) {
    INFO("stalls " << stall << "%");
    AxiBench<Vaxi_single> bench(stall + 1, stall);
    std::vector<AxiWrite> writes;
    std::vector<std::uint64_t> reads;
    for (unsigned i = 0; i < 40; ++i) {
      writes.push_back({axi_address(i % 5, rtl::CFG_STORE, i), 1000 + i});
      reads.push_back(i % 3 == 0 ? axi_control(rtl::AXI_NODES)
                                 : axi_address(i % 3, rtl::CFG_REGISTERS, rtl::CFG_CAPACITY));
    }
    const auto came = bench.stream(writes, reads);
    REQUIRE(came.writes.size() == writes.size());
    for (unsigned i = 0; i < 40; ++i) {
      CHECK(came.writes[i] == (i % 5 == 4 ? kSlverr : kOkay));  // there are only four nodes
      CHECK(came.reads[i].response == kOkay);
      CHECK(came.reads[i].data == (i % 3 == 0 ? 4u : 64u));
      if (i % 5 != 4) CHECK(bench.read(writes[i].address).data == 1000 + i);
    }
    if (stall > 0) continue;
    CHECK(came.order.front());  // a write goes first after a reset
    for (std::size_t i = 1; i < came.order.size(); ++i) CHECK(came.order[i] != came.order[i - 1]);
  }
}

TEST_CASE("AXI: a transaction, from its beginning to its commit, and nothing outside of one") {
  const FabricImage image = image_of<Vaxi_single>();
  AxiBench<Vaxi_single> bench(2, 0);
  const auto tables = bench.tables(image);
  const auto length = static_cast<std::uint32_t>(tables.size());
  const std::uint32_t checksum = axi_checksum(tables);
  const auto write = [&](const AxiWrite& w) { return bench.write(w.address, w.data); };
  const auto commit = [&] { return bench.control(rtl::AXI_COMMIT, 1); };
  const auto bits = [&] { return bench.control(rtl::AXI_STATUS) & 0xff; };
  const unsigned bank = 1u << rtl::AXI_BANK, bad_length = 1u << rtl::AXI_BAD_LENGTH,
                 bad_sum = 1u << rtl::AXI_BAD_CHECKSUM, running = 1u << rtl::AXI_RUNNING;

  CHECK(write(tables[0]) == kSlverr);
  CHECK(commit() == kSlverr);  // none is open, though no words are announced and none came
  CHECK(bits() == 0);
  CHECK(bench.control(rtl::AXI_LENGTH, length) == kOkay);
  CHECK(bench.control(rtl::AXI_CHECKSUM, checksum) == kOkay);
  CHECK(bench.control(rtl::AXI_BEGIN, 1) == kOkay);
  for (std::size_t i = 0; i + 1 < tables.size(); ++i) CHECK(write(tables[i]) == kOkay);
  CHECK(commit() == kSlverr);
  CHECK(bits() == (bad_length | bad_sum));
  CHECK(write(tables.back()) == kOkay);  // the missing words
  CHECK(bench.control(rtl::AXI_LENGTH) == length);
  CHECK(bench.control(rtl::AXI_CHECKSUM) == checksum);
  CHECK(commit() == kOkay);
  CHECK(bits() == bank);
  CHECK(write(tables[0]) == kSlverr);  // the commit has closed it
  CHECK(commit() == kSlverr);
  CHECK(bits() == bank);

  // While a period runs, and its arrivals cannot be sent.
  for (Node x = 0; x < 4; ++x) bench.block_sink(x, true);
  for (Node x = 0; x < 4; ++x) {
    const auto begin = image.own_words.begin() + static_cast<std::ptrdiff_t>(image.own_begin[x]);
    bench.inject(x, {begin, begin + image.own_size(x)});
  }
  bench.drain();
  CHECK(bench.control(rtl::AXI_RUN, 1) == kOkay);
  bench.pass(100);
  CHECK(bits() == (running | bank));
  CHECK(bench.commit(tables, length + 1, checksum) == kSlverr);
  CHECK(bits() == (running | bank | bad_length));
  CHECK(bench.control(rtl::AXI_BEGIN, 1) == kOkay);
  CHECK(bits() == (running | bank));
  CHECK(bench.commit(tables, length, checksum + 1) == kSlverr);
  CHECK(bits() == (running | bank | bad_sum));
  CHECK(bench.commit(tables) == kOkay);  // the period itself has ended: immediately
  CHECK(bits() == running);
  for (Node x = 0; x < 4; ++x) bench.block_sink(x, false);
  bench.finish();
  CHECK(bits() == 0);

  // A packet that has begun delays the next period, which is requested once, not at every write.
  bench.inject(1, {9, 9}, /*whole=*/false);
  bench.drain();
  CHECK(bench.control(rtl::AXI_RUN, 1) == kOkay);
  CHECK(bench.control(rtl::AXI_RUN, 0) == kOkay);
  bench.pass(30);
  CHECK(bits() == running);
  CHECK(bench.commit(tables) == kOkay);
  CHECK(bits() == (running | bank));
  bench.inject(1, {9});
  bench.finish();
  CHECK(bench.control(rtl::AXI_PERIODS) == 2);
  CHECK(bits() == bank);
}

TEST_CASE("AXI: a reset at any time leaves nothing behind") {
  const FabricImage image = image_of<Vaxi_single>();
  AxiBench<Vaxi_single> bench(6, 0);
  const auto tables = bench.tables(image);
  for (unsigned at = 0; at < 60; ++at) {
    INFO("in cycle " << at);
    for (Node x = 0; x < 4; ++x) {
      const auto begin = image.own_words.begin() + static_cast<std::ptrdiff_t>(image.own_begin[x]);
      bench.inject(x, {begin, begin + image.own_size(x)});
    }
    REQUIRE(bench.commit(tables) == kOkay);
    bench.drain();
    bench.start(/*repeat=*/true);
    bench.control(rtl::AXI_BEGIN, 1);
    bench.write(tables[0].address, tables[0].data);
    if (at % 2 == 0) bench.control(rtl::AXI_COMMIT, 1);  // refused
    bench.inject(at % 4, Words(at + 6, 1), /*whole=*/false);
    bench.pass(at);
    bench.reset();
    CHECK(bench.control(rtl::AXI_STATUS) == 0);
    CHECK(bench.control(rtl::AXI_PERIODS) == 0);
    CHECK(bench.control(rtl::AXI_LENGTH) == 0);
    CHECK(bench.control(rtl::AXI_CHECKSUM) == 0);
    CHECK(bench.write(tables[0].address, tables[0].data) == kSlverr);
    CHECK(bench.control(rtl::AXI_BEGIN, 1) == kOkay);
    CHECK(bench.control(rtl::AXI_COMMIT, 1) == kOkay);  // none announced, none received
    bench.reset();

    // One period, every cycle of which is known.
    for (Node x = 0; x < 4; ++x) {
      const auto begin = image.own_words.begin() + static_cast<std::ptrdiff_t>(image.own_begin[x]);
      bench.inject(x, {begin, begin + image.own_size(x)});
    }
    REQUIRE(bench.commit(tables) == kOkay);
    bench.drain();
    bench.pass(5);
    bench.start();
    bench.finish();
    CHECK(bench.control(rtl::AXI_PERIODS) == 1);
    CHECK(bench.control(rtl::AXI_STATUS) == 1u << rtl::AXI_BANK);
    for (Node x = 0; x < 4; ++x) {
      REQUIRE(bench.packets(x).size() == 1);
      CHECK(bench.packets(x)[0].words.size() == 9);
    }
  }
}

}  // namespace gossamer::test
