#include "schedule/jsonl.hpp"

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "catch.hpp"
#include "samples/schedules.hpp"
#include "support/error.hpp"
#include "support/scratch.hpp"

using namespace gossamer;
using namespace gossamer::samples;

namespace {

std::string contents(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a schedule is written as the format says") {
  Schedule s = empty("path:3", Collective::Scatter,
                     {PortModel::All, Duplex::Half, Switching::Circuit, true});
  s.root = 1;
  add(s, 1, {1, 0}, {{1, 0}});
  add(s, 3, {1, 2}, {{1, 2}, {1, 0}});
  s.add_everything(4, std::vector<Node>{2, 1, 0});
  CHECK(text_of(s) ==
        R"({"gossamer":1,"topology":"path:3","collective":"scatter","root":1,)"
        R"("model":{"ports":"all","duplex":"half","switching":"circuit","combining":true}})"
        "\n"
        R"({"r":1,"path":[1,0],"msgs":[[1,0]]})"
        "\n"
        R"({"r":3,"path":[1,2],"msgs":[[1,2],[1,0]]})"
        "\n"
        R"({"r":4,"path":[2,1,0],"msgs":"*"})"
        "\n");
}

TEST_CASE("an orbit is written as all its transfers") {
  const std::string text = text_of(ring_orbits(3));
  CHECK(text ==
        R"({"gossamer":1,"topology":"ring:3","collective":"gossip",)"
        R"("model":{"ports":"single","duplex":"full","switching":"packet","combining":false}})"
        "\n"
        R"({"r":1,"path":[0,1],"msgs":[0]})"
        "\n"
        R"({"r":1,"path":[1,2],"msgs":[1]})"
        "\n"
        R"({"r":1,"path":[2,0],"msgs":[2]})"
        "\n"
        R"({"r":2,"path":[0,1],"msgs":[2]})"
        "\n"
        R"({"r":2,"path":[1,2],"msgs":[0]})"
        "\n"
        R"({"r":2,"path":[2,0],"msgs":[1]})"
        "\n");
}

TEST_CASE("what was written is read back, letter by letter the same") {
  std::mt19937 random(5);
  for (int i = 0; i < 100; ++i) {
    const std::string text = text_of(i % 2 == 0 ? random_wild(random) : random_legal(random));
    CHECK(text_of(from_text(text)) == text);
  }
}

TEST_CASE("every collective, with its root where it has one, is read back") {
  for (const Collective c : {Collective::Broadcast, Collective::Gossip, Collective::Scatter,
                             Collective::TotalExchange, Collective::Gather}) {
    Schedule s = empty("mesh:3x4", c, {});
    if (has_root(c)) s.root = 7;
    const Schedule back = expanded(s);
    CHECK(back.collective() == c);
    CHECK(back.root == s.root);
    CHECK(back.model() == s.model());
    CHECK(back.topology().spec() == "mesh:3x4");
    CHECK(text_of(back) == text_of(s));
  }
}

TEST_CASE("a file keeps what its schedule was planned for, and refuses what cannot be") {
  Schedule s = empty("torus:4x4", Collective::Gossip, {});
  s.planned_for = {64, {0, 3}};
  const Schedule back = from_text(text_of(s));
  REQUIRE(back.planned_for);
  CHECK(*back.planned_for == *s.planned_for);
  CHECK(text_of(back) == text_of(s));
  const auto refused = [&](const std::string& planned) {
    std::string text = text_of(s);
    const std::string was = R"({"flits":64,"link_stages":[0,3]})";
    text.replace(text.find(was), was.size(), planned);
    return message_of([&] { from_text(text); });
  };
  using Catch::Matchers::Contains;
  CHECK_THAT(refused("8"), Contains("\"planned\" is 8; expected an object"));
  CHECK_THAT(refused(R"({"flits":0})"), Contains("\"flits\" of \"planned\""));
  CHECK_THAT(refused(R"({"link_stages":[1,2,3]})"),
             Contains("expected a list of one number, or of 2, one for each dimension"));
  CHECK_THAT(refused(R"({"link_stages":[1,-2]})"), Contains("link_stages"));
  CHECK_THAT(refused(R"({"flit":8})"), Contains("unknown key"));
}

TEST_CASE("lines may come in any order, and each keeps its number") {
  const std::string header = text_of(empty("path:3", Collective::Gossip, {}));
  const Schedule s = from_text(header + R"({"r":2,"path":[1,2],"msgs":[0]})" + "\n\n" +
                               R"( {"msgs":[0], "path":[0,1], "r":1} )" + "\r\n" +
                               R"({"r":2,"path":[0,1],"msgs":[0]})");
  const auto transfers = s.transfers();
  REQUIRE(transfers.size() == 3);
  CHECK(transfers[0].round == 1);
  CHECK(transfers[0].line == 4);
  CHECK(transfers[1].line == 2);
  CHECK(transfers[2].line == 5);
}

TEST_CASE("a fault of a file names its line") {
  const std::string header = text_of(empty("path:3", Collective::Gossip, {}));
  const Schedule s = from_text(header + R"({"r":2,"path":[0,1],"msgs":[0]})" + "\n" +
                               R"({"r":1,"path":[0,2],"msgs":[0]})" + "\n");
  CHECK_THAT(faults_of(s),
             Catch::Matchers::StartsWith("line 3, round 1, link 0-2: path:3 has no such link"));
}

TEST_CASE("a file appears complete or not at all") {
  const Scratch scratch;
  const std::string file = scratch.path("ring.jsonl");
  write_jsonl(ring_orbits(4), file);
  CHECK(contents(file) == text_of(ring_orbits(4)));
  write_jsonl(ring_orbits(5), file);  // replaces it
  CHECK(contents(file) == text_of(ring_orbits(5)));
  CHECK(text_of(read_jsonl(file)) == contents(file));
  CHECK(scratch.files() == 1);
}

TEST_CASE("what cannot be written is said, and nothing is left behind") {
  const Scratch scratch;
  const std::string file = scratch.path("missing/ring.jsonl");
  CHECK(message_of([&] { write_jsonl(ring_orbits(4), file); }) ==
        file + ": cannot write: No such file or directory");
  CHECK(message_of([&] { write_jsonl(ring_orbits(4), scratch.path("")); }) ==
        scratch.path("") + ": cannot write: Is a directory");
  CHECK(scratch.files() == 0);
}

TEST_CASE("a device is written as it is, not replaced") {
  write_jsonl(ring_orbits(4), std::string("/dev/null"));
  CHECK(std::filesystem::is_character_file("/dev/null"));
}

TEST_CASE("a file that cannot be read is named") {
  const Scratch scratch;
  const std::string file = scratch.path("none.jsonl");
  CHECK(message_of([&] { read_jsonl(file); }) == file + ": cannot open: No such file or directory");
  CHECK(message_of([&] { read_jsonl(scratch.path("")); }) ==
        scratch.path("") + ": is a directory; expected a file");
}
