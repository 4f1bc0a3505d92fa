#include <fstream>

#include "broken_rules.hpp"
#include "catch.hpp"
#include "samples/schedules.hpp"

using namespace gossamer;
using namespace gossamer::samples;

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
  CHECK(faults_of(from_text(text)).starts_with(example(2, "```text")));
}

TEST_CASE("the broken example of the document is refused with the lines that it shows") {
  std::string text = example();
  const std::size_t last = text.rfind("\"msgs\":[1]");
  REQUIRE(last != std::string::npos);
  text.replace(last, 10, "\"msgs\":[0]");
  CHECK(faults_of(from_text(text)) ==
        "line 13, round 3, link 3-0: node 3 sends message 0 but does not hold it when the round "
        "starts; a transfer of round 3 takes it there\n"
        "round 3: node 0 lacks message 1 after the last round\n");
}
