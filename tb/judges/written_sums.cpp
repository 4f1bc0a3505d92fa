#include "judges/written_sums.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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
#include "support/memory.hpp"
#include "support/scratch.hpp"
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

constexpr Collective kCollectives[] = {Collective::Gossip, Collective::TotalExchange,
                                       Collective::Broadcast, Collective::Scatter,
                                       Collective::Gather};

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
                      : random() % 2 == 0                                              ? source
                                          : static_cast<Node>(random() % n);
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
  constexpr const char* kTopologies[] = {"ring:3",   "ring:4",      "ring:5",     "path:4",
                                         "mesh:2x3", "torus:3x3",   "complete:4", "hypercube:3",
                                         "ghc:2x3",  "torus:2x2x3", "debruijn:3"};
  const Topology topology = Topology::parse(pick(random, kTopologies));
  const Collective collective = random() % 6 == 0 ? Collective::Gossip : pick(random, kCollectives);
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

/// Of adaptive nodes, and legal: any transfers of new messages.
Schedule random_adaptive_schedule(Random& random) {
  const Topology cube = Topology::parse(fmt::format("hypercube:{}", 1 + random() % 3));
  const PortModel ports = random() % 2 == 0 ? PortModel::Single : PortModel::All;
  const Collective collective = random() % 5 == 0 ? Collective::Broadcast : Collective::Gossip;
  Schedule s(cube, collective, {ports, Duplex::Full, Switching::Packet, true});
  if (collective == Collective::Broadcast) s.root = static_cast<Node>(random() % cube.nodes());
  if (collective == Collective::Gossip && random() % 3 == 0) {
    const auto node = static_cast<Node>(random() % cube.nodes());
    s.initiator = Initiator{node, static_cast<std::uint32_t>(1 + random() % 5)};
  }
  std::uint32_t line = 1;
  for (std::uint32_t round = 1, rounds = 2 + random() % 6; round <= rounds; ++round) {
    std::vector<bool> sends(cube.nodes()), receives(cube.nodes());
    for (Node from = 0; from < cube.nodes(); ++from) {
      for (Port p = 0; p < cube.ports(); ++p) {
        const Node to = cube.peer(from, p).node;
        if (random() % 3 == 0) continue;
        if (ports == PortModel::Single && (sends[from] || receives[to])) continue;
        sends[from] = receives[to] = true;
        s.add_new(round, std::vector<Node>{from, to}, ++line);
      }
    }
  }
  return s;
}

/// The text without this folder's name, which is another each time.
std::string without_path(std::string text, const std::filesystem::path& folder) {
  const std::string path = folder.string();
  for (std::size_t at = 0; (at = text.find(path, at)) != std::string::npos;)
    text.erase(at, path.size());
  return text;
}

/// Names and content of all files in a folder, in the order of the names.
std::string text_of(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    files[std::filesystem::relative(entry.path(), folder).string()] = {
        std::istreambuf_iterator<char>(in), {}};
  }
  std::string text;
  for (const auto& [name, content] : files) text += name + '\n' + content;
  return text;
}

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
    memory_.add([&] { return memory_of(s, flits, ports); });
    if (!keeps_rules(s)) return;
    exports_.add([&] { return goal_text(s, 4 * flits); });
    exports_.add([&] { return msccl_xml(s); });
    exports_.add([&] { return axi_text(s, flits, stages); });
    exports_.add([&] { return axi_header(s, flits, "own"); });
  }
  /// What is exported into folders.
  void add_folders(const Schedule& s) {
    const Scratch scratch;
    const PortStages stages(s.topology().ports(), 1);
    const auto cycles = timed(s, 2)->time.last_arrival;
    for (const auto& write : std::initializer_list<std::function<void()>>{
             [&] { export_rtl(s, 2, 1, cycles, scratch.path("rtl")); },
             [&] { export_rtl(s, 2, 1, cycles, scratch.path("staged"), stages); },
             [&] { export_mem(s, 2, {}, scratch.path("mem")); },
             [&] { export_mem(s, 2, {.seed = 3, .in_order = true}, scratch.path("small")); },
             [&] { export_gtkw(s, 2, 1, "top.fabric", scratch.path("view.gtkw")); }}) {
      try {
        write();
      } catch (const InputError& refused) {
        exports_.add(without_path(refused.what(), scratch.folder()));
      }
    }
    exports_.add(without_path(text_of(scratch.folder()), scratch.folder()));
  }
  std::string text() const {
    return fmt::format(
        "files {}, verdicts {}, times {}, tables {}, links {}, exports {}, memory {}\n",
        files_.text(), verdicts_.text(), times_.text(), tables_.text(), links_.text(),
        exports_.text(), memory_.text());
  }

 private:
  static std::string verdict_of(const CheckReport& r) {
    std::string text =
        fmt::format("{} {} {} {} {} {}; {}\n", r.rounds, r.delta_sum, r.tau_sum, r.transmissions,
                    r.delivered, r.expected, fmt::join(r.carried, " "));
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
    std::string text =
        fmt::format("{} {} {} {}; {}; {}; {}\n", c.flits_expected, image.capacity,
                    image.message_shift, image.kind.logs(), fmt::join(image.program_of, " "),
                    fmt::join(image.partner, " "), fmt::join(image.initiator, " "));
    text += fmt::format("{}; {}; {} {} {:x}\n", fmt::join(image.dead, " "), image.dead_after,
                        fmt::join(image.stages, " "), image.kind.wide, model_register(image.kind));
    for (const NodeProgram& program : image.programs) {
      for (const SlotEntry& e : program.slots) {
        text += fmt::format("{} {} {} {} {} {} {} {} {}\n", e.length, e.repeat, e.stream, e.receive,
                            fmt::join(e.select, " "), e.loop, e.begins, e.loops, e.final);
        const auto words = encode(e, image.kind);
        text +=
            fmt::format("{:x} {}\n", fmt::join(words, " "), decode_slot(words, image.kind) == e);
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

  /// What reading, checking and compiling it ask for, in bytes.
  static std::string memory_of(const Schedule& s, unsigned flits, Port ports) {
    std::ostringstream out;
    write_jsonl(s, out);
    const RecordedMemory recorded;
    const auto asked = [&](const std::function<void()>& work) {
      try {
        work();
      } catch (const InputError&) {
      }
    };
    asked([&] {
      std::istringstream in(out.str());
      read_jsonl(in, "file");
    });
    for (const OriginSets sets : {OriginSets::Bits, OriginSets::Trees})
      asked([&] { check(s, 1, sets); });
    asked([&] { compile(s, flits, ports); });
    std::string text;
    for (const std::string& what : recorded.all())
      text += fmt::format("{}: {}\n", what, recorded.most(what));
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

  Sum files_, verdicts_, times_, tables_, links_, exports_, memory_;
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

std::string adaptive_schedules() {
  Random random(9);
  std::string text;
  for (int i = 0; i < 4; ++i) {
    ScheduleSums sums;
    for (int k = 0; k < 15; ++k) sums.add(random, random_adaptive_schedule(random));
    text += sums.text();
  }
  return text;
}

/// Schedules of algorithms, for what random ones do not have: all translations, faults.
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

/// Graphs of all families.
std::string families() {
  std::string text;
  for (const char* spec :
       {"ring:40", "path:21", "torus:7x7x7", "mesh:3x4x2", "hypercube:7", "ghc:4x5x3",
        "complete:17", "ccc:3", "debruijn:4", "product:path:3,complete:4", "torus:4x34x8"}) {
    const Topology t = Topology::parse(spec);
    Sum sum;
    for (const Collective collective : kCollectives)
      sum.add([&] { return bounds_of(t, collective, t.nodes() / 2); });
    text += fmt::format("{} {}\n", spec, sum.text());
  }
  // Of more nodes, not all are searched.
  for (const char* spec : {"mesh:36x31", "product:path:35,complete:4,ring:9"}) {
    const Topology t = Topology::parse(spec);
    for (const Switching switching : {Switching::Packet, Switching::Circuit}) {
      const Bound rounds = strongest_bound(t, Collective::TotalExchange,
                                           {PortModel::All, Duplex::Full, switching, false});
      text +=
          fmt::format("{} {} {} ({})\n", spec, to_string(switching), rounds.value, rounds.source);
    }
  }
  return text;
}

std::string random_graphs() {
  std::string text;
  for (const Collective collective : kCollectives) {
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
    R"(single full packet: files 909c6b8d, verdicts f41fe4c1, times 35a34961, tables 5fb866bf, links 76263dde, exports 038b150f, memory 42e77f53
single full packet combining: files 176bb7d5, verdicts b2af1a9d, times e6d94344, tables 265e45ca, links 68458ba5, exports b36fb5fb, memory ddf975ff
single full circuit: files 65b74818, verdicts bf4c7af6, times f54b4914, tables 4fdae4d4, links 5c6161df, exports 5485392f, memory fc8e5767
single full circuit combining: files 681e40a3, verdicts cc0727f4, times 064ddf84, tables 3544dc30, links a8e7f537, exports 7eae9d11, memory 7594445f
single full pipelined: files 204d35df, verdicts 10a1b4a9, times 8ebaee1f, tables 0f9f6f4a, links 87dc1b1c, exports 437f0dae, memory fc8762ca
single full pipelined combining: files 5d2f094b, verdicts c0270ce1, times bd554536, tables dfbb172e, links 64d5b9ce, exports 0c593ed2, memory 9c4747e4
single half packet: files 4b362627, verdicts 1725e550, times b9015c9a, tables fb2b74e4, links cac4a4ba, exports 8fbf3a9d, memory 1f55c143
single half packet combining: files 68d50a4e, verdicts 1e7659ac, times fa105d97, tables cae2b69c, links 5ef5886c, exports d138de55, memory fcd33e61
single half circuit: files cd3ab359, verdicts e99eec24, times f4d8bd4f, tables a7b2e524, links f652aa14, exports be72e4fd, memory 618df299
single half circuit combining: files ae858373, verdicts 31e2b95c, times 4ef8f91b, tables 4cb2b64d, links 6a5dcaba, exports 2c438fc8, memory fcccd200
single half pipelined: files e5373e01, verdicts f1159718, times 44128a39, tables cf4f6b39, links 44128a39, exports 29c342fe, memory ffc8c10c
single half pipelined combining: files 4952fddc, verdicts 4c59effa, times 0d30707d, tables b986618e, links 0d30707d, exports d5e432c1, memory fd0d7730
all full packet: files d95b0ebc, verdicts 372005a5, times fa691bcc, tables c9aecf6c, links b8c1edd7, exports dfee1bab, memory e047057a
all full packet combining: files cb22216a, verdicts a145cd12, times c22d4beb, tables adaa1c7e, links e15890ab, exports fb326a9f, memory 63d41d46
all full circuit: files 6d040587, verdicts 08b4c203, times 5e365c47, tables 05226889, links 70d369ff, exports 7fe5cb6b, memory 1c72d646
all full circuit combining: files c43dcf55, verdicts 377068f2, times 30444729, tables 76650d50, links 3e4aaf3a, exports 9d157e94, memory 3b2be074
all full pipelined: files 0bff2ed6, verdicts 59deac23, times 5a1af25b, tables d1cd1bb4, links 9b25ceb7, exports 204d06f2, memory 7af04823
all full pipelined combining: files e04debbe, verdicts 7747af8a, times 670457b1, tables 8ec037f2, links 3b3a7e41, exports d057720c, memory a4fbde4f
all half packet: files f38a4fb2, verdicts e51d1008, times 55a12cf8, tables f2b39039, links 2c5db851, exports 7ec6909e, memory 59485427
all half packet combining: files 4aeae95d, verdicts 8b5caf6e, times b731494a, tables ab4d8b13, links 52aab041, exports 2d5101d9, memory 5eb42c03
all half circuit: files f664e782, verdicts daa2691a, times 9be7c1b4, tables 0faf34f8, links 18b2a56f, exports 9c7e9818, memory 5f5c0d96
all half circuit combining: files 0cca1526, verdicts d744ac0d, times b3bd3935, tables 58ab7bbd, links b4b5fd3a, exports 5763e1ae, memory 58445ff8
all half pipelined: files 39e663ab, verdicts 8ca41ee9, times ca8d26e8, tables 32afe40d, links ca8d26e8, exports c1c269cc, memory 307543b1
all half pipelined combining: files 33a32c5f, verdicts 30353106, times 354a4e30, tables 0213ef7f, links 354a4e30, exports 8879b4b0, memory 36d89fb9
)";
constexpr const char* kAdaptiveSchedules =
    R"(files 4753050d, verdicts f77b6175, times 93642cf2, tables 13e61aa3, links 8c3ddedb, exports 520ea88f, memory 637581d0
files 3b417ece, verdicts 11611779, times cf665ad8, tables d3d9c415, links c09714f8, exports 426dd1ce, memory c756c4a8
files 3d6ef527, verdicts cbcbed9c, times d09eec33, tables 4b2a982d, links 1383cfb4, exports ce602ca4, memory 480d7a7e
files 75667ceb, verdicts 5f1e8b5a, times 464f8312, tables 596940cb, links aea533d3, exports 19be6679, memory 7aaf9ebd
)";
constexpr const char* kPlannedSchedules =
    R"(torus:3x5 translation : files d37789ea, verdicts e3cbb62c, times d6e50b90, tables 4eafe65a, links e6eeff2e, exports 34143d48, memory baf4f519
torus:4x3 edge-colouring : files 40ac4243, verdicts c88423a1, times 0e3faaa7, tables 11bd1288, links dfad60e2, exports 851d238b, memory 9dbbd848
torus:3x3 product : files 7774f1f9, verdicts 18d1bc03, times 89eba290, tables 6aee73d7, links 48faf1bb, exports ba034d49, memory 016f3df7
ring:7 ring : files 46a1b895, verdicts 5736245f, times 4d174048, tables d30431ae, links 3f00df9f, exports ff8e354c, memory 7bfdd13d
hypercube:3 hamiltonian : files da681627, verdicts 389b4a80, times 38a78c63, tables ef536600, links 53bc56f8, exports 0c028d80, memory 9f4b302d
torus:5x5 a2 : files bb29458b, verdicts 3e3fb4b0, times 4bd138f4, tables 74cfbe06, links 73947c73, exports c7857774, memory 6d91bf2c
mesh:2x3 a1 : files 435dc11f, verdicts c128ec32, times 65fc18e7, tables 2f60c00d, links 78680d18, exports 1c659f52, memory 18d63202
path:4 a1 : files 65c18bed, verdicts 7c66e18c, times b3362779, tables e888d827, links cc70989e, exports 75e3a037, memory 9a9bae7d
mesh:3x4 a1 : files 5d02ac3b, verdicts b58d7085, times e7f0ce31, tables e2c15f3e, links a773fec7, exports f03cc1f5, memory 25253f8a
torus:2x2x3 a1 : files 5716ce28, verdicts 213e5c7e, times 254eff1a, tables 6fe0cae0, links 1df78f1d, exports c1ba94f0, memory c8fa5e50
hypercube:3 bertsekas : files 48a0c61f, verdicts 4bfc2465, times 14d6f096, tables a78c0eec, links eac17c0f, exports a0326b7a, memory fa8849cd
hypercube:3 bertsekas : files 99234704, verdicts 246a4f3e, times 5a021871, tables ef88109e, links eb7e8ecd, exports e6e525b4, memory e866a9c3
hypercube:3 chau-fu : files adb39464, verdicts 41dabbd4, times ccb627a1, tables 81c03ddd, links 4b20613c, exports 65934482, memory e981b7b7
hypercube:3 chau-fu : files ea2ad39a, verdicts 8a50ca0f, times 098397ad, tables d7c633d9, links 904b92eb, exports e55e4f9c, memory 718e7681
hypercube:3 chau-fu nodes=3;links=0-1;from=2: files 916ff279, verdicts d1f1644a, times ccb627a1, tables 3d3a1a33, links af6c7059, exports e55e4f9c, memory e981b7b7
hypercube:4 chau-fu nodes=1;arcs=4>5;links=8-9: files 30dd621a, verdicts 7037af88, times 8601b830, tables c409535e, links dfefcee7, exports e55e4f9c, memory 92423436
hypercube:3 chau-fu-initiated links=0-1: files f85efa68, verdicts ed50027c, times 94631a80, tables 06f2fae1, links 7b40e568, exports e55e4f9c, memory 718e7681
hypercube:3 chau-fu-initiated nodes=5: files 6acf72d3, verdicts 7d10108b, times 690a9979, tables d7bb786f, links 1bcda23c, exports e55e4f9c, memory d53855b9
hypercube:3 chau-fu links=0-2: files e51da962, verdicts ba447da4, times 47fbf443, tables 3fd01558, links 66226d2a, exports 7cbacaca, memory 596abd29
hypercube:3 chau-fu : files 7ae7ea95, verdicts 8fd8dd6a, times a134618d, tables 97fd293b, links 472986ed, exports 7cbacaca, memory 274dbb9c
)";
constexpr const char* kFamilies =
    R"(ring:40 1e35b850
path:21 7416bdaf
torus:7x7x7 f13fadd4
mesh:3x4x2 6841141b
hypercube:7 a944f3e9
ghc:4x5x3 ba8c2e24
complete:17 b15bcc30
ccc:3 5b75fb3a
debruijn:4 806314ba
product:path:3,complete:4 bc580a9c
torus:4x34x8 27e3cb3d
mesh:36x31 packet 10044 (paper 5, equation (4))
mesh:36x31 circuit 10044 (paper 5, equation (4))
product:path:35,complete:4,ring:9 packet 11016 (paper 5, equation (4))
product:path:35,complete:4,ring:9 circuit 11016 (paper 5, equation (4))
)";
constexpr const char* kRandomGraphs =
    R"(gossip 504a4f6c
total-exchange 3ebf6c6d
broadcast c2d48952
scatter f303e7be
gather f303e7be
)";

}  // namespace

std::vector<WrittenText> written_sums() {
  return {{"the checksums of random schedules", random_schedules(), kRandomSchedules},
          {"the checksums of random adaptive schedules", adaptive_schedules(), kAdaptiveSchedules},
          {"the checksums of planned schedules", planned_schedules(), kPlannedSchedules},
          {"the checksums of the bounds of all families of graphs", families(), kFamilies},
          {"the checksums of the bounds of random graphs", random_graphs(), kRandomGraphs}};
}

}  // namespace gossamer::tb
