#include <fmt/format.h>

#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "samples/schedules.hpp"
#include "support/error.hpp"

using namespace gossamer;
using namespace gossamer::samples;

namespace {

const std::string kModel =
    R"("model":{"ports":"single","duplex":"full","switching":"packet","combining":true})";

/// A first line with these additional keys, and one adaptive transfer.
std::string file_with(const std::string& keys, const std::string& collective = R"("gossip")") {
  return fmt::format(
      "{{\"gossamer\":1,\"topology\":\"hypercube:3\",\"collective\":{},{}{}}}\n"
      "{{\"r\":1,\"path\":[0,1],\"msgs\":\"new\"}}\n",
      collective, kModel, keys);
}

std::string error_of(const std::string& text) {
  try {
    from_text(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

void check_refused(const std::string& text, unsigned line, const std::string& why) {
  CAPTURE(text);
  const std::string error = error_of(text);
  CAPTURE(error);
  CHECK(error.find(fmt::format(":{}: ", line)) != std::string::npos);
  CHECK(error.find(why) != std::string::npos);
  CHECK(error.find('\n') == std::string::npos);
}

}  // namespace

TEST_CASE("what chau-fu plans is read back as it was, with faults and initiator") {
  const PortModel ports = GENERATE(PortModel::Single, PortModel::All);
  for (const char* name : {"chau-fu", "chau-fu-initiated"}) {
    Request request{.topology = Topology::parse("hypercube:3"), .cycle = {}};
    request.ports = ports;
    request.root = 5;
    Schedule schedule = algorithm(name).plan(request);
    for (const char* faults : {"none", "nodes=1,7", "links=0-2;arcs=4>5,6>2;from=3"}) {
      schedule.faults = parse_faults(faults, schedule.topology(), 1);
      const std::string text = text_of(schedule);
      const Schedule again = from_text(text);
      CHECK(again.faults == schedule.faults);
      CHECK(again.initiator == schedule.initiator);
      CHECK(again.transfers().size() == schedule.transfers().size());
      CHECK(again.transfers()[3].carry == Carry::New);
      CHECK(text_of(again) == text);
    }
  }
}

TEST_CASE("faults are written as they are read") {
  const unsigned from = GENERATE(2u, 3u, 70000u);
  const std::string faults =
      fmt::format(R"(,"faults":{{"nodes":[3],"links":[[0,1]],"arcs":[[4,5]],"from":{}}})", from);
  const Schedule schedule = from_text(file_with(faults));
  CHECK(schedule.faults == parse_faults(fmt::format("nodes=3;links=0-1;arcs=4>5;from={}", from),
                                        schedule.topology(), 1));
  CHECK(text_of(schedule) == file_with(faults));
  CHECK(from_text(file_with(R"(,"faults":{})")).faults.empty());
  CHECK(from_text(file_with(R"(,"faults":{"arcs":[[4,5],[5,4]]})")).faults ==
        parse_faults("links=4-5", schedule.topology(), 1));
}

TEST_CASE("faults that are none get one line") {
  const auto [faults, why] = GENERATE(table<std::string, std::string>(
      {{"3", "\"faults\" is 3; expected an object"},
       {R"({"node":[3]})",
        "unknown key \"node\" in the faults; it may have nodes, links, arcs, from"},
       {R"({"nodes":3})", "\"nodes\" of the faults is 3; expected a list"},
       {R"({"nodes":[8]})",
        "a node in \"nodes\" of the faults is 8; expected a whole number from 0 to 7"},
       {R"({"nodes":["3"]})", "a node in \"nodes\" of the faults is \"3\""},
       {R"({"links":[0,1]})", "\"links\" of the faults holds 0; expected two nodes such as [0,1]"},
       {R"({"links":[[0,3]]})",
        "\"links\" of the faults holds [0,3], which is no link of hypercube:3"},
       {R"({"arcs":[[0,1,2]]})", "\"arcs\" of the faults holds [0,1,2]; expected two nodes"},
       {R"({"arcs":[[0,9]]})", "a node in \"arcs\" of the faults is 9"},
       {R"({"nodes":[1],"from":0})", "\"from\" of the faults is 0; expected a whole number from 1"},
       {R"({"nodes":[1],"nodes":[2]})", "key \"nodes\" appears twice"}}));
  check_refused(file_with(",\"faults\":" + faults), 1, why);
}

TEST_CASE("an initiator that is none gets one line") {
  const auto [initiator, why] = GENERATE(table<std::string, std::string>(
      {{"0", "\"initiator\" is 0; expected an object"},
       {R"({"node":0})", "key \"join\" is missing in the initiator"},
       {R"({"node":8,"join":2})", "\"node\" of the initiator is 8"},
       {R"({"node":0,"join":0})", "\"join\" of the initiator is 0"},
       {R"({"node":0,"join":2,"x":1})", "unknown key \"x\" in the initiator; it has node, join"}}));
  check_refused(file_with(",\"initiator\":" + initiator), 1, why);
}

TEST_CASE("root and initiator must be healthy") {
  check_refused(file_with(R"(,"root":2,"faults":{"nodes":[2]})", R"("broadcast")"), 1,
                "node 2 is the root; it must be healthy");
  check_refused(file_with(R"(,"initiator":{"node":2,"join":4},"faults":{"nodes":[2]})"), 1,
                "node 2 is the initiator; it must be healthy");
  check_refused(file_with(R"(,"root":2,"initiator":{"node":2,"join":4})", R"("broadcast")"), 1,
                "unknown key \"initiator\" in the first line of a broadcast");
}

TEST_CASE("adaptive transfers stand among their like, on a hypercube") {
  check_refused(file_with("") + R"({"r":2,"path":[0,2],"msgs":[0]})" + "\n", 2,
                "some transfers are new and some are not; in an adaptive schedule all are");
  std::string ring = file_with("");
  ring.replace(ring.find("hypercube:3"), 11, "ring:8");
  check_refused(ring, 2, "need a hypercube, such as hypercube:4; ring:8 is none");
  std::string half = file_with("");
  half.replace(half.find("\"full\""), 6, "\"half\"");
  check_refused(half, 2, "need packet switching, full duplex and combining");
  std::string far = file_with("");
  far.replace(far.find("\"r\":1"), 5, "\"r\":100000");
  check_refused(far, 2, "an adaptive schedule has at most 65536 rounds, not 100000");
}
