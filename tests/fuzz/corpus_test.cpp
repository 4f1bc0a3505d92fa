#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <tuple>

#include "catch.hpp"
#include "targets.hpp"

using namespace gossamer;
namespace fs = std::filesystem;

namespace {

/// The files of a folder and what is in them.
std::map<std::string, std::string> inputs(const fuzz::Target& target, const char* kind) {
  const fs::path folder = fs::path("tests/fuzz") / kind / target.name;
  std::map<std::string, std::string> all;
  if (!fs::is_directory(folder)) return all;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    all[entry.path().string()] = {std::istreambuf_iterator<char>(in),
                                  std::istreambuf_iterator<char>()};
  }
  return all;
}

/// Runs a target on every file of a folder; how many there were.
std::size_t run_all(const fuzz::Target& target, const char* kind) {
  const auto all = inputs(target, kind);
  for (const auto& [file, input] : all) {
    INFO(file);
    CHECK_NOTHROW(fuzz::run(target, input));
  }
  return all.size();
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

// What the fuzzer does to lines of text, without the fuzzer: always the same inputs.
TEST_CASE("changed lines and numbers of the corpus are handled correctly") {
  constexpr std::uint32_t kInputs = 500;  // of each target
  constexpr std::uint32_t kChanges = 6;   // of a file, before another one is taken
  for (const fuzz::Target& target : fuzz::kTargets) {
    const auto corpus = inputs(target, "corpus");
    auto next = corpus.begin();
    std::string file, text;
    for (std::uint32_t seed = 0; seed < kInputs; ++seed) {
      if (seed % kChanges == 0) {
        std::tie(file, text) = *next;
        if (++next == corpus.end()) next = corpus.begin();
      }
      text = fuzz::mutated(text, seed);
      INFO(file << ", changed to\n" << text);
      REQUIRE_NOTHROW(fuzz::run(target, text));
    }
  }
}

TEST_CASE("a message that is no line, or has no place, is a finding") {
  CHECK_THROWS_AS(fuzz::demand_line("", ""), fuzz::Broken);
  CHECK_THROWS_AS(fuzz::demand_line("file:1: ", "file:1: "), fuzz::Broken);
  CHECK_THROWS_AS(fuzz::demand_line("something is wrong", "file:1: "), fuzz::Broken);
  CHECK_THROWS_AS(fuzz::demand_line("file:1: two\nlines", "file:1: "), fuzz::Broken);
  CHECK_NOTHROW(fuzz::demand_line("file:1: something is wrong", "file:1: "));
}
