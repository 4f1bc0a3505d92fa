// A suite compared with an earlier run: what has become slower, faster, broken, fixed, new, gone.
#include "driver/baseline.hpp"

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "support/error.hpp"
#include "support/scratch.hpp"

using namespace gossamer;

namespace {

SuiteResult result(const std::string& name, std::uint64_t cycles, bool passed = true) {
  SuiteResult r;
  r.report.request.name = name;
  r.report.cycles_predicted = cycles;
  if (!passed) r.report.problems = {"wrong"};
  return r;
}

/// With a run, whose cycles count instead of the prediction.
SuiteResult measured(const std::string& name, std::uint64_t cycles) {
  SuiteResult r = result(name, 1);
  r.report.run.emplace();
  r.report.run->cycles_measured = cycles;
  return r;
}

const std::string kEarlier = R"({"cases":[
 {"name":"same","verdict":"pass","cycles_predicted":7,"cycles_measured":10},
 {"name":"slower","verdict":"pass","cycles_predicted":7,"cycles_measured":10},
 {"name":"faster","verdict":"pass","cycles_predicted":10},
 {"name":"broken","verdict":"pass","cycles_predicted":10},
 {"name":"fixed","verdict":"fail","cycles_predicted":10},
 {"name":"still","verdict":"fail","cycles_predicted":10},
 {"name":"gone","verdict":"pass","cycles_predicted":3}]})";

std::string refusal(const std::string& text) {
  const Scratch scratch;
  try {
    read_baseline(scratch.file("earlier.json", text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("baseline: each case is what it has become") {
  const Scratch scratch;
  const Baseline before = read_baseline(scratch.file("earlier.json", kEarlier));
  const std::vector<SuiteResult> now = {measured("same", 10),        measured("slower", 12),
                                        result("faster", 9),         result("new", 4),
                                        result("broken", 10, false), result("fixed", 10),
                                        result("still", 10, false)};
  const Comparison whole = compare_with_baseline(before, now, true);
  CHECK(to_string(whole) == "1 broken, 1 slower, 1 faster, 1 fixed, 1 new, 1 gone, 2 the same");
  std::vector<std::string> lines;
  for (const CaseChange& change : whole.changes) lines.push_back(to_string(change));
  CHECK(lines == std::vector<std::string>{
                     "broken: broken: 10 cycles, before 10", "slower: slower: 12 cycles, before 10",
                     "faster: faster: 9 cycles, before 10", "fixed: fixed: 10 cycles, before 10",
                     "new: new: 4 cycles", "gone: gone: before 3"});
  CHECK(whole.worse());
  const nlohmann::ordered_json json = to_json(whole);
  CHECK(json["same"] == 2);
  CHECK(json["changes"][1].dump() ==
        R"({"case":"slower","kind":"slower","cycles_before":10,"cycles":12})");
  // With only some of the cases, none counts as gone.
  CHECK(compare_with_baseline(before, now, false).count(CaseChange::Kind::Gone) == 0);
}

TEST_CASE("baseline: faster, fixed and new cases are nothing to fail for") {
  const Scratch scratch;
  const Comparison c = compare_with_baseline(
      read_baseline(scratch.file("earlier.json", kEarlier)),
      {measured("same", 10), result("faster", 9), result("fixed", 10), result("new", 1)}, false);
  CHECK_FALSE(c.worse());
  CHECK(to_string(c) == "1 faster, 1 fixed, 1 new, 1 the same");
}

TEST_CASE("baseline: files that are none") {
  CHECK(
      refusal("{}").find("earlier.json: it has no list of cases; expected what `gossamer suite ... "
                         "--json` prints") != std::string::npos);
  CHECK_THAT(refusal("[1"), Catch::Matchers::StartsWith("--baseline: ") &&
                                Catch::Matchers::Contains("earlier.json: no JSON"));
  CHECK(refusal(R"({"cases":[{"name":1,"verdict":"pass"}]})")
            .find("a case has no name or no verdict") != std::string::npos);
  CHECK_THROWS_AS(read_baseline("nowhere.json"), InputError);
}
