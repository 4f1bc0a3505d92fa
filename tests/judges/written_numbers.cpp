#include "judges/written_numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "bounds/bounds.hpp"
#include "bounds/cycles.hpp"
#include "checker/checker.hpp"
#include "driver/case.hpp"
#include "schedule/jsonl.hpp"
#include "tables/compiler.hpp"

namespace gossamer::tb {
namespace {

constexpr Collective kCollectives[] = {Collective::Gossip, Collective::TotalExchange,
                                       Collective::Broadcast, Collective::Scatter,
                                       Collective::Gather};

/// The bounds of rounds of every collective: for single and all ports; of each, full and half
/// duplex; of each, packets, circuits and pipelines without combining, then the first two with
/// combining. After them delta_sum, tau_sum of packets, and the cycles of two flits, for both port
/// models.
std::string bounds_of(const std::string& topology, Node root) {
  const Topology t = Topology::parse(topology);
  std::string text;
  for (const Collective collective : kCollectives) {
    text += fmt::format("{} {} from {}:", topology, to_string(collective), root);
    for (const PortModel ports : {PortModel::Single, PortModel::All}) {
      for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
        for (const bool combining : {false, true}) {
          for (const Switching switching :
               {Switching::Packet, Switching::Circuit, Switching::Pipelined}) {
            if (combining && switching == Switching::Pipelined) continue;
            text += fmt::format(
                " {}",
                lower_bound_rounds(t, collective, {ports, duplex, switching, combining}, root));
          }
        }
        text += ',';
      }
    }
    const Model packets{PortModel::All, Duplex::Full, Switching::Packet, false};
    text += fmt::format(" {} {},", lower_bound_delta(t, collective, root),
                        lower_bound_tau(t, collective, packets, root));
    for (const PortModel ports : {PortModel::Single, PortModel::All}) {
      for (const Duplex duplex : {Duplex::Full, Duplex::Half}) {
        text += fmt::format(
            " {}",
            lower_bound_cycles(t, collective, {ports, duplex, Switching::Packet, false}, root, 2)
                .value);
      }
    }
    text += '\n';
  }
  return text;
}

/// The checker's verdict with sets of messages held as bits, and as trees.
std::string verdicts(const Schedule& schedule) {
  std::string text;
  for (const OriginSets sets : {OriginSets::Bits, OriginSets::Trees}) {
    const CheckReport r = check(schedule, 20, sets);
    text += fmt::format(
        "{}: {} rounds, delta_sum {}, tau_sum {}, {} transmissions, {} of {} delivered; carried "
        "{}\n",
        sets == OriginSets::Bits ? "bits" : "trees", r.rounds, r.delta_sum, r.tau_sum,
        r.transmissions, r.delivered, r.expected, fmt::join(r.carried, " "));
    for (const BrokenRule& fault : r.faults) text += to_string(fault) + '\n';
    for (const MissingPair& pair : r.missing)
      text += fmt::format("{} lacks {}\n", pair.node, pair.origin);
  }
  return text;
}

Schedule planned(const char* topology, const char* algorithm,
                 std::optional<Collective> collective = {}, std::optional<PortModel> ports = {},
                 std::optional<Duplex> duplex = {}, const char* faults = "") {
  Case c;
  c.topology = topology;
  c.algorithm = algorithm;
  c.collective = collective;
  c.ports = ports;
  c.duplex = duplex;
  c.faults = faults;
  return make_plan(c).schedule;
}

Schedule read(const std::string& lines) {
  std::istringstream in(lines);
  return read_jsonl(in, "line");
}

/// Paths of several hops and lengths in one round, a round in between that is longer than the last.
std::string circuits(const char* duplex, const char* ports) {
  return fmt::format(
      R"({{"gossamer":1,"topology":"path:4","collective":"broadcast","root":0,"model":{{"ports":"{}","duplex":"{}","switching":"circuit","combining":false}}}}
{{"r":1,"path":[0,1,2,3],"msgs":[0]}}
{{"r":2,"path":[3,2],"msgs":[0]}}
{{"r":2,"path":[0,1],"msgs":[0]}}
{{"r":3,"path":[2,3],"msgs":[0]}}
)",
      ports, duplex);
}

/// Breaks several rules: a message is sent before it came, two use one link, a path has a gap.
constexpr const char* kBroken =
    R"({"gossamer":1,"topology":"torus:3x3","collective":"gossip","model":{"ports":"all","duplex":"full","switching":"packet","combining":false},"translations":[1,3]}
{"r":1,"path":[0,1],"msgs":[0]}
{"r":1,"path":[0,3],"msgs":[1]}
{"r":2,"path":[0,3],"msgs":[0]}
{"r":2,"path":[0,3],"msgs":[2]}
{"r":3,"path":[0,4],"msgs":[0]}
{"r":4,"path":[0,2],"msgs":[1]}
)";

/// Everything that the nodes of each class execute, and when.
std::string tables(const Schedule& schedule, unsigned flits, Port ports) {
  const CompiledSchedule compiled = compile(schedule, flits, ports);
  std::string text =
      fmt::format("slots {} from {}, last arrival {}, {} flits, logs of {}\n",
                  fmt::join(compiled.time.length, " "), fmt::join(compiled.time.start, " "),
                  compiled.time.last_arrival, compiled.flits_expected, compiled.image.capacity);
  text += fmt::format("classes {}\n", fmt::join(compiled.image.program_of, " "));
  for (const NodeProgram& program : compiled.image.programs) {
    std::size_t begin = 0;  // of the loop
    for (std::size_t i = 0; i < program.slots.size(); ++i) {
      const SlotEntry& e = program.slots[i];
      if (e.begins) begin = i;
      text += fmt::format("  {} cycles x {}, stream {}, receive {:b}, select {}{}{}\n", e.length,
                          e.repeat, e.stream, e.receive, fmt::join(e.select, " "),
                          e.loop ? fmt::format(", loop {} x {}", i - begin, e.loops) : "",
                          e.final ? ", end" : "");
    }
    for (const auto& list : program.channels) {
      text += "  list";
      for (const Segment& s : list) {
        text += fmt::format(" [log {}: {} + {} x {} x {}{}{}]", s.log, s.base, s.run, s.stride,
                            s.count, s.stop ? " stop" : "", s.same ? " same" : "");
      }
      text += '\n';
    }
    text += '\n';
  }
  return text;
}

constexpr const char* kBounds =
    R"(ring:5 gossip from 0: 4 4 4 4 3, 10 10 8 4 4, 2 2 2 2 2, 4 4 4 2 2, 2 2, 10 22 6 10
ring:5 total-exchange from 0: 6 4 5 4 3, 15 6 6 4 4, 3 3 3 2 2, 6 6 6 2 2, 2 3, 14 32 8 14
ring:5 broadcast from 0: 3 3 3 3 3, 3 3 3 3 3, 2 2 2 2 2, 2 2 2 2 2, 2 2, 6 6 5 5
ring:5 scatter from 0: 4 4 4 3 3, 4 4 4 3 3, 2 2 2 2 2, 2 2 2 2 2, 2 2, 10 10 6 6
ring:5 gather from 0: 4 4 4 3 3, 4 4 4 3 3, 2 2 2 2 2, 2 2 2 2 2, 2 2, 10 10 6 6
path:4 gossip from 1: 5 3 3 3 2, 8 6 6 4 3, 3 3 3 3 2, 4 4 4 3 3, 3 3, 8 14 8 10
path:4 total-exchange from 1: 7 4 4 3 2, 14 8 8 4 3, 4 4 4 3 2, 8 8 8 3 3, 3 4, 12 22 10 18
path:4 broadcast from 1: 2 2 2 2 2, 2 2 2 2 2, 2 2 2 2 2, 2 2 2 2 2, 2 2, 5 5 5 5
path:4 scatter from 1: 3 3 3 2 2, 3 3 3 2 2, 2 2 2 2 2, 2 2 2 2 2, 2 2, 8 8 5 5
path:4 gather from 1: 3 3 3 2 2, 3 3 3 2 2, 2 2 2 2 2, 2 2 2 2 2, 2 2, 8 8 5 5
mesh:3x3 gossip from 0: 8 8 8 4 4, 18 18 16 5 5, 4 4 4 4 2, 6 6 6 4 3, 4 4, 18 38 10 14
mesh:3x3 total-exchange from 0: 18 8 9 4 4, 36 12 12 5 5, 6 6 6 4 2, 12 12 12 4 3, 4 6, 34 74 14 26
mesh:3x3 broadcast from 0: 4 4 4 4 4, 4 4 4 4 4, 4 2 4 4 2, 4 2 4 4 2, 4 4, 7 7 6 6
mesh:3x3 scatter from 0: 8 8 8 4 4, 8 8 8 4 4, 4 4 4 4 2, 4 4 4 4 2, 4 4, 18 18 10 10
mesh:3x3 gather from 0: 8 8 8 4 4, 8 8 8 4 4, 4 4 4 4 2, 4 4 4 4 2, 4 4, 18 18 10 10
torus:3x4 gossip from 0: 11 11 11 4 4, 22 22 22 6 6, 3 3 3 3 2, 6 6 6 3 3, 3 3, 24 46 8 13
torus:3x4 total-exchange from 0: 20 11 12 4 4, 40 12 12 6 6, 6 6 6 3 2, 12 12 12 3 3, 3 6, 42 82 14 26
torus:3x4 broadcast from 0: 4 4 4 4 4, 4 4 4 4 4, 3 2 3 3 2, 3 2 3 3 2, 3 3, 8 8 5 5
torus:3x4 scatter from 0: 11 11 11 4 4, 11 11 11 4 4, 3 3 3 3 2, 3 3 3 3 2, 3 3, 24 24 8 8
torus:3x4 gather from 0: 11 11 11 4 4, 11 11 11 4 4, 3 3 3 3 2, 3 3 3 3 2, 3 3, 24 24 8 8
hypercube:3 gossip from 0: 7 7 7 3 3, 14 14 14 5 5, 3 3 3 3 2, 5 5 5 3 2, 3 3, 16 30 7 12
hypercube:3 total-exchange from 0: 12 7 8 3 3, 24 8 8 5 5, 4 4 4 3 2, 8 8 8 3 2, 3 4, 26 50 10 18
hypercube:3 broadcast from 0: 3 3 3 3 3, 3 3 3 3 3, 3 2 3 3 2, 3 2 3 3 2, 3 3, 7 7 5 5
hypercube:3 scatter from 0: 7 7 7 3 3, 7 7 7 3 3, 3 3 3 3 2, 3 3 3 3 2, 3 3, 16 16 7 7
hypercube:3 gather from 0: 7 7 7 3 3, 7 7 7 3 3, 3 3 3 3 2, 3 3 3 3 2, 3 3, 16 16 7 7
ghc:3x4 gossip from 0: 11 11 11 4 4, 22 22 22 6 6, 3 3 3 2 2, 5 5 5 2 2, 2 3, 24 46 7 11
ghc:3x4 total-exchange from 0: 17 11 12 4 4, 34 11 12 6 6, 4 4 4 2 2, 8 8 8 2 2, 2 4, 36 70 10 18
ghc:3x4 broadcast from 0: 4 4 4 4 4, 4 4 4 4 4, 2 2 2 2 2, 2 2 2 2 2, 2 2, 8 8 4 4
ghc:3x4 scatter from 0: 11 11 11 4 4, 11 11 11 4 4, 3 3 3 2 2, 3 3 3 2 2, 2 3, 24 24 7 7
ghc:3x4 gather from 0: 11 11 11 4 4, 11 11 11 4 4, 3 3 3 2 2, 3 3 3 2 2, 2 3, 24 24 7 7
ccc:3 gossip from 0: 23 23 23 6 5, 46 46 46 7 7, 8 8 8 6 3, 16 16 16 6 4, 6 8, 48 94 18 33
ccc:3 total-exchange from 0: 74 36 36 6 5, 148 72 72 7 7, 36 36 36 6 3, 72 72 72 6 4, 6 36, 150 298 74 146
ccc:3 broadcast from 0: 6 5 6 6 5, 6 5 6 6 5, 6 3 6 6 3, 6 3 6 6 3, 6 6, 9 9 8 8
ccc:3 scatter from 0: 23 23 23 6 5, 23 23 23 6 5, 8 8 8 6 3, 8 8 8 6 3, 6 8, 48 48 18 18
ccc:3 gather from 0: 23 23 23 6 5, 23 23 23 6 5, 8 8 8 6 3, 8 8 8 6 3, 6 8, 48 48 18 18
debruijn:3 gossip from 2: 7 7 7 4 3, 14 14 14 5 5, 4 4 4 3 2, 5 5 5 3 2, 3 4, 16 30 9 11
debruijn:3 total-exchange from 2: 13 7 8 4 3, 26 8 8 5 5, 6 4 4 3 2, 11 8 8 3 2, 3 6, 25 48 13 23
debruijn:3 broadcast from 2: 3 3 3 3 3, 3 3 3 3 3, 3 2 3 3 2, 3 2 3 3 2, 3 3, 7 7 5 5
debruijn:3 scatter from 2: 7 7 7 3 3, 7 7 7 3 3, 3 3 3 3 2, 3 3 3 3 2, 3 3, 16 16 7 7
debruijn:3 gather from 2: 7 7 7 3 3, 7 7 7 3 3, 3 3 3 3 2, 3 3 3 3 2, 3 3, 16 16 7 7
complete:5 gossip from 0: 4 4 4 3 3, 10 10 8 4 4, 1 1 1 1 1, 2 2 2 2 2, 1 1, 10 22 4 6
complete:5 total-exchange from 0: 4 4 4 3 3, 10 4 4 4 4, 1 1 1 1 1, 2 2 2 2 2, 1 1, 10 22 4 6
complete:5 broadcast from 0: 3 3 3 3 3, 3 3 3 3 3, 1 1 1 1 1, 1 1 1 1 1, 1 1, 6 6 4 4
complete:5 scatter from 0: 4 4 4 3 3, 4 4 4 3 3, 1 1 1 1 1, 1 1 1 1 1, 1 1, 10 10 4 4
complete:5 gather from 0: 4 4 4 3 3, 4 4 4 3 3, 1 1 1 1 1, 1 1 1 1 1, 1 1, 10 10 4 4
torus:2x2x5 gossip from 0: 19 19 19 5 5, 38 38 38 7 7, 5 5 5 4 3, 10 10 10 4 3, 4 5, 40 78 12 21
torus:2x2x5 total-exchange from 0: 44 19 21 5 5, 88 24 24 7 7, 12 12 12 4 3, 24 24 24 4 3, 4 12, 90 178 26 50
torus:2x2x5 broadcast from 0: 5 5 5 5 5, 5 5 5 5 5, 4 2 4 4 2, 4 2 4 4 2, 4 4, 9 9 6 6
torus:2x2x5 scatter from 0: 19 19 19 5 5, 19 19 19 5 5, 5 5 5 4 2, 5 5 5 4 2, 4 5, 40 40 12 12
torus:2x2x5 gather from 0: 19 19 19 5 5, 19 19 19 5 5, 5 5 5 4 2, 5 5 5 4 2, 4 5, 40 40 12 12
product:path:3,ring:4 gossip from 4: 11 11 11 4 4, 22 22 22 6 6, 4 4 4 4 2, 7 7 7 4 3, 4 4, 24 46 10 16
product:path:3,ring:4 total-exchange from 4: 23 11 13 4 4, 46 16 16 6 6, 8 8 8 4 2, 16 16 16 4 3, 4 8, 48 93 18 34
product:path:3,ring:4 broadcast from 4: 4 4 4 4 4, 4 4 4 4 4, 3 2 3 3 2, 3 2 3 3 2, 3 3, 8 8 5 5
product:path:3,ring:4 scatter from 4: 11 11 11 4 4, 11 11 11 4 4, 3 3 3 3 2, 3 3 3 3 2, 3 3, 24 24 8 8
product:path:3,ring:4 gather from 4: 11 11 11 4 4, 11 11 11 4 4, 3 3 3 3 2, 3 3 3 3 2, 3 3, 24 24 8 8
)";
constexpr const char* kVerdicts =
    R"(bits: 2 rounds, delta_sum 2, tau_sum 2, 72 transmissions, 72 of 72 delivered; carried 1 1 1 1 1 1 1 1
trees: 2 rounds, delta_sum 2, tau_sum 2, 72 transmissions, 72 of 72 delivered; carried 1 1 1 1 1 1 1 1
bits: 10 rounds, delta_sum 10, tau_sum 10, 20 transmissions, 20 of 20 delivered; carried 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
trees: 10 rounds, delta_sum 10, tau_sum 10, 20 transmissions, 20 of 20 delivered; carried 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
bits: 4 rounds, delta_sum 4, tau_sum 7, 89 transmissions, 42 of 42 delivered; carried 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0 0 2 0 2 2 2 2 2 2 2 0 2 2 2 2 2 2 2 0 2 2 2 2 0 0 3 0 1 1 1 1 1 2 1 0 1 1 1 1 1 0 1 0 1 1 1 3 0 0 1 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 1 0 1
trees: 4 rounds, delta_sum 4, tau_sum 7, 89 transmissions, 42 of 42 delivered; carried 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0 0 2 0 2 2 2 2 2 2 2 0 2 2 2 2 2 2 2 0 2 2 2 2 0 0 3 0 1 1 1 1 1 2 1 0 1 1 1 1 1 0 1 0 1 1 1 3 0 0 1 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 1 0 1
bits: 24 rounds, delta_sum 24, tau_sum 24, 144 transmissions, 72 of 72 delivered; carried 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
trees: 24 rounds, delta_sum 24, tau_sum 24, 144 transmissions, 72 of 72 delivered; carried 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
bits: 4 rounds, delta_sum 3, tau_sum 3, 45 transmissions, 27 of 72 delivered; carried 1 1 1 1 0 1
line 3, round 1, link 0-3: node 0 sends message 1 but does not hold it when the round starts; no transfer that lists it takes it there
line 5, round 2, link 0-3: this arc already carries the transfer 0-3 of line 4 in round 2; the paths of a round must be arc-disjoint
line 6, round 3, link 0-4: torus:3x3 has no such link; a path follows links
trees: 4 rounds, delta_sum 3, tau_sum 3, 45 transmissions, 27 of 72 delivered; carried 1 1 1 1 0 1
line 3, round 1, link 0-3: node 0 sends message 1 but does not hold it when the round starts; no transfer that lists it takes it there
line 5, round 2, link 0-3: this arc already carries the transfer 0-3 of line 4 in round 2; the paths of a round must be arc-disjoint
line 6, round 3, link 0-4: torus:3x3 has no such link; a path follows links
bits: 3 rounds, delta_sum 5, tau_sum 3, 6 transmissions, 3 of 3 delivered; carried 1 1 1 1
trees: 3 rounds, delta_sum 5, tau_sum 3, 6 transmissions, 3 of 3 delivered; carried 1 1 1 1
)";
constexpr const char* kTables = R"(slots 3 3 from 1 4, last arrival 7, 144 flits, logs of 4
classes 0 0 0 0 0 0 0 0 0
  3 cycles x 2, stream 2, receive 1111, select 0 1 2 3, end
  list [log 4: 0 + 2 x 0 x 1] [log 2: 0 + 2 x 0 x 1]
  list [log 4: 0 + 2 x 0 x 1] [log 3: 0 + 2 x 0 x 1]
  list [log 4: 0 + 2 x 0 x 1] [log 1: 0 + 2 x 0 x 1]
  list [log 4: 0 + 2 x 0 x 1] [log 0: 0 + 2 x 0 x 1]

slots 3 3 3 3 3 3 3 3 3 3 from 1 4 7 10 13 16 19 22 25 28, last arrival 32, 90 flits, logs of 18
classes 0 1 0 1 0 1
  3 cycles x 1, stream 3, receive 0, select 0 2
  3 cycles x 1, stream 0, receive 10, select 2 2, loop 1 x 5, end
  list [log 0: 0 + 15 x 0 x 1]

  3 cycles x 1, stream 0, receive 10, select 2 2
  3 cycles x 1, stream 3, receive 0, select 0 2, loop 1 x 5, end
  list [log 0: 0 + 15 x 0 x 1]

slots 3 3 3 3 3 3 3 3 3 3 3 from 1 4 7 10 13 16 19 22 25 28 31, last arrival 33, 50 flits, logs of 16
classes 0 0 1 1 2 2
  3 cycles x 4, stream 1, receive 0, select 4 1 4 4
  3 cycles x 4, stream 0, receive 10, select 4 4 4 4
  3 cycles x 3, stream 1, receive 1, select 0 4 4 4, end
  list [log 0: 3 + 2 x 0 x 1] [log 0: 1 + 2 x 0 x 1] [log 0: 0 + 1 x 8 x 2] [log 0: 6 + 1 x 0 x 1]

  3 cycles x 4, stream 1, receive 100, select 4 1 4 4
  3 cycles x 4, stream 1, receive 10, select 4 4 2 4
  3 cycles x 3, stream 1, receive 1, select 0 4 4 4, end
  list [log 0: 3 + 4 x 0 x 1] [log 0: 0 + 2 x 9 x 2] [log 0: 2 + 1 x 6 x 2] [log 0: 12 + 1 x 0 x 1]

  3 cycles x 4, stream 0, receive 100, select 4 4 4 4
  3 cycles x 4, stream 1, receive 0, select 4 4 2 4
  3 cycles x 3, stream 1, receive 1, select 0 4 4 4, end
  list [log 0: 0 + 5 x 0 x 1] [log 0: 6 + 1 x 2 x 2]

slots 3 6 6 8 from 1 4 10 16, last arrival 25, 192 flits, logs of 16
classes 0 0 0 0 0 0 0 0
  3 cycles x 1, stream 2, receive 111, select 0 1 2
  6 cycles x 2, stream 6, receive 111, select 0 1 2
  8 cycles x 1, stream 8, receive 111, select 0 1 2, end
  list [log 3: 0 + 2 x 2 x 3] [log 3: 8 + 2 x 0 x 1] [log 3: 6 + 2 x 4 x 2] [log 3: 12 + 2 x 0 x 1] [log 3: 2 + 2 x 2 x 2] [log 3: 8 + 2 x 6 x 2]

slots 3 3 from 1 4, last arrival 7, 8 flits, logs of 4
classes 0 1 2 3
  3 cycles x 1, stream 2, receive 0, select 0 1
  3 cycles x 1, stream 2, receive 0, select 0 2, end
  list [log 2: 4 + 2 x 0 x 1] [log 2: 0 + 2 x 0 x 1]
  list [log 2: 2 + 2 x 0 x 1]

  3 cycles x 1, stream 0, receive 1, select 2 2
  3 cycles x 1, stream 2, receive 1, select 2 1, end
  list
  list [log 0: 0 + 2 x 0 x 1]

  3 cycles x 1, stream 0, receive 10, select 2 2
  3 cycles x 1, stream 0, receive 0, select 2 2, end
  list
  list

  3 cycles x 1, stream 0, receive 0, select 2 2
  3 cycles x 1, stream 0, receive 10, select 2 2, end
  list
  list

slots 8 6 6 from 1 9 15, last arrival 20, 24 flits, logs of 8
classes 0 1 2 3
  8 cycles x 1, stream 4, receive 0, select 0 2
  6 cycles x 1, stream 4, receive 0, select 0 2
  6 cycles x 1, stream 0, receive 0, select 2 2, end
  list [log 0: 0 + 4 x 0 x 2]

  8 cycles x 1, stream 0, receive 0, select 1 2
  6 cycles x 1, stream 0, receive 10, select 2 2
  6 cycles x 1, stream 0, receive 0, select 2 2, end
  list

  8 cycles x 1, stream 0, receive 0, select 1 2
  6 cycles x 1, stream 0, receive 1, select 2 2
  6 cycles x 1, stream 4, receive 0, select 0 2, end
  list [log 0: 0 + 4 x 0 x 1]

  8 cycles x 1, stream 0, receive 10, select 2 2
  6 cycles x 1, stream 4, receive 0, select 2 1
  6 cycles x 1, stream 0, receive 10, select 2 2, end
  list [log 0: 0 + 4 x 0 x 1]

)";

}  // namespace

std::vector<WrittenText> written_numbers() {
  std::string bounds, verdict, table;
  for (const auto& [topology, root] : {std::pair{"ring:5", 0u},
                                       {"path:4", 1u},
                                       {"mesh:3x3", 0u},
                                       {"torus:3x4", 0u},
                                       {"hypercube:3", 0u},
                                       {"ghc:3x4", 0u},
                                       {"ccc:3", 0u},
                                       {"debruijn:3", 2u},
                                       {"complete:5", 0u},
                                       {"torus:2x2x5", 0u},
                                       {"product:path:3,ring:4", 4u}}) {
    bounds += bounds_of(topology, root);
  }
  for (const Schedule& s :
       {planned("torus:3x3", "translation"), planned("ring:5", "ring", {}, {}, Duplex::Half),
        planned("hypercube:3", "chau-fu", {}, PortModel::All, {}, "nodes=3;links=0-1;from=2"),
        planned("mesh:3x3", "a1"), read(kBroken), read(circuits("full", "all"))}) {
    verdict += verdicts(s);
  }
  table += tables(planned("torus:3x3", "translation"), 2, 4);
  table += tables(planned("ring:6", "ring", {}, {}, Duplex::Half), 3, 2);
  table += tables(planned("mesh:2x3", "a1"), 1, 4);
  table += tables(planned("hypercube:3", "chau-fu", {}, PortModel::All), 2, 3);
  table += tables(planned("hypercube:2", "bertsekas", Collective::Scatter), 2, 2);
  table += tables(read(circuits("half", "single")), 4, 2);
  return {{"the bounds of small fabrics", bounds, kBounds},
          {"the checker's verdicts on small schedules", verdict, kVerdicts},
          {"the tables of small schedules", table, kTables}};
}

}  // namespace gossamer::tb
