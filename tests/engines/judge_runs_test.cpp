// The runner's own part of a run, on fabrics and ranks made up by the tests: what it refuses, what
// it reports about an interrupted run, and what it agrees on with other ranks.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <set>
#include <thread>

#include "catch.hpp"
#include "driver/suite.hpp"
#include "engines/prepared.hpp"
#include "fake_fabric.hpp"
#include "refusal.hpp"
#include "runner/fabric_runner.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"

namespace gossamer::test {
namespace {

using Lines = std::vector<std::string>;

/// A set of ranks: this test is one and makes up the others.
class MadeUpRanks final : public Ranks {
 public:
  struct Aborted : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  unsigned size() const override { return ranks; }
  unsigned rank() const override { return 0; }
  void exchange(std::span<Exchange>) override {}
  void add_up(std::span<std::uint64_t> values) override {
    if (values.size() != 4) return;  // flits and signals: the other lists have none
    for (std::uint64_t& v : values) v *= 1 + others.size();
  }
  Lines gather(const std::string& text) override {
    said.push_back(text);
    Lines all = {text};
    for (const auto& other : others) all.push_back(other(text));
    return all;
  }
  [[noreturn]] void abort(const std::string& why) override { throw Aborted(why); }

  unsigned ranks = 1;
  std::vector<std::function<std::string(const std::string&)>> others;
  Lines said;
};

const auto kSame = [](const std::string& text) { return text; };
std::function<std::string(const std::string&)> says(const std::string& first,
                                                    const std::string& then = "") {
  auto calls = std::make_shared<int>(0);
  return [=](const std::string&) { return (*calls)++ == 0 ? first : then; };
}

RunOptions options_of(unsigned flits) {
  RunOptions options;
  options.flits = flits;
  return options;
}

std::string refusal(Runner& runner, const Schedule& schedule, const RunOptions& options) {
  return ::refusal([&] { runner.run(schedule, options); });
}

/// An interruption that ends with the test.
struct Interruption {
  ~Interruption() { forget_interrupt(); }
};

}  // namespace

TEST_CASE("runner: what does not fit into memory is refused with what would") {
  struct Limit {
    ~Limit() { forget_memory_limit(); }
  } forgotten;
  tb::FabricRunner runner;
  const auto with = [&](std::uint64_t free, const Schedule& schedule, RunOptions options) {
    options.symmetric = false;  // one node of each class would fit
    limit_free_memory(free);
    const std::string why = refusal(runner, schedule, options);
    forget_memory_limit();
    return why;
  };
  // 64 MB, and 1,024 bytes per node: (66,000,000 - 64,000,000) / 1,024 = 1,953.1.
  const Schedule large = plan("torus:64x64", "product", Duplex::Full);
  CHECK(with(66'000'000, large, options_of(1)) ==
        "torus:64x64: a run needs about 68 MB of memory, and 66 MB are free, in which 1953 nodes "
        "fit");
  CHECK(with(1'000'000, large, options_of(1)) ==
        "torus:64x64: a run needs about 68 MB of memory, and 1 MB are free, in which 0 nodes fit");
  // Each of two ranks holds half of the nodes.
  MadeUpRanks two;
  two.ranks = 2;
  two.others = {kSame};
  tb::FabricRunner one_of_two(&two);
  limit_free_memory(65'000'000);
  CHECK(refusal(one_of_two, large, options_of(1)) ==
        "torus:64x64: a run needs about 66 MB of memory, and 65 MB are free, in which 1953 nodes "
        "fit");
  forget_memory_limit();
  // Own words 8 * 30,000 * 8 bytes, stores 8 * 8 * 30,000 * 4 bytes: 73.6 MB in all, of which
  // 961,024 bytes belong to each node.
  const Schedule ring = plan("ring:8", "ring", Duplex::Full);
  RunOptions options = options_of(30'000);
  CHECK(
      with(70'000'000, ring, options) ==
      "ring:8: a run that keeps every word that arrives needs about 74 MB of memory, and 70 MB are "
      "free, in which 4 such nodes fit");
  // Expected words are not stored: 64 MB, 8 * 1,024 bytes, own words, and four bytes for each of
  // the seven origins of the one list that all nodes share.
  options.compressed = true;
  CHECK(with(65'000'000, ring, options) ==
        "ring:8: a run needs about 66 MB of memory, and 65 MB are free, in which 0 such nodes fit");
}

TEST_CASE("runner: stores of more than 30 MB are compressed by default") {
  const Schedule ring = plan("ring:64", "ring", Duplex::Full);
  std::vector<bool> compressed;
  tb::FabricRunner runner(nullptr, [&](const RunOptions&, const FabricImage& image) {
    compressed.push_back(image.expected != nullptr);
    throw InputError("enough");
    return std::unique_ptr<Fabric>();
  });
  // 64 nodes of 64 * flits words: 16,384 bytes per flit.
  const auto stores = [&](unsigned flits, std::optional<bool> asked, const std::string& engine) {
    RunOptions options = options_of(flits);
    options.compressed = asked;
    options.engine = engine;
    CHECK(refusal(runner, ring, options) == "enough");
    return static_cast<bool>(compressed.back());
  };
  CHECK_FALSE(stores(1831, std::nullopt, "tile"));
  CHECK(stores(1832, std::nullopt, "tile"));
  CHECK_FALSE(stores(1832, false, "tile"));
  CHECK(stores(1, true, "tile"));
  CHECK_FALSE(stores(1, true, "flat"));
}

TEST_CASE("runner: threads help a fabric of 4,096 nodes, or of 256 nodes that run long") {
  struct Used {
    unsigned threads;
  };
  struct Says final : WrappedFabric {
    using WrappedFabric::WrappedFabric;
    void use_threads(unsigned threads) override { throw Used{threads}; }
  };
  tb::FabricRunner runner(nullptr, [](const RunOptions&, const FabricImage&) {
    return std::make_unique<Says>(nullptr);
  });
  const auto used = [&](const Schedule& schedule, unsigned flits) {
    RunOptions options = options_of(flits);
    options.threads = 0;
    options.compressed = true;
    options.symmetric = false;
    try {
      runner.run(schedule, options);
    } catch (const Used& seen) {
      return seen.threads;
    }
    return 0u;
  };
  const unsigned all = std::max(1u, std::thread::hardware_concurrency());
  const auto broadcast = [](Node nodes) {
    Schedule schedule(Topology::parse(fmt::format("path:{}", nodes)), Collective::Broadcast,
                      {PortModel::Single, Duplex::Full, Switching::Packet, false});
    schedule.add(1, std::vector<Node>{0, 1}, std::vector<Message>{{0, kNoNode}});
    return schedule;
  };
  CHECK(used(broadcast(4'095), 1) == 1);
  CHECK(used(broadcast(4'096), 1) == all);
  // 2^30 node-cycles. On a ring of n nodes the last flit arrives in cycle (n - 1) * flits + 2.
  const Schedule ring = plan("ring:256", "ring", Duplex::Full);
  CHECK(used(ring, 16'448) == 1);
  CHECK(used(ring, 16'449) == all);
  CHECK(used(plan("ring:255", "ring", Duplex::Full), 17'000) == 1);
}

TEST_CASE("runner: programs of one fabric run one after the other, without a write to its tables") {
  const auto planned = [](const char* how, Collective collective, unsigned flits) {
    Schedule schedule = plan_any("torus:4x4", how, collective, PortModel::All, flits);
    schedule.nodes.join = true;
    return schedule;
  };
  const Schedule sum = planned("ring-reduce", Collective::AllReduce, 16),
                 spread = planned("any-graph", Collective::Broadcast, 5);
  const Program programs[] = {
      {.name = "sum", .schedule = &sum, .flits = 16},
      {.name = "spread", .schedule = &spread, .flits = 5, .after = 0},
      {.name = "again", .schedule = &sum, .flits = 16, .seed = 7, .after = 1, .takes = 0}};
  const std::size_t starts[] = {0, 1, 2, 0, 1, 2};
  const std::vector<RunResult> runs = tb::FabricRunner().run_programs(programs, starts, {});
  REQUIRE(runs.size() == 6);
  for (const RunResult& run : runs) {
    CHECK(run.problems == Lines{});
    CHECK(run.words_checked > 0);
    CHECK(run.link_cycles_checked > 0);
  }
}

TEST_CASE("runner: says which engine a run will need, and for others that nobody knows") {
  tb::FabricRunner runner;
  RunOptions options;
  const auto engine = [&](const std::string& topology, const std::string& algorithm,
                          Duplex duplex = Duplex::Full) {
    return runner.engine_of(plan(topology, algorithm, duplex), options);
  };
  CHECK(engine("ring:4", "ring") == "tile_2p1c_singleport");
  CHECK(engine("ring:5", "ring", Duplex::Half) == "tile_2p1c_singleport_halfduplex");
  CHECK(engine("hypercube:3", "hamiltonian") == "tile_4p1c_singleport");  // of three links
  CHECK(engine("hypercube:2", "chau-fu") == "tile_8p1c_singleport_adaptive");
  options.stages = LinkStages::parse("1");
  CHECK(engine("ring:4", "ring") == "tile_2p1c_singleport_staged");
  options.trace = "x.fst";
  CHECK(engine("ring:4", "ring") == "tile_2p1c_singleport_staged_trace");
  options.engine = "flat";
  CHECK(engine("ring:4", "ring") == "");
}

TEST_CASE("runner: the regression runs on nodes of these kinds, and of no other") {
  // Each of them is a model to build after every edit of the RTL: a new case takes one of these.
  const std::set<std::string> kinds = {"tile_2p1c_singleport",
                                       "tile_2p2c",
                                       "tile_4p1c_singleport",
                                       "tile_4p1c_singleport_staged",
                                       "tile_4p1c_singleport_halfduplex",
                                       "tile_4p4c",
                                       "tile_4p4c_staged",
                                       "tile_4p4c_halfduplex",
                                       "tile_6p1c",
                                       "tile_6p6c",
                                       "tile_8p1c_adaptive",
                                       "tile_8p1c_adaptive_staged",
                                       "tile_8p1c_singleport_adaptive",
                                       "tile_4p4c_join",
                                       "tile_4p4c_join_allops_staged",
                                       "tile_4p4c_halfduplex_join"};
  tb::FabricRunner runner;
  std::set<std::string> groups;
  for (const SuiteCase& c : read_suite("tests/regression.toml").cases) {
    if (!groups.insert(c.group).second) continue;  // the same with other flits
    RunOptions options;
    options.engine = c.request.engine;
    options.stages = c.request.stages;
    const std::string engine = runner.engine_of(make_plan(c.request).schedule, options);
    INFO(c.request.name << " needs " << engine);
    CHECK((engine.empty() || kinds.contains(engine)));
  }
}

namespace {

/// Calls `see` with cycles done and predicted.
class Cycles final : public Job {
 public:
  explicit Cycles(std::function<void(std::uint64_t, std::uint64_t)> see) : see_(std::move(see)) {}
  void stage(std::string) override {}
  void at(std::uint64_t done, std::uint64_t all, std::uint64_t) override { see_(done, all); }

 private:
  std::function<void(std::uint64_t, std::uint64_t)> see_;
};

}  // namespace

TEST_CASE("runner: progress goes from cycle 0 to the end, 4,096 cycles at a time") {
  Lines seen;
  RunOptions options = options_of(2'000);
  Cycles job([&](std::uint64_t done, std::uint64_t all) {
    seen.push_back(fmt::format("{}/{}", done, all));
  });
  options.job = &job;
  const RunResult result = tb::FabricRunner().run(plan("ring:4", "ring", Duplex::Full), options);
  CHECK(result.problems == Lines{});
  // Three slots of 2,000 cycles from cycle 1 on; the last flit arrives two cycles later.
  CHECK(result.cycles_predicted == 6'002);
  CHECK(result.cycles_measured == 6'002);
  CHECK(seen == Lines{"0/6002", "4096/6002", "6005/6002"});
}

TEST_CASE("runner: an interrupted run reports what was seen so far") {
  const Interruption over;
  const bool compressed = GENERATE(false, true), wrong = GENERATE(false, true);
  CAPTURE(compressed, wrong);
  RunOptions options = options_of(2'000);
  options.compressed = compressed;
  Cycles job([](std::uint64_t done, std::uint64_t) {
    if (done != 0) note_interrupt(SIGINT);
  });
  options.job = &job;
  struct Spoiled final : WrappedFabric {
    using WrappedFabric::WrappedFabric;
    void load(const FabricImage& image) override {
      FabricImage other = image;
      other.own_words[7] ^= 1;
      WrappedFabric::load(other);
    }
  };
  tb::FabricRunner runner(nullptr, [&](const RunOptions& o, const FabricImage& image) {
    std::unique_ptr<Fabric> fabric = tb::make_fabric(o, image);
    if (wrong) fabric = std::make_unique<Spoiled>(std::move(fabric));
    return fabric;
  });
  const RunResult result = runner.run(plan("ring:4", "ring", Duplex::Full), options);
  CHECK(result.interrupted);
  CHECK_FALSE(result.passed());
  CHECK(result.cycles_simulated == 4'096);
  CHECK(result.rounds_done == 2);
  CHECK(result.errors == 0);
  CHECK(result.link_cycles_checked == 0);
  // Own words, and one word per cycle from cycle 3 to 4,095.
  CHECK(result.words_checked == 4 * (2'000 + 4'093));
  if (!wrong) {
    CHECK(result.problems == Lines{});
  } else if (compressed) {
    // An own word of node 0, there and where all others have received it.
    CHECK(result.problems == Lines{"4 words arrived that the schedule does not have there"});
  } else {
    CHECK_FALSE(result.problems.empty());
  }
}

TEST_CASE("runner: ranks run when all say the same") {
  MadeUpRanks ranks;
  ranks.others = {kSame, kSame};
  RunOptions options = options_of(3);
  options.seed = 9;
  tb::FabricRunner runner(&ranks);
  CHECK_FALSE(runner.side_by_side());
  CHECK(tb::FabricRunner().side_by_side());
  const RunResult result = runner.run(plan("ring:4", "ring", Duplex::Full), options);
  CHECK(result.problems == Lines{});
  CHECK(ranks.said == Lines{":ring:4 gossip 3 3 9", ""});
  // Three ranks that have all found the same.
  CHECK(result.words_checked == 3 * 48);
  CHECK(result.delivered == 3 * 12);
  CHECK(result.expected == 3 * 12);
  CHECK(result.errors == 0);
  // No rank has all links.
  CHECK(result.link_cycles_checked == 0);
}

TEST_CASE("runner: what any of the ranks has found, all have, once") {
  MadeUpRanks ranks;
  struct Short final : WrappedFabric {
    using WrappedFabric::WrappedFabric;
    std::uint64_t flits_moved() const override { return 35; }
  };
  const std::string mine = "35 flits stood on links, the schedule has 36";
  ranks.others = {says(":ring:4 gossip 3 3 1", "first\nsecond\n"),
                  says(":ring:4 gossip 3 3 1", "second\n" + mine + "\nthird\n")};
  tb::FabricRunner runner(&ranks, [](const RunOptions& o, const FabricImage& image) {
    return std::make_unique<Short>(tb::make_fabric(o, image));
  });
  const RunResult result = runner.run(plan("ring:4", "ring", Duplex::Full), options_of(3));
  CHECK(result.problems == Lines{mine, "first", "second", "third"});
  CHECK(ranks.said.back() == mine + "\n");
}

TEST_CASE("runner: ranks that cannot run, or not the same, all stop with the same line") {
  const Schedule ring = plan("ring:4", "ring", Duplex::Full);
  MadeUpRanks ranks;
  tb::FabricRunner runner(&ranks);
  RunOptions good = options_of(3), bad = good;
  bad.engine = "flet";
  const std::string unknown = "unknown engine 'flet': known are tile, flat and systemc";
  ranks.others = {says(":ring:4 gossip 3 4 1")};
  CHECK(refusal(runner, ring, good) ==
        "the ranks do not run the same schedule: they must have the same files");
  ranks.others = {kSame, says("!no file")};
  CHECK(refusal(runner, ring, good) == "rank 2: no file");
  ranks.others = {says(".it ended"), says("!no file")};
  CHECK(refusal(runner, ring, good) == "rank 1: it ended");
  ranks.others = {kSame};
  CHECK(refusal(runner, ring, bad) == unknown);
  CHECK(ranks.said.back() == "!" + unknown);
  ranks.others = {says(":ring:4 gossip 3 3 1")};
  CHECK(refusal(runner, ring, bad) == "rank 0: " + unknown);
}

TEST_CASE("runner: a rank that ends its command says why, once others may wait for it") {
  MadeUpRanks ranks;
  tb::FabricRunner runner(&ranks);
  runner.leave(2);
  runner.note_failure("no file");
  runner.leave(1);
  CHECK(ranks.said == Lines{".it ended before the run, with status 2", ".no file"});
  tb::FabricRunner().leave(2);
}

TEST_CASE("runner: a fabric that gives up or breaks ends the run, and all ranks") {
  struct GivesUp final : WrappedFabric {
    using WrappedFabric::WrappedFabric;
    void run(std::uint64_t) override {
      WrappedFabric::run(5);
      throw GaveUp("too much is wrong");
    }
    Compared compared() const override { return {77, 3}; }
    std::vector<NodeError> errors() const override {
      return {{2, 1u << 3, static_cast<std::uint32_t>(rtl::error_e::ERR_CUT), 0, 1}};
    }
  };
  struct Breaks final : WrappedFabric {
    using WrappedFabric::WrappedFabric;
    void run(std::uint64_t) override { throw std::runtime_error("broken\nfabric"); }
  };
  const Schedule ring = plan("ring:4", "ring", Duplex::Full);
  const tb::MakeFabric gives_up = [](const RunOptions& o, const FabricImage& image) {
    return std::make_unique<GivesUp>(tb::make_fabric(o, image));
  };
  const tb::MakeFabric breaks = [](const RunOptions& o, const FabricImage& image) {
    return std::make_unique<Breaks>(tb::make_fabric(o, image));
  };
  MadeUpRanks ranks;
  ranks.others = {kSame};
  CHECK_THROWS_WITH(tb::FabricRunner(&ranks, gives_up).run(ring, options_of(3)),
                    "too much is wrong");
  CHECK_THROWS_WITH(tb::FabricRunner(&ranks, breaks).run(ring, options_of(3)),
                    "internal error: broken fabric");
  CHECK_THROWS_WITH(tb::FabricRunner(nullptr, breaks).run(ring, options_of(3)), "broken\nfabric");
  // Links are compared up to the end of such a fabric's run.
  bool first = true;
  const tb::MakeFabric once = [&](const RunOptions& o, const FabricImage& image) {
    auto fabric = first ? gives_up(o, image) : tb::make_fabric(o, image);
    first = false;
    return fabric;
  };
  const RunResult result = tb::FabricRunner(nullptr, once).run(ring, options_of(3));
  CHECK(result.problems == Lines{"given up after cycle 5: too much is wrong",
                                 "node 2 raised ERR_CUT in slot 1 at port 1: a stream was cut off "
                                 "by the end of its slot"});
  CHECK(result.words_checked == 77);
  CHECK(result.errors == 1);
  CHECK(result.link_cycles_checked == 15 * 8);
}

}  // namespace gossamer::test
