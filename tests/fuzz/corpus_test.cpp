#include <filesystem>
#include <fstream>
#include <iterator>

#include "catch.hpp"
#include "demands.hpp"
#include "targets.hpp"

using namespace gossamer;
namespace fs = std::filesystem;

namespace {

/// Runs a target on every file of a folder; how many there were.
std::size_t run_all(const fuzz::Target& target, const char* kind) {
  const fs::path folder = fs::path("tests/fuzz") / kind / target.name;
  std::size_t files = 0;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string input{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    INFO(entry.path().string());
    CHECK_NOTHROW(fuzz::run(target, input));
    ++files;
  }
  return files;
}

}  // namespace

TEST_CASE("all inputs that the fuzzer kept are handled correctly") {
  for (const fuzz::Target& target : fuzz::kTargets) {
    INFO(target.name);
    CHECK(run_all(target, "corpus") > 0);
  }
}

TEST_CASE("all findings of the fuzzer stay fixed") {
  std::size_t files = 0;
  for (const fuzz::Target& target : fuzz::kTargets) files += run_all(target, "found");
  CHECK(files > 0);
}

TEST_CASE("a message that is no line, or has no place, is a finding") {
  CHECK_THROWS_AS(fuzz::demand_line("", ""), fuzz::Broken);
  CHECK_THROWS_AS(fuzz::demand_line("file:1: ", "file:1: "), fuzz::Broken);
  CHECK_THROWS_AS(fuzz::demand_line("something is wrong", "file:1: "), fuzz::Broken);
  CHECK_THROWS_AS(fuzz::demand_line("file:1: two\nlines", "file:1: "), fuzz::Broken);
  CHECK_NOTHROW(fuzz::demand_line("file:1: something is wrong", "file:1: "));
}
