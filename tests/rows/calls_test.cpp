// The calls of tests/calls.toml, which explains the keys. `ROW=NAME test_rows [calls]` runs one
// row.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "catch.hpp"
#include "rows/rows.hpp"

namespace {

constexpr std::size_t kParts = 8;  // each is a test of its own, so that all processors have work

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

/// What is wrong with what was printed: the patterns must be there in order.
std::string missing(const Row::Texts& patterns, const std::string& text, const char* stream) {
  std::size_t at = 0;
  for (const std::string& pattern : patterns) {
    at = end_of(pattern, text, at);
    if (at == std::string::npos) return fmt::format("{} lacks: {}\n", stream, pattern);
  }
  return "";
}

std::string differences(const Row& row, const Answer& got, const Row::Texts& made) {
  const Row::Texts err = row.all("err");
  const std::string status = row.one("status", "0");
  std::string wrong = missing(row.all("out"), got.out, "stdout") + missing(err, got.err, "stderr");
  if (std::to_string(got.status) != status) wrong += "expected status " + status + "\n";
  if (lines_of(got.err).size() != err.size()) {
    wrong += fmt::format("expected {} lines on stderr\n", err.size());
  }
  for (const std::string& pattern : row.all("never")) {
    if (end_of(pattern, got.out + got.err) != std::string::npos) wrong += "has " + pattern + "\n";
  }
  Row::Texts makes = row.all("makes");
  std::ranges::sort(makes);
  if (made != makes) wrong += fmt::format("made: {}\n", fmt::join(made, ", "));
  return wrong;
}

void run_part(std::size_t part) {
  static const std::vector<Row> rows = read_rows(
      "tests/calls.toml", "call", {"sh", "memory", "status", "out", "err", "never", "makes"});
  for (std::size_t i = part; i < rows.size(); i += kParts) {
    const Row& row = rows[i];
    std::string lines = row.one("sh");
    if (row.has("memory")) {
      if (kSanitized) continue;
      lines = "ulimit -v " + row.one("memory") + "; " + lines;
    }
    const RowFolder folder(row);
    const Answer got = run_shell(lines, folder);
    const std::string wrong = differences(row, got, folder.made());
    INFO(fmt::format("{}\n{}\n-- status {}, stdout:\n{}-- stderr:\n{}", row.name, lines, got.status,
                     got.out, got.err));
    CHECK(wrong == "");
  }
}

}  // namespace

TEST_CASE("calls as users type them, 1", "[calls]") { run_part(0); }
TEST_CASE("calls as users type them, 2", "[calls]") { run_part(1); }
TEST_CASE("calls as users type them, 3", "[calls]") { run_part(2); }
TEST_CASE("calls as users type them, 4", "[calls]") { run_part(3); }
TEST_CASE("calls as users type them, 5", "[calls]") { run_part(4); }
TEST_CASE("calls as users type them, 6", "[calls]") { run_part(5); }
TEST_CASE("calls as users type them, 7", "[calls]") { run_part(6); }
TEST_CASE("calls as users type them, 8", "[calls]") { run_part(7); }
