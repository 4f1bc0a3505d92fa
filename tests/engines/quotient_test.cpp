// One node of each class against the full fabric (docs/research/scale.md): every link of every node
// in every cycle, every word of every log, every error.
#include "fabric/quotient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "catch.hpp"
#include "driver/case.hpp"
#include "engines/engine_library.hpp"
#include "engines/prepared.hpp"
#include "judges/deviating_fabric.hpp"
#include "random_schedules.hpp"
#include "runner/fabric_runner.hpp"
#include "support/error.hpp"
#include "tables/expected_logs.hpp"
#include "tables/link_stages.hpp"

namespace gossamer::test {
namespace {

/// The word of a representative, as its translation by `shift` has it: found by its contents alone.
class Moved {
 public:
  Moved(const Schedule& schedule, const Payload& payload) : s_(schedule), payload_(payload) {}
  std::uint32_t operator()(std::uint32_t word, Node shift) const {
    auto id = payload_.identify(word);
    if (!id || shift == 0) return word;
    id->message.origin = s_.topology().translate(id->message.origin, shift);
    if (id->message.destination != kNoNode && !payload_.one_per_origin()) {
      id->message.destination = s_.topology().translate(id->message.destination, shift);
    }
    return payload_.word(*id);
  }

 private:
  const Schedule& s_;
  const Payload& payload_;
};

/// A schedule, and the same run twice: all nodes, and one of each class.
struct Pair {
  const Schedule& schedule;
  Payload payload;
  FabricImage full, quotient;
  std::unique_ptr<Fabric> all, classes;

  Pair(const Schedule& s, unsigned flits, bool compressed = false, const PortStages& stages = {})
      : schedule(s),
        payload(s, flits, kPayloadSeed),
        full(prepare(s, flits, tb::tile_ports(s.topology().ports()), nullptr, stages)),
        quotient(prepare(s, flits, tb::tile_ports(s.topology().ports()),
                         std::make_shared<Quotient>(s.topology(), s.symmetry(), payload), stages)) {
    if (compressed) quotient.expected = expected_logs(s, quotient.kind, payload);
  }
  /// The images may be changed before.
  void load() {
    const bool staged = full.most_stages() != 0;
    all = tb::make_tile_fabric(full.kind, false, 3, staged);
    classes = tb::make_tile_fabric(quotient.kind, false, 5, staged);
    all->load(full);
    classes->load(quotient);
  }

  /// The first link that differs in a cycle, or what else does; empty if nothing. Of a large fabric
  /// every `step`th node and the representatives are looked at.
  std::string disagreement(Node step) {
    const Moved moved(schedule, payload);
    const Symmetry& symmetry = schedule.symmetry();
    std::set<Node> nodes;
    for (Node c = 0; c < symmetry.classes(); ++c) nodes.insert(symmetry.representative(c));
    for (Node x = 0; x < schedule.topology().nodes(); x += step) nodes.insert(x);
    while (!all->done() && all->cycle() < 100000) {
      all->run(1);
      classes->run(1);
      for (const Node x : nodes) {
        for (Port p = 0; p < schedule.topology().ports(); ++p) {
          const Flit flit = all->link(x, p);
          Flit other = classes->link(symmetry.class_of(x), p);
          if (other.valid) other.data = moved(other.data, symmetry.shift(x));
          if (!(flit == other))
            return fmt::format("cycle {}, node {}, port {}", all->cycle(), x, p);
        }
      }
      if (all->done() != classes->done())
        return fmt::format("one is at rest in cycle {}", all->cycle());
    }
    if (all->last_arrival() != classes->last_arrival()) return "last arrivals differ";
    if (all->flits_moved() != classes->flits_moved() * symmetry.order())
      return "flits moved differ";
    for (const Node x : nodes) {
      for (unsigned g = 0; g < full.kind.logs(); ++g) {
        std::vector<std::uint32_t> words = classes->log(symmetry.class_of(x), g);
        for (std::uint32_t& word : words) word = moved(word, symmetry.shift(x));
        if (all->log(x, g) != words) return fmt::format("node {}, log {}", x, g);
      }
    }
    return errors_disagree();
  }

 private:
  std::string errors_disagree() const {
    std::vector<const NodeError*> of_class(schedule.symmetry().classes(), nullptr);
    const auto errors = classes->errors(), full_errors = all->errors();
    for (const NodeError& e : errors) of_class[e.node] = &e;
    if (full_errors.size() != errors.size() * schedule.symmetry().order()) return "errors differ";
    for (const NodeError& e : full_errors) {
      const NodeError* other = of_class[schedule.symmetry().class_of(e.node)];
      if (other == nullptr || other->seen != e.seen || other->first_code != e.first_code ||
          other->first_slot != e.first_slot || other->first_port != e.first_port) {
        return fmt::format("the error of node {}", e.node);
      }
    }
    return "";
  }
};

Schedule planned(const std::string& topology, const std::string& algorithm,
                 std::optional<Duplex> duplex = {}) {
  Case c;
  c.topology = topology;
  c.algorithm = algorithm;
  c.duplex = duplex;
  c.flits_given = false;
  return make_plan(c).schedule;
}

/// An output that should send words of the store's does not.
void silence(NodeProgram& program) {
  for (SlotEntry& entry : program.slots) {
    for (Port p = 0; p < entry.select.size(); ++p) {
      if (entry.select[p] != select_local(p)) continue;
      entry.select[p] = static_cast<Port>(entry.select.size());
      return;
    }
  }
}

/// Nothing is stored of what arrives at first.
void deafen(NodeProgram& program) {
  std::ranges::find_if(program.slots, [](const SlotEntry& e) { return e.receive != 0; })->receive =
      0;
}

}  // namespace

TEST_CASE("one node of each class does in every cycle what all of its class do, translated") {
  struct Row {
    const char *topology, *algorithm;
    unsigned flits;
    Node classes;
    const char* stages = "0";
    bool compressed = false;
    Node step = 1;
    std::optional<Duplex> duplex = {};
  };
  const auto row =
      GENERATE(Row{"torus:7x7x7", "delmas-perennes", 1, 7, "1"},
               Row{"torus:7x7x7", "delmas-perennes", 3, 7, "0,3,1", true},
               Row{"torus:7x7x7", "delmas-perennes-split", 2, 7},
               Row{"torus:7x7x7", "delmas-perennes-split", 2, 7, "2,0,5"},
               Row{"torus:14x14x14", "lee-code", 1, 7, "0", false, 97},
               Row{"torus:25x25", "lee-code", 2, 25}, Row{"torus:3x3x3x3", "edge-colouring", 1, 1},
               Row{"torus:7x7x7", "edge-colouring", 1, 1}, Row{"torus:7x7x7", "translation", 2, 1},
               Row{"torus:12x12", "tdm-search", 1, 1}, Row{"ring:9", "ring", 4, 1, "1"},
               Row{"ring:8", "ring", 2, 2, "2", false, 1, Duplex::Half},
               Row{"torus:4x4", "a2", 3, 4, "0,2"});
  CAPTURE(row.topology, row.algorithm, row.flits, row.stages);
  const Schedule schedule = planned(row.topology, row.algorithm, row.duplex);
  CHECK(schedule.symmetry().classes() == row.classes);
  const std::string stages = row.stages;
  Pair pair(schedule, row.flits, row.compressed,
            stages == "0" ? PortStages{} : LinkStages::parse(stages).on(schedule));
  pair.load();
  CHECK(pair.disagreement(row.step) == "");
  CHECK(pair.all->done());
  CHECK(pair.all->errors().empty());
  CHECK(pair.all->flits_moved() > 0);
}

TEST_CASE("a wrong table of a class does in the quotient what it does in all nodes") {
  const Schedule schedule = planned("torus:7x7x7", "delmas-perennes");
  Pair pair(schedule, 2);
  const int kind = GENERATE(range(0, 4));
  INFO("change " << kind);
  for (FabricImage* image : {&pair.full, &pair.quotient}) {
    NodeProgram& program = image->programs[3];
    if (kind == 0) silence(program);
    if (kind == 1) deafen(program);
    if (kind == 2) program.slots[1].length -= 3;
    if (kind == 3) program.channels[0][0].count = 0;
  }
  pair.load();
  CHECK(pair.disagreement(1) == "");
  CHECK_FALSE(pair.all->errors().empty());
}

TEST_CASE("random symmetric schedules run on one node of each class as on all") {
  std::mt19937 random(15);
  std::vector<Model> models = all_models(true);
  std::erase_if(models, [](const Model& m) {
    return m.duplex == Duplex::Half || m.switching == Switching::Pipelined;
  });
  unsigned runs = 0;
  for (int tries = 0; tries < 2000 && runs < 60; ++tries) {
    const Model model = pick(random, models);
    const Kinds kinds{.orbits = true, .trees = true, .pieces = true};
    const Schedule schedule = random_script(random, model, kinds).schedule();
    const NodeKind kind = node_kind(schedule, tb::tile_ports(schedule.topology().ports()));
    if (schedule.symmetry().order() == 1) continue;
    if (!kind.single_port && kind.channels == 1) continue;  // no engine that other tests need
    Pair pair(schedule, schedule.pieces() * (1 + random() % 3), random() % 2 == 0);
    pair.load();
    INFO("run " << runs << " on " << schedule.topology().spec());
    REQUIRE(pair.disagreement(1) == "");
    REQUIRE(pair.all->done());
    ++runs;
  }
  CHECK(runs == 60);
}

TEST_CASE("one node of each class holds logs of more than 2^16 words") {
  const Schedule schedule = planned("ring:70000", "ring");
  RunOptions options;
  options.symmetric = true;
  options.compressed = GENERATE(false, true);
  const RunResult result = tb::FabricRunner().run(schedule, options);
  CHECK(result.problems == std::vector<std::string>{});
  CHECK(result.nodes_simulated == 1);
  CHECK(result.words_checked == std::uint64_t{70'000} * 70'000);
  CHECK(result.delivered == std::uint64_t{70'000} * 69'999);
}

TEST_CASE("what goes wrong in all nodes of a class is found in the one that is simulated") {
  const Schedule schedule = planned("torus:7x7x7", "delmas-perennes");
  RunOptions options;
  options.flits = 2;
  options.symmetric = true;
  options.compressed = GENERATE(false, true);
  tb::Deviation deviation;
  std::string found;
  SECTION("a wrong table") {
    deviation.image = [](FabricImage& image) { silence(image.programs[3]); };
    found = "nothing where a flit should be";
  }
  SECTION("a wrong translation on one link") {
    deviation.image = [](FabricImage& image) {
      auto wrong = std::make_shared<Quotient>(*image.quotient);
      wrong->plant(2, 1, 5);
      image.quotient = wrong;
    };
    found = "never got the message";
  }
  SECTION("a store that drops a word") {
    deviation.log = [](Node x, unsigned, std::vector<std::uint32_t>& words) {
      if (x == 4 && words.size() > 7) words.erase(words.begin() + 7);
    };
    found =
        "node 4, log 4, word 7: the message of node 91 breaks off at flit 1, as in 48 more nodes";
  }
  SECTION("a word that is another one on a link") {
    deviation.link = [](std::uint64_t cycle, Node x, Port p, Flit& flit) {
      if (cycle == 3 && x == 5 && p == 2) flit.valid = !flit.valid;
    };
    found = "first difference: cycle 3, link 5-12";
  }
  const tb::MakeFabric make = [&](const RunOptions& options, const FabricImage& image) {
    return std::make_unique<tb::DeviatingFabric>(tb::make_fabric(options, image), deviation);
  };
  const RunResult result = tb::FabricRunner(nullptr, make).run(schedule, options);
  REQUIRE_FALSE(result.problems.empty());
  INFO(fmt::format("{}", fmt::join(result.problems, "\n")));
  CHECK(std::ranges::any_of(result.problems, [&](const std::string& problem) {
    return problem.find(found) != std::string::npos;
  }));
}

TEST_CASE("a large fabric runs on one node of each class by itself, where that is exact") {
  const Schedule large = planned("torus:16x16x16", "translation");
  const Schedule small = planned("torus:7x7x7", "translation");
  RunOptions options;
  CHECK(tb::runs_symmetric(large, options, false));
  CHECK_FALSE(tb::runs_symmetric(small, options, false));
  CHECK_FALSE(tb::runs_symmetric(large, options, /*several_ranks=*/true));
  SECTION("not for an engine that simulates all") { options.engine = "systemc"; }
  SECTION("not for a report") { options.record = true; }
  SECTION("not for a waveform of all nodes") { options.trace = "x.fst"; }
  SECTION("not for a waveform of a node that another stands for") {
    options.trace = "x.fst";
    options.trace_nodes = {0, 4095};
  }
  SECTION("not if all nodes are asked for") { options.symmetric = false; }
  CHECK_FALSE(tb::runs_symmetric(large, options, false));
  options = {};
  options.trace = "x.fst";
  options.trace_nodes = {0};
  CHECK(tb::runs_symmetric(large, options, false));
  options = {};
  options.timed = timed(small, 1);
  CHECK_FALSE(tb::runs_symmetric(small, options, false));
  options.timed = timed(small, 1 << 14);  // so many flits take long
  CHECK(tb::runs_symmetric(small, options, false));
  options.record = true;  // too long to be recorded anyway
  CHECK(tb::runs_symmetric(small, options, false));
  options = {};
  options.symmetric = true;
  CHECK(tb::runs_symmetric(small, options, false));
}

TEST_CASE("what one node of each class cannot stand for is refused in one line") {
  struct Row {
    std::string topology, algorithm, engine, faults, why;
  };
  const auto row =
      GENERATE(Row{"torus:5x5", "translation", "flat", "", "the flat engine simulates all nodes"},
               Row{"path:4", "product", "tile", "", "each node is a class of its own"},
               Row{"hypercube:3", "chau-fu", "tile", "nodes=3",
                   "an adaptive node chooses by whose messages it has"},
               Row{"hypercube:3", "chau-fu", "tile", "",
                   "an adaptive node chooses by whose messages it has"});
  INFO(row.topology << " by " << row.algorithm);
  Case c;
  c.topology = row.topology;
  c.algorithm = row.algorithm;
  c.faults = row.faults;
  RunOptions options;
  options.engine = row.engine;
  options.symmetric = true;
  const Schedule schedule = make_plan(c).schedule;
  CHECK_THROWS_WITH(tb::FabricRunner().run(schedule, options), Catch::Matchers::Contains(row.why));
  const Schedule good = planned("torus:5x5", "translation");
  const auto refused = [&](const Schedule& s, const std::string& why) {
    CHECK_THROWS_WITH(tb::FabricRunner().run(s, options), Catch::Matchers::Contains(why));
  };
  options.engine = "tile";
  options.record = true;
  refused(good, "a report shows the links of all nodes");
  options.record = false;
  options.trace = "x.fst";
  options.trace_nodes = {0, 7};
  refused(good, "node 7 is traced, and in its place node 0 is simulated");
  options.trace.clear();
  refused(without_orbits(good), "the schedule has no translations");
  c.topology = "torus:5x5";
  c.algorithm.clear();
  c.faults.clear();
  c.collective = Collective::Broadcast;
  refused(make_plan(c).schedule, "a broadcast has a root, which no other node is like");
  c.collective = Collective::ReduceScatter;
  refused(make_plan(c).schedule, "a sum does not say whose parts are in it");
  CHECK_THROWS_WITH(tb::runs_symmetric(good, options, /*several_ranks=*/true),
                    Catch::Matchers::Contains("several machines share the nodes of a full run"));
}

}  // namespace gossamer::test
