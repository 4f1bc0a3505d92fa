// Every key of a case in a suite file, and what lists make of it. Mistakes are in tests/refusals.toml.
#include <fmt/format.h>

#include "catch.hpp"
#include "driver/suite.hpp"
#include "scratch.hpp"

using namespace gossamer;

namespace {

/// What of a case is not as it is where nothing is said, in one line.
std::string shown(const SuiteCase& c) {
  const Case& a = c.request;
  std::string text = a.name == c.group ? a.name : a.name + " of " + c.group;
  const auto say = [&](bool said, const char* key, const std::string& value) {
    if (said) text += fmt::format(" {} {}", key, value);
  };
  say(!a.file.empty(), "file", a.file);
  say(!a.topology.empty(), "on", a.topology);
  say(!a.algorithm.empty(), "by", a.algorithm);
  if (a.collective) text += fmt::format(" {}", to_string(*a.collective));
  if (a.ports) text += fmt::format(" {}", to_string(*a.ports));
  if (a.duplex) text += fmt::format(" {}", to_string(*a.duplex));
  if (a.op) text += fmt::format(" {}", to_string(*a.op));
  say(!a.root.empty(), "root", a.root);
  say(!a.cycle.empty(), "cycle", fmt::format("{}", fmt::join(a.cycle, ",")));
  if (a.tolerance) text += fmt::format(" tolerance {}", *a.tolerance);
  say(!a.faults.empty(), "faults", a.faults);
  say(a.flits_given || a.flits != 8, "flits", std::to_string(a.flits));
  say(a.engine != "tile", "engine", a.engine);
  say(a.seed != 1, "seed", std::to_string(a.seed));
  if (a.symmetric) text += *a.symmetric ? " symmetric" : " whole";
  say(!a.stages.none(), "stages", a.stages.text());
  return text;
}

/// A case, written with "; " for line ends, and what it becomes.
struct Row {
  std::string keys;
  std::vector<std::string> cases;
};

}  // namespace

TEST_CASE("A case has the values of the file, a list makes a case of each, and the rest is open") {
  const Row rows[] = {
      {R"(name = "a-Z.0_9"; topology = "ring:4")", {"a-Z.0_9 on ring:4"}},
      {R"(name = "all"; topology = "hypercube:3"; algorithm = "chau-fu"; collective = "total-exchange"; )"
       R"(ports = "all"; duplex = "half"; root = 5; cycle = [3, 0, 4294967294]; tolerance = 1000; )"
       R"(faults = "nodes=3"; flits = 1048576; engine = "flat"; seed = 4294967295; symmetric = false; )"
       R"(link_stages = [0, 63, 1])",
       {"all on hypercube:3 by chau-fu total-exchange all half root 5 cycle 3,0,4294967294 "
        "tolerance 1000 faults nodes=3 flits 1048576 engine flat seed 4294967295 whole stages "
        "0,63,1"}},
      {R"(name = "least"; topology = "ring:4"; root = 0; cycle = 0; tolerance = 0; flits = 1; seed = 0; )"
       R"(symmetric = true; link_stages = 2)",
       {"least on ring:4 root 0 cycle 0 tolerance 0 flits 1 seed 0 symmetric stages 2"}},
      // Numbers in every base that TOML has; files are beside the suite.
      {R"(name = "a"; topology = "ring:40"; root = 0x1F; cycle = [0o17, 1_0]; flits = [0x10, 0b11]; seed = +5)",
       {"a-L16 of a on ring:40 root 31 cycle 15,10 flits 16 seed 5",
        "a-L3 of a on ring:40 root 31 cycle 15,10 flits 3 seed 5"}},
      {R"(name = "{file}-{link_stages}"; file = ["x/../a.jsonl", "b.jsonl"]; link_stages = [[0, 3], 1])",
       {"a-0-3 file HERE/a.jsonl stages 0,3", "a-1 file HERE/a.jsonl stages 1",
        "b-0-3 file HERE/b.jsonl stages 0,3", "b-1 file HERE/b.jsonl stages 1"}},
      {R"(name = "b"; topology = "edges:links.json")", {"b on edges:HERE/links.json"}},
      {R"(name = "{topology}-{ports}-{collective}"; topology = ["ring:4", "torus:3x3"]; )"
       R"(ports = ["single", "all"]; collective = "scatter"; flits = [4, 300])",
       {"ring-4-single-scatter-L4 of ring-4-single-scatter on ring:4 scatter single flits 4",
        "ring-4-single-scatter-L300 of ring-4-single-scatter on ring:4 scatter single flits 300",
        "ring-4-all-scatter-L4 of ring-4-all-scatter on ring:4 scatter all flits 4",
        "ring-4-all-scatter-L300 of ring-4-all-scatter on ring:4 scatter all flits 300",
        "torus-3x3-single-scatter-L4 of torus-3x3-single-scatter on torus:3x3 scatter single flits 4",
        "torus-3x3-single-scatter-L300 of torus-3x3-single-scatter on torus:3x3 scatter single flits 300",
        "torus-3x3-all-scatter-L4 of torus-3x3-all-scatter on torus:3x3 scatter all flits 4",
        "torus-3x3-all-scatter-L300 of torus-3x3-all-scatter on torus:3x3 scatter all flits 300"}},
      {R"(name = "{topology}_{op}-{topology}"; topology = "torus:3x3"; collective = "reduce"; op = "max")",
       {"torus-3x3_max-torus-3x3 on torus:3x3 reduce max"}},
      {R"(name = "{topology}-{cycle}-{seed}-{symmetric}"; topology = "product:ring:3,path:4"; )"
       R"(cycle = [[0, 1], [1, 0]]; seed = [3]; symmetric = true; flits = [7])",
       {"ring-3-path-4-0-1-3-true-L7 of ring-3-path-4-0-1-3-true on product:ring:3,path:4 cycle 0,1 "
        "flits 7 seed 3 symmetric",
        "ring-3-path-4-1-0-3-true-L7 of ring-3-path-4-1-0-3-true on product:ring:3,path:4 cycle 1,0 "
        "flits 7 seed 3 symmetric"}},
  };
  const Scratch scratch;
  scratch.file("links.json", R"({"n":2,"edges":[[0,1]]})");
  for (const Row& row : rows) {
    std::string text = "[[case]]\n" + row.keys + "\n";
    for (std::size_t at; (at = text.find("; ")) != std::string::npos;) text.replace(at, 2, "\n");
    INFO(text);
    std::vector<std::string> cases;
    for (const SuiteCase& c : read_suite(scratch.file("s.toml", text)).cases) {
      cases.push_back(shown(c));
      const std::string folder = scratch.folder().string();
      const std::size_t at = cases.back().find(folder);
      if (at != std::string::npos) cases.back().replace(at, folder.size(), "HERE");
      CHECK(c.place == scratch.path("s.toml") + ":1: case '" + c.group + "'");
    }
    CHECK(cases == row.cases);
  }
}

TEST_CASE("Refused cases and sums are what the file says") {
  const std::string cases =
      "[[case]]\nname = \"a\"\ntopology = \"ring:4\"\n\n"
      "[[refused]]\nname = \"one\"\nbecause = \"why\"\nschedule = '''\n{}\n'''\n"
      "[[refused]]\nname = \"two\"\nbecause = [\"a\", \"b\"]\nsuite = \"x\"\n";
  std::string text = cases + "[expect]\n";
  std::uint64_t number = 0;
  for (const TotalField& field : kTotalFields)
    text += fmt::format("{} = {}\n", field.name, number++);
  const Suite suite = parse_suite(text, "s.toml", "here");
  std::string refused;
  for (const auto& r : suite.refused) {
    refused += fmt::format("{} {} in {}: {}{} because {}; ", r.place, r.name, r.folder,
                           r.is_suite ? "suite " : "", r.text, fmt::join(r.because, ","));
  }
  CHECK(refused ==
        "s.toml:5: refused case 'one' one in here: {}\n because why; "
        "s.toml:11: refused case 'two' two in here: suite x because a,b; ");
  REQUIRE(suite.expected.has_value());
  number = 0;
  for (const TotalField& field : kTotalFields) {
    CAPTURE(field.name);
    CHECK((*suite.expected).*field.value == number++);
  }
  CHECK_FALSE(parse_suite(cases, "s.toml", "").expected.has_value());
}
