// MSCCL XML becomes schedules again: our own, and as MSCCL's tools write it.
#include <fmt/format.h>

#include <array>
#include <vector>

#include "broken_rules.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "export/msccl.hpp"
#include "export/plans.hpp"
#include "import/msccl.hpp"
#include "refusal.hpp"
#include "support/file.hpp"

using namespace gossamer;
using export_test::planned;

namespace {

/// Some of its nodes have two links between them.
const std::string kParallel = "edges:tests/data/dgx-1.json";

const Model kAllPorts{PortModel::All, Duplex::Full, Switching::Packet, false};

Schedule imported(const std::string& text, const std::string& topology,
                  const Model& model = kAllPorts) {
  return read_msccl_xml(text, "in.xml", Topology::parse(topology), {model});
}

std::string error(const std::string& text, const std::string& topology,
                  const Model& model = kAllPorts) {
  return refusal([&] { imported(text, topology, model); });
}

/// A step of a threadblock, all of whose messages are one chunk.
std::string step(int number, const std::string& type, const std::string& source,
                 const std::string& destination, const std::string& wait = "-1 -1",
                 bool awaited = false, int count = 1) {
  return fmt::format(
      R"(<step s="{}" type="{}" srcbuf="{}" srcoff="{}" dstbuf="{}" dstoff="{}" cnt="{}" )"
      R"(depid="{}" deps="{}" hasdep="{:d}"/>)",
      number, type, source[0], source.substr(1), destination[0], destination.substr(1), count,
      wait.substr(0, wait.find(' ')), wait.substr(wait.find(' ') + 1), awaited);
}

std::string tb(int id, int send, int recv, const std::string& steps, int channel = 0) {
  return fmt::format("<tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n{}\n</tb>\n", id, send,
                     recv, channel, steps);
}

std::string gpu(int id, const std::string& blocks, int chunks = 2) {
  return fmt::format(
      "<gpu id=\"{0}\" i_chunks=\"{1}\" o_chunks=\"{1}\" s_chunks=\"4\">\n{2}</gpu>\n", id, chunks,
      blocks);
}

std::string algo(const std::string& gpus, int count = 2, const std::string& kind = "allgather") {
  return fmt::format("<algo name=\"test\" ngpus=\"{}\" coll=\"{}\" inplace=\"0\">\n{}</algo>\n",
                     count, kind, gpus);
}

const std::string kOwn0 = tb(1, -1, -1, step(0, "cpy", "i0", "o0"));
const std::string kOwn1 = tb(1, -1, -1, step(0, "cpy", "i0", "o1"));
/// Sends its own, receives the other's.
std::string exchange(int me) {
  const int other = 1 - me;
  return tb(
      0, other, other,
      step(0, "s", "i0", fmt::format("o{}", me)) + step(1, "r", "i0", fmt::format("o{}", other)));
}

bool mentions(const std::string& text, const std::string& part) {
  CAPTURE(text, part);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("an exported MSCCL XML, imported again, is a schedule of as many rounds") {
  const auto [topology, algorithm, collective] = GENERATE(
      table<std::string, std::string, std::string>({{"ring:5", "ring", "gossip"},
                                                    {"torus:4x4", "translation", "gossip"},
                                                    {"hypercube:3", "bertsekas", "gossip"},
                                                    {"torus:4x4", "edge-colouring", "alltoall"},
                                                    {"mesh:3x3", "a2", "alltoall"},
                                                    {kParallel, "any-graph", "gossip"},
                                                    {kParallel, "any-graph", "alltoall"},
                                                    {kParallel, "reversed", "all-reduce"}}));
  CAPTURE(topology, algorithm);
  const Schedule original = planned(topology, algorithm, collective);
  const Schedule again = imported(msccl_xml(original), topology, original.model());
  const CheckReport report = check(again);
  CHECK(test::broken_rules(report) == "");
  CHECK(again.rounds() <= original.rounds());
}

TEST_CASE("an MSCCL XML of every packet algorithm and model, imported again, is a schedule") {
  for (const Schedule& original : export_test::of_every_model()) {
    if (has_root(original.collective())) continue;
    if (original.model().switching != Switching::Packet) continue;
    CAPTURE(export_test::title(original));
    const Schedule again =
        imported(msccl_xml(original), original.topology().spec(), original.model());
    CHECK(test::broken_rules(again) == "");
    const bool free =
        original.model().ports == PortModel::All && original.model().duplex == Duplex::Full;
    if (free) CHECK(again.rounds() <= original.rounds());
  }
}

TEST_CASE("what MSCCL's tools write is imported: in place, received and sent on at once") {
  const Schedule ring = imported(read_file("tests/data/ring-4-all-gather.xml"), "ring:4");
  CHECK(test::broken_rules(check(ring)) == "");
  CHECK(ring.rounds() == 3);
}

TEST_CASE("what an MSCCL step moves together goes in as many rounds, through scratch chunks too") {
  const std::string end_0 = tb(0, 1, 1,
                               step(0, "s", "i1", "s0", "-1 -1", false, 2) +
                                   step(1, "r", "i0", "o1") + step(2, "r", "i0", "o2")) +
                            tb(1, -1, -1, step(0, "cpy", "i0", "o0"));
  const std::string end_2 = tb(0, 1, 1,
                               step(0, "s", "i0", "s2", "-1 -1", false, 2) +
                                   step(1, "r", "i0", "o1") + step(2, "r", "i0", "o0")) +
                            tb(1, -1, -1, step(0, "cpy", "i2", "o2"));
  const std::string middle =
      tb(0, 0, 0,
         step(0, "r", "i0", "s0", "-1 -1", true, 2) + step(1, "s", "i0", "o1") +
             step(2, "s", "s2", "o2", "1 0")) +
      tb(1, 2, 2,
         step(0, "r", "i0", "s2", "-1 -1", true, 2) + step(1, "nop", "i0", "o0", "0 0") +
             step(2, "s", "i2", "o1") + step(3, "s", "s1", "o0")) +
      tb(2, -1, -1,
         step(0, "cpy", "i1", "o1") + step(1, "cpy", "s0", "o0", "0 0") +
             step(2, "cpy", "s3", "o2", "1 0"));
  const std::string text =
      algo(gpu(0, end_0, 3) + gpu(1, middle, 3) + gpu(2, end_2, 3), 3, "alltoall");
  const Schedule schedule = imported(text, "path:3");
  CHECK(test::broken_rules(schedule) == "");
  CHECK(schedule.rounds() == 4);
  CHECK(schedule.transfers().size() == 8);
  // Through a single port the node in the middle sends four times, and first receives two.
  const Model single{PortModel::Single, Duplex::Full, Switching::Packet, false};
  CHECK(test::broken_rules(imported(text, "path:3", single)) == "");
}

TEST_CASE("a message that a node gets back takes no round and is not in the schedule") {
  // Node 1 sends its own chunk to node 0, before and after the one that node 0 needs.
  for (const bool before : {true, false}) {
    const std::string zero = tb(0, 1, -1, step(0, "s", "i1", "o0")) +
                             tb(1, -1, 1,
                                before ? step(0, "r", "i1", "s0") + step(1, "r", "i0", "o1")
                                       : step(0, "r", "i0", "o1") + step(1, "r", "i1", "s0")) +
                             tb(2, -1, -1, step(0, "cpy", "i0", "o0"));
    const std::string one =
        tb(0, 0, 0,
           before
               ? step(0, "s", "i1", "s0") + step(1, "s", "i0", "o1") + step(2, "r", "i1", "o0")
               : step(0, "s", "i0", "o1") + step(1, "s", "i1", "s0") + step(2, "r", "i1", "o0")) +
        tb(1, -1, -1, step(0, "cpy", "i1", "o1"));
    const Schedule schedule = imported(algo(gpu(0, zero) + gpu(1, one), 2, "alltoall"), "path:2");
    CHECK(test::broken_rules(schedule) == "");
    CHECK(schedule.rounds() == 1);
    CHECK(schedule.transfers().size() == 2);
  }
}

TEST_CASE("what is in the output from the start is a <copy> of a gpu") {
  const auto with = [](const std::string& copy) {
    return algo(gpu(0, copy + exchange(0)) +
                gpu(1, "<copy i_off=\"0\" o_off=\"1\"/>\n" + exchange(1)));
  };
  const Schedule schedule = imported(with("<copy i_off=\"0\" o_off=\"0\"/>\n"), "path:2");
  CHECK(test::broken_rules(schedule) == "");
  CHECK(schedule.rounds() == 1);
  CHECK(mentions(error(with("<copy i_off=\"0\" o_off=\"2\"/>\n"), "path:2"),
                 "in.xml:3: chunks 2 to 2 of buffer o, which has 2"));
  CHECK(mentions(error(with("<copy i_off=\"0\" o_off=\"0\"><step s=\"0\"/></copy>\n"), "path:2"),
                 "<step> does not belong here"));
}

namespace {

/// The program of three gpus in a row, each with one block of its own.
std::string row(const std::string& kind, const std::array<std::string, 3>& blocks, int input,
                int output, bool in_place = false) {
  std::string gpus;
  for (int x = 0; x < 3; ++x) {
    gpus +=
        fmt::format("<gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"2\">\n{}</gpu>\n", x,
                    input, output, blocks[x]);
  }
  std::string text = algo(gpus, 3, kind);
  if (in_place) text.replace(text.find("inplace=\"0\""), 11, "inplace=\"1\"");
  return text;
}

/// Read from a path of three nodes with root 1, it is legal and takes so many rounds.
void check_rooted(const std::string& text, Collective collective, std::uint32_t rounds,
                  const Meant& meant) {
  const Schedule s = read_msccl_xml(text, "in.xml", Topology::parse("path:3"), meant);
  CHECK(s.collective() == collective);
  CHECK(s.root == 1);
  CHECK(test::broken_rules(s) == "");
  CHECK(s.rounds() == rounds);
}

}  // namespace

TEST_CASE("broadcast, scatter and gather are imported, and their root is found") {
  const Model single{PortModel::Single, Duplex::Full, Switching::Packet, false};
  const std::array broadcast = {
      tb(0, -1, 1, step(0, "r", "i0", "o0")),
      tb(0, 0, -1, step(0, "s", "i0", "o0")) + tb(1, 2, -1, step(0, "s", "i0", "o0")),
      tb(0, -1, 1, step(0, "r", "i0", "o0"))};
  const std::array scatter = {
      tb(0, -1, 1, step(0, "r", "i0", "o0")),
      tb(0, 0, -1, step(0, "s", "i0", "o0")) + tb(1, 2, -1, step(0, "s", "i2", "o0")),
      tb(0, -1, 1, step(0, "r", "i0", "o0"))};
  const std::array gather = {
      tb(0, 1, -1, step(0, "s", "i0", "o0")),
      tb(0, -1, 0, step(0, "r", "i0", "o0")) + tb(1, -1, 2, step(0, "r", "i0", "o2")),
      tb(0, 1, -1, step(0, "s", "i0", "o2"))};
  for (const bool in_place : {false, true}) {
    for (const auto& [model, rounds] : {std::pair{kAllPorts, 1u}, {single, 2u}}) {
      check_rooted(row("broadcast", broadcast, 1, 1, in_place), Collective::Broadcast, rounds,
                   {model});
      check_rooted(row("scatter", scatter, 3, 1, in_place), Collective::Scatter, rounds, {model});
      check_rooted(row("gather", gather, 1, 3, in_place), Collective::Gather, rounds, {model});
    }
  }
  check_rooted(row("custom", scatter, 3, 1), Collective::Scatter, 1,
               {kAllPorts, Collective::Scatter});
  check_rooted(row("custom", gather, 1, 3), Collective::Gather, 1,
               {kAllPorts, Collective::Gather, 1});
  std::string unnamed = row("custom", scatter, 3, 1);
  CHECK(mentions(error(unnamed, "path:3"),
                 "coll=\"custom\" does not say which collective it is: name it with --collective"));
  unnamed.replace(unnamed.find("coll="), 13, "");
  CHECK(mentions(error(unnamed, "path:3"), "the file does not say which collective it is"));
  // A message in another's place, and a gpu that gets nothing.
  std::array wrong = scatter;
  wrong[1] = tb(0, 0, -1, step(0, "s", "i2", "o0")) + tb(1, 2, -1, step(0, "s", "i2", "o0"));
  CHECK(mentions(error(row("scatter", wrong, 3, 1), "path:3"),
                 "it puts the message from 1 to 2 into output chunk 0 of gpu 0, where the message "
                 "from 1 to 0 belongs"));
  wrong = broadcast;
  wrong[1] = tb(0, 0, -1, step(0, "s", "i0", "o0"));
  wrong[2] = "";
  CHECK(mentions(error(row("broadcast", wrong, 1, 1), "path:3"),
                 "the root may be gpu 1 or 2: name it with --root"));
}

TEST_CASE("in place, a buffer that no step names may be missing") {
  // Down a path, and across a pair, with one buffer by the name i.
  const std::array down = {tb(0, 1, -1, step(0, "s", "i0", "i0")),
                           tb(0, 2, 0, step(0, "rcs", "i0", "i0")),
                           tb(0, -1, 1, step(0, "r", "i0", "i0"))};
  const Topology path = Topology::parse("path:3");
  for (const auto& [input, output] : {std::pair{1, 0}, {0, 1}}) {
    std::string text = row("broadcast", down, input, output, true);
    if (input == 0) {
      for (std::size_t at = 0; (at = text.find("buf=\"i\"", at)) != std::string::npos;) {
        text.replace(at, 7, "buf=\"o\"");
      }
    }
    const Schedule s = read_msccl_xml(text, "in.xml", path, {kAllPorts});
    CHECK(s.root == 0);
    CHECK(test::broken_rules(s) == "");
    CHECK(s.rounds() == 2);
  }
  CHECK(mentions(error(row("broadcast", down, 1, 0), "path:3"),
                 "o_chunks=\"0\": expected a multiple of 1, 1 at least, the same of all gpus"));
  std::string pair;
  for (int x = 0; x < 2; ++x) {
    const std::string other = fmt::format("i{}", 1 - x);
    pair += gpu(x, tb(0, 1 - x, 1 - x, step(0, "s", other, other) + step(1, "r", other, other)));
  }
  pair = algo(pair, 2, "alltoall");
  pair.replace(pair.find("inplace=\"0\""), 11, "inplace=\"1\"");
  for (std::size_t at = 0; (at = pair.find("o_chunks=\"2\"", at)) != std::string::npos;) {
    pair.replace(at, 12, "o_chunks=\"0\"");
  }
  CHECK(test::broken_rules(imported(pair, "path:2")) == "");
  // The root of a gather uses its output alone.
  const std::array up = {tb(0, -1, 1, step(0, "r", "o1", "o1") + step(1, "r", "o2", "o2")),
                         tb(0, 0, 2, step(0, "s", "i0", "i0") + step(1, "rcs", "s0", "s0")),
                         tb(0, 1, -1, step(0, "s", "i0", "i0"))};
  std::string gather = row("gather", up, 1, 3, true);
  gather.replace(gather.find("i_chunks=\"1\""), 12, "i_chunks=\"0\"");
  const Schedule gathered = imported(gather, "path:3");
  CHECK(gathered.root == 0);
  CHECK(test::broken_rules(gathered) == "");
}

TEST_CASE("a step that waits for what another receives and sends on goes in the same round") {
  const std::string receives = tb(0, -1, 1, step(0, "r", "i0", "o0"));
  const std::string relays = tb(0, 2, 0, step(0, "rcs", "i0", "o0", "-1 -1", true)) +
                             tb(1, 3, -1, step(0, "s", "o0", "o0", "0 0"));
  const Schedule s =
      imported(algo(gpu(0, tb(0, 1, -1, step(0, "s", "i0", "o0")), 1) + gpu(1, relays, 1) +
                        gpu(2, receives, 1) + gpu(3, receives, 1),
                    4, "broadcast"),
               "complete:4");
  CHECK(test::broken_rules(s) == "");
  CHECK(s.rounds() == 2);
}

TEST_CASE("with combining all that can cross a link in a round does") {
  const std::string xml = msccl_xml(planned("hypercube:4", "bertsekas", "total-exchange"));
  Model combining = kAllPorts;
  combining.combining = true;
  const Schedule together = imported(xml, "hypercube:4", combining);
  CHECK(test::broken_rules(together) == "");
  CHECK(together.rounds() == 4);
  CHECK(imported(xml, "hypercube:4").rounds() == 8);
}

TEST_CASE("a wrong MSCCL XML is refused with the step that is wrong") {
  const std::string good = algo(gpu(0, exchange(0) + kOwn0) + gpu(1, exchange(1) + kOwn1));
  REQUIRE(error(good, "path:2") == "accepted");
  CHECK(test::broken_rules(check(imported(good, "path:2"))) == "");

  const auto with = [&](const std::string& of_0, const std::string& of_1) {
    return error(algo(gpu(0, of_0) + gpu(1, of_1)), "path:2");
  };
  CHECK(mentions(with(exchange(0) + kOwn0, kOwn1), "in.xml:11: id=\"1\": expected 0"));
  CHECK(mentions(with(exchange(0) + kOwn0, tb(0, -1, -1, step(0, "cpy", "i0", "o1"))),
                 "in.xml:4: gpu 1 does not receive it"));
  // Each waits for the other before it sends.
  const auto wait = [&](int me) {
    return tb(0, 1 - me, 1 - me,
              step(0, "r", "i0", fmt::format("o{}", 1 - me)) +
                  step(1, "s", "i0", fmt::format("o{}", me)));
  };
  CHECK(mentions(with(wait(0) + kOwn0, wait(1) + kOwn1), "it waits for itself, by way of line"));
  CHECK(mentions(with(tb(0, 1, 1, step(0, "s", "o1", "o0") + step(1, "r", "i0", "o1")) + kOwn0,
                      exchange(1) + kOwn1),
                 "in.xml:4: nothing is there when the step may take place: gpu 0 reads chunk 1 of "
                 "buffer o"));
  CHECK(mentions(with(exchange(0) + kOwn0, exchange(1)), "in.xml:10: output chunk 1 of gpu 1 is"));
  CHECK(mentions(with(exchange(0) + kOwn0, tb(0, 0, 0,
                                              step(0, "s", "i0", "o1") + step(1, "r", "i0", "o0") +
                                                  step(2, "cpy", "o0", "o1"))),
                 "it puts the message of 0 into output chunk 1 of gpu 1, where the message of 1"));
  CHECK(mentions(
      with(exchange(0) + tb(1, -1, -1, step(0, "cpy", "i0", "o0", "0 1")), exchange(1) + kOwn1),
      "which has hasdep=\"0\""));
  for (const bool awaited : {false, true}) {
    CHECK(with(exchange(0) + tb(1, -1, -1, step(0, "cpy", "i0", "o0", "1 0", awaited)),
               exchange(1) + kOwn1)
              .ends_with("in.xml:7: it waits for itself"));
  }
  CHECK(mentions(
      with(exchange(0) + tb(1, -1, -1, step(0, "cpy", "i0", "o0", "0 7")), exchange(1) + kOwn1),
      "step 7 of tb 0 of gpu 0, which is not there"));
  CHECK(mentions(with(exchange(0) + tb(1, -1, -1, step(0, "rrc", "i0", "o0")), exchange(1) + kOwn1),
                 "type=\"rrc\": a gossip adds nothing up"));
  CHECK(mentions(with(exchange(0) + tb(1, -1, -1, step(0, "cpy", "i0", "o2")), exchange(1) + kOwn1),
                 "chunks 2 to 2 of buffer o, which has 2"));
}

TEST_CASE("a step that reads what may not be there yet is refused, though it comes later here") {
  const auto reduce = [](const std::string& wait) {
    const std::string sends = tb(0, 1, -1, step(0, "s", "i0", "o0"));
    return row("reduce",
               {sends,
                tb(0, -1, 0, step(0, "rrc", "i0", "o0", "-1 -1", true)) +
                    tb(1, -1, 2, step(0, "rrc", "o0", "o0", wait)),
                sends},
               1, 1);
  };
  const Model single{PortModel::Single, Duplex::Full, Switching::Packet, false};
  CHECK(test::broken_rules(imported(reduce("0 0"), "path:3", single)) == "");
  CHECK(
      error(reduce("-1 -1"), "path:3", single) ==
      "in.xml:12: gpu 1 reads chunk 0 of buffer o, but does not wait for line 9, which writes it");
  // What the last threadblock copies it need not wait for: gpu 2 has answered to it.
  const std::string middle =
      tb(0, -1, 0, step(0, "rrc", "i0", "s0", "-1 -1", true)) +
      tb(1, 2, -1, step(0, "s", "s0", "o0", "0 0")) +
      tb(2, 0, 2, step(0, "r", "o0", "o0") + step(1, "cpy", "s0", "s1") + step(2, "s", "o0", "o0"));
  const std::string answered =
      row("allreduce",
          {tb(0, 1, -1, step(0, "s", "i0", "o0")) + tb(1, -1, 1, step(0, "r", "o0", "o0")), middle,
           tb(0, 1, 1, step(0, "rrc", "i0", "o0") + step(1, "s", "o0", "o0"))},
          1, 1);
  CHECK(test::broken_rules(imported(answered, "path:3")) == "");
}

TEST_CASE("an MSCCL XML that is none is refused with its line") {
  const std::string good = algo(gpu(0, exchange(0) + kOwn0) + gpu(1, exchange(1) + kOwn1));
  const auto replaced = [&](const std::string& what, const std::string& by) {
    std::string text = good;
    text.replace(text.find(what), what.size(), by);
    return error(text, "path:2");
  };
  CHECK(mentions(error(good, "path:3"), "in.xml:1: ngpus=\"2\", but the topology has 3 nodes"));
  CHECK(mentions(replaced("allgather", "allmin"), "expected allgather, alltoall, broadcast"));
  CHECK(mentions(replaced("</algo>", ""), "in.xml:"));
  CHECK(mentions(replaced("<algo", "<!DOCTYPE a [<!ENTITY b \"c\">]><algo"),
                 "in.xml:1: a document type is not read here"));
  CHECK(mentions(replaced("o_chunks=\"2\"", "o_chunks=\"3\""),
                 "o_chunks=\"3\": expected a multiple"));
  CHECK(mentions(replaced("cnt=\"1\"", "cnt=\"4000000000\""), "expected 1 to 1000000000"));
  CHECK(mentions(replaced("cnt=\"1\"", "cnt=\"5000000\""), "the steps move more than"));
  CHECK(mentions(replaced("send=\"1\"", "send=\"0\""), "send=\"0\" is the gpu itself"));
  CHECK(mentions(replaced("<tb id=\"0\"", "<tb"), "<tb> has no id=\"...\""));
  CHECK(mentions(replaced("<tb id=\"0\"", "<tbb id=\"0\""), "does not belong here"));
  // Two chunks a message, of which only the first is sent.
  std::string halves = good;
  for (std::size_t at = 0; (at = halves.find("o_chunks=\"2\"", at)) != std::string::npos; ++at) {
    halves.replace(at, 12, "o_chunks=\"4\"");
  }
  CHECK(mentions(
      error(halves, "path:2"),
      "in.xml:4: it puts chunk 0 of the message of 1 into output chunk 1 of gpu 0, where chunk "
      "1 of the message of 0 belongs"));
  CHECK(mentions(replaced("o_chunks=\"2\"", "o_chunks=\"900000000\""), "messages have 450000000"));
}

namespace {

/// A ring of three: each chunk of a message goes around on a channel of its own, forward or back.
std::string ring_of_chunks(const std::vector<bool>& goes_back) {
  const int chunks = static_cast<int>(goes_back.size());
  std::string gpus;
  for (int x = 0; x < 3; ++x) {
    std::string blocks;
    for (int part = 0; part < chunks; ++part) {
      const int by = goes_back[part] ? 2 : 1;
      const auto place = [&](int message) {
        return fmt::format("o{}", message % 3 * chunks + part);
      };
      blocks += tb(part, (x + by) % 3, (x + 3 - by) % 3,
                   step(0, "s", fmt::format("i{}", part), place(x)) +
                       step(1, "rcs", "i0", place(x + 3 - by)) +
                       step(2, "r", "i0", place(x + 6 - 2 * by)),
                   part);
    }
    blocks += tb(chunks, -1, -1,
                 step(0, "cpy", "i0", fmt::format("o{}", chunks * x), "-1 -1", false, chunks));
    gpus += gpu(x, blocks, 3 * chunks);
  }
  return algo(gpus, 3);
}

}  // namespace

TEST_CASE(
    "chunks of a message that MSCCL sends on several channels are one message if they stay "
    "together, and else its pieces") {
  const Schedule together = imported(ring_of_chunks({false, false}), "ring:3");
  CHECK(test::broken_rules(check(together)) == "");
  CHECK(together.rounds() == 2);
  CHECK(together.transfers().size() == 6);
  const Model half{PortModel::All, Duplex::Half, Switching::Packet, false};
  CHECK(test::broken_rules(check(imported(ring_of_chunks({false, false}), "ring:3", half))) == "");
  CHECK(together.pieces() == 1);
  const Schedule apart = imported(ring_of_chunks({false, true}), "ring:3");
  CHECK(test::broken_rules(check(apart)) == "");
  CHECK(apart.pieces() == 2);
  CHECK(apart.rounds() == 2);
  CHECK(apart.transfers().size() == 12);
  const Model single{PortModel::Single, Duplex::Full, Switching::Packet, false};
  CHECK(test::broken_rules(check(imported(ring_of_chunks({false, true}), "ring:3", single))) == "");
}

TEST_CASE("chunks of a message that stay together are a piece, whichever numbers they have") {
  const auto rings = {ring_of_chunks({false, true, false, true}),
                      ring_of_chunks({true, false, false, true}),
                      ring_of_chunks({true, true, false, false})};
  for (const std::string& text : rings) {
    const Schedule s = imported(text, "ring:3");
    CHECK(test::broken_rules(check(s)) == "");
    CHECK(s.pieces() == 2);
    CHECK(s.rounds() == 2);
    CHECK(s.transfers().size() == 12);
  }
  // Those of one way are more: a piece of each would not be equally long.
  CHECK(imported(ring_of_chunks({true, false, true, true}), "ring:3").pieces() == 4);
  // Node 0 sums up the even chunks, node 1 the odd ones, over the same links.
  const auto gpu_of = [](int me) {
    const auto chunk = [](char buffer, int c) { return fmt::format("{}{}", buffer, c); };
    const int mine = me, other = 1 - me;
    return gpu(
        me,
        tb(0, other, other,
           step(0, "s", chunk('i', other), "o0") + step(1, "s", chunk('i', other + 2), "o0") +
               step(2, "r", "i0", chunk('o', other)) + step(3, "r", "i0", chunk('o', other + 2)),
           other) +
            tb(1, other, other,
               step(0, "rrc", chunk('i', mine), chunk('o', mine)) +
                   step(1, "rrc", chunk('i', mine + 2), chunk('o', mine + 2)) +
                   step(2, "s", chunk('o', mine), "o0") + step(3, "s", chunk('o', mine + 2), "o0"),
               mine),
        4);
  };
  const Schedule sums = imported(algo(gpu_of(0) + gpu_of(1), 2, "allreduce"), "path:2");
  CHECK(test::broken_rules(check(sums)) == "");
  CHECK(sums.pieces() == 2);
  CHECK(sums.rounds() == 2);
  CHECK(sums.transfers().size() == 4);
}

TEST_CASE("messages in pieces go to MSCCL and come back") {
  for (const Collective collective : {Collective::Gossip, Collective::TotalExchange}) {
    Case c;
    c.topology = "mesh:3x3";
    c.algorithm = "any-graph";
    c.collective = collective;
    c.ports = PortModel::All;
    c.pieces = 3;
    const Schedule schedule = make_plan(c).schedule;
    const Schedule back = imported(msccl_xml(schedule), "mesh:3x3");
    CHECK(test::broken_rules(check(back)) == "");
    CHECK(back.pieces() == 3);
    CHECK(back.rounds() <= schedule.rounds());
    CHECK(back.transfers().size() == schedule.transfers().size());
  }
}

TEST_CASE("chunks of a message that MSCCL sends one step after the other are one message") {
  const auto ends = [](int me, const std::string& first, const std::string& second) {
    const int other = 1 - me;
    return tb(0, other, other,
              step(0, "s", "i2", "s0") + step(1, "s", "i3", "s1") +
                  step(2, "r", "i0", first, "-1 -1", true) + step(3, "r", "i0", second)) +
           tb(1, -1, -1,
              step(0, "cpy", fmt::format("i{}", 2 * me), fmt::format("o{}", 2 * me), "-1 -1", false,
                   2));
  };
  // Node 1 receives through scratch chunks, and copies them.
  const std::string through_scratch = [] {
    return tb(0, 0, 0,
              step(0, "s", "i0", "o2") + step(1, "s", "i1", "o3") + step(2, "r", "i0", "s1") +
                  step(3, "r", "i0", "s0", "-1 -1", true)) +
           tb(1, -1, -1,
              step(0, "cpy", "s1", "o0", "0 3") + step(1, "cpy", "s0", "o1") +
                  step(2, "cpy", "i2", "o2", "-1 -1", false, 2));
  }();
  const auto both = [&](const std::string& first, const std::string& second) {
    return algo(gpu(0, ends(0, first, second), 4) + gpu(1, through_scratch, 4), 2, "alltoall");
  };
  const Schedule schedule = imported(both("o2", "o3"), "path:2");
  CHECK(test::broken_rules(check(schedule)) == "");
  CHECK(schedule.rounds() == 1);
  CHECK(schedule.transfers().size() == 2);
  CHECK(mentions(error(both("o3", "o2"), "path:2"),
                 "it puts chunk 1 of the message from 1 to 0 into output chunk 2 of gpu 0, where "
                 "chunk 0 of the message from 1 to 0 belongs"));
}

namespace {

/// Two nodes add up chunks, each into the place "i0"; then both have the sum, by `ends`.
std::string pair_sums(const std::string& kind, const std::string& zero, const std::string& one,
                      int chunks = 1) {
  return algo(gpu(0, zero, chunks) + gpu(1, one, chunks), 2, kind);
}

}  // namespace

TEST_CASE("every reduction goes to MSCCL and comes back, with the same sums in as many rounds") {
  for (const Schedule& original : export_test::of_every_model(/*sums=*/true)) {
    if (!reduces(original.collective()) || original.topology().nodes() > 25) continue;
    if (original.model().switching != Switching::Packet) continue;
    CAPTURE(export_test::title(original));
    Meant meant{original.model()};
    if (has_root(original.collective())) meant.root = original.root;
    const Schedule again =
        read_msccl_xml(msccl_xml(original), "in.xml", original.topology(), meant);
    CHECK(test::broken_rules(check(again)) == "");
    const bool free =
        original.model().ports == PortModel::All && original.model().duplex == Duplex::Full;
    if (free) CHECK(again.rounds() <= original.rounds());
  }
}

TEST_CASE("sums are imported: reduced as they come, on their own, and passed on") {
  // In place: both send, then both add (recursive doubling); the local sum is a step of its own.
  const auto both = [](const char* type) {
    return [=](int other) {
      return std::string(type) == "rrc"
                 ? tb(0, other, other, step(0, "s", "i0", "o0") + step(1, "rrc", "i0", "o0"))
                 : tb(0, other, other,
                      step(0, "s", "i0", "o0") + step(1, "r", "i0", "s0") +
                          step(2, "cpy", "i0", "o0") + step(3, "re", "s0", "o0"));
    };
  };
  for (const char* type : {"rrc", "re"}) {
    const Schedule s = imported(pair_sums("allreduce", both(type)(1), both(type)(0)), "path:2");
    CHECK(test::broken_rules(check(s)) == "");
    CHECK(s.rounds() == 1);
    CHECK(s.collective() == Collective::AllReduce);
  }
  // Around a ring of three, out of place: rrs, rrcs, rcs.
  std::string gpus;
  for (int x = 0; x < 3; ++x) {
    const auto c = [&](int by) { return fmt::format("{}", (x + 3 - by) % 3); };
    gpus += gpu(x,
                tb(0, (x + 1) % 3, (x + 2) % 3,
                   step(0, "s", "i" + c(0), "o0") + step(1, "rrs", "i" + c(1), "o0") +
                       step(2, "rrcs", "i" + c(2), "o" + c(2)) + step(3, "rcs", "i0", "o" + c(0)) +
                       step(4, "r", "i0", "o" + c(1))),
                3);
  }
  const Schedule ring = imported(algo(gpus, 3, "allreduce"), "ring:3");
  CHECK(test::broken_rules(check(ring)) == "");
  CHECK(ring.rounds() == 4);
  CHECK(ring.pieces() == 3);
}

TEST_CASE("a sum that a node sends without what has come is sent before it comes") {
  // Three nodes send each other their own chunk 0, while node 0 adds up chunk 1 and gives it back.
  // That is on its way to node 0 first, so that all other chunks 0 must wait for those.
  std::string gpus;
  for (int x = 0; x < 3; ++x) {
    std::string blocks, sums = step(0, "cpy", "i0", "o0");
    for (int k = 0; k < 2; ++k) {
      const int to = (x + 1 + k) % 3;
      const std::string scratch = fmt::format("s{}", k);
      blocks +=
          tb(k, to, to, step(0, "s", "i0", "s0") + step(1, "r", "i0", scratch, "-1 -1", true));
      sums += step(1 + k, "re", scratch, "o0", fmt::format("{} 1", k));
    }
    blocks += tb(2, -1, -1, sums);
    if (x > 0) {
      blocks += tb(3, 0, 0, step(0, "s", "i1", "o1") + step(1, "r", "o1", "o1"), 1);
    } else {
      blocks += tb(3, 1, 1,
                   step(0, "rrc", "i1", "o1", "-1 -1", true) + step(1, "s", "o1", "o1", "4 0"), 1) +
                tb(4, 2, 2, step(0, "rrc", "o1", "o1", "3 0", true) + step(1, "s", "o1", "o1"), 1);
    }
    gpus += gpu(x, blocks);
  }
  const Schedule s = imported(algo(gpus, 3, "allreduce"), "ring:3");
  CHECK(test::broken_rules(check(s)) == "");
  CHECK(s.rounds() == 3);
}

TEST_CASE("a wrong sum is refused with the step that is wrong") {
  const auto exchange = [](int me, const std::string& then) {
    return tb(0, 1 - me, 1 - me, step(0, "s", "i0", "s0") + step(1, "r", "i0", "s0") + then);
  };
  const std::string good = step(2, "cpy", "i0", "o0") + step(3, "re", "s0", "o0");
  const auto with = [&](const std::string& zero) {
    return error(pair_sums("allreduce", zero, exchange(1, good)), "path:2");
  };
  CHECK(with(exchange(0, good)) == "accepted");
  CHECK(mentions(with(exchange(0, good + step(4, "re", "s0", "o0"))),
                 "gpu 0 adds gpu 1's part of chunk 0 a second time"));
  CHECK(mentions(with(exchange(0, step(2, "cpy", "i0", "o0"))),
                 "it puts chunk 0 of gpu 0 into output chunk 0 of gpu 0, where chunk 0 of gpus 0-1 "
                 "belongs"));
  CHECK(mentions(error(pair_sums("allreduce",
                                 tb(0, 1, 1,
                                    step(0, "s", "i0", "s0") + step(1, "rrc", "i1", "o1") +
                                        step(2, "cpy", "i0", "o0")),
                                 tb(0, 0, 0,
                                    step(0, "s", "i0", "s0") + step(1, "rrc", "i0", "o0") +
                                        step(2, "cpy", "i1", "o1")),
                                 2),
                       "path:2"),
                 "gpu 0 adds chunk 0 of gpu 1 to chunk 1 of gpu 0"));
  // Through one port in half duplex, both cannot send what they have before they add.
  const Model half{PortModel::All, Duplex::Half, Switching::Packet, false};
  CHECK(mentions(
      error(pair_sums("allreduce", exchange(0, good), exchange(1, good)), "path:2", half),
      "a node here keeps one sum of a message"));
  // A node in the middle passes on what came without adding its own.
  const std::string relay = tb(0, 2, 0, step(0, "rcs", "i0", "s0") + step(1, "s", "i0", "s1"));
  const std::string end = tb(
      0, -1, 1, step(0, "r", "i0", "s0") + step(1, "rrc", "i0", "o0") + step(2, "re", "s0", "o0"));
  CHECK(mentions(error(algo(gpu(0, tb(0, 1, -1, step(0, "s", "i0", "s0")), 1) + gpu(1, relay, 1) +
                                gpu(2, end, 1),
                            3, "reduce"),
                       "path:3"),
                 "gpu 1 passes on chunk 0 of gpu 0 without its own part, which a node here always "
                 "adds"));
}
