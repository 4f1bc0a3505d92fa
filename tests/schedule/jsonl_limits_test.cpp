// The least and the greatest value of every number in a schedule file, and one less and one more;
// and lines in any order.
#include <fmt/format.h>

#include "catch.hpp"
#include "samples/schedules.hpp"
#include "schedule/jsonl.hpp"
#include "support/error.hpp"

using namespace gossamer;
using namespace gossamer::samples;

namespace {

std::string outcome(const std::string& text) {
  try {
    from_text(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "read";
}

/// Of a first line with these keys, and these lines after it.
std::string of(const std::string& keys, const std::string& lines, const char* combining = "false") {
  return outcome(fmt::format(
      "{{\"gossamer\":1,{},\"model\":{{\"ports\":\"single\",\"duplex\":\"full\",\"switching\":"
      "\"packet\",\"combining\":{}}}}}\n{}",
      keys, combining, lines));
}

const std::string kGossip = R"("topology":"ring:4","collective":"gossip")";
const std::string kBroadcast = R"("topology":"ring:4","collective":"broadcast","root":)";
const std::string kExchange = R"("topology":"ring:4","collective":"total-exchange")";
const std::string kCube = R"("topology":"hypercube:3","collective":"gossip",)";

}  // namespace

TEST_CASE("a transfer's round, nodes and messages go up to the last one") {
  const auto transfer = [](const std::string& r, int a, int b, int message) {
    return of(kGossip,
              fmt::format("{{\"r\":{},\"path\":[{},{}],\"msgs\":[{}]}}\n", r, a, b, message));
  };
  CHECK(transfer("1", 0, 1, 0) == "read");
  CHECK(transfer("1000000000", 3, 0, 3) == "read");
  CHECK(transfer("1000000001", 0, 1, 0) ==
        "test.jsonl:2: \"r\" is 1000000001; expected a whole number from 1 to 1000000000");
  CHECK(transfer("1", 4, 0, 0) ==
        "test.jsonl:2: a node of \"path\" is 4; expected a whole number from 0 to 3");
  CHECK(transfer("1", 0, 3, 4) ==
        "test.jsonl:2: an origin in \"msgs\" is 4; expected a whole number from 0 to 3");
}

TEST_CASE("a line without an end is refused, and not read on and on") {
  struct Endless : std::streambuf {
    std::string blanks = std::string(1 << 16, ' ');
    int underflow() override {
      setg(blanks.data(), blanks.data(), blanks.data() + blanks.size());
      return ' ';
    }
  } endless;
  std::istream in(&endless);
  CHECK_THROWS_WITH(read_jsonl(in, "test.jsonl"), "test.jsonl:1: the line is longer than 268 MB");
}

TEST_CASE("a message's origin and destination go up to the last node") {
  const auto message = [](const std::string& m) {
    return of(kExchange, R"({"r":1,"path":[0,1],"msgs":[)" + m + "]}\n");
  };
  CHECK(message("[3,0]") == "read");
  CHECK(message("[0,3]") == "read");
  CHECK(message("[4,0]") ==
        "test.jsonl:2: an origin in \"msgs\" is 4; expected a whole number from 0 to 3");
  CHECK(message("[0,4]") ==
        "test.jsonl:2: a destination in \"msgs\" is 4; expected a whole number from 0 to 3");
}

TEST_CASE("a root goes up to the last node") {
  CHECK(of(kBroadcast + "0", "") == "read");
  CHECK(of(kBroadcast + "3", "") == "read");
  CHECK(of(kBroadcast + "4", "") ==
        "test.jsonl:1: \"root\" is 4; expected a whole number from 0 to 3");
}

TEST_CASE("faults and initiators go up to the last node, and to the last round") {
  const std::string line = R"({"r":1,"path":[0,1],"msgs":"new"})";
  const auto with = [&](const std::string& keys) { return of(kCube + keys, line, "true"); };
  CHECK(with(R"("faults":{"nodes":[7],"from":1})") == "read");
  CHECK(with(R"("faults":{"nodes":[0],"from":1000000000})") == "read");
  CHECK(with(R"("faults":{"nodes":[7],"from":1000000001})") ==
        "test.jsonl:1: \"from\" of the faults is 1000000001; expected a whole number from 1 to "
        "1000000000");
  CHECK(with(R"("faults":{"links":[[7,6]],"arcs":[[6,7]]})") == "read");
  CHECK(with(R"("initiator":{"node":7,"join":1})") == "read");
  CHECK(with(R"("initiator":{"node":0,"join":1000000000})") == "read");
  CHECK(with(R"("initiator":{"node":0,"join":1000000001})") ==
        "test.jsonl:1: \"join\" of the initiator is 1000000001; expected a whole number from 1 to "
        "1000000000");
}

TEST_CASE("lines come in any order; those of a round stay in theirs, and all know their places") {
  const Schedule s =
      from_text(R"({"gossamer":1,"topology":"ring:4","collective":"gossip","model":{"ports":"all",)"
                R"("duplex":"full","switching":"packet","combining":true}})"
                "\n"
                R"({"r":3,"path":[2,3],"msgs":"*"})"
                "\n \t\r\n"
                R"({"r":1,"path":[1,2],"msgs":[1]})"
                "\n\n"
                R"({"r":1,"path":[0,1],"msgs":[0]})"
                "\n");
  REQUIRE(s.transfers().size() == 3);
  const std::uint32_t rounds[] = {1, 1, 3}, lines[] = {4, 6, 2};
  const Node sources[] = {1, 0, 2};
  for (std::size_t i = 0; i < 3; ++i) {
    CAPTURE(i);
    CHECK(s.transfers()[i].round == rounds[i]);
    CHECK(s.transfers()[i].line == lines[i]);
    CHECK(s.path(s.transfers()[i]).front() == sources[i]);
  }
  CHECK(s.transfers()[2].carry == Carry::Everything);
}

TEST_CASE("of several wrong adaptive transfers the first is reported") {
  const std::string listed = R"({"r":1,"path":[0,1],"msgs":[0]})",
                    adaptive = R"({"r":2,"path":[0,1],"msgs":"new"})";
  CHECK_THAT(
      of(kCube.substr(0, kCube.size() - 1), listed + "\n\n" + adaptive + "\n" + adaptive, "true"),
      Catch::Matchers::StartsWith("test.jsonl:4: "));
}

TEST_CASE("all faults of a file are read, whatever kind they are") {
  const Schedule s = from_text(
      R"({"gossamer":1,"topology":"hypercube:3","collective":"gossip","model":{"ports":"single",)"
      R"("duplex":"full","switching":"packet","combining":true},"faults":{"nodes":[2,4],)"
      R"("links":[[7,6],[0,1]],"arcs":[[5,7],[3,1]],"from":9}})"
      "\n");
  CHECK(s.faults == parse_faults("nodes=2,4;links=0-1,6-7;arcs=3>1,5>7;from=9", s.topology(), 1));
}
