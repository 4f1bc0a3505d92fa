#include "judges/planted_deviations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "gossamer_constants.hpp"

namespace gossamer::tb {
namespace {

using Words = std::vector<std::uint32_t>;

Case planned(const char* topology, const char* algorithm, unsigned flits,
             Collective collective = Collective::Gossip) {
  Case c;
  c.topology = topology;
  c.algorithm = algorithm;
  c.best = Best::Rounds;
  c.collective = collective;
  c.flits = flits;
  return c;
}

/// A change of one log of one node.
Deviation in_log(Node node, unsigned log, std::function<void(Words&)> change) {
  Deviation d;
  d.log = [=](Node x, unsigned g, Words& words) {
    if (x == node && g == log) change(words);
  };
  return d;
}

/// A change of a link's value in one cycle.
Deviation on_link(std::uint64_t cycle, Node node, Port port, std::function<void(Flit&)> change) {
  Deviation d;
  d.link = [=](std::uint64_t now, Node x, Port p, Flit& flit) {
    if (now == cycle && x == node && p == port) change(flit);
  };
  return d;
}

void none(Flit& flit) { flit = {}; }
void stray(Flit& flit) { flit = {true, false, 0xdead}; }
void wrong_bit(Flit& flit) { flit.data ^= 0x800; }

Deviation arrives(std::int64_t late) {
  Deviation d;
  d.last_arrival = [=](std::uint64_t& cycle) { cycle += static_cast<std::uint64_t>(late); };
  return d;
}

Deviation moves(std::int64_t more) {
  Deviation d;
  d.flits_moved = [=](std::uint64_t& flits) { flits += static_cast<std::uint64_t>(more); };
  return d;
}

/// Errors of so many nodes, from node 0 on.
Deviation errors(Node nodes, rtl::error_e code) {
  Deviation d;
  d.errors = [=](std::vector<NodeError>& all) {
    const auto number = static_cast<std::uint32_t>(code);
    for (Node x = 0; x < nodes; ++x) all.push_back({x, 1u << number, number, 2, 1});
  };
  return d;
}

Deviation stalls(std::vector<Node> running) {
  Deviation d;
  d.never_done = true;
  d.running = [=](std::vector<Node>& nodes) { nodes = running; };
  return d;
}

Deviation loaded(std::function<void(FabricImage&)> change) {
  Deviation d;
  d.image = std::move(change);
  return d;
}

/// Every message goes around the ring: node x sends to x + 1 and stores its own message, then those
/// of x - 1, x - 2, x - 3, of three words each. Slots begin in cycles 1, 4 and 7; a word is on the
/// link two cycles after it is read.
SmallRun ring() {
  SmallRun run{"ring:4", planned("ring:4", "ring", 3), {}};
  run.numbers = {11, 36, 48, 15 * 8, 12, 12};
  run.planted = {
      {"the last message of node 3 is not there",
       in_log(3, 0, [](Words& w) { w.resize(9); }),
       {"node 3 never got the message of node 0"}},
      {"an own word is overwritten",
       in_log(1, 0, [](Words& w) { w[2] ^= 0x10; }),
       {"node 1: its own word 2 was overwritten"}},
      {"a message stands there twice, another not at all",
       in_log(0, 0, [](Words& w) { std::copy_n(w.begin() + 3, 3, w.begin() + 9); }),
       {"node 0 never got the message of node 1"}},
      {"a word is missing on a link",
       on_link(5, 2, 0, none),
       {"first difference: cycle 5, link 2-3: nothing where flit 2 of node 2's message should be"}},
      {"the last word is missing on a link",
       on_link(11, 3, 0, none),
       {"first difference: cycle 11, link 3-0: nothing where flit 2 of node 1's message should "
        "be"}},
      {"a word is wrong on a link",
       on_link(3, 0, 0, wrong_bit),
       {"first difference: cycle 3, link 0-1: 0x640f8902, which nobody sent where flit 0 of node "
        "0's message should be"}},
      {"a stray word on the last port of the last node",
       on_link(4, 3, 1, stray),
       {"first difference: cycle 4, link 3-2: 0x0000dead, which nobody sent where nothing should "
        "be"}},
      {"a stray word before the first",
       on_link(2, 0, 0, stray),
       {"first difference: cycle 2, link 0-1: 0x0000dead, which nobody sent where nothing should "
        "be"}},
      {"a stray word after the last",
       on_link(12, 1, 0, stray),
       {"first difference: cycle 12, link 1-2: 0x0000dead, which nobody sent where nothing should "
        "be"}},
      {"the last word comes a cycle late", arrives(1), {"12 cycles measured, 11 predicted"}},
      {"the last word comes a cycle early", arrives(-1), {"10 cycles measured, 11 predicted"}},
      {"a word more was counted on links",
       moves(1),
       {"37 flits stood on links, the schedule has 36"}},
      {"a word less was counted on links",
       moves(-1),
       {"35 flits stood on links, the schedule has 36"}},
      {"a node raises an error",
       errors(1, rtl::error_e::ERR_CUT),
       {"node 0 raised ERR_CUT in slot 3 at port 1: a stream was cut off by the end of its slot"}},
      {"six nodes raise errors",
       errors(6, rtl::error_e::ERR_OVERFLOW),
       {"node 0 raised ERR_OVERFLOW in slot 3 at port 1: the message store is full",
        "node 1 raised ERR_OVERFLOW in slot 3 at port 1: the message store is full",
        "node 2 raised ERR_OVERFLOW in slot 3 at port 1: the message store is full",
        "node 3 raised ERR_OVERFLOW in slot 3 at port 1: the message store is full",
        "node 4 raised ERR_OVERFLOW in slot 3 at port 1: the message store is full",
        "and 1 more node raised errors"}},
      {"a node never ends its table",
       stalls({3}),
       {"stalled: not at rest by cycle 75, node 3 still runs",
        "the first 76 cycles, compared link by link, are as scheduled"}},
      {"a word never comes to rest",
       stalls({}),
       {"stalled: not at rest by cycle 75, a flit still moves",
        "the first 76 cycles, compared link by link, are as scheduled"}},
  };
  return run;
}

/// The same with stores that keep only unexpected words, on two threads.
SmallRun compressed_ring() {
  SmallRun run = ring();
  run.name = "ring:4, compressed stores, two threads";
  run.compressed = true;
  run.threads = 2;
  run.planted = {
      {"node 1 does not send its last message",
       loaded([](FabricImage& image) {
         image.dead = {0, 1, 0, 0};
         image.dead_after = 2;
       }),
       {"first difference: cycle 9, link 1-2: nothing where flit 0 of node 3's message should be",
        "node 2 raised ERR_MISSING in slot 3 at port 1: an expected flit never came",
        "33 flits stood on links, the schedule has 36", "node 2 never got the message of node 3"}},
      {"an own word of node 1 is another one",
       loaded([](FabricImage& image) { image.own_words[4] ^= 0x40; }),
       {"first difference: cycle 4, link 1-2: 0x0b4aa560, which nobody sent where flit 1 of node "
        "1's message should be",
        "node 0, log 0, word 10: the message of node 1 breaks off at flit 1",
        "node 0, log 0, word 10: 0x0b4aa560 is no word that anybody sent",
        "node 0, log 0, word 11: 0x6f2a354e is flit 2 of the message of node 1, not the first one",
        "nodes 0 and 2-3 never got the message of node 1", "node 1: its own word 1 was overwritten",
        "and 6 more problems in message stores"}},
  };
  return run;
}

/// Total exchange: every message is for one node alone.
SmallRun exchange() {
  SmallRun run{
      "total exchange on ring:3", planned("ring:3", "a1", 2, Collective::TotalExchange), {}};
  run.numbers = {7, 12, 24, 12 * 6, 6, 6};
  run.planted = {
      {"a node has a message for another in place of its own",
       in_log(1, 0, [](Words& w) { std::copy_n(w.begin(), 2, w.end() - 2); }),
       {"node 1 never got the message of node 2"}},
  };
  return run;
}

/// Four trees take a flit each to all nodes; a dead link takes piece 2 from all of them.
SmallRun tolerant() {
  SmallRun run{"broadcast on torus:3x3",
               planned("torus:3x3", "independent-trees", 3, Collective::Broadcast),
               {5, 24, 24, 11 * 36, 8, 8}};
  run.request.faults = "links=0-3";
  Deviation silent;
  silent.errors = [](std::vector<NodeError>& all) { all.resize(1); };
  std::vector<std::string> unsaid, alive;
  for (Node x = 1; x < 6; ++x) {
    unsaid.push_back(
        fmt::format("node {}: its first error does not say which piece is not whole", x + 1));
    alive.push_back(fmt::format("node {}: piece 2 came over what is dead", x));
  }
  run.planted = {
      {"a word that came is wrong",
       in_log(4, 0, [](Words& w) { w[0] ^= 0x10; }),
       {"node 4: piece 1, flit 0: 0xfdb40214 came, which is not what was sent"}},
      {"a second piece is missing",
       in_log(4, 0, [](Words& w) { w.clear(); }),
       {"node 4: pieces 1 and 2 are not whole"}},
      {"all nodes but one raise no error", silent, unsaid},
      {"what is dead sends", loaded([](FabricImage& image) { image.dead.clear(); }), alive},
      {"a word is wrong on a link",
       on_link(4, 1, 0, wrong_bit),
       {"first difference: cycle 4, link 1-2: 0xe02d5ed0, which nobody sent where flit 0 of piece "
        "0 "
        "of node 0's message should be"}},
      {"more flits stood on links than there are",
       moves(9),
       {"33 flits stood on links, the schedule has 32"}},
  };
  return run;
}

/// All ports: a log for each.
SmallRun torus() {
  SmallRun run{"torus:3x3", planned("torus:3x3", "translation", 4), {}};
  run.numbers = {10, 9 * 8 * 4, 9 * 8 * 4, 14 * 36, 72, 72};
  run.planted = {
      {"a stray word on the last port of the last node",
       on_link(2, 8, 3, stray),
       {"first difference: cycle 2, link 8-5: 0x0000dead, which nobody sent where nothing should "
        "be"}},
  };
  return run;
}

/// Nodes that decide what they send; message m of node x is that of x XOR m.
SmallRun adaptive_cube() {
  SmallRun run{"hypercube:2, adaptive", planned("hypercube:2", "chau-fu", 2), {}};
  Deviation lost;
  lost.arrived = [](Node x, unsigned, std::vector<bool>& words) {
    if (x == 2) words[2] = words[3] = false;
  };
  run.numbers = {16, 40, 24, 20 * 8, 12, 12};
  run.planted = {
      {"a message is not there",
       lost,
       {"node 2 never got the message of node 3",
        "the messages that are missing are not those that the model misses"}},
      {"two messages stand in each other's places",
       in_log(1, 0,
              [](Words& w) { std::swap_ranges(w.begin() + 2, w.begin() + 4, w.begin() + 4); }),
       {"node 1, log 0, word 2: node 3's message where node 0's belongs",
        "node 1, log 0, word 4: node 0's message where node 3's belongs"}},
      {"the last slot never ends",
       stalls({}),
       {"stalled: not at rest by cycle 80, a flit still moves", "77 cycles measured, 16 predicted",
        "the first 81 cycles, compared link by link, are as scheduled"}},
      {"a stray word on a link",
       on_link(4, 3, 1, stray),
       {"first difference: cycle 4, link 3-1: 0x0000dead, which nobody sent where nothing should "
        "be"}},
  };
  return run;
}

/// A dead node and links, more than the schedule tolerates: it is known what is missing.
SmallRun broken_cube() {
  SmallRun run{"hypercube:2 with dead links", planned("hypercube:2", "chau-fu", 2), {}};
  run.request.faults = "links=0-1,0-2";
  run.numbers = {16, 12, 12, 20 * 8, 6, 12};
  run.problems = {"node 0 never got the messages of nodes 1-3 (3)",
                  "nodes 1-3 never got the message of node 0"};
  // Node 1 still holds the message of node 0, at the right address.
  Deviation got;
  const auto own = std::make_shared<Words>();
  got.image = [own](FabricImage& image) { *own = image.own_words; };
  got.arrived = [](Node x, unsigned, std::vector<bool>& words) {
    if (x == 1) words[2] = words[3] = true;
  };
  got.log = [own](Node x, unsigned, Words& words) {
    if (x == 1) std::copy_n(own->begin(), 2, words.begin() + 2);
  };
  Deviation other = got;
  other.arrived = [](Node x, unsigned, std::vector<bool>& words) {
    if (x == 1) words[2] = words[3] = true;
    if (x == 2) words[2] = words[3] = false;
  };
  run.planted = {
      {"as many messages are missing, but another one",
       other,
       {"node 0 never got the messages of nodes 1-3 (3)",
        "node 2 never got the messages of nodes 0, 3 (2)", "node 3 never got the message of node 0",
        "the messages that are missing are not those that the model misses"}},
      {"a message is there that cannot be",
       got,
       {"node 0 never got the messages of nodes 1-3 (3)",
        "nodes 2-3 never got the message of node 0",
        "the messages that are missing are not those that the model misses"}},
  };
  return run;
}

/// One node stands for all nine.
SmallRun symmetric_torus() {
  SmallRun run = torus();
  run.name = "torus:3x3, one node for all";
  run.symmetric = true;
  run.numbers.link_cycles = 14 * 4;
  run.planted = {
      {"a log lacks its last message",
       in_log(0, 3, [](Words& w) { w.resize(w.size() - 4); }),
       {"node 0 never got the message of node 8, as in 8 more nodes"}},
      {"a word more was counted on links",
       moves(1),
       {"297 flits stood on links, the schedule has 288"}},
      {"a word is missing on a link",
       on_link(4, 0, 2, none),
       {"first difference: cycle 4, link 0-3: nothing where flit 1 of node 0's message should "
        "be"}},
      {"a node raises an error",
       errors(1, rtl::error_e::ERR_CUT),
       {"node 0 (as 8 more) raised ERR_CUT in slot 3 at port 1: a stream was cut off by the "
        "end of its slot"}},
  };
  return run;
}

/// Paths of several hops in half-duplex links; every slot is as long as its longest path, and waits
/// until links have turned around.
SmallRun circuits() {
  SmallRun run{"circuits on path:4", {}, {}};
  run.request.flits = 4;
  run.lines =
      R"({"gossamer":1,"topology":"path:4","collective":"broadcast","root":0,"model":{"ports":"single","duplex":"half","switching":"circuit","combining":false}}
{"r":1,"path":[0,1,2,3],"msgs":[0]}
{"r":2,"path":[3,2],"msgs":[0]}
{"r":2,"path":[0,1],"msgs":[0]}
)";
  run.numbers = {14, 20, 16, 160, 3, 3};
  run.recorded = R"(cycles 0 to 19
3: node 0 port 0, 4 flits of message 0 from flit 0
4: node 1 port 0, 4 flits of message 0 from flit 0
5: node 2 port 0, 4 flits of message 0 from flit 0
11: node 0 port 0, 4 flits of message 0 from flit 0
11: node 3 port 1, 4 flits of message 0 from flit 0
)";
  run.planted = {
      {"a word is missing on the last hop",
       on_link(6, 2, 0, none),
       {"first difference: cycle 6, link 2-3: nothing where flit 1 of node 0's message should "
        "be"}},
  };
  return run;
}

/// Messages that are not listed: what is in "everything" is not said, but that it is sent.
SmallRun gather() {
  SmallRun run{"gather on path:3", {}, {}};
  run.request.flits = 2;
  run.lines =
      R"({"gossamer":1,"topology":"path:3","collective":"gather","root":0,"model":{"ports":"all","duplex":"full","switching":"packet","combining":true}}
{"r":1,"path":[2,1],"msgs":"*"}
{"r":2,"path":[1,0],"msgs":"*"}
)";
  run.numbers = {9, 6, 6, 84, 2, 2};
  run.recorded = R"(cycles 0 to 13
3: node 2 port 1, 2 flits of message 2>0 from flit 0
6: node 1 port 1, 2 flits of message 1>0 from flit 0
8: node 1 port 1, 2 flits of message 2>0 from flit 0
)";
  run.planted = {
      {"a word is missing on a link",
       on_link(7, 1, 1, none),
       {"first difference: cycle 7, link 1-0: nothing where a flit should be"}},
      {"a stray word beside them",
       on_link(7, 1, 0, stray),
       {"first difference: cycle 7, link 1-2: 0x0000dead, which nobody sent where nothing "
        "should be"}},
      {"a stray word on a port that has no link",
       on_link(4, 2, 0, stray),
       {"first difference: cycle 4, link 2-nowhere: 0x0000dead, which nobody sent where nothing "
        "should be"}},
      {"the root lacks a message",
       in_log(0, 0, [](Words& w) { w.resize(2); }),
       {"node 0 never got the message of node 2"}},
  };
  return run;
}

/// The second transfer begins while the first is under way.
SmallRun pipelined() {
  SmallRun run{"pipelined scatter on path:3", {}, {}};
  run.request.flits = 1;
  run.lines =
      R"({"gossamer":1,"topology":"path:3","collective":"scatter","root":0,"model":{"ports":"all","duplex":"full","switching":"pipelined","combining":false}}
{"r":1,"path":[0,1,2],"msgs":[[0,2]]}
{"r":2,"path":[0,1],"msgs":[[0,1]]}
)";
  run.numbers = {4, 3, 2, 48, 2, 2};
  run.recorded = R"(cycles 0 to 7
3: node 0 port 0, 1 flits of message 0>2 from flit 0
4: node 0 port 0, 1 flits of message 0>1 from flit 0
4: node 1 port 0, 1 flits of message 0>2 from flit 0
)";
  run.planted = {
      {"a word is wrong on a link",
       on_link(3, 0, 0, wrong_bit),
       {"first difference: cycle 3, link 0-1: 0x9cca92a7, which nobody sent where flit 0 of "
        "node 0's message for node 2 should be"}},
      {"a word of a node is wrong",
       in_log(2, 1, [](Words& w) { w.at(0) ^= 1; }),
       {"node 2, log 1, word 0: 0x9cca9aa6 is no word that anybody sent",
        "node 2 never got the message of node 0"}},
  };
  return run;
}

/// Sums: node 2 adds up its part and node 3's, node 1 all, and the whole goes to node 3 by node 0,
/// which adds node 3's part to its own before.
SmallRun sums() {
  SmallRun run{"all-reduce on ring:4", {}, {}};
  run.request.flits = 2;
  run.lines =
      R"({"gossamer":1,"topology":"ring:4","collective":"all-reduce","root":0,"op":"sum","model":{"ports":"all","duplex":"full","switching":"packet","combining":false}}
{"r":1,"path":[3,2],"msgs":[0]}
{"r":1,"path":[0,1],"msgs":[0]}
{"r":2,"path":[2,1],"msgs":[0]}
{"r":3,"path":[1,0],"msgs":[0]}
{"r":3,"path":[3,0],"msgs":[0]}
{"r":3,"path":[1,2],"msgs":[0]}
{"r":4,"path":[0,3],"msgs":[0]}
)";
  run.numbers = {21, 14, 8, 27 * 8, 4, 4};
  run.recorded = R"(cycles 0 to 26
4: node 0 port 0, 2 flits of message 0 from flit 0
4: node 3 port 1, 2 flits of message 0 from flit 0
10: node 2 port 1, 2 flits of message 0 from flit 0
16: node 1 port 0, 2 flits of message 0 from flit 0
16: node 1 port 1, 2 flits of message 0 from flit 0
16: node 3 port 0, 2 flits of message 0 from flit 0
20: node 0 port 1, 2 flits of message 0 from flit 0
)";
  run.planted = {
      {"node 2 adds its own part to nothing",
       loaded([](FabricImage& image) {
         for (SlotEntry& slot : image.programs[2].slots) {
           for (Port p = 0; p < slot.select.size(); ++p) {
             if (slot.stores >> p & 1) slot.select[p] &= ~(Port{1} << p);
           }
         }
       }),
       {"first difference: cycle 10, link 2-1: 0x7b9ea0b1 where flit 0 of nodes 2-3's sum of "
        "message 0 (0x86e945d1) should be: node 2's part is missing",
        "node 0's sum of message 0, flit 0 (log 0, word 0): 0x7c78bc5a where 0x87c3617a should be: "
        "node 2's part is missing",
        "node 1's sum of message 0, flit 0 (log 2, word 2): 0x7c78bc5a where 0x87c3617a should be: "
        "node 2's part is missing",
        "node 2's sum of message 0, flit 0 (log 1, word 0): 0x7c78bc5a where 0x87c3617a should be: "
        "node 2's part is missing",
        "node 3's sum of message 0, flit 0 (log 0, word 0): 0x7c78bc5a where 0x87c3617a should be: "
        "node 2's part is missing"}},
      {"a word of a result is wrong",
       in_log(3, 0, [](Words& w) { w.back() ^= 1; }),
       {"node 3's sum of message 0, flit 1 (log 0, word 1): 0x76c56d17 where 0x76c56d16 should "
        "be"}},
      {"a result lacks its last word",
       in_log(3, 0, [](Words& w) { w.pop_back(); }),
       {"node 3's sum of message 0 breaks off at flit 1 (log 0)"}},
  };
  return run;
}

}  // namespace

std::vector<SmallRun> small_runs() {
  return {ring(),        compressed_ring(), exchange(), torus(),  adaptive_cube(),
          broken_cube(), symmetric_torus(), circuits(), gather(), pipelined(),
          sums(),        tolerant()};
}

}  // namespace gossamer::tb
