// Nodes that are evaluated at once, in lanes, do what they do one by one: every link in every
// cycle, every word of every log, every error.
#include <algorithm>
#include <random>

#include "catch.hpp"
#include "driver/case.hpp"
#include "engines/engine_library.hpp"
#include "engines/prepared.hpp"
#include "engines/same_links.hpp"
#include "tables/expected_logs.hpp"

namespace gossamer::test {
namespace {

Schedule planned_for_lanes(const std::string& topology, const std::string& algorithm) {
  Case c;
  c.topology = topology;
  c.algorithm = algorithm;
  return make_plan(c).schedule;
}

std::unique_ptr<Fabric> load_lanes(const FabricImage& image, bool lanes, unsigned threads = 1) {
  auto fabric = tb::make_tile_fabric(image.kind, false, 3, image.most_stages() != 0,
                                     lanes ? tb::Speed::Fast : tb::Speed::Plain);
  fabric->use_threads(threads);
  fabric->load(image);
  return fabric;
}

struct LaneRun {
  Schedule schedule;
  FabricImage image;
  LaneRun(const std::string& topology, const std::string& algorithm, unsigned flits,
          bool compressed, bool symmetric = false)
      : schedule(planned_for_lanes(topology, algorithm)),
        image(prepare(schedule, flits, 6, symmetric ? classes(flits) : nullptr)) {
    if (compressed) image.expected = expected_logs(schedule, image.kind, payload(flits));
  }
  Payload payload(unsigned flits) const { return {schedule, flits, kPayloadSeed}; }
  std::shared_ptr<const Quotient> classes(unsigned flits) const {
    return std::make_shared<Quotient>(schedule.topology(), schedule.symmetry(), payload(flits));
  }
};

std::string unlike_logs(const Fabric& a, const Fabric& b, const FabricImage& image) {
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    for (unsigned g = 0; g < image.kind.logs(); ++g) {
      if (a.log(x, g) != b.log(x, g)) return fmt::format("node {}, log {}", x, g);
    }
    if (a.as_expected(x) != b.as_expected(x)) return fmt::format("node {} as expected", x);
  }
  const auto errors = a.errors(), others = b.errors();
  if (errors.size() != others.size()) return "errors";
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const NodeError &e = errors[i], &o = others[i];
    if (e.node != o.node || e.seen != o.seen || e.first_code != o.first_code ||
        e.first_slot != o.first_slot || e.first_port != o.first_port) {
      return fmt::format("the error of node {}", e.node);
    }
  }
  return "";
}

}  // namespace

TEST_CASE("lanes: nodes that are evaluated at once do in every cycle what each does by itself") {
  const auto [topology, algorithm, flits, compressed] = GENERATE(
      table<std::string, std::string, unsigned, bool>({{"torus:7x7x7", "delmas-perennes", 1, false},
                                                       {"torus:7x7x7", "delmas-perennes", 1, true},
                                                       {"torus:7x7x7", "delmas-perennes", 3, true},
                                                       {"torus:7x7x7", "delmas-perennes", 5, false},
                                                       {"torus:7x7x7", "lee-code", 2, true}}));
  INFO(topology << " by " << algorithm << ", " << flits << " flits, compressed " << compressed);
  const LaneRun run(topology, algorithm, flits, compressed);
  const auto one = load_lanes(run.image, false), lanes = load_lanes(run.image, true);
  CHECK(first_disagreement(*one, *lanes, run.schedule.topology()) == "");
  CHECK(unlike_logs(*one, *lanes, run.image) == "");
  CHECK(one->errors().empty());
  CHECK(one->compared().words == lanes->compared().words);
}

namespace {

/// A task for nodes of some kind.
struct OfKind {
  Case asked;
  unsigned flits;
};

std::vector<OfKind> of_several_kinds() {
  const auto asked = [](const char* topology, const char* algorithm, PortModel ports, Duplex duplex,
                        std::optional<Collective> collective = {}) {
    Case c;
    c.topology = topology;
    c.algorithm = algorithm;
    c.ports = ports;
    c.duplex = duplex;
    c.collective = collective;
    return c;
  };
  constexpr auto kAll = PortModel::All, kSingle = PortModel::Single;
  constexpr auto kFull = Duplex::Full, kHalf = Duplex::Half;
  std::vector<OfKind> kinds;
  kinds.push_back({asked("torus:4x4x4", "translation", kAll, kFull), 2});  // six channels
  kinds.push_back({asked("ring:12", "any-graph", kSingle, kHalf), 3});
  kinds.back().asked.stages = LinkStages::parse("2");
  for (const Operator op : {Operator::Sum, Operator::Min, Operator::Xor}) {
    kinds.push_back({asked("ring:9", "ring-reduce", kAll, kFull, Collective::AllReduce), 9});
    kinds.back().asked.op = op;
  }
  return kinds;
}

}  // namespace

TEST_CASE("lanes: nodes of several kinds, looked at in every cycle") {
  const std::vector<OfKind> kinds = of_several_kinds();
  const OfKind& kind = kinds[GENERATE_REF(range(std::size_t{0}, kinds.size()))];
  INFO(kind.asked.topology << " by " << kind.asked.algorithm);
  Case asked = kind.asked;
  asked.flits = kind.flits;
  const Schedule schedule = make_plan(asked).schedule;
  FabricImage image = prepare(schedule, kind.flits, tb::tile_ports(schedule.topology().ports()),
                              nullptr, asked.stages.on(schedule));
  const int wrong = GENERATE(0, 1, 2);  // a program's last slot, and words
  if (wrong == 1) image.programs.front().slots.back().receive ^= 1;
  for (std::size_t i = 0; wrong == 2 && i < image.own_words.size(); i += 5) image.own_words[i] ^= 8;
  const auto one = load_lanes(image, false), lanes = load_lanes(image, true);
  const Port links = schedule.topology().ports();
  std::vector<std::uint64_t> valid(image.topology.nodes()), other(valid.size());
  std::vector<std::uint32_t> words(valid.size() * links), others(words.size());
  std::string different;
  std::mt19937 random(wrong);
  while (!one->done() && one->cycle() < 20'000 && different.empty()) {
    lanes->run_and_look(1 + random() % 200, [&] {
      one->run(1);
      one->links(links, valid, words);
      lanes->links(links, other, others);
      for (Node x = 0; x < valid.size() && different.empty(); ++x) {
        for (Port p = 0; p < links; ++p) {
          const std::size_t l = std::size_t{x} * links + p;
          if (valid[x] == other[x] && ((valid[x] >> p & 1) == 0 || words[l] == others[l]) &&
              one->link(x, p) == lanes->link(x, p)) {
            continue;
          }
          different = fmt::format("cycle {}, node {}, port {}", one->cycle(), x, p);
        }
      }
      return different.empty();
    });
  }
  CHECK(different == "");
  CHECK(one->done());
  CHECK(lanes->done());
  CHECK(one->flits_moved() == lanes->flits_moved());
  CHECK(one->last_arrival() == lanes->last_arrival());
  CHECK(unlike_logs(*one, *lanes, image) == "");
  for (Node x = 0; x < image.topology.nodes(); ++x)
    CHECK(one->log(x, image.kind.logs()) == lanes->log(x, image.kind.logs()));
  CHECK((wrong != 1 || !one->errors().empty()));
}

TEST_CASE("lanes: so do nodes that stay there for many cycles, on one thread and on several") {
  const auto [topology, symmetric] =
      GENERATE(table<std::string, bool>({{"torus:7x7x7", false}, {"torus:49x49x49", true}}));
  const LaneRun run(topology, "delmas-perennes", 1, true, symmetric);
  const unsigned threads = GENERATE(1u, 2u, 3u);
  INFO(topology << ", " << threads << " threads");
  const auto one = load_lanes(run.image, false), lanes = load_lanes(run.image, true, threads);
  std::mt19937 random(threads);
  std::string different;
  while (!one->done() && different.empty()) {
    const std::uint64_t cycles = 1 + random() % (symmetric ? 3000 : 50);
    one->run(cycles);
    lanes->run(cycles);
    for (Node x = 0; x < run.image.topology.nodes() && different.empty(); ++x) {
      for (Port p = 0; p < 6; ++p) {
        if (one->link(x, p) == lanes->link(x, p)) continue;
        different = fmt::format("cycle {}, node {}, port {}", one->cycle(), x, p);
      }
    }
    if (one->done() != lanes->done() || one->flits_moved() != lanes->flits_moved() ||
        one->last_arrival() != lanes->last_arrival()) {
      different = fmt::format("cycle {}", one->cycle());
    }
  }
  CHECK(different == "");
  CHECK(one->compared().words == lanes->compared().words);
  CHECK(lanes->compared().different == 0);
  if (!symmetric) CHECK(unlike_logs(*one, *lanes, run.image) == "");
}

TEST_CASE("lanes: wrong tables and wrong words do the same there") {
  LaneRun run("torus:7x7x7", "delmas-perennes", 2, GENERATE(false, true));
  const int kind = GENERATE(range(0, 5));
  INFO("change " << kind);
  NodeProgram& program = run.image.programs[3];
  if (kind == 0) program.slots[1].select.assign(6, 6);
  if (kind == 1) {
    std::ranges::find_if(program.slots, [](const SlotEntry& e) {
      return e.receive != 0;
    })->receive = 0;
  }
  if (kind == 2) program.slots[1].length -= 3;
  if (kind == 3) program.channels[0][0].count = 0;
  if (kind == 4) {
    auto& words = run.image.own_words;
    for (std::size_t i = 0; i < words.size(); i += 17) words[i] ^= 0x100;
  }
  const auto one = load_lanes(run.image, false), lanes = load_lanes(run.image, true);
  CHECK(first_disagreement(*one, *lanes, run.schedule.topology()) == "");
  CHECK(unlike_logs(*one, *lanes, run.image) == "");
  CHECK((kind == 4 || !one->errors().empty()));
  CHECK(one->compared().different == lanes->compared().different);
}

TEST_CASE(
    "lanes: a word of no message is not translated there, the next number after the last message "
    "neither") {
  LaneRun run("torus:49x49x49", "delmas-perennes", 1, false, true);
  const Payload payload = run.payload(1);
  const std::uint32_t next = Payload::word(payload.first({0, kNoNode}) + 117649);
  REQUIRE_FALSE(payload.identify(next).has_value());
  REQUIRE(run.image.topology.nodes() > 8);
  for (std::size_t i = 0; i < run.image.own_words.size(); i += 2)
    run.image.own_words[i] = i % 4 == 0 ? next : 0xdeadbeef;
  const auto one = load_lanes(run.image, false), lanes = load_lanes(run.image, true);
  CHECK(first_disagreement(*one, *lanes, run.image.topology, 1000) == "no end");
}

}  // namespace gossamer::test
