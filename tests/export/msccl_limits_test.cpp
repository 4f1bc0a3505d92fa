// What MSCCL can hold. Whole texts of small exports are in tests/judges/written_texts.cpp.

#include <fmt/format.h>

#include "catch.hpp"
#include "export/msccl.hpp"
#include "schedule/schedule.hpp"
#include "support/error.hpp"

using namespace gossamer;

namespace {

std::string error_of(const Schedule& schedule) {
  try {
    msccl_xml(schedule);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

/// A schedule that cannot run: it only has the requested number of messages, or peers.
Schedule gossip_on(const std::string& topology) {
  return Schedule(Topology::parse(topology), Collective::Gossip,
                  {PortModel::All, Duplex::Full, Switching::Packet, /*combining=*/true});
}

}  // namespace

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
  CHECK(error_of(more) == "msccl-xml: 257 steps between 0 and 1; MSCCL takes at most 256");
}

TEST_CASE("MSCCL takes messages of one length") {
  Schedule schedule = gossip_on("path:3");
  schedule.sizes = Sizes(3, {1, 0, 2});
  CHECK(error_of(schedule) ==
        "msccl-xml: the format has chunks of one length; these messages have several");
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
      CHECK(error_of(s) == (others == 32 ? "none" : "msccl-xml: node 0 has more than 32 peers"));
    }
  }
}
