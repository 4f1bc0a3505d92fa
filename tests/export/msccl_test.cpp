// MSCCL XML, read back and played by code that is independent of the writer.

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include "catch.hpp"
#include "export/export.hpp"
#include "export/plans.hpp"
#include "random_schedules.hpp"
#include "refusal.hpp"
#include "schedule/jsonl.hpp"
#include "slow_check.hpp"

using namespace gossamer;
using export_test::planned;

namespace {

using Attributes = std::map<std::string, std::string>;

struct Block {
  int send = -1, recv = -1;
  std::vector<Attributes> steps;
  std::size_t done = 0;
};
struct Gpu {
  std::map<std::string, std::vector<std::string>> buffers;
  std::vector<Block> blocks;
};
struct Algo {
  Attributes attributes;
  std::vector<Gpu> gpus;
};

Attributes attributes_of(const std::string& line) {
  static const std::regex one("([a-z_]+)=\"([^\"]*)\"", std::regex::icase);
  Attributes found;
  for (std::sregex_iterator i(line.begin(), line.end(), one), end; i != end; ++i) {
    found[(*i)[1]] = (*i)[2];
  }
  return found;
}

/// One tag per line; ids must count up from 0, as the runtime demands.
Algo parse(const std::string& text) {
  Algo algo;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::string tag = line.substr(line.find('<') + 1);
    tag = tag.substr(0, tag.find_first_of(" >"));
    const Attributes a = attributes_of(line);
    if (tag == "algo") algo.attributes = a;
    if (tag == "gpu") {
      REQUIRE(std::stoul(a.at("id")) == algo.gpus.size());
      algo.gpus.emplace_back();
      for (const char* buffer : {"i", "o", "s"}) {
        algo.gpus.back().buffers[buffer].resize(std::stoul(a.at(std::string(buffer) + "_chunks")));
      }
    }
    if (tag == "tb") {
      REQUIRE(std::stoul(a.at("id")) == algo.gpus.back().blocks.size());
      REQUIRE(a.at("chan") == "0");
      algo.gpus.back().blocks.push_back({std::stoi(a.at("send")), std::stoi(a.at("recv")), {}});
    }
    if (tag == "step") {
      std::vector<Attributes>& steps = algo.gpus.back().blocks.back().steps;
      REQUIRE(std::stoul(a.at("s")) == steps.size());
      REQUIRE(a.at("cnt") == (a.at("type") == "nop" ? "0" : "1"));
      steps.push_back(a);
    }
  }
  return algo;
}

/// "0:5+2:5+3:5": the parts of three nodes, in ascending order, each once.
std::string added_up(const std::string& a, const std::string& b) {
  std::multiset<std::string> parts;
  for (const std::string& sum : {a, b}) {
    std::istringstream in(sum);
    for (std::string part; std::getline(in, part, '+');) parts.insert(part);
  }
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : "+") + part;
  return all;
}

/// Runs the threadblocks, each in order, in a random order among them. A connection holds one
/// message at a time, so that anything that could block does.
class Player {
 public:
  explicit Player(Algo algo) : algo_(std::move(algo)) {}

  void play(std::uint32_t seed) {
    std::vector<std::pair<std::size_t, std::size_t>> blocks;
    for (std::size_t g = 0; g < algo_.gpus.size(); ++g) {
      for (std::size_t b = 0; b < algo_.gpus[g].blocks.size(); ++b) blocks.push_back({g, b});
    }
    std::mt19937 random(seed);
    for (bool moved = true; moved;) {
      moved = false;
      std::shuffle(blocks.begin(), blocks.end(), random);
      for (const auto& [g, b] : blocks) moved |= step(g, b);
    }
    for (const auto& [g, b] : blocks) {
      const Block& block = algo_.gpus[g].blocks[b];
      if (block.done != block.steps.size()) FAIL("gpu " << g << " tb " << b << " waits for ever");
    }
  }

  Algo& algo() { return algo_; }

 private:
  bool step(std::size_t g, std::size_t b) {
    Gpu& gpu = algo_.gpus[g];
    Block& block = gpu.blocks[b];
    if (block.done == block.steps.size()) return false;
    const Attributes& a = block.steps[block.done];
    if (const int before = std::stoi(a.at("depid")); before >= 0) {
      const Block& other = gpu.blocks.at(before);
      const std::size_t number = std::stoul(a.at("deps"));
      REQUIRE(other.steps.at(number).at("hasdep") == "1");
      if (other.done <= number) return false;
    }
    if (!act(static_cast<int>(g), gpu, block, a)) return false;
    ++block.done;
    return true;
  }

  bool act(int g, Gpu& gpu, const Block& block, const Attributes& a) {
    const auto source = [&]() -> std::string& {
      return gpu.buffers.at(a.at("srcbuf")).at(std::stoul(a.at("srcoff")));
    };
    const auto destination = [&]() -> std::string& {
      return gpu.buffers.at(a.at("dstbuf")).at(std::stoul(a.at("dstoff")));
    };
    if (a.at("type") == "nop") return true;
    if (a.at("type") == "cpy") {
      destination() = source();
    } else if (a.at("type") == "rrc") {
      std::string& slot = connections_[{block.recv, g}];
      if (slot.empty()) return false;
      destination() = added_up(slot, source());
      slot.clear();
    } else if (a.at("type") == "s") {
      std::string& slot = connections_[{g, block.send}];
      if (!slot.empty()) return false;
      if (source().empty()) FAIL("gpu " << g << " sends what it does not have yet");
      slot = source();
    } else {
      REQUIRE(a.at("type") == "r");
      std::string& slot = connections_[{block.recv, g}];
      if (slot.empty()) return false;
      const bool sum = destination().find('+') != std::string::npos;
      if (!sum && !destination().empty())
        FAIL("gpu " << g << " receives twice into the same place");
      destination() = slot;
      slot.clear();
    }
    return true;
  }

  Algo algo_;
  std::map<std::pair<int, int>, std::string> connections_;
};

/// `held`: what nodes hold in the end; if it is missing, all that they should.
void check_read_back(const Schedule& schedule,
                     const std::vector<std::set<Message>>* held = nullptr) {
  const bool gossip = schedule.collective() == Collective::Gossip;
  const std::size_t n = schedule.topology().nodes();
  Algo algo = parse(msccl_xml(schedule));
  CHECK(algo.attributes.at("coll") == (gossip ? "allgather" : "alltoall"));
  CHECK(algo.attributes.at("ngpus") == std::to_string(n));
  REQUIRE(algo.gpus.size() == n);
  for (std::size_t x = 0; x < n; ++x) {
    auto& input = algo.gpus[x].buffers["i"];
    REQUIRE(input.size() == (gossip ? 1 : n));
    REQUIRE(algo.gpus[x].buffers["o"].size() == n);
    for (std::size_t c = 0; c < input.size(); ++c) {
      input[c] = std::to_string(x) + (gossip ? "" : ">" + std::to_string(c));
    }
  }
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    Player player(algo);
    player.play(seed);
    for (std::size_t x = 0; x < n; ++x) {
      for (std::size_t y = 0; y < n; ++y) {
        const Message message{static_cast<Node>(y), gossip ? kNoNode : static_cast<Node>(x)};
        const bool has = held == nullptr || y == x || (*held)[x].count(message) != 0;
        const std::string due =
            has ? std::to_string(y) + (gossip ? "" : ">" + std::to_string(x)) : "";
        if (player.algo().gpus[x].buffers["o"][y] != due) FAIL("gpu " << x << " lacks " << due);
      }
    }
  }
}

/// The same for a reduction: every output is the sum of all nodes' parts.
void check_sums_read_back(const Schedule& schedule) {
  const Collective c = schedule.collective();
  const std::size_t n = schedule.topology().nodes(), pieces = schedule.pieces();
  const bool blocks = c == Collective::ReduceScatter;
  const Algo algo = parse(msccl_xml(schedule));
  CHECK(algo.attributes.at("coll") == (blocks                    ? "reduce_scatter"
                                       : c == Collective::Reduce ? "reduce"
                                                                 : "allreduce"));
  REQUIRE(algo.gpus.size() == n);
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    Player player(algo);
    for (std::size_t x = 0; x < n; ++x) {
      auto& input = player.algo().gpus[x].buffers["i"];
      REQUIRE(input.size() == pieces * (blocks ? n : 1));
      for (std::size_t i = 0; i < input.size(); ++i) {
        input[i] = std::to_string(x) + ":" + std::to_string(i);
      }
    }
    player.play(seed);
    for (std::size_t x = 0; x < n; ++x) {
      const auto& output = player.algo().gpus[x].buffers["o"];
      const bool wanted = c != Collective::Reduce || x == schedule.root;
      REQUIRE(output.size() == (wanted ? pieces : 0));
      for (std::size_t k = 0; k < output.size(); ++k) {
        std::string due;
        for (std::size_t y = 0; y < n; ++y) {
          due = added_up(due,
                         std::to_string(y) + ":" + std::to_string((blocks ? x * pieces : 0) + k));
        }
        if (output[k] != due) FAIL("gpu " << x << " has " << output[k] << ", not " << due);
      }
    }
  }
}

}  // namespace

TEST_CASE("an MSCCL file delivers the gossips and total exchanges of every algorithm and model") {
  for (const Schedule& schedule : export_test::of_every_model()) {
    CAPTURE(export_test::title(schedule));
    if (has_root(schedule.collective()) || schedule.topology().nodes() > 25) continue;
    check_read_back(schedule);
  }
}

TEST_CASE("an MSCCL file of any schedule brings what the schedule brings") {
  int files = 0;
  for (const Model& model : test::all_models(/*runnable=*/false)) {
    std::mt19937 random(4);
    for (int i = 0; i < 30; ++i) {
      const Schedule s =
          test::random_script(random, model, {.orbits = true, .trees = true}).schedule();
      if (s.collective() != Collective::Gossip && s.collective() != Collective::TotalExchange)
        continue;
      ++files;
      const auto held = test::slow_check(s).held;
      check_read_back(s, &held);
    }
  }
  CHECK(files > 100);
}

TEST_CASE("an MSCCL file adds up what every reduction adds up, in whatever order its blocks go") {
  for (const Schedule& schedule : export_test::of_every_model(/*sums=*/true)) {
    if (!reduces(schedule.collective()) || schedule.topology().nodes() > 25) continue;
    CAPTURE(export_test::title(schedule));
    std::map<Message, std::set<Node>> where;
    for (const Transfer& t : schedule.transfers()) {
      if (t.join) where[schedule.messages(t)[0]].insert(schedule.source(t));
    }
    if (std::ranges::any_of(where, [](const auto& of) { return of.second.size() > 1; })) {
      const std::string said = refusal([&] { msccl_xml(schedule); });
      CHECK(said.find("several nodes each join") != std::string::npos);
      continue;
    }
    check_sums_read_back(schedule);
  }
  check_sums_read_back(read_jsonl("tests/data/all-reduce-doubling-cube-3.jsonl"));
  test::Kinds kinds;
  kinds.complete = kinds.orbits = kinds.pieces = kinds.sums = true;
  int files = 0;
  for (const Model& model : test::all_models(/*runnable=*/false)) {
    std::mt19937 random(9);
    for (int i = 0; i < 30; ++i) {
      const test::Script script = test::random_script(random, model, kinds);
      if (!reduces(script.collective)) continue;
      ++files;
      INFO(script.text());
      check_sums_read_back(script.schedule());
    }
  }
  CHECK(files > 100);
}

TEST_CASE("MSCCL takes 256 messages between two nodes, 32 peers and one length, and no more") {
  // Only the limits count: none of these schedules could run.
  const auto error = [](const std::string& topology, const auto& add) {
    Schedule s(Topology::parse(topology), Collective::Gossip,
               {PortModel::All, Duplex::Full, Switching::Packet, /*combining=*/true});
    add(s);
    return refusal([&] { msccl_xml(s); });
  };
  for (const Node more : {0u, 1u}) {
    const auto many = [&](Schedule& s) {
      std::vector<Message> messages;
      for (Node origin = 1; origin <= 256 + more; ++origin) messages.push_back({origin});
      s.add(1, std::vector<Node>{1, 0}, messages);
    };
    CHECK(error("path:258", many) ==
          (more ? "msccl-xml: 257 steps between 0 and 1; MSCCL takes at most 256" : "accepted"));
    for (const bool sends : {true, false}) {
      CHECK(error(fmt::format("complete:{}", 33 + more), [&](Schedule& s) {
              for (Node x = 32 + more; x > 0; --x)
                sends ? s.add_hop(1, 0, x, 0) : s.add_hop(1, x, 0, x);
            }) == (more ? "msccl-xml: node 0 has more than 32 peers" : "accepted"));
    }
  }
  const auto several = [](Schedule& s) { s.sizes = Sizes(3, {1, 0, 2}); };
  CHECK(error("path:3", several) ==
        "msccl-xml: the format has chunks of one length; these messages have several");
  const auto said = refusal([] { msccl_xml(planned("hypercube:3", "bertsekas", "scatter")); });
  CHECK(said.find("only, not scatter") != std::string::npos);
}
