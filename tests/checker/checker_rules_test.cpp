#include <fmt/format.h>

#include "broken_rules.hpp"
#include "catch.hpp"
#include "samples/schedules.hpp"
#include "schedule/missing_by_node.hpp"

using namespace gossamer;
using namespace gossamer::samples;

namespace {

using Catch::Matchers::Contains;

constexpr Model kPackets{PortModel::All, Duplex::Full, Switching::Packet, false};
constexpr Model kCircuits{PortModel::All, Duplex::Full, Switching::Circuit, true};
constexpr Model kPipelined{PortModel::All, Duplex::Full, Switching::Pipelined, true};

Model with(Model m, PortModel ports, Duplex duplex) {
  m.ports = ports;
  m.duplex = duplex;
  return m;
}

/// Only the broken rules of transfers: most of these schedules stop long before everything has
/// arrived.
std::vector<BrokenRule> broken(const Schedule& schedule) {
  std::vector<BrokenRule> faults;
  for (BrokenRule& f : check(schedule).faults) {
    if (f.from != kNoNode || f.line != 0) faults.push_back(std::move(f));
  }
  return faults;
}

/// Exactly one rule is broken, at this place, and the text names it.
void check_broken_once(const Schedule& schedule, const std::string& place,
                       const std::string& text) {
  INFO(faults_of(schedule));
  const auto faults = broken(schedule);
  REQUIRE(faults.size() == 1);
  CHECK_THAT(to_string(faults[0]), Catch::Matchers::StartsWith(place + ": "));
  CHECK_THAT(faults[0].text, Contains(text));
}

Schedule gossip(const std::string& topology, Model model) {
  return empty(topology, Collective::Gossip, model);
}

}  // namespace

TEST_CASE("a correct schedule has no fault, and its sums are right") {
  const Node n = GENERATE(2, 3, 8, 65);
  const CheckReport report = check(ring_expanded(n));
  CAPTURE(n);
  CHECK(test::broken_rules(report) == "");
  CHECK(report.rounds == n - 1);
  CHECK(report.delta_sum == n - 1);
  CHECK(report.tau_sum == n - 1);
  CHECK(report.transmissions == std::uint64_t{n} * (n - 1));
  CHECK(report.delivered == std::uint64_t{n} * (n - 1));
  CHECK(report.expected == report.delivered);
}

TEST_CASE("a path must follow links") {
  Schedule s = gossip("ring:5", kCircuits);
  add(s, 1, {0, 1}, {{0}}, 2);
  add(s, 3, {0, 1, 3}, {{0}}, 3);
  check_broken_once(s, "line 3, round 3, link 1-3", "ring:5 has no such link");
}

TEST_CASE("a missing link is named once, and not what nodes lack because of it") {
  Schedule s = gossip("path:8", kCircuits);
  add(s, 1, {7, 0}, {{7}}, 2);
  add(s, 2, {7, 0}, {{6}}, 3);
  add(s, 2, {0, 1}, {{7}}, 4);
  add(s, 3, {0, 2}, {{0}}, 5);
  CHECK(faults_of(s) ==
        "line 2, round 1, link 7-0: path:8 has no such link; a path follows links\n"
        "line 5, round 3, link 0-2: path:8 has no such link; a path follows links\n");
  const auto first = check(s, 1).faults;
  REQUIRE(first.size() == 2);
  CHECK(to_string(first[1]) == "1 more link is missing");
  // What comes before may be another mistake.
  Schedule before = gossip("path:8", kCircuits);
  add(before, 1, {0, 1}, {{7}}, 2);
  add(before, 2, {7, 0}, {{7}}, 3);
  CHECK(check(before).faults.size() == 2);
}

TEST_CASE("a path must stay within the nodes of the topology") {
  Schedule s = gossip("ring:5", kCircuits);
  add(s, 1, {4, 5}, {{4}}, 2);
  check_broken_once(s, "line 2, round 1, link 4-5", "5 is no node of ring:5; nodes are 0 to 4");
  Schedule from_outside = gossip("ring:5", kCircuits);
  add(from_outside, 1, {9, 0}, {{4}}, 2);
  check_broken_once(from_outside, "line 2, round 1, link 9-0", "9 is no node");
}

TEST_CASE("a path must have a hop") {
  Schedule s = gossip("ring:5", kCircuits);
  add(s, 1, {4}, {{4}}, 2);
  check_broken_once(s, "line 2, round 1", "two nodes at least");
  CHECK_THROWS_AS(s.add(1, {}, std::vector<Message>{{4}}, 3), std::logic_error);
}

TEST_CASE("a path must not end where it starts") {
  Schedule s = gossip("ring:3", kCircuits);
  add(s, 1, {0, 1, 2, 0}, {{0}}, 2);
  check_broken_once(s, "line 2, round 1, link 0-1", "ends at node 0, where it starts");
}

TEST_CASE("a path must not leave a node through the link that it came in by") {
  for (const Model& model :
       {kCircuits, kPipelined, with(kCircuits, PortModel::All, Duplex::Half)}) {
    CAPTURE(to_string(model.switching), to_string(model.duplex));
    Schedule s = gossip("ring:4", model);
    add(s, 1, {0, 1, 0, 3}, {{0}}, 2);
    check_broken_once(s, "line 2, round 1, link 1-0",
                      "the path leaves node 1 through the link that it came in by");
    Schedule at_the_end = gossip("path:4", model);
    add(at_the_end, 1, {0, 1, 2, 1}, {{0}}, 2);
    check_broken_once(at_the_end, "line 2, round 1, link 2-1", "the path leaves node 2 through");
  }
}

TEST_CASE("a path may pass through a node several times, its ends too") {
  for (const Model& model : {kCircuits, kPipelined}) {
    CAPTURE(to_string(model.switching));
    Schedule s = gossip("complete:4", model);
    add(s, 1, {0, 1, 2, 0, 3}, {{0}}, 2);         // its source
    add(s, 9, {3, 0, 1, 2, 0}, {{3}}, 3);         // its destination
    add(s, 19, {3, 0, 1, 2, 0, 3, 1}, {{3}}, 4);  // a link in both directions
    CHECK(broken(s).empty());
  }
}

TEST_CASE("a pipelined path may use an arc again, in a later round") {
  Schedule s = gossip("ring:3", kPipelined);
  add(s, 1, {0, 1, 2, 0, 1}, {{0}}, 2);
  CHECK(broken(s).empty());
}

TEST_CASE("a packet makes one hop in a round") {
  Schedule s = gossip("ring:5", kPackets);
  add(s, 2, {0, 1, 2}, {{0}}, 2);
  check_broken_once(s, "line 2, round 2, link 0-1", "2 links; a packet crosses one");
}

TEST_CASE("two paths must not share an arc in a round") {
  for (const Model& model : {kPackets, kCircuits}) {
    Schedule s = gossip("ring:5", model);
    add(s, 1, {1, 2}, {{1}}, 2);
    add(s, 2, {1, 2}, {{1}}, 3);
    add(s, 2, {1, 2}, {{1}}, 4);
    check_broken_once(s, "line 4, round 2, link 1-2",
                      "already carries the transfer 1-2 of line 3 in round 2");
  }
}

TEST_CASE("circuits clash on an arc in the middle of both, and not in opposite directions") {
  Schedule s = gossip("path:5", kCircuits);
  add(s, 1, {0, 1, 2, 3}, {{0}}, 2);
  add(s, 1, {4, 3, 2, 1}, {{4}}, 3);
  CHECK(broken(s).empty());
  add(s, 1, {2, 3, 4}, {{2}}, 4);
  check_broken_once(s, "line 4, round 1, link 2-3", "transfer 0-3 of line 2");
}

TEST_CASE("a circuit must not use an arc twice itself") {
  Schedule s = gossip("ring:3", kCircuits);
  add(s, 1, {0, 1, 2, 0, 1}, {{0}}, 2);
  check_broken_once(s, "line 2, round 1, link 0-1", "this arc already carries the same path");
  Schedule half = gossip("complete:4", with(kCircuits, PortModel::All, Duplex::Half));
  add(half, 1, {3, 0, 1, 2, 0, 3, 1}, {{3}}, 2);
  check_broken_once(half, "line 2, round 1, link 0-3",
                    "half-duplex link already carries the same path in the other direction");
}

TEST_CASE("a pipelined path uses its hop h in round r+h-1") {
  Schedule s = gossip("path:4", kPipelined);
  add(s, 1, {0, 1, 2, 3}, {{0}}, 2);  // uses 1-2 in round 2, 2-3 in round 3
  add(s, 1, {1, 2}, {{1}}, 3);        // 1-2 is free in round 1
  add(s, 3, {1, 2}, {{1}}, 4);        // and in round 3
  CHECK(broken(s).empty());
  add(s, 3, {2, 3}, {{2}}, 5);
  check_broken_once(s, "line 5, round 3, link 2-3", "transfer 0-3 of line 2 in round 3");
}

TEST_CASE(
    "a pipelined path clashes on any of its hops, whatever is the length of the first path in the "
    "file") {
  Schedule s = gossip("ring:8", kPipelined);
  add(s, 1, {7, 0}, {{7}}, 2);
  add(s, 1, {0, 1, 2, 3, 4, 5, 6}, {{0}}, 3);     // uses 5-6 in round 6
  add(s, 2, {7, 0, 1, 2, 3, 4, 5, 6}, {{7}}, 4);  // and this in round 8
  add(s, 6, {5, 6}, {{5}}, 5);
  check_broken_once(s, "line 5, round 6, link 5-6", "transfer 0-6 of line 3 in round 6");
}

TEST_CASE("a pipelined message can be sent on two rounds after its path has ended") {
  const std::uint32_t next = GENERATE(2, 3, 4, 5);
  Schedule s = gossip("path:4", kPipelined);
  add(s, 1, {0, 1, 2}, {{0}}, 2);  // ends in round 2
  add(s, next, {2, 3}, {{0}}, 3);
  if (next < 5) {
    check_broken_once(s, fmt::format("line 3, round {}, link 2-3", next),
                      "does not hold it when the round starts");
  } else {
    CHECK(broken(s).empty());
  }
}

TEST_CASE("what a pipelined source receives later does not slip into what it sent") {
  const std::uint32_t sent = GENERATE(1, 2);
  Schedule s = gossip("path:5", kPipelined);
  s.add_everything(1, std::vector<Node>{1, 2, 3, 4}, 2);
  add(s, sent, {0, 1}, {{0}}, 3);  // arrives at 1 while line 2 is on its way
  add(s, 4, {4, 3}, {{0}}, 4);
  check_broken_once(s, "line 4, round 4, link 4-3", "node 4 sends message 0 but does not hold it");
}

TEST_CASE("a single-port node sends one transfer in a round") {
  Schedule s = gossip("ring:5", with(kPackets, PortModel::Single, Duplex::Full));
  add(s, 1, {2, 3}, {{2}}, 2);
  add(s, 1, {2, 1}, {{2}}, 3);
  check_broken_once(s, "line 3, round 1, link 2-1",
                    "node 2 already takes part in the transfer 2-3 of line 2 in round 1; a "
                    "single-port node sends one transfer");
}

TEST_CASE("a single-port node receives one transfer in a round") {
  Schedule s = gossip("ring:5", with(kCircuits, PortModel::Single, Duplex::Full));
  add(s, 1, {1, 2}, {{1}}, 2);
  add(s, 1, {4, 3, 2}, {{4}}, 3);
  check_broken_once(s, "line 3, round 1, link 3-2", "a single-port node receives one transfer");
}

TEST_CASE("a single-port node may send and receive with full duplex, not with half duplex") {
  const Duplex duplex = GENERATE(Duplex::Full, Duplex::Half);
  Schedule s = gossip("ring:5", with(kPackets, PortModel::Single, duplex));
  add(s, 1, {1, 2}, {{1}}, 2);
  add(s, 1, {2, 3}, {{2}}, 3);
  if (duplex == Duplex::Full) {
    CHECK(broken(s).empty());
  } else {
    check_broken_once(s, "line 3, round 1, link 2-3", "sends or receives, never both");
  }
}

TEST_CASE("the order of a send and a receive in the file does not matter") {
  Schedule s = gossip("ring:5", with(kPackets, PortModel::Single, Duplex::Half));
  add(s, 1, {2, 3}, {{2}}, 2);
  add(s, 1, {1, 2}, {{1}}, 3);
  check_broken_once(s, "line 3, round 1, link 1-2", "node 2 already takes part in");
}

TEST_CASE("a pipelined single-port node receives when the path ends") {
  Schedule s = gossip("path:5", with(kPipelined, PortModel::Single, Duplex::Full));
  add(s, 1, {0, 1, 2}, {{0}}, 2);  // received in round 2
  add(s, 1, {3, 2}, {{3}}, 3);     // received in round 1
  CHECK(broken(s).empty());
  add(s, 2, {1, 2}, {{1}}, 4);
  const auto faults = broken(s);
  REQUIRE(faults.size() == 2);  // the arc 1-2 and the port of node 2
  CHECK_THAT(faults[1].text, Contains("in round 2; a single-port node receives one"));
}

TEST_CASE("a half-duplex link carries one direction in a round") {
  Schedule s = gossip("ring:5", with(kCircuits, PortModel::All, Duplex::Half));
  add(s, 1, {0, 1, 2}, {{0}}, 2);
  add(s, 1, {3, 2, 1}, {{3}}, 3);
  check_broken_once(s, "line 3, round 1, link 2-1",
                    "already carries the transfer 0-2 of line 2 in the other direction");
}

TEST_CASE("without combining a transfer carries one message") {
  Schedule s = gossip("ring:5", kPackets);
  add(s, 1, {0, 1}, {{0}}, 2);
  add(s, 2, {1, 2}, {{0}, {1}}, 3);
  check_broken_once(s, "line 3, round 2, link 1-2", "carries 2 messages; without combining");
  Schedule everything = gossip("ring:5", kPackets);
  everything.add_everything(1, std::vector<Node>{0, 1}, 2);
  check_broken_once(everything, "line 2, round 1, link 0-1", "carries everything; without");
}

TEST_CASE("a transfer carries something, and nothing twice") {
  Schedule s = gossip("ring:5", kCircuits);
  add(s, 1, {0, 1}, {}, 2);
  check_broken_once(s, "line 2, round 1, link 0-1", "carries no message");
  Schedule twice = gossip("ring:5", kCircuits);
  add(twice, 1, {0, 1}, {{0}, {0}}, 2);
  check_broken_once(twice, "line 2, round 1, link 0-1", "lists message 0 twice");
}

TEST_CASE("a pipelined transfer carries one message, combining or not") {
  Schedule s = gossip("path:4", kPipelined);
  add(s, 1, {1, 0}, {{1}}, 2);
  add(s, 9, {0, 1, 2}, {{0}, {1}}, 3);
  check_broken_once(s, "line 3, round 9, link 0-1",
                    "carries 2 messages; a pipelined transfer carries one");
  Schedule everything = gossip("path:4", kPipelined);
  add(everything, 1, {1, 0}, {{1}}, 2);
  everything.add_everything(3, std::vector<Node>{0, 1}, 3);  // 1 arrives for round 4
  CHECK(broken(everything).empty());
  everything.add_everything(4, std::vector<Node>{0, 1}, 4);
  check_broken_once(everything, "line 4, round 4, link 0-1",
                    "carries everything, which is 2 messages; a pipelined transfer carries one");
}

TEST_CASE("everything must be something") {
  Schedule s = empty("path:3", Collective::Broadcast, kCircuits);
  add(s, 1, {0, 1}, {{0}}, 2);
  s.add_everything(1, std::vector<Node>{2, 1}, 3);
  s.add_everything(2, std::vector<Node>{1, 2}, 4);
  check_broken_once(s, "line 3, round 1, link 2-1", "carries everything, and node 2 holds nothing");
}

TEST_CASE("a node sends only what it holds when the round starts") {
  Schedule s = gossip("ring:5", kPackets);
  add(s, 1, {0, 1}, {{0}}, 2);
  add(s, 1, {1, 2}, {{0}}, 3);
  check_broken_once(s, "line 3, round 1, link 1-2",
                    "node 1 sends message 0 but does not hold it when the round starts; a transfer "
                    "of round 1 takes it there");
  Schedule never = gossip("ring:5", kPackets);
  add(never, 1, {1, 2}, {{4}}, 2);
  check_broken_once(never, "line 2, round 1, link 1-2", "no transfer that lists it takes it there");
  Schedule second = gossip("ring:5", kCircuits);  // in the list of the transfer that takes it there
  add(second, 1, {1, 2}, {{0}}, 2);
  add(second, 1, {4, 0}, {{4}}, 3);
  add(second, 2, {0, 1}, {{4}, {0}}, 4);
  check_broken_once(second, "line 2, round 1, link 1-2", "a transfer of round 2 takes it there");
}

TEST_CASE("what was not held is not delivered") {
  Schedule s = gossip("path:2", kPackets);
  add(s, 1, {0, 1}, {{1}}, 2);
  const CheckReport report = check(s);
  CHECK(report.delivered == 0);
  CHECK(report.expected == 2);
}

TEST_CASE("messages must exist, each collective having its own") {
  const auto [collective, message, text] = GENERATE(table<Collective, Message, std::string>(
      {{Collective::Gossip, {7}, "message 7 does not exist: origin 7 is no node"},
       {Collective::Gossip, {0, 1}, "a message for everybody has no destination"},
       {Collective::Broadcast, {1}, "only messages of the root 0"},
       {Collective::TotalExchange, {0, 5}, "has no destination"},
       {Collective::TotalExchange, {0}, "has no destination"},
       {Collective::TotalExchange, {0, 0}, "no message to itself"},
       {Collective::Scatter, {1, 2}, "only messages of the root 0"},
       {Collective::Gather, {1, 2}, "only messages for the root 0"},
       {Collective::Gather, {0, 0}, "no message to itself"}}));
  CAPTURE(to_string(collective), text);
  Schedule s = empty("ring:5", collective, kPackets);
  add(s, 1, {0, 1}, {message}, 2);
  check_broken_once(s, "line 2, round 1, link 0-1", text);
}

TEST_CASE("who holds what at the start depends on the collective") {
  const auto [collective, source, message] =
      GENERATE(table<Collective, Node, Message>({{Collective::Gossip, 2, {2}},
                                                 {Collective::Broadcast, 1, {1}},
                                                 {Collective::Scatter, 1, {1, 4}},
                                                 {Collective::Gather, 3, {3, 1}},
                                                 {Collective::TotalExchange, 3, {3, 0}}}));
  CAPTURE(to_string(collective));
  for (Node x = 0; x < 5; ++x) {
    Schedule s = empty("ring:5", collective, kPackets);
    s.root = 1;
    add(s, 1, {x, (x + 1) % 5}, {message}, 2);
    CHECK(broken(s).size() == (x == source ? 0 : 1));
  }
}

TEST_CASE("everything must arrive in the end, and nodes that lack the same are named once") {
  const auto [collective, expected, nodes, last] =
      GENERATE(table<Collective, std::uint64_t, std::size_t, std::string>(
          {{Collective::Gossip, 12, 4, "node 3 lacks messages 0-2 (3) after the last round"},
           {Collective::Broadcast, 3, 1, "nodes 1-3 lack message 0 after the last round"},
           {Collective::Scatter, 3, 1,
            "nodes 1-3 lack what node 0 sends each of them after the last round"},
           {Collective::Gather, 3, 1, "node 0 lacks messages [1-3,0] (3) after the last round"},
           {Collective::TotalExchange, 12, 4,
            "node 3 lacks messages [0-2,3] (3) after the last round"}}));
  const CheckReport report = check(empty("ring:4", collective, kPackets));
  CHECK(report.expected == expected);
  CHECK(report.delivered == 0);
  REQUIRE(report.faults.size() == nodes);
  CHECK(report.faults.back().text == last);
}

TEST_CASE("nodes behind a lost transfer lack the same messages: they are one line") {
  Schedule broadcast = empty("ring:12", Collective::Broadcast, kPackets);
  add(broadcast, 1, {0, 1}, {{0}}, 2);
  add(broadcast, 2, {1, 2}, {{0}}, 3);
  add(broadcast, 3, {0, 11}, {{0}}, 4);
  add(broadcast, 4, {11, 10}, {{0}}, 5);
  add(broadcast, 5, {2, 3}, {{0}}, 6);
  CHECK(faults_of(broadcast) == "round 5: nodes 4-9 lack message 0 after the last round\n");
}

TEST_CASE("numbers are named as runs, the first ones if they are many") {
  using gossamer::nodes_text;
  using gossamer::runs_text;
  const auto nodes = [](std::vector<Node> all) { return nodes_text(all); };
  CHECK(nodes({3}) == "node 3");
  CHECK(nodes({3, 4, 5, 6, 7}) == "nodes 3-7");
  CHECK(nodes({3, 4, 5, 6, 7, 12}) == "nodes 3-7 and 12");
  CHECK(nodes({0, 3, 4, 9}) == "nodes 0, 3-4 and 9");
  CHECK(nodes({0, 2, 4, 6, 8, 10, 12}) == "nodes 0, 2, 4, 6, 8, 10, ... (7)");
  const std::vector<Node> first = {0, 1, 2, 7};
  CHECK(runs_text(first, 4) == "0-2, 7");
  CHECK(runs_text(first, 9) == "0-2, 7, ...");
}

TEST_CASE("a missing message is named with its node and the last round") {
  Schedule s = ring_expanded(4);
  Schedule cut = gossip("ring:4", Model{});
  const auto all = s.transfers();
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const auto messages = s.messages(all[i]);
    add(cut, all[i].round, {s.path(all[i])[0], s.path(all[i])[1]},
        {messages.begin(), messages.end()}, static_cast<std::uint32_t>(i + 2));
  }
  CHECK(faults_of(cut) == "round 3: node 0 lacks message 1 after the last round\n");
  CHECK(check(cut).delivered == 11);
}

TEST_CASE("rooted collectives play from their root") {
  Schedule broadcast = empty("path:3", Collective::Broadcast, kPackets);
  broadcast.root = 1;
  add(broadcast, 1, {1, 0}, {{1}});
  add(broadcast, 1, {1, 2}, {{1}});
  CHECK(faults_of(broadcast).empty());

  Schedule scatter = empty("path:3", Collective::Scatter, kPackets);
  add(scatter, 1, {0, 1}, {{0, 2}});
  add(scatter, 2, {0, 1}, {{0, 1}});
  add(scatter, 2, {1, 2}, {{0, 2}});
  CHECK(faults_of(scatter).empty());

  Schedule gather = empty("path:3", Collective::Gather, kPackets);
  add(gather, 1, {1, 0}, {{1, 0}});
  add(gather, 1, {2, 1}, {{2, 0}});
  add(gather, 2, {1, 0}, {{2, 0}});
  CHECK(faults_of(gather).empty());
}

TEST_CASE("a root must be a node, and has no translations") {
  Schedule s = empty("ring:4", Collective::Broadcast, kPackets);
  s.root = 4;
  CHECK(faults_of(s) == "root 4 is no node; nodes are 0 to 3\n");
  const Topology ring = Topology::parse("ring:4");
  const Node generators[] = {2};
  const Schedule orbits(ring, Collective::Broadcast, kPackets, Symmetry(ring, generators));
  CHECK_THAT(faults_of(orbits), Contains("has a root, so that it has no translations"));
}

TEST_CASE("everything means what the source holds when the round starts") {
  // On a path of 4, flooding moves a message one node per round; it would be faster if arrivals of
  // the same round were forwarded.
  const Topology path = Topology::parse("path:4");
  CHECK(test::broken_rules(flood(path, 3)) == "");
  const CheckReport early = check(flood(path, 2));
  CHECK(early.delivered == 10);  // all but 0 to 3 and 3 to 0
  CHECK(check(flood(path, 3)).tau_sum == 1 + 3 + 4);
}

TEST_CASE("only so many faults are kept, the first ones, and counting goes on") {
  const Schedule none = empty("ring:9", Collective::Gossip, kPackets);
  CHECK(check(none, 5).faults.size() == 5);
  CHECK(check(none, 0).faults.size() == 1);  // a broken schedule must never seem correct
  CHECK(check(none, 5).expected == 72);
}

TEST_CASE("rounds without transfers change nothing but the number of the last round") {
  Schedule s = gossip("path:2", kPackets);
  add(s, 1000000, {0, 1}, {{0}});
  add(s, 4000000000, {1, 0}, {{1}});
  const CheckReport report = check(s);
  CHECK(test::broken_rules(report) == "");
  CHECK(report.rounds == 4000000000);
  CHECK(report.delta_sum == 2);
}

TEST_CASE("a pipelined schedule ends in the round of its last hop") {
  Schedule s = gossip("path:3", kPipelined);
  add(s, 1, {0, 1, 2}, {{0}});
  add(s, 1, {2, 1, 0}, {{2}});
  CHECK(check(s).rounds == 2);
}

TEST_CASE("a schedule that no reader has seen is refused for nodes and origins that do not exist") {
  const auto said = [](const std::vector<Node>& path, const Message& message) {
    Schedule s = empty("ring:4", Collective::Gossip,
                       {PortModel::All, Duplex::Full, Switching::Packet, /*combining=*/true});
    add(s, 1, path, {message}, 7);
    return faults_of(s).substr(0, faults_of(s).find('\n'));
  };
  CHECK(said({4, 0}, {0}) == "line 7, round 1, link 4-0: 4 is no node of ring:4; nodes are 0 to 3");
  CHECK(said({3, 4}, {3}) == "line 7, round 1, link 3-4: 4 is no node of ring:4; nodes are 0 to 3");
  CHECK(
      said({0, 1}, {4}) ==
      "line 7, round 1, link 0-1: message 4 does not exist: origin 4 is no node; nodes are 0 to 3");
}
