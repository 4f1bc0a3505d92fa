// Every key of a case in a suite file, and the exact error for every mistake.
#include <fmt/format.h>

#include "catch.hpp"
#include "driver/suite.hpp"
#include "support/error.hpp"
#include "support/scratch.hpp"

using namespace gossamer;

namespace {

constexpr const char* kGossipOfTwo =
    R"({"gossamer":1,"topology":"path:2","collective":"gossip","model":)"
    R"({"ports":"all","duplex":"full","switching":"packet","combining":false}})";

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
  std::string error() const {
    try {
      read();
    } catch (const InputError& error) {
      return shown(error.what());
    }
    return "no error";
  }

 private:
  Scratch scratch_;
  std::string file_;
};

std::string error_of(const std::string& text) { return SuiteFile(text).error(); }

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

TEST_CASE("symmetric is true or false, and no number") {
  CHECK_THAT(error_of(with("symmetric = 1")),
             Catch::Matchers::Contains("symmetric must be true or false, not '1'"));
  CHECK_THAT(error_of(with("symmetric = true")),
             !Catch::Matchers::Contains("symmetric must be true or false"));
}

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
  CHECK(error_of("[[case]]\nname = \"a\"\ntopology = [\"ring:4\", \"ring:5\"]\n") ==
        "s.toml:1: case 'a' appears twice");
  CHECK(error_of("[[case]]\nname = \"{duplex}\"\ntopology = \"ring:4\"\n") ==
        "s.toml:1: {duplex} in a name needs the key duplex");
  CHECK(SuiteFile("[[case]]\nname = \"{topology}_{op}-{topology}\"\ntopology = \"torus:3x3\"\n"
                  "collective = \"reduce\"\nop = \"max\"\n")
            .read()
            .cases.front()
            .request.name == "torus-3x3_max-torus-3x3");
  CHECK(error_of("[[case]]\nname = \"{topology}\"\ntopology = \"{topology}\"\n") ==
        "s.toml:1: '{topology}' is no name: use letters, digits, '.', '_' and '-'");
  CHECK(error_of(with("duplex = []")) == "s.toml:4: the list of duplex is empty");
  CHECK(error_of(with("ports = [\"single\", 3]")) == "s.toml:4: case 'a': ports must be a text");
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

TEST_CASE("A mistake in a suite gets its file, its line, its case and what would be right") {
  const auto [text, why] = GENERATE(table<std::string, std::string>({
      {"", "s.toml:1: no cases: expected [[case]] tables"},
      {"[x\n", "s.toml:1: no TOML: "},
      {"\n\nnew = 1\n",
       "s.toml:3: unknown key 'new'; a suite is a list of [[case]], and may have [[refused]] and "
       "[expect]"},
      {"\n[case]\nname = \"a\"\n", "s.toml:2: expected [[case]], with two brackets"},
      {"case = 3\n", "s.toml:1: expected [[case]], with two brackets"},
      {"case = []\n", "s.toml:1: no cases: expected [[case]] tables"},
      {"case = [\n{name = \"a\", topology = \"ring:4\"},\n3]\n",
       "s.toml:3: a case is a table; expected [[case]]"},
      {with("") + "[refused]\n", "s.toml:5: expected [[refused]], with two brackets"},
      {"refused = [3]\n" + with(""), "s.toml:1: a case is a table; expected [[refused]]"},
      {"expect = 3\n" + with(""), "s.toml:1: expected [expect], with one bracket"},
      {"[[case]]\ntopology = \"ring:4\"\n", "s.toml:1: a case needs a name"},
      {"[[case]]\nname = \"a b\"\n",
       "s.toml:1: 'a b' is no name: use letters, digits, '.', '_' and '-'"},
      {"[[case]]\nname = \"\"\n", "s.toml:2: name is empty"},
      {"[[case]]\nname = 3\n", "s.toml:2: name must be a text"},
      {"[[case]]\nname = \"a\\nb\"\n", "s.toml:2: name must be one line"},
      {"[[case]]\nname = \"a\"\ntopolgy = \"ring:4\"\n",
       "s.toml:3: unknown key 'topolgy' in a case: did you mean 'topology'?"},
      {"[[case]]\nname = \"a\"\n",
       "s.toml:1: case 'a': a case has either a topology or a schedule file"},
      {with("file = \"x\""), "s.toml:1: case 'a': a case has either a topology or a schedule file"},
      {"[[case]]\nname = \"a\"\ntopology = \"rings:4\"\n",
       "s.toml:3: case 'a': topology 'rings:4': unknown kind 'rings': did you mean 'ring'?"},
      {with("algorithm = \"nothing-like-it\""), "s.toml:4: case 'a': "},
      {with("collective = \"gosip\""),
       "s.toml:4: case 'a': collective: unknown collective 'gosip': did you mean 'gossip'?"},
      {with("ports = \"two\""),
       "s.toml:4: case 'a': ports: unknown port model 'two': known are: single, all"},
      {with("duplex = \"no\""),
       "s.toml:4: case 'a': duplex: unknown duplex 'no': known are: full, half"},
      {with("engine = \"flet\""), "s.toml:4: case 'a': engine: unknown engine 'flet'"},
      {with("root = -1"), "s.toml:4: case 'a': root: '-1' is no whole number from 0 to 4294967294"},
      {with("root = 4294967295"),
       "s.toml:4: case 'a': root: '4294967295' is no whole number from 0 to 4294967294"},
      {with("root = 1.0"),
       "s.toml:4: case 'a': root: '1.0' is no whole number from 0 to 4294967294"},
      {with("cycle = [0,\n-1]"),
       "s.toml:4: case 'a': cycle: '-1' is no whole number from 0 to 4294967294"},
      {with("cycle = 4294967295"),
       "s.toml:4: case 'a': cycle: '4294967295' is no whole number from 0 to 4294967294"},
      {with("seed = 4294967296"),
       "s.toml:4: case 'a': seed: '4294967296' is no whole number from 0 to 4294967295"},
      {with("tolerance = 1001"),
       "s.toml:4: case 'a': tolerance: '1001' is no whole number from 0 to 1000"},
      {with("tolerance = -1"),
       "s.toml:4: case 'a': tolerance: '-1' is no whole number from 0 to 1000"},
      {with("link_stages = -1"),
       "s.toml:4: case 'a': link_stages: '-1' does not say the register stages of links; expected "
       "0 to 63"},
      {with("link_stages = [1,\n64]"),
       "s.toml:4: case 'a': link_stages: '1,64' does not say the register stages of links; "
       "expected 0 to 63"},
      {with("link_stages = \"1,2\""), "s.toml:4: case 'a': link_stages must be no text"},
      {with("flits = 0"), "s.toml:4: case 'a': flits: '0' is no whole number from 1 to 1048576"},
      {with("flits = [1, 1048577]"),
       "s.toml:4: case 'a': flits: '1048577' is no whole number from 1 to 1048576"},
      {with("flits = []"), "s.toml:4: the list of flits is empty"},
      {with("flits = [2, 2]"), "s.toml:1: case 'a-L2' appears twice"},
      {with("faults = \"nodes=8\""),
       "s.toml:4: case 'a': faults: node 8 is no node of hypercube:3; nodes are 0 to 7"},
      {with("faults = \"random:3\\nx\""), "s.toml:4: case 'a': faults must be one line"},
      {with("faults = \"\""), "s.toml:4: case 'a': faults is empty"},
      {with("") + with(""), "s.toml:5: case 'a' appears twice"},
      {with("") + "[[refused]]\nname = \"x\"\nbecuse = \"y\"\n",
       "s.toml:7: unknown key 'becuse' in a refused case: did you mean 'because'?"},
      {with("") + "[[refused]]\nbecause = \"y\"\nschedule = \"z\"\n",
       "s.toml:5: a refused case needs the text 'name'"},
      {with("") + "[[refused]]\nname = \"\"\nbecause = \"y\"\nschedule = \"z\"\n",
       "s.toml:5: a refused case needs the text 'name'"},
      {with("") + "[[refused]]\nname = \"x\"\nbecause = 3\nschedule = \"z\"\n",
       "s.toml:5: a refused case needs the text 'because'"},
      {with("") + "[[refused]]\nname = \"x\"\nschedule = \"z\"\nbecause = [\"y\",\n\"\"]\n",
       "s.toml:9: a reason must be a text"},
      {with("") + "[[refused]]\nname = \"x\"\nschedule = \"z\"\nbecause = [\"y\",\n3]\n",
       "s.toml:9: a reason must be a text"},
      {with("") + "[expect]\ncases = 1.5\n", "s.toml:6: cases must be a whole number, at least 0"},
  }));
  CAPTURE(text);
  // If a library writes the end of the line, only its beginning is compared.
  CHECK_THAT(error_of(text), Catch::Matchers::StartsWith(why));
}

TEST_CASE("Random faults of a case are drawn once when it is read") {
  CHECK(error_of(with("seed = 3\nfaults = \"random:20\"")) == "no error");
  CHECK(error_of(with("seed = 3\nfaults = \"random:21\"")) ==
        "s.toml:5: case 'a': faults: random:21 is no number of faults; hypercube:3 has 20 nodes "
        "and links to draw from");
}

TEST_CASE("A refused schedule is judged by all that is said of it") {
  const auto judged = [](const std::string& schedule, std::vector<std::string> because) {
    return judge(RefusedCase{"x", false, schedule, "", std::move(because), ""});
  };
  const std::string header = std::string(kGossipOfTwo) + "\n";
  const std::string there = "{\"r\":1,\"path\":[0,1],\"msgs\":[0]}\n";
  const std::string back = "{\"r\":1,\"path\":[1,0],\"msgs\":[1]}\n";
  const std::string lacks = "round 1: node 0 lacks message 1 after the last round";
  CHECK(judged(header + there, {lacks}) == "");
  CHECK(judged(header + there, {"a", lacks}) ==
        "refused case 'x': it was refused because \"" + lacks +
            "\", and should be refused because \"a\", \"" + lacks + "\"");
  CHECK(judged(header + there + back, {lacks}) ==
        "refused case 'x': it was accepted, and should be refused because \"" + lacks + "\"");
}

TEST_CASE("A refused suite is judged by the mistake in it") {
  const auto judged = [](const std::string& suite, const std::string& because) {
    return judge(RefusedCase{"x", true, suite, "", {because}, ""});
  };
  CHECK(judged("", "suite:1: no cases: expected [[case]] tables") == "");
  CHECK(judged(with("root = -1"),
               "suite:4: case 'a': root: '-1' is no whole number from 0 to 4294967294") == "");
  CHECK(judged(with(""), "because") ==
        "refused case 'x': it was accepted, and should be refused because \"because\"");
}
