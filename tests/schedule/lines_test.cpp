// Lines of a file, however long, beside those that the standard library reads.
#include <sstream>
#include <stdexcept>
#include <utility>

#include "catch.hpp"
#include "schedule/jsonl.hpp"
#include "schedule/jsonl_line.hpp"

using namespace gossamer;

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
