#include <fmt/format.h>

#include "catch.hpp"
#include "samples/schedules.hpp"
#include "schedule/jsonl.hpp"
#include "support/error.hpp"

using namespace gossamer;
using namespace gossamer::samples;

namespace {

const std::string kModel =
    R"("model":{"ports":"single","duplex":"full","switching":"packet","combining":false})";
const std::string kGossip =
    R"({"gossamer":1,"topology":"ring:4","collective":"gossip",)" + kModel + "}\n";
const std::string kExchange =
    R"({"gossamer":1,"topology":"ring:4","collective":"total-exchange",)" + kModel + "}\n";

/// The line with which the text is refused.
std::string refusal(const std::string& text) {
  try {
    from_text(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

void check_refused(const std::string& text, std::uint32_t line, const std::string& why) {
  CAPTURE(text);
  const std::string said = refusal(text);
  CHECK_THAT(said, Catch::Matchers::StartsWith("test.jsonl:" + std::to_string(line) + ": "));
  CHECK_THAT(said, Catch::Matchers::Contains(why));
  CHECK(said.find('\n') == std::string::npos);
}

std::string header(const std::string& fields) { return "{\"gossamer\":1," + fields + "}\n"; }

}  // namespace

TEST_CASE("a file that is no schedule is refused at its first line") {
  const auto [text, why] = GENERATE(table<std::string, std::string>(
      {{"", "no schedule: expected a first line such as"},
       {"\n", "no schedule: expected a first line such as"},
       {"hello\n", "no JSON (stopped at column 1)"},
       {"[1]\n", "expected an object, not [1]"},
       {"{\"gossamer\":1", "no JSON (stopped at column 13)"},
       {"{}\n", "no key \"gossamer\""},
       {R"({"r":1,"path":[0,1],"msgs":[0]})", "no key \"gossamer\""},
       {"{\"gossamer\":2}\n", "\"gossamer\" is 2; this program reads version 1"},
       {"{\"gossamer\":1.0}\n", "\"gossamer\" is 1.0"},
       {"{\"gossamer\":\"1\"}\n", "this program reads version 1"},
       {"{\"gossamer\":1,\"gossamer\":1}\n", "key \"gossamer\" appears twice"},
       {std::string("{\"gossamer\":1,\"topology\":\"\xff\"}\n"), "no JSON"},
       {"{\"gossamer\":1e999}\n", "a number is too large"}}));
  check_refused(text, 1, why);
}

TEST_CASE("a first line must be whole and right") {
  const std::string ring = R"("topology":"ring:4")", gossip = R"("collective":"gossip")";
  const auto [fields, why] = GENERATE_COPY(table<std::string, std::string>(
      {{ring + "," + kModel, "key \"collective\" is missing"},
       {gossip + "," + kModel, "key \"topology\" is missing in the first line of a gossip"},
       {ring + "," + gossip, "key \"model\" is missing"},
       {ring + "," + gossip + "," + kModel + R"(,"colour":3)", "unknown key \"colour\""},
       {ring + "," + gossip + "," + kModel + R"(,"root":0)", "unknown key \"root\""},
       {ring + R"(,"collective":"gosip",)" + kModel,
        "unknown collective 'gosip': did you mean 'gossip'?"},
       {ring + R"(,"collective":3,)" + kModel, "\"collective\" is 3; expected a text"},
       {R"("topology":4,)" + gossip + "," + kModel, "\"topology\" is 4; expected a text"},
       {R"("topology":"rng:4",)" + gossip + "," + kModel, "topology 'rng:4': unknown kind 'rng'"},
       {R"("topology":"a\nb:4",)" + gossip + "," + kModel, "topology 'a b:4'"},
       {R"("topology":"edges:none.json",)" + gossip + "," + kModel, "none.json"},
       {R"("topology":"hypercube:25",)" + gossip + "," + kModel, "a schedule has 16777216 at most"},
       {ring + "," + gossip + "," + kModel + R"(,"faults":{"nodes":[99]})",
        "a node in \"nodes\" of the faults is 99"}}));
  check_refused(header(fields), 1, why);
}

TEST_CASE("a model must be whole and right") {
  const auto [model, why] = GENERATE(table<std::string, std::string>(
      {{"3", "\"model\" is 3; expected an object"},
       {"[]", "\"model\" is []; expected an object"},
       {R"({"duplex":"full","switching":"packet","combining":false})",
        "key \"ports\" is missing in the model"},
       {R"({"ports":"two","duplex":"full","switching":"packet","combining":false})",
        "unknown port model 'two'"},
       {R"({"ports":"all","duplex":"both","switching":"packet","combining":false})",
        "unknown duplex 'both'"},
       {R"({"ports":"all","duplex":"full","switching":"wormhole","combining":false})",
        "unknown switching 'wormhole'"},
       {R"({"ports":"all","duplex":"full","switching":"packet","combining":"no"})",
        "\"combining\" is \"no\"; expected true or false"},
       {R"({"ports":1,"duplex":"full","switching":"packet","combining":true})",
        "\"ports\" is 1; expected a text"},
       {R"({"ports":"all","duplex":"full","switching":"packet","combining":true,"x":1})",
        "unknown key \"x\" in the model; it has ports, duplex, switching, combining"},
       {R"({"ports":"all","ports":"all","duplex":"full","switching":"packet","combining":true})",
        "key \"ports\" appears twice"}}));
  check_refused(header(R"("topology":"ring:4","collective":"gossip","model":)" + model), 1, why);
}

TEST_CASE("a collective with a root must name it") {
  const auto [root, why] = GENERATE(table<std::string, std::string>(
      {{"", "key \"root\" is missing in the first line of a broadcast"},
       {R"("root":4,)", "\"root\" is 4; expected a whole number from 0 to 3"},
       {R"("root":-1,)", "\"root\" is -1; expected a whole number from 0 to 3"},
       {R"("root":"0",)", "\"root\" is \"0\"; expected a whole number"}}));
  check_refused(header(R"("topology":"ring:4","collective":"broadcast",)" + root + kModel), 1, why);
}

TEST_CASE("a malformed transfer is refused at its line") {
  const auto [transfer, why] = GENERATE(table<std::string, std::string>(
      {{"[1,[0,1],[0]]", "expected an object"},
       {R"({"r":1,"path":[0,1],"msgs":[0])", "no JSON (stopped at column"},
       {R"({"r":1,"path":[0,1],"msgs":[0]} {})", "no JSON"},
       {R"({"path":[0,1],"msgs":[0]})", "key \"r\" is missing in a transfer"},
       {R"({"r":1,"msgs":[0]})", "key \"path\" is missing in a transfer"},
       {R"({"r":1,"path":[0,1]})", "key \"msgs\" is missing in a transfer"},
       {R"({"r":1,"path":[0,1],"msgs":[0],"hop":1})", "unknown key \"hop\" in a transfer"},
       {R"({"r":1,"r":2,"path":[0,1],"msgs":[0]})", "key \"r\" appears twice"},
       {R"({"r":0,"path":[0,1],"msgs":[0]})", "\"r\" is 0; expected a whole number from 1"},
       {R"({"r":-1,"path":[0,1],"msgs":[0]})", "\"r\" is -1; expected a whole number from 1"},
       {R"({"r":1.5,"path":[0,1],"msgs":[0]})", "\"r\" is 1.5; expected a whole number"},
       {R"({"r":"1","path":[0,1],"msgs":[0]})", "\"r\" is \"1\"; expected a whole number"},
       {R"({"r":true,"path":[0,1],"msgs":[0]})", "\"r\" is true; expected a whole number"},
       {R"({"r":99999999999,"path":[0,1],"msgs":[0]})", "from 1 to 1000000000"},
       {R"({"r":1,"path":[0],"msgs":[0]})", "\"path\" is [0]; expected a list of nodes"},
       {R"({"r":1,"path":"0-1","msgs":[0]})", "\"path\" is \"0-1\"; expected a list of nodes"},
       {R"({"r":1,"path":[0,4],"msgs":[0]})",
        "a node of \"path\" is 4; expected a whole number "
        "from 0 to 3"},
       {R"({"r":1,"path":[0,-1],"msgs":[0]})", "a node of \"path\" is -1"},
       {R"({"r":1,"path":[0,1.0],"msgs":[0]})", "a node of \"path\" is 1.0"},
       {R"({"r":1,"path":[0,null],"msgs":[0]})", "a node of \"path\" is null"},
       {R"({"r":1,"path":[0,[1]],"msgs":[0]})", "a node of \"path\" is [1]"},
       {R"({"r":1,"path":[0,1],"msgs":[]})",
        "\"msgs\" is []; expected \"*\", \"new\" or a list of origins"},
       {R"({"r":1,"path":[0,1],"msgs":0})", "\"msgs\" is 0; expected"},
       {R"({"r":1,"path":[0,1],"msgs":"all"})", "\"msgs\" is \"all\"; expected"},
       {R"({"r":1,"path":[0,1],"msgs":"new"})",
        "adaptive transfers (new) need packet switching, full duplex and combining"},
       {R"({"r":1,"path":[0,1],"msgs":[4]})", "an origin in \"msgs\" is 4; expected a whole"},
       {R"({"r":1,"path":[0,1],"msgs":[[0,1]]})", "an origin in \"msgs\" is [0,1]"}}));
  check_refused(kGossip + R"({"r":1,"path":[0,1],"msgs":[0]})" + "\n\n" + transfer + "\n", 4, why);
}

TEST_CASE("pieces that a message does not have are refused at their line") {
  const auto header = [](const char* collective, const char* pieces) {
    return fmt::format(
        R"({{"gossamer":1,"topology":"ring:4","collective":"{}","model":{{"ports":"all",)"
        R"("duplex":"full","switching":"packet","combining":true}},"pieces":{}}})",
        collective, pieces);
  };
  const auto error = [](const std::string& text) {
    std::istringstream in(text);
    try {
      read_jsonl(in, "f");
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("none");
  };
  const auto line = [&](const char* collective, const char* messages) {
    return error(header(collective, "3") + "\n" +
                 fmt::format(R"({{"r":1,"path":[0,1],"msgs":[{}]}})", messages));
  };
  CHECK(line("gossip", "[0,2]") == "none");
  CHECK(line("total-exchange", "[0,1,2]") == "none");
  CHECK(line("gossip", "[0,3]") ==
        "f:2: a piece in \"msgs\" is 3; expected a whole number from 0 to 2");
  CHECK(line("gossip", "0") == "f:2: a message of a gossip is [origin,piece], not 0");
  CHECK(line("gossip", "[0]") == "f:2: a message of a gossip is [origin,piece], not [0]");
  CHECK(line("total-exchange", "[0,1]") ==
        "f:2: a message of a total-exchange is [origin,destination,piece], not [0,1]");
  CHECK(error(header("gossip", "0")) ==
        "f:1: \"pieces\" is 0; expected a whole number from 1 to 65536");
  CHECK(error(header("gossip", "\"2\"")) ==
        "f:1: \"pieces\" is \"2\"; expected a whole number from 1 to 65536");
}

TEST_CASE("a malformed tree is refused at its line") {
  const auto [way, why] = GENERATE(table<std::string, std::string>({
      {R"("path":[0,1],"tree":[[0,1]])", "has \"path\" and \"tree\"; expected one of them"},
      {R"("tree":[])", "\"tree\" is []; expected a list of arcs [from,to], from the source on"},
      {R"("tree":{"0":1})", "\"tree\" is {\"0\":1}; expected a list of arcs"},
      {R"("tree":[0,1])", "an arc of \"tree\" is 0; expected [from,to]"},
      {R"("tree":[[0,1,2]])", "an arc of \"tree\" is [0,1,2]; expected [from,to]"},
      {R"("tree":[[0,4]])", "a node of \"tree\" is 4; expected a whole number from 0 to 3"},
      {R"("tree":[[0,0]])", "the arc [0,0] of \"tree\" closes a cycle at node 0; expected each"},
      {R"("tree":[[0,1],[1,2],[2,0]])", "the arc [2,0] of \"tree\" closes a cycle at node 0"},
      {R"("tree":[[0,1],[0,3],[1,2],[3,2]])", "the arc [3,2] of \"tree\" is the second one to"},
      {R"("tree":[[0,1],[0,1]])", "the arc [0,1] of \"tree\" stands there twice, to node 1"},
      {R"("tree":[[0,1],[2,3]])",
       "no arc of \"tree\" leads to node 2, where [2,3] begins; "
       "expected one tree, from its source, 0, on"},
      {R"("tree":[[0,1],[2,3],[1,2]])",
       "the arc [2,3] of \"tree\" comes before the one to node "
       "2; expected parents first"},
      {R"("tree":[[0,1]],"to":[])", "\"to\" is []; expected a list of nodes that store"},
      {R"("tree":[[0,1]],"to":1)", "\"to\" is 1; expected a list of nodes that store"},
      {R"("tree":[[0,1]],"to":[4])", "a node of \"to\" is 4; expected a whole number"},
      {R"("tree":[[0,1]],"to":[2])",
       "\"to\" has node 2, which is not on the way; expected nodes "
       "to which \"tree\" leads"},
      {R"("path":[0,1],"to":[0])",
       "\"to\" has node 0, which is the source; expected nodes to "
       "which \"path\" leads"},
      {R"("path":[0,1],"to":[1,1])", "\"to\" has node 1 twice; expected it once"},
      {R"("path":[0,1,2],"to":[1])", "\"path\" ends at node 2, which is not in \"to\"; expected"},
      {R"("tree":[[0,1],[0,3]],"to":[3])", "\"tree\" ends at node 1, which is not in \"to\""},
      {R"("path":[0,1,0],"to":[1])", "\"path\" comes to node 0 twice; expected each node once"},
  }));
  check_refused(kGossip + R"({"r":1,"path":[0,1],"msgs":[0]})" + "\n" + R"({"r":1,)" + way +
                    R"(,"msgs":[0]})" + "\n",
                3, why);
}

TEST_CASE("an adaptive transfer has no tree") {
  const std::string first =
      R"({"gossamer":1,"topology":"hypercube:2","collective":"gossip","model":)"
      R"({"ports":"all","duplex":"full","switching":"packet","combining":true}})";
  check_refused(first + "\n" + R"({"r":1,"path":[0,1],"msgs":"new"})" + "\n" +
                    R"({"r":1,"tree":[[0,1],[0,2]],"msgs":"new"})" + "\n",
                3, "an adaptive transfer (new) has a path of one hop, not a tree");
}

TEST_CASE("a tree that is a path is read and written as one") {
  const std::string first =
      R"({"gossamer":1,"topology":"ring:4","collective":"broadcast","root":0,"model":)"
      R"({"ports":"all","duplex":"full","switching":"circuit","combining":false}})";
  const auto [read, written] = GENERATE(table<std::string, std::string>(
      {{R"("tree":[[0,1],[1,2]],"to":[2])", R"("path":[0,1,2])"},
       {R"("tree":[[0,1]])", R"("path":[0,1])"},
       {R"("path":[0,1,2],"to":[2])", R"("path":[0,1,2])"},
       {R"("tree":[[0,1],[1,2]])", R"("path":[0,1,2],"to":[1,2])"},
       {R"("path":[0,1,2],"to":[2,1])", R"("path":[0,1,2],"to":[1,2])"},
       {R"("tree":[[0,1],[0,3]],"to":[3,1])", R"("tree":[[0,1],[0,3]])"},
       {R"("tree":[[0,1],[1,2],[0,3]],"to":[3,2])", R"("tree":[[0,1],[1,2],[0,3]],"to":[2,3])"}}));
  const auto file = [&](const std::string& way) {
    return first + "\n" + R"({"r":1,)" + way + R"(,"msgs":[0]})" + "\n";
  };
  CHECK(text_of(from_text(file(read))) == file(written));
}

TEST_CASE("personalised messages are pairs") {
  const auto [messages, why] = GENERATE(table<std::string, std::string>(
      {{"[0]", "a message of a total-exchange is [origin,destination], not 0"},
       {"[[0]]", "is [origin,destination], not [0]"},
       {"[[0,1,2]]", "is [origin,destination], not [0,1,2]"},
       {"[[0,9]]", "a destination in \"msgs\" is 9"},
       {"[[-3,1]]", "an origin in \"msgs\" is -3"},
       {"[]", "expected \"*\", \"new\" or a list of [origin,destination]"}}));
  check_refused(kExchange + R"({"r":1,"path":[0,1],"msgs":)" + messages + "}\n", 2, why);
}

TEST_CASE("long values are cut short in messages") {
  std::string list = "0";
  for (int i = 0; i < 1000; ++i) list += ",0";
  const std::string said = refusal(kGossip + R"({"r":[)" + list + R"(],"path":[0,1],"msgs":[0]})");
  CHECK(said.size() < 150);
  CHECK_THAT(said, Catch::Matchers::Contains("...; expected a whole number"));
}

TEST_CASE("cutting a file anywhere is refused or leaves whole lines") {
  const std::string text = text_of(ring_expanded(3));
  for (std::size_t length = 0; length < text.size(); ++length) {
    CAPTURE(length);
    const bool whole_line = length > 0 && (text[length] == '\n' || text[length - 1] == '\n');
    CHECK((refusal(text.substr(0, length)) == "accepted") == whole_line);
  }
}

TEST_CASE("a file with wrong letters is read or refused in one line, never worse") {
  std::mt19937 random(6);
  const std::string text = text_of(ring_expanded(4)), letters = "{}[]\",:019-+.eE*rpth \\\n\xc3";
  for (int i = 0; i < 3000; ++i) {
    std::string changed = text;
    for (std::uint32_t count = 1 + random() % 3; count > 0; --count) {
      changed[random() % changed.size()] = letters[random() % letters.size()];
    }
    const std::string said = refusal(changed);
    if (said == "accepted") continue;
    if (said.rfind("test.jsonl:", 0) != 0 || said.find('\n') != std::string::npos) {
      FAIL(said);
    }
  }
  CHECK(refusal(text) == "accepted");
}
