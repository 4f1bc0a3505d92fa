// Whole texts of small exports, worked out by hand from the schedules.

#include <fmt/format.h>

#include <sstream>

#include "catch.hpp"
#include "export/goal.hpp"
#include "export/msccl.hpp"
#include "schedule/jsonl.hpp"
#include "support/error.hpp"

using namespace gossamer;

namespace {

Schedule schedule(const std::string& topology, const std::string& collective,
                  const std::string& model, const std::string& transfers) {
  std::istringstream text(fmt::format("{{\"gossamer\":1,\"topology\":\"{}\",{},\"model\":{}}}\n{}",
                                      topology, collective, model, transfers));
  return read_jsonl(text, "test.jsonl");
}

/// Node 1 passes on what the ends have for each other.
Schedule exchange_on_a_path() {
  return schedule(
      "path:3", R"("collective":"total-exchange")",
      R"({"ports":"all","duplex":"full","switching":"packet","combining":true})",
      R"({"r":1,"path":[0,1],"msgs":[[0,1],[0,2]]}
{"r":1,"path":[2,1],"msgs":[[2,1],[2,0]]}
{"r":2,"path":[1,0],"msgs":[[1,0],[2,0]]}
{"r":2,"path":[1,2],"msgs":[[1,2],[0,2]]}
)");
}

std::string error_of(const Schedule& schedule) {
  try {
    msccl_xml(schedule);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

/// Nothing that could run: only as many messages, or peers, as asked for.
Schedule gossip_on(const std::string& topology) {
  return Schedule(Topology::parse(topology), Collective::Gossip,
                  {PortModel::All, Duplex::Full, Switching::Packet, /*combining=*/true});
}

}  // namespace

TEST_CASE("the GOAL text of an exchange through a node in the middle, letter by letter") {
  CHECK(goal_text(exchange_on_a_path(), 8) == R"(// total-exchange on path:3: 2 rounds, 8 bytes a message
num_ranks 3

rank 0 {
// l1 in round 1 carries 0>1 0>2
l1: send 16b to 1 tag 0 nic 0
l2: recv 16b from 1 tag 0 nic 0
}

rank 1 {
l1: recv 16b from 0 tag 0 nic 1
l2: recv 16b from 2 tag 0 nic 0
// l3 in round 2 carries 1>0 2>0
l3: send 16b to 0 tag 0 nic 1
l3 requires l2
// l4 in round 2 carries 0>2 1>2
l4: send 16b to 2 tag 0 nic 0
l4 requires l1
}

rank 2 {
// l1 in round 1 carries 2>0 2>1
l1: send 16b to 1 tag 0 nic 1
l2: recv 16b from 1 tag 0 nic 1
}
)");
}

TEST_CASE("the GOAL text of a gather by a single port, letter by letter") {
  CHECK(goal_text(schedule("path:3", R"("collective":"gather","root":0)",
                           R"({"ports":"single","duplex":"full","switching":"packet","combining":true})",
                           R"({"r":1,"path":[2,1],"msgs":"*"}
{"r":2,"path":[1,0],"msgs":"*"}
)"),
                  12) == R"(// gather on path:3: 2 rounds, 12 bytes a message
num_ranks 3

rank 0 {
l1: recv 24b from 1 tag 0
}

rank 1 {
l1: recv 12b from 2 tag 0
// l2 in round 2 carries 1>0 2>0
l2: send 24b to 0 tag 0
l2 requires l1
}

rank 2 {
// l1 in round 1 carries 2>0
l1: send 12b to 1 tag 0
}
)");
}

TEST_CASE("the GOAL text of a pipelined broadcast, letter by letter") {
  CHECK(goal_text(schedule("path:3", R"("collective":"broadcast","root":0)",
                           R"({"ports":"all","duplex":"full","switching":"pipelined","combining":false})",
                           R"({"r":1,"path":[0,1,2],"msgs":[0]}
{"r":2,"path":[0,1],"msgs":[0]}
)"),
                  4) == R"(// broadcast on path:3: 2 rounds, 4 bytes a message
num_ranks 3

rank 0 {
// l1 in round 1 carries 0
l1: send 4b to 2 tag 0 nic 0
// l2 in round 2 carries 0
l2: send 4b to 1 tag 0 nic 0
l2 requires l1
}

rank 1 {
l1: recv 4b from 0 tag 0 nic 1
}

rank 2 {
l1: recv 4b from 0 tag 0 nic 1
}
)");
}

TEST_CASE("two transfers over a link have two tags, and a single port sends one after the other") {
  CHECK(goal_text(schedule("ring:3", R"("collective":"broadcast","root":0)",
                           R"({"ports":"single","duplex":"full","switching":"packet","combining":false})",
                           R"({"r":1,"path":[0,1],"msgs":[0]}
{"r":2,"path":[0,2],"msgs":[0]}
{"r":3,"path":[0,1],"msgs":[0]}
)"),
                  4) == R"(// broadcast on ring:3: 3 rounds, 4 bytes a message
num_ranks 3

rank 0 {
// l1 in round 1 carries 0
l1: send 4b to 1 tag 0
// l2 in round 2 carries 0
l2: send 4b to 2 tag 0
l2 requires l1
// l3 in round 3 carries 0
l3: send 4b to 1 tag 1
l3 requires l2
}

rank 1 {
l1: recv 4b from 0 tag 0
l2: recv 4b from 0 tag 1
}

rank 2 {
l1: recv 4b from 0 tag 0
}
)");
}

TEST_CASE("the MSCCL file of an exchange through a node in the middle, letter by letter") {
  CHECK(msccl_xml(exchange_on_a_path()) == R"(<algo name="gossamer" proto="Simple" nchannels="1" nchunksperloop="3" ngpus="3" coll="alltoall" inplace="0" outofplace="1" minBytes="0" maxBytes="1099511627776">
  <gpu id="0" i_chunks="3" o_chunks="3" s_chunks="0">
    <tb id="0" send="1" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="1" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="s" srcbuf="i" srcoff="2" dstbuf="s" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
    <tb id="1" send="-1" recv="1" chan="0">
      <step s="0" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="r" srcbuf="s" srcoff="1" dstbuf="o" dstoff="2" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
    <tb id="2" send="-1" recv="-1" chan="0">
      <step s="0" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="1" i_chunks="3" o_chunks="3" s_chunks="2">
    <tb id="0" send="-1" recv="0" chan="0">
      <step s="0" type="r" srcbuf="i" srcoff="1" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="r" srcbuf="i" srcoff="2" dstbuf="s" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="1"/>
    </tb>
    <tb id="1" send="-1" recv="2" chan="0">
      <step s="0" type="r" srcbuf="i" srcoff="0" dstbuf="s" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="1"/>
      <step s="1" type="r" srcbuf="i" srcoff="1" dstbuf="o" dstoff="2" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
    <tb id="2" send="0" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="s" srcbuf="s" srcoff="1" dstbuf="o" dstoff="2" cnt="1" depid="1" deps="0" hasdep="0"/>
    </tb>
    <tb id="3" send="2" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="s" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="0" deps="1" hasdep="0"/>
      <step s="1" type="s" srcbuf="i" srcoff="2" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
    <tb id="4" send="-1" recv="-1" chan="0">
      <step s="0" type="cpy" srcbuf="i" srcoff="1" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="2" i_chunks="3" o_chunks="3" s_chunks="0">
    <tb id="0" send="1" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="s" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="s" srcbuf="i" srcoff="1" dstbuf="o" dstoff="2" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
    <tb id="1" send="-1" recv="1" chan="0">
      <step s="0" type="r" srcbuf="s" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="r" srcbuf="i" srcoff="2" dstbuf="o" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
    <tb id="2" send="-1" recv="-1" chan="0">
      <step s="0" type="cpy" srcbuf="i" srcoff="2" dstbuf="o" dstoff="2" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
</algo>
)");
}

TEST_CASE("MSCCL takes 256 messages between two nodes, and no more") {
  std::vector<Message> messages;
  for (Node origin = 1; origin <= 256; ++origin) messages.push_back({origin});
  const std::vector<Node> path = {1, 0};
  Schedule most = gossip_on("path:258");
  most.add(1, path, messages);
  CHECK(error_of(most) == "none");
  messages.push_back({257});
  Schedule more = gossip_on("path:258");
  more.add(1, path, messages);
  CHECK(error_of(more) == "msccl-xml: 257 messages between 0 and 1; MSCCL takes at most 256");
}

TEST_CASE("MSCCL takes 32 peers to send to, and 32 to receive from, and no more") {
  for (const bool sends : {true, false}) {
    for (const Node others : {32u, 33u}) {
      CAPTURE(sends, others);
      Schedule s = gossip_on(fmt::format("complete:{}", others + 1));
      for (Node x = 1; x <= others; ++x) {
        const std::vector<Node> path = sends ? std::vector<Node>{0, x} : std::vector<Node>{x, 0};
        s.add(1, path, std::vector<Message>{{path[0]}});
      }
      CHECK(error_of(s) ==
            (others == 32 ? "none" : "msccl-xml: node 0 talks to more than 32 others"));
    }
  }
}
