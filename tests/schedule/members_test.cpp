// Members as options and suites name them.
#include "schedule/members.hpp"

#include "catch.hpp"
#include "scratch.hpp"

using namespace gossamer;

namespace {

const Topology kTorus = Topology::parse("torus:4x4");

std::vector<Node> group_of(const std::string& text) {
  const Members members = parse_members(text, kTorus);
  return {members.group().begin(), members.group().end()};
}

}  // namespace

TEST_CASE("members: a list of nodes and ranges") {
  CHECK(group_of("0,3,5-9") == std::vector<Node>{0, 3, 5, 6, 7, 8, 9});
  CHECK(group_of("9 2-2, 3") == std::vector<Node>{2, 3, 9});
  CHECK(parse_members("", kTorus).all());
  CHECK(parse_members("8-15,0-7", kTorus).all());
  CHECK(parse_members("9,7,0,1,2", kTorus).text() == "0-2,7,9");
  const Members some = parse_members("3,5", kTorus);
  CHECK((some.has(3) && some.has(5) && !some.has(4) && !some.has(16)));
  CHECK(some.count(16) == 2);
  CHECK(some[1] == 5);
}

TEST_CASE("members: several groups, of each the first node is its root") {
  const Members groups = parse_members("5,0,1 4/15,10,3 / 7", kTorus);
  CHECK((groups.several() && !groups.all() && groups.groups() == 3));
  CHECK(groups.text() == "5,0-1,4/15,3,10/7");
  CHECK(parse_members(groups.text(), kTorus) == groups);
  CHECK(groups.count(16) == 8);
  CHECK((groups.has(10) && !groups.has(2)));
  CHECK((groups.root(0) == 5 && groups.root(1) == 15 && groups.root(2) == 7));
  CHECK((groups.group_of(0) == 0 && groups.group_of(3) == 1 && groups.group_of(7) == 2));
  CHECK((groups.together(0, 5) && groups.together(7, 7) && !groups.together(4, 3)));
  CHECK(std::vector<Node>(groups.group(1).begin(), groups.group(1).end()) ==
        std::vector<Node>{3, 10, 15});
  CHECK(!parse_members("0-7/8-15", kTorus).all());
  CHECK(!parse_members("0-7", kTorus).several());
}

TEST_CASE("members: a file of them") {
  const Scratch scratch;
  const std::string file = scratch.file("members", "1, 2\n\n12-14\r\n");
  CHECK(group_of("@" + file) == std::vector<Node>{1, 2, 12, 13, 14});
  scratch.file("members", "1, 2 /\n3\n/ 12-14\n");
  CHECK(parse_members("@" + file, kTorus).text() == "1-2/3/12-14");
  CHECK(members_from("@a/b", "c") == "@c/a/b");
  CHECK(members_from("@a", "") == "@a");
  CHECK(members_from("1-2", "c") == "1-2");
}
