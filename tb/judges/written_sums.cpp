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
    for (const char* faults : {"random:2;from=2", "rate:0.15"}) {
      verdicts_.add([&, seed = static_cast<std::uint32_t>(random())] {
        Schedule broken = s;
        broken.faults = parse_faults(faults, s.topology(), seed, s.root);
        const FabricImage image = compile(broken, flits, s.topology().ports()).image;
        return fmt::format("{}\n{}{}", to_string(broken.faults), verdict_of(check(broken)),
                           fmt::join(image.dead, " "));
      });
    }
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
  for (auto more = random() % 8; more > 0; --more) {
    const Node a = random() % nodes;  // one after the other on every machine
    add(a, random() % nodes);
  }
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
    R"(single full packet: files 17eed3cc, verdicts 2bbe9a8a, times 51629811, tables 63be28f4, links b11558d9, exports 4292e466
single full packet combining: files fdfbcd57, verdicts 8652a5d9, times aa1913ad, tables b8b5f58b, links 321b9db4, exports e8e2b4df
single full circuit: files dc36649f, verdicts f5a86c82, times 2f72f704, tables b567e415, links 584f8087, exports 1bb5e9a3
single full circuit combining: files 16ab9549, verdicts 48638e3a, times 8970d36e, tables 088b44b8, links 31020869, exports 3dfe41d7
single full pipelined: files 90256164, verdicts 70413094, times 0fcfbcb0, tables a9226d68, links 215b203b, exports 88eb7309
single full pipelined combining: files 5335afc3, verdicts a2091681, times 8a4c1b47, tables 0710aa0a, links 57bc0fb9, exports 71554e65
single half packet: files 1fb9826b, verdicts 5047daaf, times f1abfbf9, tables e503360b, links 859f3a0b, exports 712daa6f
single half packet combining: files 28400b3b, verdicts f8222e71, times 36e57fce, tables 62245318, links 92c7a1a3, exports 1b236fe5
single half circuit: files af2047c5, verdicts 162274e5, times 24427ef7, tables 3b238d46, links f678f247, exports ed242ed4
single half circuit combining: files 042dd180, verdicts 810c3dff, times d0623523, tables 42cba6dc, links ca9ebabd, exports ad110e6e
single half pipelined: files a5bf2243, verdicts 023deaf2, times 5e057edf, tables 5c0c740c, links 5e057edf, exports 4820b4e6
single half pipelined combining: files 7b2e7f0b, verdicts bb65a65b, times 79082305, tables 256be3a6, links 79082305, exports da468398
all full packet: files c8c54d4a, verdicts 8b764110, times dca0f260, tables 866b0184, links c8f7c14d, exports ea149a75
all full packet combining: files d749b919, verdicts fb026d6f, times 47dc9e3c, tables 36d9bfb6, links 592b33b2, exports 7bd9e4fa
all full circuit: files c8da424e, verdicts ea011729, times f414db61, tables f37a5d22, links ed67960f, exports cc41b3ff
all full circuit combining: files c5c96e60, verdicts e6c8f13d, times 3e91a7c0, tables 1eabfbac, links 7b6b1062, exports 257dd0e7
all full pipelined: files 9e2185e2, verdicts c9b66ca8, times 568c98b2, tables ad7b87e2, links 79b1b56f, exports 8bce002e
all full pipelined combining: files 035b1a4b, verdicts ca222b86, times de6fc847, tables dc5d7870, links dec2484b, exports 6fc841b5
all half packet: files b9b6ddcb, verdicts b4f52f9b, times 1bb7811f, tables 30e895bf, links 7e8db83d, exports a03b24e5
all half packet combining: files b95d2cce, verdicts 031eed0b, times 97b23f89, tables b7c5f574, links 41b679d7, exports 0d2df931
all half circuit: files 299e0cf2, verdicts 33b87cbd, times bffa6798, tables 9503c582, links f46421eb, exports bce811d8
all half circuit combining: files 526d3908, verdicts 7b23ab2a, times 17d51ff3, tables b7f0ca73, links 95246ca5, exports 8bbe4dd2
all half pipelined: files 081b02f4, verdicts 4449cff4, times aa703b72, tables 12bf846f, links aa703b72, exports c69278ec
all half pipelined combining: files 724a0826, verdicts e46fcd66, times c0929a57, tables 1c903e01, links c0929a57, exports b3025fc8
)";
constexpr const char* kPlannedSchedules =
    R"(torus:3x5 translation : files d37789ea, verdicts e3cbb62c, times d6e50b90, tables d442eae3, links e6eeff2e, exports 89ffa91d
torus:4x3 edge-colouring : files 40ac4243, verdicts c88423a1, times 0e3faaa7, tables fbb982e7, links dfad60e2, exports 078f53ce
torus:3x3 product : files 7774f1f9, verdicts 18d1bc03, times 89eba290, tables f7e71456, links 48faf1bb, exports 4be601fc
ring:7 ring : files 46a1b895, verdicts 5736245f, times 4d174048, tables c7efa6c3, links 3f00df9f, exports 8ab4509b
hypercube:3 hamiltonian : files da681627, verdicts 389b4a80, times 38a78c63, tables ef8a8028, links 53bc56f8, exports 618c7a8e
torus:5x5 a2 : files bb29458b, verdicts 3e3fb4b0, times 4bd138f4, tables 76e34621, links 73947c73, exports 6a2e8a1c
mesh:2x3 a1 : files 435dc11f, verdicts c128ec32, times 65fc18e7, tables f1301eb8, links 78680d18, exports f1b372ad
path:4 a1 : files 65c18bed, verdicts 7c66e18c, times b3362779, tables ae5d142f, links cc70989e, exports 21ab3917
mesh:3x4 a1 : files 5d02ac3b, verdicts b58d7085, times e7f0ce31, tables 4b08b163, links a773fec7, exports c0ebc63a
torus:2x2x3 a1 : files 5716ce28, verdicts 213e5c7e, times 254eff1a, tables 824270a5, links 1df78f1d, exports b9bbf36d
hypercube:3 bertsekas : files 48a0c61f, verdicts 4bfc2465, times 14d6f096, tables ccbb5d6e, links eac17c0f, exports 3bebb9c8
hypercube:3 bertsekas : files 99234704, verdicts 246a4f3e, times 5a021871, tables 60a800a3, links eb7e8ecd, exports d2e4821b
hypercube:3 chau-fu : files adb39464, verdicts 41dabbd4, times ccb627a1, tables 76867b3c, links 4b20613c, exports c20158ca
hypercube:3 chau-fu : files ea2ad39a, verdicts 8a50ca0f, times 098397ad, tables 3800d0f5, links 904b92eb, exports e55e4f9c
hypercube:3 chau-fu nodes=3;links=0-1;from=2: files 916ff279, verdicts d1f1644a, times ccb627a1, tables 36edf3ed, links af6c7059, exports e55e4f9c
hypercube:4 chau-fu nodes=1;arcs=4>5;links=8-9: files 30dd621a, verdicts 7037af88, times 8601b830, tables f31438e4, links dfefcee7, exports e55e4f9c
hypercube:3 chau-fu-initiated links=0-1: files f85efa68, verdicts ed50027c, times 94631a80, tables bbc54869, links 7b40e568, exports e55e4f9c
hypercube:3 chau-fu-initiated nodes=5: files 6acf72d3, verdicts 7d10108b, times 690a9979, tables 31fefb13, links 1bcda23c, exports e55e4f9c
hypercube:3 chau-fu links=0-2: files e51da962, verdicts ba447da4, times 47fbf443, tables 8d54defb, links 66226d2a, exports 7cbacaca
hypercube:3 chau-fu : files 7ae7ea95, verdicts 8fd8dd6a, times a134618d, tables 98629e3d, links 472986ed, exports 7cbacaca
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
