// JSON from outside: every error is reported in one line, however the text is built.
#include "support/json.hpp"

#include <string>

#include "catch.hpp"
#include "refusal.hpp"

using namespace gossamer;

namespace {

std::string nested(int depth, const std::string& opening, const std::string& closing) {
  std::string text;
  for (int d = 0; d < depth; ++d) text += opening;
  for (int d = 0; d < depth; ++d) text += closing;
  return text;
}

std::string refusal(const std::string& text) {
  return ::refusal([&] { parse_json(text); });
}

}  // namespace

TEST_CASE("JSON may be nested as deep as the limit says, and no deeper") {
  CHECK(refusal(nested(kMaxJsonDepth, "[", "]")) == "accepted");
  CHECK(refusal(nested(kMaxJsonDepth, "{\"a\":", "}").insert(5 * kMaxJsonDepth, "0")) ==
        "accepted");
  const std::string why = "JSON with lists and objects nested more than 64 deep";
  CHECK(refusal(nested(kMaxJsonDepth + 1, "[", "]")) == why);
  CHECK(refusal(nested(200'000, "[", "]")) == why);
  CHECK(refusal(nested(200'000, "{\"a\":", "}")) == why);
  CHECK(refusal(nested(200'000, "[{\"a\":", "}]")) == why);
  CHECK(refusal(std::string(200'000, '[')) == why);
}

TEST_CASE("broken JSON is refused where it breaks") {
  CHECK(refusal("hello") == "no JSON (stopped at column 1)");
  CHECK(refusal("[1,2") == "no JSON (stopped at column 4)");
  CHECK(refusal("[1,\n 2,,\n 3]") == "no JSON (stopped at line 2, column 4)");
  CHECK(refusal("") == "no JSON (stopped at column 0)");
  CHECK(refusal("[1] [2]") == "no JSON (stopped at column 5)");
  CHECK(refusal("[1e999]") == "a number is too large to be read");
}

TEST_CASE("a key that an object repeats is reported") {
  CHECK(parse_json(R"({"a":1,"b":[{"a":2}]})").repeated_key.empty());
  CHECK(parse_json(R"({"a":1,"b":2,"a":3})").repeated_key == "a");
  CHECK(parse_json(R"([{"a":{"b":1}},{"a":{"b":2}}])").repeated_key.empty());
  CHECK(parse_json(R"({"c":[{"a":1},{"a":2,"b":3}],"b":4,"a":5,"c":6})").repeated_key == "c");
  CHECK(parse_json(R"({"c":[{"a":1},{"b":{"x":1,"x":2}}]})").repeated_key == "x");
}

TEST_CASE("values are shown short and in whole letters") {
  CHECK(shown(nlohmann::json{1, "x"}) == R"([1,"x"])");
  CHECK(shown(nlohmann::json(std::string(100, 'x'))) == '"' + std::string(36, 'x') + "...");
  // The 37th byte is the second one of a two-byte letter.
  CHECK(shown(nlohmann::json(std::string(35, 'x') + "\u00e4\u00e4\u00e4")) ==
        '"' + std::string(35, 'x') + "...");
}
