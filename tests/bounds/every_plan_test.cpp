// Whatever is asked for on small graphs: no plan of any algorithm, in pieces or whole, is below
// a bound that is printed beside another one. ASKS sets how many questions, SEED the first.
#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <numeric>
#include <random>

#include "catch.hpp"
#include "driver/rank.hpp"
#include "driver/report.hpp"
#include "schedule/chunks.hpp"
#include "scratch.hpp"
#include "support/error.hpp"

using namespace gossamer;

namespace {

constexpr const char* kGraphs[] = {"path:5",        "ring:6",
                                   "complete:5",    "mesh:2x3",
                                   "torus:3x3",     "hypercube:3",
                                   "debruijn:3",    "product:path:3,ring:3",
                                   "edges:star",    "edges:one-way-ring",
                                   "edges:web",     "edges:tests/data/one-way-6.json",
                                   "edges:doubled", "edges:tests/data/doubled-path-3.json"};

/// Files of edges that are not among the data of the tests.
constexpr std::pair<const char*, const char*> kEdges[] = {
    {"star", R"({"n":6,"edges":[[0,1],[0,2],[0,3],[0,4],[0,5]]})"},
    {"one-way-ring",
     R"({"n":5,"edges":[{"link":[0,1],"one_way":true},{"link":[1,2],"one_way":true,"stages":2},
         {"link":[2,3],"one_way":true},{"link":[3,4],"one_way":true},
         {"link":[4,0],"one_way":true}]})"},
    {"web",
     R"({"n":7,"edges":[[0,1],{"link":[1,2],"one_way":true},{"link":[2,3],"one_way":true},[3,4],
         {"link":[4,5],"one_way":true},{"link":[5,6],"one_way":true},{"link":[6,0],"one_way":true},
         {"link":[2,6],"stages":3},{"link":[5,1,2],"one_way":true}]})"},
    {"doubled", R"({"n":4,"edges":[[0,1,2],[1,2],[2,3,3],[3,0],{"link":[0,2],"stages":4}]})"}};

class Draw {
 public:
  explicit Draw(std::uint32_t seed) : random_(seed) {}
  std::uint32_t below(std::uint32_t n) { return random_() % n; }
  template <typename List>
  auto of(const List& list) {
    return list[below(static_cast<std::uint32_t>(std::size(list)))];
  }
  template <typename T>
  T of(std::initializer_list<T> list) {
    return list.begin()[below(static_cast<std::uint32_t>(list.size()))];
  }

  Members members(const Topology& t) {
    if (below(5) < 2) return {};
    std::vector<Node> nodes(t.nodes());
    std::iota(nodes.begin(), nodes.end(), Node{0});
    std::ranges::shuffle(nodes, random_);
    nodes.resize(of({t.nodes() - 1, (t.nodes() + 1) / 2, Node{2}}));
    if (nodes.size() < 4 || below(3) != 0) return {std::move(nodes), t};
    const auto middle = nodes.begin() + static_cast<std::ptrdiff_t>(nodes.size() / 2);
    return {{{nodes.begin(), middle}, {middle, nodes.end()}}, t};
  }

  Sizes sizes(const Request& request) {
    const auto& terms = terms_of(request.collective);
    if (below(3) != 0 || (terms.reduces && terms.origins == Participants::Root)) return {};
    const Node n = request.topology.nodes();
    const std::size_t each = terms.same_to_all || below(2) == 0 ? 1 : n;
    std::vector<std::uint32_t> flits(n * each);
    for (auto& f : flits) f = of({0u, 1u, 2u, 7u, 40u});
    const Schedule empty = empty_schedule(request, {});
    for (std::size_t i = 0; i < flits.size(); ++i) {
      std::vector<std::uint32_t> alone(flits.size(), 0);
      alone[i] = flits[i];
      if (flits[i] > 0 && why_no_sizes(empty, Sizes(n, alone))) flits[i] = 0;
    }
    if (std::ranges::max(flits) == 0) return {};
    return Sizes(n, flits);
  }

 private:
  std::mt19937 random_;
};

struct Ask {
  Request request;
  Case told;  ///< what a report must know of it
};

Ask draw_ask(std::uint32_t seed, const Scratch& scratch) {
  Draw draw(seed);
  std::string graph = draw.of(kGraphs);
  for (const auto& [name, text] : kEdges) {
    if (graph == fmt::format("edges:{}", name)) graph = "edges:" + scratch.file(name, text);
  }
  Ask ask{{Topology::parse(graph)}, {}};
  Request& r = ask.request;
  r.collective = draw.of(kCollectiveTerms).collective;
  r.duplex = draw.below(3) == 0 ? Duplex::Half : Duplex::Full;
  r.flits = draw.of({1u, 2u, 5u, 16u, 70u});
  r.members = draw.members(r.topology);
  r.root = r.members.all() || r.members.several() ? 0 : r.members[0];
  r.sizes = draw.sizes(r);
  if (!r.sizes.equal()) r.flits = r.sizes.most();
  std::vector<std::uint32_t> stages(draw.below(3) == 0 ? r.topology.factors().size() : 1);
  for (auto& s : stages) s = draw.of({0u, 0u, 1u, 5u});
  ask.told.stages = LinkStages(stages);
  r.hop = 1 + ask.told.stages.most_on(r.topology);
  ask.told.topology = graph;
  ask.told.collective = r.collective;
  ask.told.duplex = r.duplex;
  ask.told.flits = r.flits;
  ask.told.members = r.members.text();
  if (has_root(r.collective) && !r.members.several()) ask.told.root = std::to_string(r.root);
  return ask;
}

struct Planned : Facts {
  bool forks = false;
};

/// Is b one of the schedules that the bound of rounds of a speaks of?
bool in_bound_of(const Planned& a, const Planned& b) {
  const auto says = [&](const char* words) { return a.bound.of.find(words) != std::string::npos; };
  if (says("packets") != (b.schedule().model().switching == Switching::Packet)) return false;
  if (says("pipelined") != (b.schedule().model().switching == Switching::Pipelined)) return false;
  if (says("one ") && b.schedule().model().combining) return false;
  if (says("or more") && b.schedule().pieces() < a.schedule().pieces()) return false;
  return !says("do not fork") || !b.forks;
}

/// By all algorithms, through either ports, as they cut messages and as they are told to.
std::vector<Planned> reports_of(const Ask& ask) {
  std::vector<Planned> reports;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.tolerates != nullptr) continue;
    for (const PortModel ports : {PortModel::Single, PortModel::All}) {
      for (const std::uint32_t pieces : {0u, 1u, 2u, 16u}) {
        Request request = ask.request;
        request.ports = ports;
        if (pieces > 0) request.pieces = pieces;
        if (refusal_of(algorithm, request)) continue;
        Case told = ask.told;
        told.ports = ports;
        told.pieces = request.pieces;
        try {
          Plan plan = plan_with(algorithm, request);
          const bool forks = std::ranges::any_of(plan.schedule.transfers(), &Transfer::tree);
          reports.push_back({examine(told, std::move(plan)), forks});
        } catch (const InputError&) {  // flits that cannot be cut so, or searches without a result
        }
      }
    }
  }
  return reports;
}

}  // namespace

TEST_CASE("no plan is below a bound of the same request") {
  const auto setting = [](const char* name, std::uint32_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : static_cast<std::uint32_t>(std::stoul(text));
  };
  const std::uint32_t first = setting("SEED", 1), asks = setting("ASKS", 300);
  const Scratch scratch;
  std::size_t plans = 0, pairs = 0;
  for (std::uint32_t seed = first; seed < first + asks; ++seed) {
    const Ask ask = draw_ask(seed, scratch);
    const std::vector<Planned> reports = reports_of(ask);
    CAPTURE(seed, ask.told.topology, to_string(*ask.told.collective), ask.told.members,
            to_string(ask.request.duplex), ask.request.flits, ask.told.stages.text(),
            ask.request.sizes.equal());
    plans += reports.size();
    for (const Planned& a : reports) {
      CAPTURE(a.plan->algorithm->name, to_string(a.schedule().model().ports), a.schedule().pieces(),
              a.check.rounds);
      CHECK(a.problems == std::vector<std::string>{});
      for (const Planned& b : reports) {
        if (b.schedule().model().ports > a.schedule().model().ports) continue;  // more ports
        if (a.schedule().joins() != b.schedule().joins()) continue;             // other nodes
        ++pairs;
        CAPTURE(b.plan->algorithm->name, b.schedule().pieces(),
                to_string(b.schedule().model().switching), to_string(b.schedule().model().ports));
        if (a.cycles_bound && b.cycles_predicted() < a.cycles_bound->value) {
          CAPTURE(a.cycles_bound->source);
          CHECK(*b.cycles_predicted() >= a.cycles_bound->value);
        }
        if (b.check.rounds < a.bound.value && in_bound_of(a, b)) {
          CAPTURE(a.bound.source, a.bound.of);
          CHECK(b.check.rounds >= a.bound.value);
        }
      }
    }
  }
  std::cout << fmt::format("{} plans of {} questions from seed {}, {} pairs\n", plans, asks, first,
                           pairs);
  CHECK(plans > 5 * asks);
}
