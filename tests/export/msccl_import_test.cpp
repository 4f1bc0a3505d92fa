// MSCCL XML becomes schedules again: our own, and as MSCCL's tools write it.
#include <fmt/format.h>

#include <array>
#include <vector>

#include "broken_rules.hpp"
#include "catch.hpp"
#include "export/export.hpp"
#include "export/plans.hpp"
#include "import/import.hpp"
#include "random_schedules.hpp"
#include "refusal.hpp"
#include "support/file.hpp"

using namespace gossamer;
using export_test::planned;

namespace {

const Model kAllPorts{PortModel::All, Duplex::Full, Switching::Packet, false};
const Model kSingle{PortModel::Single, Duplex::Full, Switching::Packet, false};
const Model kHalf{PortModel::All, Duplex::Half, Switching::Packet, false};
const Model kCombining{PortModel::All, Duplex::Full, Switching::Packet, true};

/// The text with every `what` replaced, which must be there.
std::string replaced(std::string text, const std::string& what, const std::string& by) {
  REQUIRE(text.find(what) != std::string::npos);
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

Schedule imported(const std::string& text, const std::string& topology, const Meant& meant) {
  return read_msccl_xml(text, "in.xml", Topology::parse(topology), meant);
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

const std::string kTwo = algo(gpu(0, exchange(0) + kOwn0) + gpu(1, exchange(1) + kOwn1));

/// The program of three gpus in a row, each with one block of its own.
std::string row(const std::string& kind, const std::array<std::string, 3>& blocks, int input,
                int output) {
  std::string gpus;
  for (int x = 0; x < 3; ++x) {
    gpus +=
        fmt::format("<gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"2\">\n{}</gpu>\n", x,
                    input, output, blocks[x]);
  }
  return algo(gpus, 3, kind);
}

std::string in_place(const std::string& text) {
  return replaced(text, "inplace=\"0\"", "inplace=\"1\"");
}

const Meant kScattered = {kAllPorts, Collective::Scatter};
const Meant kGathered = {kAllPorts, Collective::Gather, 1};

/// A program that is read, and what it becomes.
struct XmlProgram {
  std::string what, topology, text;
  std::uint32_t rounds;
  std::size_t transfers = 0;  ///< 0: any number
  std::uint32_t pieces = 1;
  Meant meant = {kAllPorts};
  Node root = 0;
};

/// Both ends of a path of three send the middle two chunks together; one goes further, through
/// scratch chunks.
std::string through_the_middle() {
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
  return algo(gpu(0, end_0, 3) + gpu(1, middle, 3) + gpu(2, end_2, 3), 3, "alltoall");
}

/// Node 1 sends its own chunk to node 0, before or after the one that node 0 needs, and gets it
/// back.
std::string given_back(bool before) {
  const std::string own = step(before ? 0 : 1, "r", "i1", "s0");
  const std::string others = step(before ? 1 : 0, "r", "i0", "o1");
  const std::string sends_own = step(before ? 0 : 1, "s", "i1", "s0");
  const std::string sends_other = step(before ? 1 : 0, "s", "i0", "o1");
  const std::string zero = tb(0, 1, -1, step(0, "s", "i1", "o0")) +
                           tb(1, -1, 1, before ? own + others : others + own) +
                           tb(2, -1, -1, step(0, "cpy", "i0", "o0"));
  const std::string one =
      tb(0, 0, 0,
         (before ? sends_own + sends_other : sends_other + sends_own) + step(2, "r", "i1", "o0")) +
      tb(1, -1, -1, step(0, "cpy", "i1", "o1"));
  return algo(gpu(0, zero) + gpu(1, one), 2, "alltoall");
}

/// What is in the output from the start is a <copy> of a gpu.
std::string with_copy(const std::string& copy) {
  return algo(gpu(0, copy + exchange(0)) +
              gpu(1, "<copy i_off=\"0\" o_off=\"1\"/>\n" + exchange(1)));
}

using Three = std::array<std::string, 3>;
const Three kBroadcast = {
    tb(0, -1, 1, step(0, "r", "i0", "o0")),
    tb(0, 0, -1, step(0, "s", "i0", "o0")) + tb(1, 2, -1, step(0, "s", "i0", "o0")),
    tb(0, -1, 1, step(0, "r", "i0", "o0"))};
const Three kScatter = {
    tb(0, -1, 1, step(0, "r", "i0", "o0")),
    tb(0, 0, -1, step(0, "s", "i0", "o0")) + tb(1, 2, -1, step(0, "s", "i2", "o0")),
    tb(0, -1, 1, step(0, "r", "i0", "o0"))};
const Three kGather = {
    tb(0, 1, -1, step(0, "s", "i0", "o0")),
    tb(0, -1, 0, step(0, "r", "i0", "o0")) + tb(1, -1, 2, step(0, "r", "i0", "o2")),
    tb(0, 1, -1, step(0, "s", "i0", "o2"))};
/// Down a path, with one buffer by the name i.
const Three kDown = {tb(0, 1, -1, step(0, "s", "i0", "i0")),
                     tb(0, 2, 0, step(0, "rcs", "i0", "i0")),
                     tb(0, -1, 1, step(0, "r", "i0", "i0"))};
/// The root of a gather uses its output alone.
const Three kUp = {tb(0, -1, 1, step(0, "r", "o1", "o1") + step(1, "r", "o2", "o2")),
                   tb(0, 0, 2, step(0, "s", "i0", "i0") + step(1, "rcs", "s0", "s0")),
                   tb(0, 1, -1, step(0, "s", "i0", "i0"))};

/// Across a pair, in place: no step names the output.
std::string pair_in_place() {
  std::string pair;
  for (int x = 0; x < 2; ++x) {
    const std::string other = fmt::format("i{}", 1 - x);
    pair += gpu(x, tb(0, 1 - x, 1 - x, step(0, "s", other, other) + step(1, "r", other, other)));
  }
  return replaced(in_place(algo(pair, 2, "alltoall")), "o_chunks=\"2\"", "o_chunks=\"0\"");
}

/// Node 1 receives, sends on at once, and has another step, which waits for that, send it on, too.
std::string sent_on_twice() {
  const std::string receives = tb(0, -1, 1, step(0, "r", "i0", "o0"));
  const std::string relays = tb(0, 2, 0, step(0, "rcs", "i0", "o0", "-1 -1", true)) +
                             tb(1, 3, -1, step(0, "s", "o0", "o0", "0 0"));
  return algo(gpu(0, tb(0, 1, -1, step(0, "s", "i0", "o0")), 1) + gpu(1, relays, 1) +
                  gpu(2, receives, 1) + gpu(3, receives, 1),
              4, "broadcast");
}

/// The middle of a path adds what both ends send, on two threadblocks of which one waits.
std::string reduced(const std::string& wait) {
  const std::string sends = tb(0, 1, -1, step(0, "s", "i0", "o0"));
  return row("reduce",
             {sends,
              tb(0, -1, 0, step(0, "rrc", "i0", "o0", "-1 -1", true)) +
                  tb(1, -1, 2, step(0, "rrc", "o0", "o0", wait)),
              sends},
             1, 1);
}

/// What the middle's last threadblock copies it need not wait for: gpu 2 has answered to it.
std::string answered() {
  const std::string middle =
      tb(0, -1, 0, step(0, "rrc", "i0", "s0", "-1 -1", true)) +
      tb(1, 2, -1, step(0, "s", "s0", "o0", "0 0")) +
      tb(2, 0, 2, step(0, "r", "o0", "o0") + step(1, "cpy", "s0", "s1") + step(2, "s", "o0", "o0"));
  return row("allreduce",
             {tb(0, 1, -1, step(0, "s", "i0", "o0")) + tb(1, -1, 1, step(0, "r", "o0", "o0")),
              middle, tb(0, 1, 1, step(0, "rrc", "i0", "o0") + step(1, "s", "o0", "o0"))},
             1, 1);
}

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

/// Node 0 sums up the even chunks, node 1 the odd ones, over the same links.
std::string sums_of_chunks() {
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
  return algo(gpu_of(0) + gpu_of(1), 2, "allreduce");
}

/// Two chunks a message, sent one step after the other; node 1 receives through scratch chunks.
std::string chunk_by_chunk(const std::string& first, const std::string& second) {
  const std::string zero =
      tb(0, 1, 1,
         step(0, "s", "i2", "s0") + step(1, "s", "i3", "s1") +
             step(2, "r", "i0", first, "-1 -1", true) + step(3, "r", "i0", second)) +
      tb(1, -1, -1, step(0, "cpy", "i0", "o0", "-1 -1", false, 2));
  const std::string one =
      tb(0, 0, 0,
         step(0, "s", "i0", "o2") + step(1, "s", "i1", "o3") + step(2, "r", "i0", "s1") +
             step(3, "r", "i0", "s0", "-1 -1", true)) +
      tb(1, -1, -1,
         step(0, "cpy", "s1", "o0", "0 3") + step(1, "cpy", "s0", "o1") +
             step(2, "cpy", "i2", "o2", "-1 -1", false, 2));
  return algo(gpu(0, zero, 4) + gpu(1, one, 4), 2, "alltoall");
}

/// In place: both send, then both add (recursive doubling), by `adds`.
std::string pair_sums(const std::string& zero, const std::string& one, int chunks = 1) {
  return algo(gpu(0, zero, chunks) + gpu(1, one, chunks), 2, "allreduce");
}
std::string doubling(const std::string& adds) {
  const auto of = [&](int other) { return tb(0, other, other, step(0, "s", "i0", "o0") + adds); };
  return pair_sums(of(1), of(0));
}

/// Around a ring of three, out of place: rrs, rrcs, rcs.
std::string sums_around() {
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
  return algo(gpus, 3, "allreduce");
}

/// Three nodes send each other their own chunk 0, while node 0 adds up chunk 1 and gives it back.
/// That is on its way to node 0 first, so that all other chunks 0 must wait for those.
std::string sums_that_wait() {
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
  return algo(gpus, 3, "allreduce");
}

std::vector<XmlProgram> programs() {
  const std::string cube = msccl_xml(planned("hypercube:4", "bertsekas", "total-exchange"));
  const std::string down = in_place(row("broadcast", kDown, 1, 0));
  const auto one_way = ring_of_chunks({false, false}), both_ways = ring_of_chunks({false, true});
  std::vector<XmlProgram> all = {
      {"as MSCCL's tools write it: in place, received and sent on at once", "ring:4",
       read_file("tests/data/ring-4-all-gather.xml"), 3},
      {"each its own and the other's", "path:2", kTwo, 1, 2},
      {"steps that move two chunks", "path:3", through_the_middle(), 4, 8},
      {"the same by single ports", "path:3", through_the_middle(), 0, 8, 1, {kSingle}},
      {"what a node gets back takes no round", "path:2", given_back(true), 1, 2},
      {"nor does it later", "path:2", given_back(false), 1, 2},
      {"a copy from the start", "path:2", with_copy("<copy i_off=\"0\" o_off=\"0\"/>\n"), 1, 2},
      {"a scatter by name", "path:3", row("custom", kScatter, 3, 1), 1, 2, 1, kScattered, 1},
      {"a gather by name", "path:3", row("custom", kGather, 1, 3), 1, 2, 1, kGathered, 1},
      {"no output", "path:3", down, 2, 2},
      {"no input", "path:3",
       replaced(in_place(row("broadcast", kDown, 0, 1)), "buf=\"i\"", "buf=\"o\""), 2, 2},
      {"no output in an exchange", "path:2", pair_in_place(), 1, 2},
      {"no input of a gather", "path:3",
       replaced(in_place(row("gather", kUp, 1, 3)), "id=\"0\" i_chunks=\"1\"",
                "id=\"0\" i_chunks=\"0\""),
       2, 3},
      {"sent on in the same round", "complete:4", sent_on_twice(), 2, 3},
      {"combined", "hypercube:4", cube, 4, 0, 1, {kCombining}},
      {"not combined", "hypercube:4", cube, 8},
      {"sums by a single port", "path:3", reduced("0 0"), 2, 2, 1, {kSingle}, 1},
      {"a sum that is waited for by an answer", "path:3", answered(), 0},
      {"chunks that stay together", "ring:3", one_way, 2, 6},
      {"chunks that stay together, half duplex", "ring:3", one_way, 0, 6, 1, {kHalf}},
      {"chunks that part", "ring:3", both_ways, 2, 12, 2},
      {"chunks that part, single ports", "ring:3", both_ways, 0, 12, 2, {kSingle}},
      {"two chunks each way", "ring:3", ring_of_chunks({false, true, false, true}), 2, 12, 2},
      {"the ends another way", "ring:3", ring_of_chunks({true, false, false, true}), 2, 12, 2},
      {"first half another way", "ring:3", ring_of_chunks({true, true, false, false}), 2, 12, 2},
      // A piece of each way would not be equally long.
      {"one of four another way", "ring:3", ring_of_chunks({true, false, true, true}), 0, 24, 4},
      {"sums of chunks", "path:2", sums_of_chunks(), 2, 4, 2},
      {"chunks one after the other", "path:2", chunk_by_chunk("o2", "o3"), 1, 2},
      {"added as it comes", "path:2", doubling(step(1, "rrc", "i0", "o0")), 1, 2},
      {"added in a step of its own", "path:2",
       doubling(step(1, "r", "i0", "s0") + step(2, "cpy", "i0", "o0") + step(3, "re", "s0", "o0")),
       1, 2},
      {"sums around a ring", "ring:3", sums_around(), 4, 12, 3},
      {"sums sent before others come", "ring:3", sums_that_wait(), 3, 0, 2},
  };
  for (const bool same_buffer : {false, true}) {
    for (const auto& [model, rounds] : {std::pair{kAllPorts, 1u}, {kSingle, 2u}}) {
      for (const auto& [kind, blocks, input, output] : {std::tuple{"broadcast", kBroadcast, 1, 1},
                                                        {"scatter", kScatter, 3, 1},
                                                        {"gather", kGather, 1, 3}}) {
        const std::string text = row(kind, blocks, input, output);
        const auto whole = same_buffer ? in_place(text) : text;
        all.push_back({kind, "path:3", whole, rounds, 2, 1, {model}, 1});
      }
    }
  }
  return all;
}

}  // namespace

TEST_CASE("a random legal schedule, exported to MSCCL and imported, is one of as many pieces") {
  test::Kinds kinds;
  kinds.complete = kinds.orbits = kinds.pieces = kinds.sums = true;
  int files = 0;
  for (const Model& model : test::all_models(/*runnable=*/false)) {
    if (model.switching != Switching::Packet) continue;
    std::mt19937 random(9);
    for (int i = 0; i < 60; ++i) {
      const test::Script script = test::random_script(random, model, kinds);
      const Schedule original = script.schedule();
      if (has_root(original.collective()) && original.collective() != Collective::Reduce) continue;
      ++files;
      INFO(script.text());
      Meant meant{model};
      if (has_root(original.collective())) meant.root = original.root;
      const Schedule again = imported(msccl_xml(original), original.topology().spec(), meant);
      CHECK(test::broken_rules(again) == "");
      CHECK(again.collective() == original.collective());
    }
  }
  CHECK(files > 100);
}

TEST_CASE("an MSCCL XML of every packet algorithm and model, imported, takes no more rounds") {
  for (const Schedule& original : export_test::of_every_model(/*sums=*/true)) {
    const bool sum = reduces(original.collective());
    if (sum ? original.topology().nodes() > 25 : has_root(original.collective())) continue;
    if (original.model().switching != Switching::Packet) continue;
    CAPTURE(export_test::title(original));
    Meant meant{original.model()};
    if (has_root(original.collective())) meant.root = original.root;
    const Schedule again = imported(msccl_xml(original), original.topology().spec(), meant);
    CHECK(test::broken_rules(again) == "");
    const bool free =
        original.model().ports == PortModel::All && original.model().duplex == Duplex::Full;
    if (free) CHECK(again.rounds() <= original.rounds());
  }
}

TEST_CASE("what other tools may write in MSCCL XML is imported") {
  for (const XmlProgram& p : programs()) {
    INFO(p.what);
    const Schedule s = imported(p.text, p.topology, p.meant);
    CHECK(test::broken_rules(s) == "");
    CHECK(s.pieces() == p.pieces);
    CHECK(s.root == p.root);
    if (p.rounds != 0) CHECK(s.rounds() == p.rounds);
    if (p.transfers != 0) CHECK(s.transfers().size() == p.transfers);
  }
}

namespace {

struct Wrong {
  std::string text, topology, because;
  Model model = kAllPorts;
};

std::vector<Wrong> wrong_steps() {
  const auto with = [](const std::string& of_0, const std::string& of_1) {
    return algo(gpu(0, of_0) + gpu(1, of_1));
  };
  const auto copies = [&](const std::string& copy) {
    return with(exchange(0) + tb(1, -1, -1, copy), exchange(1) + kOwn1);
  };
  // Each waits for the other before it sends.
  const auto wait = [](int me) {
    return tb(0, 1 - me, 1 - me,
              step(0, "r", "i0", fmt::format("o{}", 1 - me)) +
                  step(1, "s", "i0", fmt::format("o{}", me)));
  };
  Three other = kScatter, nothing = kBroadcast;
  other[1] = tb(0, 0, -1, step(0, "s", "i2", "o0")) + tb(1, 2, -1, step(0, "s", "i2", "o0"));
  nothing[1] = tb(0, 0, -1, step(0, "s", "i0", "o0"));
  nothing[2] = "";
  const std::string unnamed = row("custom", kScatter, 3, 1);
  const auto sums = [](int me, const std::string& then) {
    return tb(0, 1 - me, 1 - me, step(0, "s", "i0", "s0") + step(1, "r", "i0", "s0") + then);
  };
  const std::string add = step(2, "cpy", "i0", "o0") + step(3, "re", "s0", "o0");
  const auto wrong_sum = [&](std::string zero) { return pair_sums(sums(0, zero), sums(1, add)); };
  return {
      {with(exchange(0) + kOwn0, kOwn1), "path:2", "in.xml:11: id=\"1\": expected 0"},
      {with(exchange(0) + kOwn0, tb(0, -1, -1, step(0, "cpy", "i0", "o1"))), "path:2",
       "in.xml:4: gpu 1 does not receive it"},
      {with(wait(0) + kOwn0, wait(1) + kOwn1), "path:2", "it waits for itself, by way of line"},
      {with(tb(0, 1, 1, step(0, "s", "o1", "o0") + step(1, "r", "i0", "o1")) + kOwn0,
            exchange(1) + kOwn1),
       "path:2",
       "in.xml:4: nothing is there when the step may take place: gpu 0 reads chunk 1 of buffer o"},
      {with(exchange(0) + kOwn0, exchange(1)), "path:2", "in.xml:10: output chunk 1 of gpu 1 is"},
      {with(exchange(0) + kOwn0,
            tb(0, 0, 0,
               step(0, "s", "i0", "o1") + step(1, "r", "i0", "o0") + step(2, "cpy", "o0", "o1"))),
       "path:2", "it puts the message of 0 into output chunk 1 of gpu 1, where the message of 1"},
      {copies(step(0, "cpy", "i0", "o0", "0 1")), "path:2", "which has hasdep=\"0\""},
      {copies(step(0, "cpy", "i0", "o0", "1 0")), "path:2", "in.xml:7: it waits for itself"},
      {copies(step(0, "cpy", "i0", "o0", "1 0", true)), "path:2", "in.xml:7: it waits for itself"},
      {copies(step(0, "cpy", "i0", "o0", "0 7")), "path:2",
       "step 7 of tb 0 of gpu 0, which is not there"},
      {copies(step(0, "rrc", "i0", "o0")), "path:2", "type=\"rrc\": a gossip adds nothing up"},
      {copies(step(0, "cpy", "i0", "o2")), "path:2", "chunks 2 to 2 of buffer o, which has 2"},
      {with_copy("<copy i_off=\"0\" o_off=\"2\"/>\n"), "path:2",
       "in.xml:3: chunks 2 to 2 of buffer o, which has 2"},
      {with_copy("<copy i_off=\"0\" o_off=\"0\"><step s=\"0\"/></copy>\n"), "path:2",
       "<step> does not belong here"},
      {unnamed, "path:3",
       "coll=\"custom\" does not say which collective it is: name it with --collective"},
      {replaced(unnamed, "coll=\"custom\"", ""), "path:3",
       "the file does not say which collective it is"},
      {row("scatter", other, 3, 1), "path:3",
       "it puts the message from 1 to 2 into output chunk 0 of gpu 0, where the message from 1 to "
       "0 belongs"},
      {row("broadcast", nothing, 1, 1), "path:3",
       "the root may be gpu 1 or 2: name it with --root"},
      {row("broadcast", kDown, 1, 0), "path:3",
       "o_chunks=\"0\": expected a multiple of 1, 1 at least, the same of all gpus"},
      {chunk_by_chunk("o3", "o2"), "path:2",
       "it puts chunk 1 of the message from 1 to 0 into output chunk 2 of gpu 0, where chunk 0 of "
       "the message from 1 to 0 belongs"},
      {reduced("-1 -1"), "path:3",
       "in.xml:12: gpu 1 reads chunk 0 of buffer o, but does not wait for line 9, which writes it",
       kSingle},
      {wrong_sum(add + step(4, "re", "s0", "o0")), "path:2",
       "gpu 0 adds gpu 1's part of chunk 0 a second time"},
      {wrong_sum(step(2, "cpy", "i0", "o0")), "path:2",
       "it puts chunk 0 of gpu 0 into output chunk 0 of gpu 0, where chunk 0 of gpus 0-1 belongs"},
      {pair_sums(
           tb(0, 1, 1,
              step(0, "s", "i0", "s0") + step(1, "rrc", "i1", "o1") + step(2, "cpy", "i0", "o0")),
           tb(0, 0, 0,
              step(0, "s", "i0", "s0") + step(1, "rrc", "i0", "o0") + step(2, "cpy", "i1", "o1")),
           2),
       "path:2", "gpu 0 adds chunk 0 of gpu 1 to chunk 1 of gpu 0"},
      // In half duplex both cannot send what they have before they add.
      {wrong_sum(add), "path:2", "a node here keeps one sum of a message", kHalf},
      // A node in the middle passes on what came without adding its own.
      {row("reduce",
           {tb(0, 1, -1, step(0, "s", "i0", "s0")),
            tb(0, 2, 0, step(0, "rcs", "i0", "s0") + step(1, "s", "i0", "s1")),
            tb(0, -1, 1,
               step(0, "r", "i0", "s0") + step(1, "rrc", "i0", "o0") + step(2, "re", "s0", "o0"))},
           1, 1),
       "path:3",
       "gpu 1 passes on chunk 0 of gpu 0 without its own part, which a node here always adds"},
  };
}

std::vector<Wrong> wrong_texts() {
  const auto first = [](const std::string& what, const std::string& by) {
    std::string text = kTwo;
    return text.replace(text.find(what), what.size(), by);
  };
  return {
      {kTwo, "path:3", "in.xml:1: ngpus=\"2\", but the topology has 3 nodes"},
      {first("allgather", "allmin"), "path:2", "expected allgather, alltoall, broadcast"},
      {first("</algo>", ""), "path:2", "in.xml:"},
      {first("<algo", "<!DOCTYPE a [<!ENTITY b \"c\">]><algo"), "path:2",
       "in.xml:1: a document type is not read here"},
      {first("o_chunks=\"2\"", "o_chunks=\"3\""), "path:2", "o_chunks=\"3\": expected a multiple"},
      {first("cnt=\"1\"", "cnt=\"4000000000\""), "path:2", "expected 1 to 1000000000"},
      {first("cnt=\"1\"", "cnt=\"5000000\""), "path:2", "the steps move more than"},
      {first("send=\"1\"", "send=\"0\""), "path:2", "send=\"0\" is the gpu itself"},
      {first("<tb id=\"0\"", "<tb"), "path:2", "<tb> has no id=\"...\""},
      {first("<tb id=\"0\"", "<tbb id=\"0\""), "path:2", "does not belong here"},
      {first("o_chunks=\"2\"", "o_chunks=\"900000000\""), "path:2", "messages have 450000000"},
      // Two chunks a message, of which only the first is sent.
      {replaced(kTwo, "o_chunks=\"2\"", "o_chunks=\"4\""), "path:2",
       "in.xml:4: it puts chunk 0 of the message of 1 into output chunk 1 of gpu 0, where chunk 1 "
       "of the message of 0 belongs"},
  };
}

}  // namespace

TEST_CASE("a wrong MSCCL XML is refused with the line and the step that is wrong") {
  for (const auto& rows : {wrong_steps(), wrong_texts()}) {
    for (const Wrong& w : rows) {
      const std::string said = refusal([&] { imported(w.text, w.topology, {w.model}); });
      CAPTURE(said, w.because);
      CHECK(said.find(w.because) != std::string::npos);
    }
  }
}
