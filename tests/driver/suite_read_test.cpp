// Every key of a case in a suite file. Mistakes are in tests/refusals.toml.
#include <fmt/format.h>

#include "catch.hpp"
#include "driver/suite.hpp"
#include "support/scratch.hpp"

using namespace gossamer;

namespace {

/// A suite of this text in its own folder, which is the prefix of all names in its messages.
class SuiteFile {
 public:
  explicit SuiteFile(const std::string& text) : file_(scratch_.file("s.toml", text)) {}
  Suite read() const { return read_suite(file_); }
  std::string folder() const { return scratch_.folder().string() + "/"; }
  /// Removes the scratch folder from the text.
  std::string shown(std::string text) const {
    for (std::size_t at; (at = text.find(folder())) != std::string::npos;) {
      text.erase(at, folder().size());
    }
    return text;
  }

 private:
  Scratch scratch_;
  std::string file_;
};

/// All settings of a case, in one line.
std::string shown(const SuiteCase& c) {
  const Case& a = c.request;
  const auto word = [](const auto& value) {
    return value ? std::string(to_string(*value)) : std::string("-");
  };
  const auto number = [](const auto& value) { return value ? std::to_string(*value) : "-"; };
  return fmt::format(
      "{} of {} at {}: file '{}' topology '{}' algorithm '{}' {} {} {} root {} cycle [{}] "
      "tolerance {} faults '{}' flits {}{} engine {} seed {} symmetric {} stages {}",
      a.name, c.group, c.place, a.file, a.topology, a.algorithm, word(a.collective), word(a.ports),
      word(a.duplex), a.root.empty() ? "-" : a.root, fmt::join(a.cycle, ","), number(a.tolerance),
      a.faults, a.flits, a.flits_given ? "" : " unsaid", a.engine, a.seed,
      a.symmetric ? (*a.symmetric ? "yes" : "no") : "-", a.stages.none() ? "-" : a.stages.text());
}

std::vector<std::string> cases_of(const std::string& text) {
  const SuiteFile file(text);
  std::vector<std::string> lines;
  for (const SuiteCase& c : file.read().cases) lines.push_back(file.shown(shown(c)));
  return lines;
}

/// A case with this line after its name.
std::string with(const std::string& line) {
  return "[[case]]\nname = \"a\"\ntopology = \"hypercube:3\"\n" + line + "\n";
}

}  // namespace

TEST_CASE("A case has the values of the file, and missing values stay open") {
  CHECK(cases_of("[[case]]\nname = \"a-Z.0_9\"\ntopology = \"ring:4\"\n") ==
        std::vector<std::string>{
            "a-Z.0_9 of a-Z.0_9 at s.toml:1: case 'a-Z.0_9': file '' topology 'ring:4' algorithm "
            "'' - - - root - cycle [] tolerance - faults '' flits 8 unsaid engine tile seed 1 "
            "symmetric - stages -"});
  CHECK(cases_of("\n\n[[case]]\nname = \"all\"\ntopology = \"hypercube:3\"\n"
                 "algorithm = \"chau-fu\"\ncollective = \"total-exchange\"\nports = \"all\"\n"
                 "duplex = \"half\"\nroot = 5\ncycle = [3, 0, 4294967294]\ntolerance = 1000\n"
                 "faults = \"nodes=3\"\nflits = 1048576\nengine = \"flat\"\nseed = 4294967295\n"
                 "symmetric = false\nlink_stages = [0, 63, 1]\n") ==
        std::vector<std::string>{
            "all of all at s.toml:3: case 'all': file '' topology 'hypercube:3' algorithm "
            "'chau-fu' total-exchange all half root 5 cycle [3,0,4294967294] tolerance 1000 "
            "faults 'nodes=3' flits 1048576 engine flat seed 4294967295 symmetric no stages "
            "0,63,1"});
  CHECK(cases_of("[[case]]\nname = \"least\"\ntopology = \"ring:4\"\nroot = 0\ncycle = 0\n"
                 "tolerance = 0\nflits = 1\nseed = 0\nsymmetric = true\nlink_stages = 2\n") ==
        std::vector<std::string>{
            "least of least at s.toml:1: case 'least': file '' topology 'ring:4' algorithm '' - - "
            "- root 0 cycle [0] tolerance 0 faults '' flits 1 engine tile seed 0 symmetric yes "
            "stages 2"});
}

TEST_CASE("A number of a suite may be written in every base that TOML has") {
  CHECK(cases_of("[[case]]\nname = \"a\"\ntopology = \"ring:40\"\nroot = 0x1F\n"
                 "cycle = [0o17, 1_0]\nflits = [0x10, 0b11]\nseed = +5\n") ==
        cases_of("[[case]]\nname = \"a\"\ntopology = \"ring:40\"\nroot = 31\n"
                 "cycle = [15, 10]\nflits = [16, 3]\nseed = 5\n"));
}

TEST_CASE("Files of a case are looked for beside its suite") {
  const Scratch scratch;
  scratch.file("links.json", R"({"n":2,"edges":[[0,1]]})");
  const std::string suite =
      scratch.file("s.toml",
                   "[[case]]\nname = \"a\"\nfile = \"x/../plan.jsonl\"\n"
                   "[[case]]\nname = \"b\"\ntopology = \"edges:links.json\"\n");
  const auto cases = read_suite(suite).cases;
  REQUIRE(cases.size() == 2);
  CHECK(cases[0].request.file == scratch.path("plan.jsonl"));
  CHECK(cases[0].request.topology == "");
  CHECK(cases[1].request.file == "");
  CHECK(cases[1].request.topology == "edges:" + scratch.path("links.json"));
}

TEST_CASE(
    "Lists of topologies, ports, duplex and collectives make a case for each, named after them") {
  const SuiteFile file(
      "[[case]]\nname = \"{topology}-{ports}-{collective}\"\ntopology = [\"ring:4\", "
      "\"torus:3x3\"]\n"
      "ports = [\"single\", \"all\"]\ncollective = \"total-exchange\"\nflits = [1, 2]\n");
  std::vector<std::string> names;
  for (const SuiteCase& c : file.read().cases) {
    names.push_back(c.request.name + " " + c.request.topology + " " +
                    std::string(to_string(*c.request.ports)));
    CHECK(c.request.name == c.group + (c.request.flits == 1 ? "-L1" : "-L2"));
  }
  CHECK(names == std::vector<std::string>{"ring-4-single-total-exchange-L1 ring:4 single",
                                          "ring-4-single-total-exchange-L2 ring:4 single",
                                          "ring-4-all-total-exchange-L1 ring:4 all",
                                          "ring-4-all-total-exchange-L2 ring:4 all",
                                          "torus-3x3-single-total-exchange-L1 torus:3x3 single",
                                          "torus-3x3-single-total-exchange-L2 torus:3x3 single",
                                          "torus-3x3-all-total-exchange-L1 torus:3x3 all",
                                          "torus-3x3-all-total-exchange-L2 torus:3x3 all"});
  CHECK(SuiteFile("[[case]]\nname = \"{topology}_{op}-{topology}\"\ntopology = \"torus:3x3\"\n"
                  "collective = \"reduce\"\nop = \"max\"\n")
            .read()
            .cases.front()
            .request.name == "torus-3x3_max-torus-3x3");
}

TEST_CASE("Every key may be a list; of keys that are lists, a list of them") {
  const auto names = [](const std::string& lines) {
    std::string all;
    for (const SuiteCase& c : SuiteFile("[[case]]\n" + lines).read().cases) {
      all += fmt::format("{}: {} {}; ", c.request.name, c.request.stages.text(),
                         fmt::join(c.request.cycle, ","));
    }
    return all;
  };
  CHECK(names("name = \"{file}-{link_stages}\"\nfile = [\"x/a.jsonl\", \"b.jsonl\"]\n"
              "link_stages = [[0, 3], 1]\n") ==
        "a-0-3: 0,3 ; a-1: 1 ; b-0-3: 0,3 ; b-1: 1 ; ");
  CHECK(names("name = \"{topology}-{cycle}-{seed}-{symmetric}\"\ntopology = \"ring:3\"\n"
              "cycle = [[0, 1, 2], [2, 1, 0]]\nseed = [3]\nsymmetric = true\n") ==
        "ring-3-0-1-2-3-true:  0,1,2; ring-3-2-1-0-3-true:  2,1,0; ");
  CHECK(names("name = \"{topology}\"\n"
              "topology = [\"product:ring:3,path:4\", \"product:path:2,ring:3\"]\n") ==
        "ring-3-path-4:  ; path-2-ring-3:  ; ");
}

TEST_CASE("A list of flits makes a case for each, and one number a case of its own name") {
  const auto names = [](const std::string& flits) {
    std::string text;
    for (const SuiteCase& c : SuiteFile(with("flits = " + flits)).read().cases) {
      text += fmt::format("{}={} of {}{}; ", c.request.name, c.request.flits, c.group,
                          c.request.flits_given ? "" : " unsaid");
    }
    return text;
  };
  CHECK(names("[4, 1, 300]") == "a-L4=4 of a; a-L1=1 of a; a-L300=300 of a; ");
  CHECK(names("[7]") == "a-L7=7 of a; ");
  CHECK(names("7") == "a=7 of a; ");
}

TEST_CASE("Refused cases and sums are what the file says") {
  std::string text =
      "[[case]]\nname = \"a\"\ntopology = \"ring:4\"\n\n"
      "[[refused]]\nname = \"one\"\nbecause = \"why\"\nschedule = '''\n{}\n'''\n"
      "[[refused]]\nname = \"two\"\nbecause = [\"a\", \"b\"]\nsuite = \"x\"\n"
      "[expect]\n";
  std::uint64_t number = 0;
  for (const TotalField& field : kTotalFields)
    text += fmt::format("{} = {}\n", field.name, number++);
  const SuiteFile file(text);
  const Suite suite = file.read();
  REQUIRE(suite.refused.size() == 2);
  CHECK(suite.refused[0].name == "one");
  CHECK(suite.refused[0].text == "{}\n");
  CHECK_FALSE(suite.refused[0].is_suite);
  CHECK(suite.refused[0].because == std::vector<std::string>{"why"});
  CHECK(file.shown(suite.refused[0].place) == "s.toml:5: refused case 'one'");
  CHECK(suite.refused[1].because == std::vector<std::string>{"a", "b"});
  CHECK(suite.refused[1].text == "x");
  CHECK(suite.refused[1].is_suite);
  CHECK(suite.refused[1].folder + "/" == file.folder());
  REQUIRE(suite.expected.has_value());
  number = 0;
  for (const TotalField& field : kTotalFields) {
    CAPTURE(field.name);
    CHECK((*suite.expected).*field.value == number++);
  }
  CHECK_FALSE(SuiteFile(with("")).read().expected.has_value());
}
