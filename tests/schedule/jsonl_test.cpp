// Schedules written and read back. What is refused is in tests/refusals.toml.
#include "schedule/jsonl.hpp"

#include <sstream>

#include "catch.hpp"
#include "refusal.hpp"
#include "samples/schedules.hpp"

using namespace gossamer;
using namespace gossamer::samples;

namespace {

std::string orbits_text(const Schedule& schedule) {
  std::ostringstream out;
  write_jsonl(schedule, out, Orbits::Kept);
  return out.str();
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

TEST_CASE("a file keeps what its schedule was planned for") {
  Schedule s = empty("torus:4x4", Collective::Gossip, {});
  s.planned_for = {64, {0, 3}};
  const Schedule back = from_text(text_of(s));
  REQUIRE(back.planned_for);
  CHECK(*back.planned_for == *s.planned_for);
  CHECK(text_of(back) == text_of(s));
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

TEST_CASE("cutting a file anywhere is refused or leaves whole lines") {
  const std::string text = text_of(ring_expanded(3));
  for (std::size_t length = 0; length < text.size(); ++length) {
    CAPTURE(length);
    const bool whole_line = length > 0 && (text[length] == '\n' || text[length - 1] == '\n');
    const auto read = [&] { from_text(text.substr(0, length)); };
    CHECK((refusal(read) == "accepted") == whole_line);
  }
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

TEST_CASE("all faults of a file are read, whatever kind they are") {
  const std::string text =
      R"({"gossamer":1,"topology":"hypercube:3","collective":"gossip","model":{"ports":"single",)"
      R"("duplex":"full","switching":"packet","combining":true},"faults":{"nodes":[2,4],)"
      R"("links":[[0,1],[6,7]],"arcs":[[3,1],[5,7]],"from":9}})"
      "\n";
  const Schedule s = from_text(text);
  CHECK(text_of(s) == text);
  CHECK(s.faults == parse_faults("nodes=2,4;links=0-1,6-7;arcs=3>1,5>7;from=9", s.topology(), 1));
}

TEST_CASE("random schedules of orbits are read back as they were") {
  std::mt19937 random(11);
  for (int i = 0; i < 100; ++i) {
    const Schedule schedule = i % 2 == 0 ? random_legal(random) : random_wild(random);
    const Schedule back = from_text(orbits_text(schedule));
    CHECK(back.symmetry().elements() == schedule.symmetry().elements());
    CHECK(text_of(back) == text_of(schedule));
    CHECK(text_of(from_text(text_of(schedule))) == text_of(schedule));
  }
}
