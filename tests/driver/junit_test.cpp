// The report for CI servers, read back by the rules of its schema (junit-10.xsd of Jenkins' xUnit
// plugin): elements, attributes, counts, and letters.
#include "driver/junit.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"

using namespace gossamer;

namespace {

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;
  std::vector<Element> children;
};

/// A reader for the part of XML that the report may use; anything else fails the test.
class Reader {
 public:
  explicit Reader(const std::string& xml) : xml_(xml) {}

  Element read() {
    take("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    Element root = element();
    take("\n");
    REQUIRE(at_ == xml_.size());
    return root;
  }

 private:
  void take(const std::string& expected) {
    REQUIRE(xml_.substr(at_, expected.size()) == expected);
    at_ += expected.size();
  }
  bool sees(const std::string& text) const { return xml_.compare(at_, text.size(), text) == 0; }

  std::string until(const std::string& ends) {
    const std::size_t end = xml_.find_first_of(ends, at_);
    REQUIRE(end != std::string::npos);
    const std::string text = xml_.substr(at_, end - at_);
    at_ = end;
    return text;
  }

  static std::string unescaped(std::string text) {
    const std::map<std::string, std::string> entities = {
        {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}};
    for (std::size_t at = text.find('&'); at != std::string::npos; at = text.find('&', at + 1)) {
      const std::size_t end = text.find(';', at);
      REQUIRE(end != std::string::npos);
      const auto found = entities.find(text.substr(at, end - at + 1));
      REQUIRE(found != entities.end());
      text.replace(at, end - at + 1, found->second);
    }
    return text;
  }

  Element element() {
    Element e;
    take("<");
    e.name = until(" />");
    while (sees(" ")) {
      take(" ");
      const std::string key = until("=");
      take("=\"");
      const std::string value = until("\"<");
      take("\"");
      REQUIRE(e.attributes.emplace(key, unescaped(value)).second);
    }
    if (sees("/>")) {
      take("/>");
      return e;
    }
    take(">");
    for (;;) {
      e.text += unescaped(until("<"));
      if (sees("</")) break;
      e.children.push_back(element());
    }
    take("</" + e.name + ">");
    return e;
  }

  const std::string& xml_;
  std::size_t at_ = 0;
};

/// The schema's rule for an element.
struct Rule {
  std::set<std::string> needs, may, children;
};
const std::map<std::string, Rule> kRules = {
    {"testsuite",
     {{"name", "tests", "failures", "errors"},
      {"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
      {"testsuite", "properties", "testcase", "system-out", "system-err"}}},
    {"testcase",
     {{"name"},
      {"time", "classname", "group"},
      {"skipped", "error", "failure", "system-out", "system-err"}}},
    {"failure", {{}, {"type", "message"}, {}}},
    {"error", {{}, {"type", "message"}, {}}},
    {"skipped", {{}, {"type", "message"}, {}}},
};

void check_schema(const Element& e) {
  CAPTURE(e.name);
  const auto rule = kRules.find(e.name);
  REQUIRE(rule != kRules.end());
  const auto& [needs, may, children] = rule->second;
  for (const std::string& key : needs) CHECK(e.attributes.count(key) == 1);
  for (const auto& [key, value] : e.attributes) {
    CAPTURE(key, value);
    CHECK(needs.count(key) + may.count(key) == 1);
    if (key != "time") continue;
    CHECK(value.find_first_not_of("0123456789.") == std::string::npos);
    CHECK(value.find('.') == value.rfind('.'));
  }
  const bool mixed = children.empty();
  CHECK((mixed || e.text.find_first_not_of(" \n") == std::string::npos));
  for (const Element& child : e.children) {
    CHECK(children.count(child.name) == 1);
    check_schema(child);
  }
}

SuiteCase named(const std::string& name) {
  SuiteCase c;
  c.request.name = name;
  return c;
}

SuiteResult with_problems(std::vector<std::string> problems) {
  SuiteResult result;
  result.seconds = 1.5;
  result.report.problems = std::move(problems);
  return result;
}

SuiteResult with_error(const std::string& error) {
  SuiteResult result;
  result.report.error = error;
  return result;
}

}  // namespace

TEST_CASE("the JUnit report distinguishes passed, failed, ended with an error and not run") {
  const std::vector<SuiteCase> cases = {named("good"), named("wrong"), named("large"),
                                        named("later"), named("last")};
  const std::vector<SuiteResult> results = {
      with_problems({}), with_problems({"node 3 <-> \"4\"", "second & last"}),
      with_error("s.toml:9: case 'large': a run needs about 2 TB")};
  const std::string xml = junit_xml("a & b", cases, results, {});
  CAPTURE(xml);
  const Element suite = Reader(xml).read();
  check_schema(suite);
  CHECK(suite.name == "testsuite");
  auto attributes = suite.attributes;
  CHECK(attributes["name"] == "a & b");
  CHECK(attributes["tests"] == "5");
  CHECK(attributes["failures"] == "1");
  CHECK(attributes["errors"] == "1");
  CHECK(attributes["skipped"] == "2");
  CHECK(attributes["time"] == "3.000");
  REQUIRE(suite.children.size() == 5);

  CHECK(suite.children[0].children.empty());
  const std::vector<std::string> outcomes = {"failure", "error", "skipped", "skipped"};
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const Element& c = suite.children[i + 1];
    CHECK(c.attributes.at("name") == cases[i + 1].request.name);
    REQUIRE(c.children.size() == 1);
    CHECK(c.children[0].name == outcomes[i]);
  }
  const Element& failure = suite.children[1].children[0];
  CHECK(failure.attributes.at("message") == "node 3 <-> \"4\"");
  CHECK(failure.text == "node 3 <-> \"4\"\nsecond & last");
  const Element& error = suite.children[2].children[0];
  CHECK(error.attributes.at("message") == "s.toml:9: case 'large': a run needs about 2 TB");
}

TEST_CASE("text in the JUnit report is escaped, and bytes that XML forbids are replaced") {
  CHECK(xml_escaped("a<b> & \"c\"\x01") == "a&lt;b&gt; &amp; &quot;c&quot;?");
  CHECK(xml_escaped("two\nlines\tand a \x7f") == "two\nlines\tand a \x7f");
  for (const char* whole : {"\u00e4", "\u20ac", "\U0001f600", "\ufffd"}) {
    CHECK(xml_escaped(whole) == whole);
  }
  const auto [text, shown] = GENERATE(table<std::string, std::string>({
      {"\xff", "?"},
      {"\xc3", "?"},  // a truncated letter
      {"\xe2\x82", "??"},
      {"a\x80z", "a?z"},   // only its second byte
      {"\xc0\xaf", "??"},  // an overlong encoding
      {"\xe0\x80\xaf", "???"},
      {"\xed\xa0\x80", "???"},       // half of a surrogate pair
      {"\xef\xbf\xbf", "???"},       // U+FFFF
      {"\xf4\x90\x80\x80", "????"},  // beyond U+10FFFF
      {"\xe2\x28\xa1", "?(?"},
      {std::string("\0", 1), "?"},
  }));
  CHECK(xml_escaped(text) == shown);
}

// The report with cases of every outcome is in tests/judges/written_texts.cpp.
TEST_CASE("the JUnit report of no case, letter by letter") {
  CHECK(junit_xml("none", {}, {}, {}) ==
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"none\" tests=\"0\" "
        "failures=\"0\" errors=\"0\" skipped=\"0\" time=\"0.000\">\n</testsuite>\n");
}
