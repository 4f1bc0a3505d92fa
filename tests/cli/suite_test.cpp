// The suite: its table, its selection of cases, its exit status and its reports.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catch.hpp"
#include "command.hpp"

namespace {

const std::string kGood = R"([[case]]
name = "ring"
topology = "ring:4"
flits = [1, 4]

[[case]]
name = "torus"
topology = "torus:3x3"
algorithm = "product"
duplex = "half"
)";

/// A schedule that delivers nothing to node 0.
const std::string kBrokenCase = "\n[[case]]\nname = \"broken\"\nfile = \"broken.jsonl\"\n";
const std::string kBroken =
    R"({"gossamer":1,"topology":"path:2","collective":"gossip","model":{"ports":"single",)"
    R"("duplex":"full","switching":"packet","combining":false}})"
    "\n{\"r\":1,\"path\":[0,1],\"msgs\":[0]}\n";

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

/// Names of elements in order, closing ones with '/'; the test fails if a tag or quote is not
/// closed.
std::vector<std::string> tags_of(const std::string& xml) {
  std::vector<std::string> tags, open;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
    const std::size_t end = xml.find('>', at);
    REQUIRE(end != std::string::npos);
    const std::string tag = xml.substr(at + 1, end - at - 1);
    CHECK(tag.find('<') == std::string::npos);
    CHECK(count(tag, "\"") % 2 == 0);
    if (tag.front() == '?') continue;
    const std::string name = tag.substr(0, tag.find(' '));
    tags.push_back(name);
    if (name.front() == '/') {
      REQUIRE_FALSE(open.empty());
      CHECK(open.back() == name.substr(1));
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
  }
  CHECK(open.empty());
  return tags;
}

}  // namespace

TEST_CASE("A suite prints a line a case, in the order of the file, and passes") {
  const Scratch scratch;
  const std::string file = scratch.file("good.toml", kGood);
  const std::string jobs = GENERATE("1", "3");
  const Outcome outcome = run_gossamer("suite '" + file + "' --jobs " + jobs);
  CAPTURE(outcome.out, outcome.err);
  CHECK(outcome.status == 0);
  CHECK(count(outcome.out, "  pass\n") == 3);
  const std::size_t first = outcome.out.find("ring-L1 "), second = outcome.out.find("ring-L4 "),
                    third = outcome.out.find("torus ");
  CHECK(first < second);
  CHECK(second < third);
  CHECK(third != std::string::npos);
  CHECK(outcome.out.find("3 passed, 0 failed") != std::string::npos);
}

TEST_CASE("Cases are chosen by name, by the name they share, and by a pattern") {
  const Scratch scratch;
  const std::string suite = "suite '" + scratch.file("good.toml", kGood) + "' ";
  CHECK(run_gossamer(suite + "--case ring-L4").out.find("1 passed") != std::string::npos);
  CHECK(run_gossamer(suite + "--case ring").out.find("2 passed") != std::string::npos);
  CHECK(run_gossamer(suite + "--case '*r*'").out.find("3 passed") != std::string::npos);
  CHECK(run_gossamer(suite + "--case torus --case ring-L1").out.find("2 passed") !=
        std::string::npos);
}

TEST_CASE("A suite runs on the engine asked for") {
  const Scratch scratch;
  const std::string suite = scratch.file(
      "suite.toml", "[[case]]\nname = \"ring\"\ntopology = \"ring:8\"\nflits = [1, 4]\n");
  const Outcome outcome = run_gossamer("suite --engine flat --json " + suite);
  CHECK(outcome.status == 0);
  CHECK(count(outcome.out, "\"engine\": \"flat\"") == 2);
  const Outcome wrong = run_gossamer("suite --engine flet " + suite);
  CHECK(wrong.status == 2);
  CHECK(wrong.err.find("--engine: unknown engine 'flet'") != std::string::npos);
}

TEST_CASE("A failing case makes exit status 1, says why, and how to run it again") {
  const Scratch scratch;
  scratch.file("broken.jsonl", kBroken);
  const std::string file = scratch.file("mixed.toml", kGood + kBrokenCase);
  const Outcome outcome = run_gossamer("suite '" + file + "'");
  CAPTURE(outcome.out);
  CHECK(outcome.status == 1);
  CHECK(outcome.err.empty());
  CHECK(outcome.out.find("node 0 lacks message 1") != std::string::npos);
  CHECK(outcome.out.find("    rerun: ") != std::string::npos);
  CHECK(outcome.out.find("--trace broken.fst") != std::string::npos);
  CHECK(outcome.out.find("3 passed, 1 failed") != std::string::npos);
}

TEST_CASE("suite --json is one object with a report for each case") {
  const Scratch scratch;
  scratch.file("broken.jsonl", kBroken);
  const std::string file = scratch.file("mixed.toml", kGood + kBrokenCase);
  const Outcome outcome = run_gossamer("suite '" + file + "' --json");
  CHECK(outcome.status == 1);
  const auto json = nlohmann::json::parse(outcome.out);
  REQUIRE(json["cases"].size() == 4);
  CHECK(json["passed"] == 3);
  CHECK(json["failed"] == 1);
  CHECK(json["verdict"] == "fail");
  CHECK(json["cases"][0]["name"] == "ring-L1");
  CHECK(json["cases"][2]["cycles_measured"] == json["cases"][2]["cycles_predicted"]);
  CHECK(json["cases"][3]["verdict"] == "fail");
}

TEST_CASE("suite --junit writes well-formed XML with a failure for each failing case") {
  const Scratch scratch;
  scratch.file("broken.jsonl", kBroken);
  const std::string file = scratch.file("mixed.toml", kGood + kBrokenCase);
  const std::string report = scratch.path("report.xml");
  CHECK(run_gossamer("suite '" + file + "' --junit '" + report + "'").status == 1);
  const std::string xml = content_of(report);
  CAPTURE(xml);
  const std::vector<std::string> expected = {"testsuite", "testcase",  "testcase", "testcase",
                                             "testcase",  "failure",   "/failure", "/testcase",
                                             "testcase",  "/testsuite"};
  CHECK(tags_of(xml) == expected);
  CHECK(xml.find("tests=\"5\" failures=\"1\" errors=\"0\"") != std::string::npos);
  CHECK(xml.find("name=\"ring-L4\"") != std::string::npos);
}

TEST_CASE("A case that cannot be run to its end is an error, and the suite's exit status is 2") {
  const Scratch scratch;
  const std::string file = scratch.file("wide.toml", R"([[case]]
name = "wide"
topology = "ring:128"
algorithm = "ring"
flits = [4, 1048576]

[[case]]
name = "good"
topology = "ring:8"
)");
  const std::string report = scratch.path("report.xml");
  const Outcome outcome = run_gossamer("suite '" + file + "' --junit '" + report + "'");
  CAPTURE(outcome.out, outcome.err);
  CHECK(outcome.status == 2);
  CHECK(outcome.error_lines() == 1);
  CHECK(outcome.err.find("wide.toml:1: case 'wide': ") != std::string::npos);
  CHECK(outcome.err.find("at most 67108864") != std::string::npos);
  CHECK(outcome.out.find("2 passed, 0 failed, 1 ended with an error") != std::string::npos);
  CHECK(count(outcome.out, "ERROR") == 2);
  const std::string xml = content_of(report);
  CHECK(xml.find("tests=\"4\" failures=\"0\" errors=\"1\" skipped=\"0\"") != std::string::npos);
  const auto json = nlohmann::json::parse(run_gossamer("suite '" + file + "' --json").out);
  CHECK(json["verdict"] == "error");
  CHECK(json["errors"] == 1);
  REQUIRE(json["cases"].size() == 3);
  CHECK(json["cases"][1]["verdict"] == "error");
  CHECK(json["cases"][2]["verdict"] == "pass");
}

TEST_CASE("Edge lists and schedules are found from the suite's folder") {
  const Scratch scratch;
  scratch.file("triangle.json", R"({"n":3,"edges":[[0,1],[1,2],[2,0]]})");
  const std::string file = scratch.file(
      "own.toml",
      "[[case]]\nname = \"own\"\ntopology = \"edges:triangle.json\"\ncycle = [2, 1, 0]\n");
  const Outcome outcome = run_gossamer("suite '" + file + "'");
  CAPTURE(outcome.out, outcome.err);
  CHECK(outcome.status == 0);
}

TEST_CASE("The edge list that a schedule names is found from the schedule's folder") {
  const Scratch scratch;
  scratch.file("triangle.json", R"({"n":3,"edges":[[0,1],[1,2],[2,0]]})");
  std::filesystem::create_directories(scratch.path("deep/er"));
  const std::string here = "cd '" + scratch.path("") + "' && ";
  for (const std::string topology : {"edges:", "product:path:2,edges:"}) {
    CAPTURE(topology);
    const Outcome planned = run_gossamer(
        "plan --topology " + topology + "../../triangle.json --ports single -o own.jsonl",
        "cd '" + scratch.path("deep/er") + "' && ");
    CAPTURE(planned.out, planned.err);
    REQUIRE(planned.status == 0);
    const std::string schedule = scratch.path("deep/er/own.jsonl");
    CHECK(content_of(schedule).find(topology + "../../triangle.json\"") != std::string::npos);
    CHECK(run_gossamer("check '" + schedule + "'").status == 0);
    CHECK(run_gossamer("check deep/er/own.jsonl", here).status == 0);
    // Written into another folder than the working directory.
    CHECK(run_gossamer(
              "plan --topology " + topology + "triangle.json --ports single -o deep/a.jsonl", here)
              .status == 0);
    CHECK(content_of(scratch.path("deep/a.jsonl")).find(topology + "../triangle.json\"") !=
          std::string::npos);
    const std::string suite =
        scratch.file("own.toml",
                     "[[case]]\nname = \"file\"\nfile = \"deep/er/own.jsonl\"\nflits = 1\n"
                     "[[case]]\nname = \"list\"\nports = \"single\"\nflits = 1\ntopology = \"" +
                         topology + "triangle.json\"\n");
    const Outcome run = run_gossamer("suite '" + suite + "'");
    CAPTURE(run.out, run.err);
    CHECK(run.status == 0);
  }
}

TEST_CASE("The folder of an edge list may have commas in its name") {
  const Scratch scratch;
  std::filesystem::create_directory(scratch.path("a,b"));
  scratch.file("a,b/triangle.json", R"({"n":3,"edges":[[0,1],[1,2],[2,0]]})");
  const Outcome planned =
      run_gossamer("plan --topology product:edges:triangle.json,path:2 -o own.jsonl",
                   "cd '" + scratch.path("a,b") + "' && ");
  CAPTURE(planned.err);
  REQUIRE(planned.status == 0);
  const Outcome checked = run_gossamer("check '" + scratch.path("a,b/own.jsonl") + "'");
  CAPTURE(checked.err);
  CHECK(checked.status == 0);
}

TEST_CASE("A refused schedule of a suite names edge lists from the suite's folder") {
  const Scratch scratch;
  scratch.file("pair.json", R"({"n":2,"edges":[[0,1]]})");
  std::string schedule = kBroken;
  schedule.replace(schedule.find("path:2"), 6, "edges:pair.json");
  const std::string suite = scratch.file(
      "refused.toml", kGood +
                          "\n[[refused]]\nname = \"one way\"\nbecause = \"round 1: node 0 "
                          "lacks message 1 after the last round\"\nschedule = '''\n" +
                          schedule + "'''\n");
  const Outcome outcome = run_gossamer("suite '" + suite + "'");
  CAPTURE(outcome.out, outcome.err);
  CHECK(outcome.status == 0);
}

TEST_CASE("The command that runs a refused case again writes its waveform") {
  const Scratch scratch;
  scratch.file("broken.jsonl", kBroken);
  const std::string suite = scratch.file("bad.toml", kBrokenCase.substr(1));
  const Outcome outcome = run_gossamer("suite '" + suite + "'");
  CAPTURE(outcome.out);
  const std::size_t at = outcome.out.find("rerun: ");
  REQUIRE(at != std::string::npos);
  const std::string rerun = outcome.out.substr(at + 7, outcome.out.find('\n', at) - at - 7);
  CHECK(rerun.find(" --no-check") != std::string::npos);
  const Outcome again =
      run_gossamer(rerun.substr(rerun.find(" run ") + 1), "cd '" + scratch.path("") + "' && ");
  CAPTURE(again.out, again.err);
  CHECK(again.status == 1);
  CHECK_FALSE(content_of(scratch.path("broken.fst")).empty());
}

TEST_CASE("The command that runs a case again takes no file for an option") {
  const Scratch scratch;
  const std::string here = "cd '" + scratch.path("") + "' && ";
  scratch.file("-b.jsonl", kBroken);
  scratch.file("bad.toml", "[[case]]\nname = \"-b\"\nfile = \"-b.jsonl\"\n");
  const Outcome outcome = run_gossamer("suite bad.toml", here);
  CAPTURE(outcome.out);
  CHECK(outcome.status == 1);
  CHECK(outcome.out.find(" run ./-b.jsonl --flits 8 --no-check --trace ./-b.fst\n") !=
        std::string::npos);
  CHECK(run_gossamer("check -- -b.jsonl", here).out.find("read from -b.jsonl") !=
        std::string::npos);
}

TEST_CASE("What an engine cannot do is said before any case runs") {
  const Scratch scratch;
  const auto [lines, why] = GENERATE(table<std::string, std::string>(
      {{"topology = \"ring:4\"\nsymmetric = true\n", "the flat engine simulates all nodes"},
       {"topology = \"debruijn:3\"\n", "debruijn:3 is neither; use the tile engine"}}));
  const std::string file =
      scratch.file("flat.toml", kGood + "\n[[case]]\nname = \"all\"\nengine = \"flat\"\n" + lines);
  const Outcome outcome = run_gossamer("suite '" + file + "'");
  CAPTURE(outcome.out, outcome.err);
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.error_lines() == 1);
  CHECK(outcome.err.find("flat.toml:12: case 'all': ") != std::string::npos);
  CHECK(outcome.err.find(why) != std::string::npos);
}

TEST_CASE("A case that runs alone beyond its tolerance runs so in a suite") {
  const Scratch scratch;
  const std::string file =
      scratch.file("cube.toml",
                   "[[case]]\nname = \"cube\"\ntopology = \"hypercube:3\"\n"
                   "algorithm = \"chau-fu\"\nfaults = \"random:6\"\nseed = 7\n");
  const auto in_suite =
      nlohmann::json::parse(run_gossamer("suite '" + file + "' --json").out)["cases"][0];
  const auto alone = nlohmann::json::parse(
      run_gossamer(
          "run --topology hypercube:3 --algorithm chau-fu --faults random:6 --seed 7 --json")
          .out);
  CHECK(in_suite["verdict"] == "fail");
  CHECK(in_suite["words_checked"].is_number());
  for (const char* key : {"cycles_measured", "words_checked", "flits_moved", "problems"}) {
    CHECK(in_suite[key] == alone[key]);
  }
}
