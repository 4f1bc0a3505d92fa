// Lines of a file, however long, beside those that the standard library reads.
#include <sstream>

#include "catch.hpp"
#include "schedule/jsonl_line.hpp"

using namespace gossamer;

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
