#include "judges/written_sums.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <sstream>

#include "bounds/bounds.hpp"
#include "bounds/cycles.hpp"
#include "checker/checker.hpp"
#include "checks/link_oracle.hpp"
#include "checks/verdict.hpp"
#include "driver/case.hpp"
#include "export/axi.hpp"
#include "export/goal.hpp"
#include "export/gtkw.hpp"
#include "export/mem.hpp"
#include "export/msccl.hpp"
#include "export/rtl.hpp"
#include "schedule/jsonl.hpp"
#include "support/error.hpp"
#include "tables/compiler.hpp"
#include "tables/expected_logs.hpp"
#include "topology/families.hpp"

namespace gossamer::tb {
namespace {

/// A checksum of text (FNV-1a), independent of the machine.
class Sum {
 public:
  /// Adds what a function returns; what it refuses is added, too.
  void add(const std::function<std::string()>& text) {
    try {
      add(text());
    } catch (const InputError& refused) {
      add(refused.what());
    }
  }
  void add(const std::string& text) {
    for (const char c : text + '\n') sum_ = (sum_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  std::string text() const { return fmt::format("{:08x}", (sum_ ^ sum_ >> 32) & 0xffffffff); }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325;
};

using Random = std::mt19937;

template <typename T, std::size_t n>
T pick(Random& random, const T (&from)[n]) {
  return from[random() % n];
}

// ---- Schedules.

/// A path of neighbours; now and then it turns back or leaves the links.
std::vector<Node> random_path(Random& random, const Topology& t, Switching switching) {
  std::vector<Node> path = {static_cast<Node>(random() % t.nodes())};
  std::size_t hops = switching == Switching::Packet ? 1 : 1 + random() % 3;
  for (int tries = 0; path.size() <= hops && tries < 12; ++tries) {
    const Node next = random() % 60 == 0 ? static_cast<Node>(random() % t.nodes())
                                         : t.peer(path.back(), random() % t.ports()).node;
    if (next == kNoNode) continue;
    if (random() % 20 == 0 || std::ranges::count(path, next) == 0) path.push_back(next);
  }
  return path;
}

Message random_message(Random& random, const Schedule& s, Node source) {
  const Node n = s.topology().nodes();
  const Node origin = has_root(s.collective()) && s.collective() != Collective::Gather ? s.root
                      : random() % 2 == 0 ? source : static_cast<Node>(random() % n);
  switch (s.collective()) {
    case Collective::Gossip:
    case Collective::Broadcast: return {origin, kNoNode};
    case Collective::Gather: return {origin, s.root};
    case Collective::Scatter:
    case Collective::TotalExchange: break;
  }
  return {origin, static_cast<Node>(random() % n)};
}

/// It may lack messages in the end.
bool keeps_rules(const Schedule& s) {
  return std::ranges::none_of(check(s).faults,
                              [](const BrokenRule& fault) { return fault.line != 0; });
}

/// Mostly legal: a transfer that breaks a rule stays once in 30 times.
Schedule random_schedule(Random& random, const Model& model) {
  constexpr const char* kTopologies[] = {"ring:3",    "ring:4",      "ring:5",     "path:4",
                                         "mesh:2x3",  "torus:3x3",   "complete:4", "hypercube:3",
                                         "ghc:2x3",   "torus:2x2x3", "debruijn:3"};
  constexpr Collective kCollectives[] = {Collective::Gossip, Collective::Gossip,
                                         Collective::TotalExchange, Collective::Broadcast,
                                         Collective::Scatter, Collective::Gather};
  const Topology topology = Topology::parse(pick(random, kTopologies));
  const Collective collective = pick(random, kCollectives);
  std::vector<Node> generators;
  if (topology.translatable() && !has_root(collective) && random() % 2 == 0)
    generators.push_back(static_cast<Node>(random() % topology.nodes()));
  Schedule s(topology, collective, model, Symmetry(topology, generators));
  if (has_root(collective)) s.root = static_cast<Node>(random() % topology.nodes());
  for (std::uint32_t round = 1, rounds = 2 + random() % 5; round <= rounds; ++round) {
    for (std::uint32_t tries = 3 + random() % 6; tries > 0; --tries) {
      Schedule more = s;
      const std::vector<Node> path = random_path(random, topology, model.switching);
      if (model.combining && random() % 3 == 0) {
        more.add_everything(round, path, 10 * round + tries);
      } else {
        std::vector<Message> messages;
        for (std::uint32_t m = model.combining ? 1 + random() % 3 : 1; m > 0; --m)
          messages.push_back(random_message(random, s, path[0]));
        more.add(round, path, messages, 10 * round + tries);
      }
      if (keeps_rules(more) || random() % 30 == 0) s = std::move(more);
    }
  }
  return s;
}

/// A folder that is removed with its files.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "gossamer-judges-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw InputError("no folder for exports: " + name);
    folder_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path(const char* name) const { return (folder_ / name).string(); }

  /// The text without this folder's name, which is another each time.
  std::string without_path(std::string text) const {
    const std::string path = folder_.string();
    for (std::size_t at = 0; (at = text.find(path, at)) != std::string::npos;)
      text.erase(at, path.size());
    return text;
  }

  /// Names and content of all files, in the order of the names.
  std::string text() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream in(entry.path(), std::ios::binary);
      files[std::filesystem::relative(entry.path(), folder_).string()] = {
          std::istreambuf_iterator<char>(in), {}};
    }
    std::string text;
    for (const auto& [name, content] : files) text += name + '\n' + content;
    return text;
  }

 private:
  std::filesystem::path folder_;
};

/// The results of some schedules, each kind in a sum of its own.
class ScheduleSums {
 public:
  void add(Random& random, const Schedule& s) {
    const unsigned flits = 1 + random() % 5;
    files_.add([&] {
      std::ostringstream first, second;
      write_jsonl(s, first, Orbits::Kept);
      std::istringstream in(first.str());
      write_jsonl(read_jsonl(in, "file"), second);
      return first.str() + second.str();
    });
    for (const OriginSets sets : {OriginSets::Bits, OriginSets::Trees, OriginSets::Automatic})
      verdicts_.add([&] { return verdict_of(check(s, 1 + random() % 20, sets)); });
    const PortStages stages(random() % 3 == 0 ? s.topology().ports() : 0, 2);
    times_.add([&] { return times_of(s, flits, stages); });
    const Port ports = s.topology().ports() + random() % 2;
    tables_.add(
        [&] { return tables_of(compile(s, flits, ports, false, nullptr, nullptr, stages)); });
    tables_.add([&] { return stores_of(s, flits, ports); });
    links_.add([&] { return links_of(s, flits, ports, stages); });
    if (!keeps_rules(s)) return;
    exports_.add([&] { return goal_text(s, 4 * flits); });
    exports_.add([&] { return msccl_xml(s); });
    exports_.add([&] { return axi_text(s, flits, stages); });
    exports_.add([&] { return axi_header(s, flits, "own"); });
  }
  /// What is exported into folders.
  void add_folders(const Schedule& s) {
    const Folder folder;
    const PortStages stages(s.topology().ports(), 1);
    const auto cycles = timed(s, 2)->time.last_arrival;
    for (const auto& write : std::initializer_list<std::function<void()>>{
             [&] { export_rtl(s, 2, 1, cycles, folder.path("rtl")); },
             [&] { export_rtl(s, 2, 1, cycles, folder.path("staged"), stages); },
             [&] { export_mem(s, 2, {}, folder.path("mem")); },
             [&] { export_mem(s, 2, {.seed = 3, .in_order = true}, folder.path("small")); },
             [&] { export_gtkw(s, 2, 1, "top.fabric", folder.path("view.gtkw")); }}) {
      try {
        write();
      } catch (const InputError& refused) {
        exports_.add(folder.without_path(refused.what()));
      }
    }
    exports_.add(folder.without_path(folder.text()));
  }
  std::string text() const {
    return fmt::format("files {}, verdicts {}, times {}, tables {}, links {}, exports {}\n",
                       files_.text(), verdicts_.text(), times_.text(), tables_.text(),
                       links_.text(), exports_.text());
  }

 private:
  static std::string verdict_of(const CheckReport& r) {
    std::string text = fmt::format("{} {} {} {} {} {}; {}\n", r.rounds, r.delta_sum, r.tau_sum,
                                   r.transmissions, r.delivered, r.expected,
                                   fmt::join(r.carried, " "));
    for (const BrokenRule& fault : r.faults) text += to_string(fault) + '\n';
    for (const MissingPair& p : r.missing) text += fmt::format("{} {}\n", p.node, p.origin);
    return text;
  }

  static std::string times_of(const Schedule& s, unsigned flits, const PortStages& stages) {
    const auto timed = gossamer::timed(s, flits, nullptr, stages);
    std::string text = fmt::format("{}; {}; {} {}\n", fmt::join(timed->time.start, " "),
                                   fmt::join(timed->time.length, " "), timed->time.last_arrival,
                                   fmt::join(timed->sizes, " "));
    for (const SlotParts& p : timed->time.parts)
      text += fmt::format("{} {} {} {}\n", p.alpha, p.hops, p.flits, p.waiting);
    return text;
  }

  static std::string tables_of(const Compiled& c) {
    const FabricImage& image = c.image;
    std::string text = fmt::format("{} {} {} {}; {}; {}; {}\n", c.flits_expected, image.capacity,
                                   image.message_shift, image.kind.logs(),
                                   fmt::join(image.program_of, " "), fmt::join(image.partner, " "),
                                   fmt::join(image.initiator, " "));
    text += fmt::format("{}; {}; {} {}\n", fmt::join(image.dead, " "), image.dead_after,
                        image.most_stages(), image.kind.wide);
    for (const NodeProgram& program : image.programs) {
      for (const SlotEntry& e : program.slots) {
        text += fmt::format("{} {} {} {} {} {} {} {} {}\n", e.length, e.repeat, e.stream, e.receive,
                            fmt::join(e.select, " "), e.loop, e.back, e.loops, e.final);
        const auto words = encode(e, image.kind);
        text += fmt::format("{:x} {}\n", fmt::join(words, " "),
                            decode_slot(words, image.kind) == e);
      }
      for (const auto& list : program.channels) {
        for (const Segment& g : list) {
          text += fmt::format("{} {} {} {} {} {} {} {:x} {},", g.log, g.base, g.run, g.stride,
                              g.count, g.stop, g.same, fmt::join(encode(g), " "),
                              decode_segment(encode(g)) == g);
        }
        text += '\n';
      }
    }
    return text;
  }

  /// What compressed stores expect in each log.
  static std::string stores_of(const Schedule& s, unsigned flits, Port ports) {
    const Payload payload(s, flits, 1);
    const NodeKind kind = node_kind(s, ports);
    std::string text;
    for (const std::uint32_t written_out : {0u, 8u, 1u << 20}) {
      const auto logs = expected_logs(s, kind, payload, written_out);
      if (!logs) return "none";
      for (Node c = 0; c < s.symmetry().classes(); ++c) {
        for (unsigned g = 0; g < kind.logs(); ++g) {
          for (const auto& run : logs->log(c, g))
            text += fmt::format("{} {} {},", run.end, run.offset, run.shift);
          text += '\n';
        }
      }
      text += fmt::format("{}; {}\n", fmt::join(logs->origins, " "), fmt::join(logs->back, " "));
    }
    return text;
  }

  /// What must be on every link in every cycle.
  static std::string links_of(const Schedule& s, unsigned flits, Port ports,
                              const PortStages& stages) {
    const Payload payload(s, flits, 1);
    const Compiled compiled = compile(s, flits, ports, false, nullptr, nullptr, stages);
    const LinkOracle oracle = oracle_of(compiled, payload, s);
    std::string text;
    for (Node x = 0; x < s.topology().nodes(); ++x) {
      for (Port p = 0; p <= s.topology().ports(); ++p) {
        for (std::uint64_t cycle = 0; cycle <= compiled.time.last_arrival + 1; ++cycle)
          text += fmt::format("{:x},", oracle.word_at(x, p, cycle).value_or(0));
      }
    }
    return text;
  }

  Sum files_, verdicts_, times_, tables_, links_, exports_;
};

std::string random_schedules() {
  std::string text;
  for (const PortModel ports : {PortModel::Single, PortModel::All}) {
    for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
      for (const Switching switching :
           {Switching::Packet, Switching::Circuit, Switching::Pipelined}) {
        for (const bool combining : {false, true}) {
          Random random(7);
          ScheduleSums sums;
          for (int i = 0; i < 10; ++i)
            sums.add(random, random_schedule(random, {ports, duplex, switching, combining}));
          text += fmt::format("{} {} {}{}: {}", to_string(ports), to_string(duplex),
                              to_string(switching), combining ? " combining" : "", sums.text());
        }
      }
    }
  }
  return text;
}

/// Schedules of algorithms, for what random ones do not have: all translations, adaptive nodes,
/// faults.
std::string planned_schedules() {
  struct Asked {
    const char* topology;
    const char* algorithm;
    std::optional<Collective> collective = {};
    std::optional<PortModel> ports = {};
    std::optional<Duplex> duplex = {};
    const char* faults = "";
    bool folders = false;  ///< exported into folders, too
  };
  const Asked kAsked[] = {
      {"torus:3x5", "translation"},
      {"torus:4x3", "edge-colouring"},
      {"torus:3x3", "product", {}, {}, {}, "", true},
      {"ring:7", "ring"},
      {"hypercube:3", "hamiltonian"},
      {"torus:5x5", "a2"},
      {"mesh:2x3", "a1", {}, {}, {}, "", true},
      {"path:4", "a1", {}, {}, {}, "", true},
      {"mesh:3x4", "a1", Collective::TotalExchange},
      {"torus:2x2x3", "a1", Collective::TotalExchange, {}, {}, "", true},
      {"hypercube:3", "bertsekas", Collective::TotalExchange, PortModel::All},
      {"hypercube:3", "bertsekas", Collective::Scatter, PortModel::All},
      {"hypercube:3", "chau-fu", {}, PortModel::Single, {}, "", true},
      {"hypercube:3", "chau-fu", {}, PortModel::All},
      {"hypercube:3", "chau-fu", {}, PortModel::Single, {}, "nodes=3;links=0-1;from=2"},
      {"hypercube:4", "chau-fu", {}, PortModel::All, {}, "nodes=1;arcs=4>5;links=8-9"},
      {"hypercube:3", "chau-fu-initiated", {}, PortModel::Single, {}, "links=0-1"},
      {"hypercube:3", "chau-fu-initiated", {}, PortModel::All, {}, "nodes=5"},
      {"hypercube:3", "chau-fu", Collective::Broadcast, PortModel::All, {}, "links=0-2"},
      {"hypercube:3", "chau-fu", Collective::Broadcast, PortModel::Single},
  };
  std::string text;
  for (const Asked& asked : kAsked) {
    Case c;
    c.topology = asked.topology;
    c.algorithm = asked.algorithm;
    c.collective = asked.collective;
    c.ports = asked.ports;
    c.duplex = asked.duplex;
    c.faults = asked.faults;
    Random random(3);
    ScheduleSums sums;
    const Schedule schedule = make_plan(c).schedule;
    sums.add(random, schedule);
    if (asked.folders) sums.add_folders(schedule);
    text += fmt::format("{} {} {}: {}", asked.topology, asked.algorithm, asked.faults, sums.text());
  }
  return text;
}

// ---- Graphs.

/// A connected graph: a tree, and some more links.
Topology random_graph(Random& random) {
  const Node nodes = 5 + random() % 5;
  std::vector<Edge> edges;
  const auto add = [&](Node a, Node b) {
    const Edge edge = std::minmax(a, b);
    if (a != b && std::ranges::count(edges, edge) == 0) edges.push_back(edge);
  };
  for (Node x = 1; x < nodes; ++x) add(x, random() % x);
  for (auto more = random() % 8; more > 0; --more) add(random() % nodes, random() % nodes);
  std::ranges::sort(edges);
  return Topology("random", {graph_of_edges("random", nodes, edges)});
}

/// All bounds of a collective, and what proves them.
std::string bounds_of(const Topology& t, Collective collective, Node root) {
  std::string text = fmt::format("{}\n", lower_bound_delta(t, collective, root));
  for (const PortModel ports : {PortModel::Single, PortModel::All}) {
    for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
      for (const Switching switching :
           {Switching::Packet, Switching::Circuit, Switching::Pipelined}) {
        for (const bool combining : {false, true}) {
          const Model model{ports, duplex, switching, combining};
          const Bound rounds = strongest_bound(t, collective, model, root);
          const Bound cycles = lower_bound_cycles(t, collective, model, root, 3, 1);
          text += fmt::format("{} {} {} {} {}\n", rounds.value, rounds.source, cycles.value,
                              cycles.source, lower_bound_tau(t, collective, model, root));
        }
      }
    }
  }
  return text;
}

std::string random_graphs() {
  std::string text;
  for (const Collective collective :
       {Collective::Gossip, Collective::TotalExchange, Collective::Broadcast, Collective::Scatter,
        Collective::Gather}) {
    Random random(5);
    Sum sum;
    for (int i = 0; i < 12; ++i) {
      const Topology graph = random_graph(random);
      sum.add([&] { return bounds_of(graph, collective, random() % graph.nodes()); });
    }
    text += fmt::format("{} {}\n", to_string(collective), sum.text());
  }
  return text;
}

constexpr const char* kRandomSchedules =
    R"(single full packet: files c0efe5cc, verdicts b4391674, times e723e880, tables 93e51696, links 08acc362, exports 81d8c894
single full packet combining: files 49c8ba2a, verdicts 3997c2d5, times 91400fac, tables 3144192f, links 9b3b312a, exports f029a406
single full circuit: files e9be689b, verdicts 32562978, times ea6c29a1, tables 8bf2dc76, links e2f55dfd, exports c7bd2b1f
single full circuit combining: files 4945fcca, verdicts bd403213, times b8ada632, tables a2914d59, links 681efdd6, exports 958ef861
single full pipelined: files 99794316, verdicts e6468403, times a8533b8b, tables 31ad91d7, links 0a24c487, exports 850464c1
single full pipelined combining: files 1648cb07, verdicts f6ad1ee3, times a769bd9d, tables bd804695, links 35f69201, exports 5d09d6fc
single half packet: files b1d9dc99, verdicts 2c694a2c, times b0db1921, tables 457245ff, links 8607a3f5, exports 4e4d5ef5
single half packet combining: files fb3adde2, verdicts 085f09a7, times e0ecf1dd, tables b8844301, links a4f44325, exports 63a9bbfe
single half circuit: files 414a4804, verdicts e4e51954, times 247893df, tables 783cecbb, links c51e7966, exports 153372b6
single half circuit combining: files b1805a9a, verdicts d432e13b, times a5d3db10, tables 2fd5e4b8, links 7e7d053e, exports e93590d8
single half pipelined: files fadb58e9, verdicts 4a1f7a73, times 6f2afea4, tables 4c3f8184, links 6f2afea4, exports 0d930ad3
single half pipelined combining: files e324e00f, verdicts f59a5957, times 8d05e2bd, tables 88e94e69, links 8d05e2bd, exports 3e4fb3c3
all full packet: files 38d15d1f, verdicts 7bdd3b1f, times 8b45aec5, tables 7d684213, links 75efbd47, exports ed50c709
all full packet combining: files b265dd5d, verdicts 4a12cda1, times 726970ab, tables b990dd09, links 03c84f17, exports 59b53a53
all full circuit: files d57746b3, verdicts e5181c90, times 3f05dea1, tables d0665f2b, links ebdbef9f, exports e9c36dcc
all full circuit combining: files d7be761f, verdicts d584c464, times b8ada632, tables 28ad8790, links 681efdd6, exports 8d04f17a
all full pipelined: files a336c4e9, verdicts dd080afb, times bcf9faa4, tables 760586a5, links f051c514, exports 09c8ec70
all full pipelined combining: files 250f9034, verdicts 96ee7000, times 9e1b5e6a, tables ff84a0cb, links cd8a38cd, exports 7a846b8b
all half packet: files acf22af3, verdicts 53ef64cf, times 31570094, tables 2018023f, links 0a72ca9a, exports 7ab57be1
all half packet combining: files 507e1c76, verdicts c75de7c1, times 0125c4d9, tables 94d000b2, links 0219b5d0, exports c8d40ca6
all half circuit: files ae608dd0, verdicts b92f15bd, times 9ea499b1, tables 86ef4f04, links 231ed81d, exports fdb4e359
all half circuit combining: files 64484803, verdicts 8226972d, times 884c555a, tables 97065f3b, links 8479a448, exports 38a34270
all half pipelined: files 2ab11341, verdicts 29ba2f86, times 996df998, tables 504fe7ec, links 996df998, exports bd95f8e1
all half pipelined combining: files 900483df, verdicts aa81f35e, times 6ef0adfd, tables f64ef54d, links 6ef0adfd, exports b3abfd97
)";
constexpr const char* kPlannedSchedules =
    R"(torus:3x5 translation : files d37789ea, verdicts 8fee6fcd, times 24b0f923, tables adc3e7f5, links 2d7cfdab, exports f859fe87
torus:4x3 edge-colouring : files 40ac4243, verdicts c4e41a24, times d5c9a632, tables 8c9b70c3, links 7b06e4f3, exports 232b4789
torus:3x3 product : files 7774f1f9, verdicts 12fb0dd0, times 1029afd0, tables 9875b28a, links 7982571a, exports 5dafd4bf
ring:7 ring : files 46a1b895, verdicts db6be0ed, times a2705549, tables 9f2b9b28, links d8a383cd, exports f450751c
hypercube:3 hamiltonian : files da681627, verdicts b61b5612, times fbfcf6a3, tables 98366f82, links 64ef188a, exports 6675a584
torus:5x5 a2 : files bb29458b, verdicts 3fdc683e, times b6b5b971, tables 35e6fbc9, links 76bf8739, exports 9b29eb40
mesh:2x3 a1 : files 435dc11f, verdicts 227e8b5f, times cc7f1461, tables dfb284dc, links 63b637e8, exports 7c2c1316
path:4 a1 : files 65c18bed, verdicts 6692134e, times 82919ddd, tables 4074816b, links de510b38, exports 037fd77e
mesh:3x4 a1 : files 5d02ac3b, verdicts 75b20098, times 7e576502, tables bdfb2b3f, links eae62d55, exports 40d1efec
torus:2x2x3 a1 : files 5716ce28, verdicts ae295a98, times c6427324, tables 5600a215, links d002fbbd, exports 3d1191a7
hypercube:3 bertsekas : files 48a0c61f, verdicts c75e94ad, times 3a4d1a3f, tables a0b63bb0, links 459061bf, exports e08854f5
hypercube:3 bertsekas : files 99234704, verdicts d39a3f3e, times 03b3d964, tables abfb2d38, links de092c4c, exports 0ab0c241
hypercube:3 chau-fu : files adb39464, verdicts eb7cd6a3, times 0c65ebbc, tables b03f0ca9, links fb468f9c, exports c20158ca
hypercube:3 chau-fu : files ea2ad39a, verdicts 4b469313, times f810a3cf, tables 659f61aa, links 422f6f45, exports e55e4f9c
hypercube:3 chau-fu nodes=3;links=0-1;from=2: files 916ff279, verdicts e54c6f0c, times 0c65ebbc, tables 451a29a1, links b8239cfc, exports e55e4f9c
hypercube:4 chau-fu nodes=1;arcs=4>5;links=8-9: files 30dd621a, verdicts f2ca4b4c, times 7c624c13, tables bab63a83, links 5ed9ef52, exports e55e4f9c
hypercube:3 chau-fu-initiated links=0-1: files f85efa68, verdicts ba39b35d, times 06cf60a0, tables ad5643d6, links c7e0a720, exports e55e4f9c
hypercube:3 chau-fu-initiated nodes=5: files 6acf72d3, verdicts 8225d482, times d6abb7ec, tables c295d238, links 765e8d80, exports e55e4f9c
hypercube:3 chau-fu links=0-2: files e51da962, verdicts ee4b86a3, times 84cd2118, tables aa18c10c, links c17368f6, exports 7cbacaca
hypercube:3 chau-fu : files 7ae7ea95, verdicts 8d331286, times 10958db9, tables a912bb3d, links b5085329, exports 7cbacaca
)";
constexpr const char* kRandomGraphs =
    R"(gossip 504a4f6c
total-exchange 89ed7796
broadcast 2f1d1e5e
scatter edd083a9
gather edd083a9
)";

}  // namespace

std::vector<WrittenText> written_sums() {
  return {{"the checksums of random schedules", random_schedules(), kRandomSchedules},
          {"the checksums of planned schedules", planned_schedules(), kPlannedSchedules},
          {"the checksums of the bounds of random graphs", random_graphs(), kRandomGraphs}};
}

}  // namespace gossamer::tb
