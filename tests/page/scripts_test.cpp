// The scripts of a report's page (sw/page/assets), under Node: what they work out from the page's
// data is what the command knows.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "catch.hpp"
#include "driver/case.hpp"
#include "driver/report.hpp"
#include "export/export.hpp"
#include "page/page.hpp"
#include "page/pictures.hpp"
#include "schedule/schedule.hpp"
#include "scratch.hpp"
#include "support/error.hpp"
#include "support/file.hpp"

using namespace gossamer;
using Json = nlohmann::json;

namespace {

Json runs_json(const std::vector<LinkRun>& runs) {
  Json json = Json::array();
  for (const LinkRun& r : runs) {
    const auto& [origin, destination, piece] = r.message;
    json.push_back({r.begin, r.from, r.port, origin,
                    destination == kNoNode ? -1 : std::int64_t{destination}, piece, r.flits});
  }
  return json;
}

/// Whose parts of a message a delivery brings.
std::set<Node> parts_of(const std::vector<Delivery>& all, std::size_t i, const Message& m) {
  std::set<Node> parts = {all[i].from};
  for (const std::uint32_t n : all[i].needs) {
    if (std::ranges::count(all[n].messages, m) != 0) parts.merge(parts_of(all, n, m));
  }
  return parts;
}

/// The round in which the last piece came.
std::uint32_t latest(const std::map<std::uint32_t, std::uint32_t>& pieces) {
  std::uint32_t round = 0;
  for (const auto& [piece, came] : pieces) round = std::max(round, came);
  return round;
}

/// By node and part the round in which it had come into all pieces of the node's sum; all nodes are
/// members.
Json parts_json(const Schedule& schedule) {
  std::map<std::pair<Node, Node>, std::map<std::uint32_t, std::uint32_t>> came;  // by piece
  const std::vector<Delivery> all = deliveries(schedule);
  std::set<std::uint32_t> joined;  // on the way, not stored
  for (const Delivery& d : all) {
    for (const std::uint32_t n : d.needs) {
      const bool passes = d.arrival == all[n].arrival + schedule.model().hop_rounds;
      if (schedule.joins() && passes) joined.insert(n);
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const Message& m : joined.contains(i) ? std::vector<Message>{} : all[i].messages) {
      if (!has_root(schedule.collective()) && m.origin != all[i].to) continue;
      for (const Node part : parts_of(all, i, m)) {
        if (part == all[i].to) continue;
        const auto [it, is_new] = came[{all[i].to, part}].try_emplace(m.piece, all[i].arrival);
        if (!is_new) it->second = std::min(it->second, all[i].arrival);
      }
    }
  }
  Json json = Json::array();
  for (const auto& [pair, pieces] : came) {
    if (pieces.size() == schedule.pieces())
      json.push_back({pair.first, pair.second, latest(pieces)});
  }
  return json;
}

/// By node and message the round in which all its pieces had come, 0 for a node's own; of messages
/// to one node, by origin and destination.
Json came_json(const Schedule& schedule) {
  std::map<std::pair<Node, Node>, std::map<std::uint32_t, std::uint32_t>> came;  // by piece
  if (adaptive(schedule) || !schedule.faults.empty()) return Json::array();
  for (const Delivery& d : deliveries(schedule)) {
    for (const Message& m : d.messages) {
      if (m.origin == d.to || (m.destination != kNoNode && m.destination != d.to)) continue;
      const auto pair =
          m.destination == kNoNode ? std::pair{d.to, m.origin} : std::pair{m.origin, m.destination};
      const auto [it, is_new] = came[pair].try_emplace(m.piece, d.arrival);
      if (!is_new) it->second = std::min(it->second, d.arrival);
    }
  }
  Json json = Json::array();
  for (const auto& [pair, pieces] : came) {
    const std::uint32_t flits =
        schedule.sizes.equal()
            ? schedule.pieces()
            : schedule.sizes.of(same_to_all(schedule.collective()) ? pair.second : pair.first,
                                pair.second);
    if (pieces.size() == std::min(flits, schedule.pieces()))
      json.push_back({pair.first, pair.second, latest(pieces)});
  }
  for (Node x = 0; x < schedule.topology().nodes(); ++x) {
    if (has_root(schedule.collective()) ? x == schedule.root_of(x) : schedule.members.has(x))
      json.push_back({x, x, 0});
  }
  return json;
}

/// Links, by the node and port that they leave, that the faults break.
Json dead_json(const Schedule& schedule) {
  const Topology& topology = schedule.topology();
  const auto dead = [&](Node x) { return std::ranges::count(schedule.faults.nodes, x) != 0; };
  Json json = Json::array();
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (Port p = 0; p < topology.ports(); ++p) {
      const Endpoint to = topology.peer(x, p);
      if (!topology.sends(x, p)) continue;
      if (dead(x) || dead(to.node) ||
          std::ranges::count(schedule.faults.arcs, Arc{x, to.node}) != 0)
        json.push_back({x, p});
    }
  }
  return json;
}

class Pages {
 public:
  /// False if there is no such schedule. A run is one that was interrupted.
  bool add(const Case& c, const std::optional<RunResult>& run = {}) {
    try {
      const Plan plan = make_plan(c);
      Facts report = examine(c, plan);
      if (run) {
        report.run = run;
        report.interrupted_in = "running";
      }
      const Schedule& schedule = plan.schedule;
      const unsigned flits = flits_of(c, schedule);
      const auto streams = page_streams(schedule, *report.timed, report.check.carried, 1u << 20);
      const Timeline& time = report.timed->time;
      Json facts = {
          {"name", schedule.topology().spec() + ", " + title_of(report)},
          {"classes", schedule.symmetry().order() > 1},
          {"runs", runs_json(link_runs(schedule, time, streams, flits))},
          {"came", reduces(schedule.collective()) ? parts_json(schedule) : came_json(schedule)},
          {"loads", Json::array()},
          {"starts", time.start},
          {"from", schedule.faults.from_round},
          {"dead", dead_json(schedule)},
          {"names", Json::array()}};
      auto& names = facts["names"];
      for (Node x = 0; x < report.nodes(); ++x) names.push_back(schedule.topology().name(x));
      for (const LinkLoad& load : link_loads(schedule, report.check, flits).by_round) {
        facts["loads"].push_back({load.round, load.from, load.port, load.cycles});
      }
      models_.insert({schedule.model().ports, schedule.model().duplex, schedule.model().switching});
      const std::string page = scratch_.file(fmt::format("{}.html", files_),
                                             case_page(report, "gossamer", "gossamer report"));
      command_ += fmt::format(" {} {}", page,
                              scratch_.file(fmt::format("{}.json", files_++), facts.dump()));
      return true;
    } catch (const InputError&) {
      return false;
    }
  }
  std::string compare() const {
    const std::string told = scratch_.path("told");
    const int status =
        std::system(fmt::format("node tests/page/scripts.js{} > {} 2>&1", command_, told).c_str());
    return status == 0 ? read_file(told) : read_file(told) + "(failed)";
  }
  std::size_t models() const { return models_.size(); }

 private:
  Scratch scratch_;
  std::string command_;
  std::size_t files_ = 0;
  std::set<std::tuple<PortModel, Duplex, Switching>> models_;
};

}  // namespace

TEST_CASE(
    "the scripts of a report work out what the command knows: every model, stages, faults, "
    "classes") {
  if (std::system("node --version > /dev/null 2>&1") != 0) {
    WARN("not tested: no node (Debian's package nodejs)");
    return;
  }
  Pages pages;
  for (const char* topology : {"torus:3x4", "hypercube:3", "mesh:3x3"}) {
    for (const Collective collective :
         {Collective::Gossip, Collective::TotalExchange, Collective::Broadcast, Collective::Scatter,
          Collective::Gather, Collective::Reduce, Collective::ReduceScatter,
          Collective::AllReduce}) {
      for (const PortModel ports : {PortModel::Single, PortModel::All}) {
        for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
          Case c;
          c.topology = topology;
          c.collective = collective;
          c.ports = ports;
          c.duplex = duplex;
          c.flits = 3;
          c.stages = LinkStages::parse(duplex == Duplex::Half ? "2" : "0");
          pages.add(c);
        }
      }
    }
  }
  constexpr const char* kGroups = "9,0,3,12/15,1,7/2,14,4,10,13/5";
  struct Named {
    std::string graph, algorithm, collective, stages = "0", faults = "", members = "", sizes = "",
                                              root = "";
    unsigned flits = 2;
  };
  for (const Named& n : std::initializer_list<Named>{
           {"torus:4x4", "translation", "gossip", "0,3"},
           {"edges:tests/data/one-way-6.json", "any-graph", "gossip", "1"},
           {"edges:tests/data/one-way-6.json", "cut-through", "total-exchange"},
           {"edges:tests/data/side-by-side-9.json", "any-graph", "total-exchange"},
           {"torus:5x5", "lee-code", "gossip", "1,3"},
           {"torus:4x4", "tdm-search", "total-exchange", "2", "", "", "", "", 1},
           {"mesh:4x4", "a1", "total-exchange", "0"},
           {"hypercube:3", "bertsekas", "scatter", "1"},
           {"hypercube:3", "chau-fu", "gossip", "1", "links=0-1;from=2"},
           {"hypercube:3", "chau-fu", "gossip", "0", "nodes=1,2,4"},
           {"hypercube:3", "chau-fu", "gossip", "3"},
           {"mesh:4x4", "", "gossip", "0", "", kGroups},
           {"mesh:4x4", "", "total-exchange", "0", "", kGroups},
           {"mesh:4x4", "", "broadcast", "0", "", kGroups},
           {"mesh:4x4", "", "scatter", "0", "", kGroups},
           {"mesh:4x4", "", "gather", "0", "", kGroups},
           {"mesh:4x4", "", "gossip", "0", "", "", "sizes-16", "", 0},
           {"mesh:4x4", "", "total-exchange", "0", "", "", "sizes-pairs-16", "", 0},
           {"mesh:4x4", "", "scatter", "0", "", "", "sizes-from-6-16", "6", 0},
           {"sizes-everything-ring-6", "", "", "0", "", "", "", "", 0},
           {"sizes-circuit-path-4", "", "", "0", "", "", "", "", 0},
           {"pieces-everything-ring-6", "", "", "0", "", "", "", "", 7}}) {
    Case c;
    (n.collective.empty() ? c.file : c.topology) =
        n.collective.empty() ? "tests/data/" + n.graph + ".jsonl" : n.graph;
    if (!n.collective.empty()) c.collective = parse_collective(n.collective);
    c.algorithm = n.algorithm;
    c.stages = LinkStages::parse(n.stages);
    c.faults = n.faults;
    c.members = n.members;
    c.root = n.root;
    if (!n.sizes.empty()) c.sizes = "tests/data/" + n.sizes + ".csv";
    c.flits_given = n.flits != 0;
    if (c.flits_given) c.flits = n.flits;
    INFO(n.graph << ", " << n.algorithm);
    CHECK(pages.add(c));
  }
  {
    Case c;
    c.topology = "torus:3x4";
    RunResult interrupted;
    interrupted.interrupted = true;
    interrupted.cycles_simulated = 1234;
    interrupted.rounds_done = 2;
    CHECK(pages.add(c, interrupted));
  }
  // Messages that come a second time, later.
  const Scratch scratch;
  for (const char* switching : {"packet", "pipelined"}) {
    std::string text = fmt::format(
        R"({{"gossamer":1,"topology":"ring:3","collective":"gossip","model":{{"ports":"all","duplex":"full","switching":"{}","combining":true}}}}
)",
        switching);
    for (const unsigned k : {0, 1, 2}) {
      for (const auto& [x, y] : {std::pair{0, 1}, {1, 2}, {2, 0}})
        text += fmt::format("{{\"r\":{},\"path\":[{},{}],\"msgs\":[{}]}}\n",
                            1 + (switching[1] == 'i' ? 3 * k : k), x, y, k == 1 ? (x + 2) % 3 : x);
    }
    Case c;
    c.file = scratch.file(fmt::format("{}.jsonl", switching), text);
    c.flits = 1;
    CHECK(pages.add(c));
  }
  CHECK(pages.models() >= 6);
  CHECK(pages.compare() == "");
}
