// Schedules written and read back. What is refused is in tests/refusals.toml.
#include "schedule/jsonl.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "broken_rules.hpp"
#include "catch.hpp"
#include "random_schedules.hpp"
#include "refusal.hpp"
#include "support/json.hpp"

using namespace gossamer;

namespace {

std::string text_of(const Schedule& schedule, Orbits orbits = Orbits::Expanded) {
  std::ostringstream out;
  write_jsonl(schedule, out, orbits);
  return out.str();
}

Schedule from_text(const std::string& text) {
  std::istringstream in(text);
  return read_jsonl(in, "test.jsonl");
}

/// Gossip on a full-duplex ring by rotation, an orbit a round.
Schedule ring_orbits(Node n) {
  const Topology ring = Topology::parse("ring:" + std::to_string(n));
  const Node generators[] = {1};
  Schedule schedule(ring, Collective::Gossip, Model{}, Symmetry(ring, generators));
  for (std::uint32_t r = 1; r < n; ++r) schedule.add_hop(r, 0, 1, (n - (r - 1)) % n);
  return schedule;
}

}  // namespace

TEST_CASE("a schedule is written as the format says") {
  Schedule s(Topology::parse("path:3"), Collective::Scatter,
             {PortModel::All, Duplex::Half, Switching::Circuit, true});
  s.root = 1;
  s.add(1, std::vector<Node>{1, 0}, std::vector<Message>{{1, 0}});
  s.add(3, std::vector<Node>{1, 2}, std::vector<Message>{{1, 2}, {1, 0}});
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
  Schedule s(Topology::parse("torus:4x4"), Collective::Gossip, {});
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
  const std::string text = text_of(ring_orbits(3));
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
  for (const Model& model : test::all_models(/*runnable=*/false)) {
    test::Kinds kinds;
    kinds.orbits = true;
    const Schedule schedule = test::random_script(random, model, kinds).schedule();
    const Schedule back = from_text(text_of(schedule, Orbits::Kept));
    CHECK(back.symmetry().elements() == schedule.symmetry().elements());
    CHECK(text_of(back) == text_of(schedule));
    CHECK(text_of(from_text(text_of(schedule))) == text_of(schedule));
  }
}

// Lines of a file, however long, beside those that the standard library reads.

namespace {

/// A file of which nothing after the first lines can be read.
struct Breaks final : std::streambuf {
  explicit Breaks(std::string t) : text(std::move(t)) {
    setg(text.data(), text.data(), text.data() + text.size());
  }
  int underflow() override { throw std::runtime_error("the disk is gone"); }
  std::string text;
};

/// A file of which once nothing can be read after the first letters, and then the rest.
struct BreaksOnce final : std::streambuf {
  explicit BreaksOnce(std::size_t letters) : text(letters, 'x') {
    setg(text.data(), text.data(), text.data() + text.size());
  }
  int underflow() override {
    if (!std::exchange(broken, true)) throw std::runtime_error("the disk is busy");
    text = std::exchange(rest, "");
    setg(text.data(), text.data(), text.data() + text.size());
    return text.empty() ? traits_type::eof() : traits_type::to_int_type(text.front());
  }
  std::string text, rest = "y\nz\n";
  bool broken = false;
};

}  // namespace

TEST_CASE("a file that cannot be read any further is refused, and not taken for its beginning") {
  const std::string header =
      R"({"gossamer":1,"topology":"ring:4","collective":"gossip","model":{"ports":"single",)"
      R"("duplex":"full","switching":"packet","combining":false}})";
  for (const char* const rest : {"", "{\"r\":1,\"path\":[0,1],\"msgs\":[0]}\n", "{\"r\":1"}) {
    Breaks file(header + "\n" + rest);
    std::istream in(&file);
    CAPTURE(rest);
    CHECK_THROWS_WITH(read_jsonl(in, "test.jsonl"),
                      Catch::Matchers::EndsWith(": cannot be read any further"));
  }
  Breaks nothing("");
  std::istream in(&nothing);
  std::string line;
  CHECK_FALSE(jsonl::read_line(in, {line, 1}, line));
}

TEST_CASE("what cannot be read is not left out of a line, wherever it is missing") {
  for (const std::size_t letters :
       {0, 1, 100, 65533, 65534, 65535, 65536, 131069, 131070, 131071}) {
    BreaksOnce file(letters);
    std::istream in(&file);
    std::string line;
    CAPTURE(letters);
    CHECK_FALSE(jsonl::read_line(in, {"test.jsonl", 1}, line));
    CHECK(in.bad());
  }
}

TEST_CASE("lines of any length are read as they are, whatever ends them") {
  const std::string file = "test.jsonl";
  std::vector<std::string> texts = {"", "\n", "\n\n", "a", "a\nb", "a\n\nb\n"};
  // A line is read in pieces of 65,535 letters.
  for (const std::size_t pieces : {1, 2}) {
    for (std::size_t size = pieces * 65535 - 2; size <= pieces * 65535 + 2; ++size) {
      const std::string line(size, 'x');
      for (const char* const end : {"", "\n", "\n\n", "\ny", "\ny\n"}) texts.push_back(line + end);
    }
  }
  for (const std::string& text : texts) {
    std::istringstream in(text), plain(text);
    std::string line, expected;
    CAPTURE(text.size());
    while (std::getline(plain, expected)) {
      REQUIRE(jsonl::read_line(in, {file, 1}, line));
      CHECK((line == expected));
    }
    CHECK_FALSE(jsonl::read_line(in, {file, 1}, line));
  }
}

namespace {

/// The lines of the n-th block of docs/use/schedule-format.md that opens with ```json, or as given.
std::string example(int n = 1, const std::string& opening = "```json") {
  const char* file = "docs/use/schedule-format.md";
  std::ifstream in(file);
  REQUIRE(in);
  std::string line, text;
  for (; n > 0; --n) {
    while (std::getline(in, line) && line != opening) continue;
  }
  while (std::getline(in, line) && line != "```") text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("the example of the format's document is correct, and as the program writes it") {
  const std::string text = example();
  const Schedule schedule = from_text(text);
  CHECK(test::broken_rules(schedule) == "");
  CHECK(text_of(schedule) == text);
}

TEST_CASE(
    "the document's examples of members, groups, sizes, pieces and forks are correct, and as the "
    "program "
    "writes "
    "them") {
  for (const int n : {2, 3, 4, 5, 6, 7}) {
    const std::string text = example(n);
    const Schedule schedule = from_text(text);
    CHECK(test::broken_rules(schedule) == "");
    CHECK(text_of(schedule) == text);
  }
}

TEST_CASE("the adaptive example of the document stands its broken link") {
  const std::string text = example(8);
  Schedule schedule = from_text(text);
  CHECK(text_of(schedule) == text);
  const CheckReport report = check(schedule);
  CHECK(test::broken_rules(report) == "");
  CHECK(report.expected == 12);
  CHECK(report.missing.empty());
  add_link(schedule.faults, 2, 3);
  CHECK(check(schedule).missing.size() == 8);  // halves without a link between them
}

TEST_CASE("a part that comes twice in the document's reduction is reported as it says") {
  std::string text = example(2);
  const std::size_t second = text.find("{\"r\":2");
  REQUIRE(second != std::string::npos);
  text.insert(second, R"({"r":1,"path":[2,3],"msgs":[0]})"
                      "\n");
  CHECK(test::broken_rules(from_text(text)).starts_with(example(2, "```text")));
}

TEST_CASE("the broken example of the document is refused with the lines that it shows") {
  std::string text = example();
  const std::size_t last = text.rfind("\"msgs\":[1]");
  REQUIRE(last != std::string::npos);
  text.replace(last, 10, "\"msgs\":[0]");
  CHECK(test::broken_rules(from_text(text)) ==
        "line 13, round 3, link 3-0: node 3 sends message 0 but does not hold it when the round "
        "starts; a transfer of round 3 takes it there\n"
        "round 3: node 0 lacks message 1 after the last round\n");
}
