#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "refusal.hpp"
#include "scratch.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
#include "support/job.hpp"
#include "support/json.hpp"
#include "support/memory.hpp"

using namespace gossamer;
namespace fs = std::filesystem;

TEST_CASE("a file beside another one is the same when a link leads to their folder") {
  const Scratch scratch;
  const fs::path here = scratch.path("here");
  fs::create_directories(here / "a/b");
  fs::create_directory_symlink("a/b", here / "link");
  CHECK(file_beside("a/b", "../../g.json") == "g.json");
  CHECK(file_beside(here / "a", "../g.json") == (here / "g.json").string());
  // The text alone would lead to the folder above.
  CHECK(fs::weakly_canonical(file_beside(here / "link", "../../g.json")) ==
        fs::weakly_canonical(here / "g.json"));
}

TEST_CASE("a file of the greatest length is read, and a byte more refused") {
  const Scratch scratch;
  // Around what is read at a time, too.
  for (const std::size_t size : {0U, 1U, 65535U, 65536U, 65537U, 200000U}) {
    CAPTURE(size);
    const std::string text(size, 'x');
    const std::string file = scratch.file("text", text);
    CHECK(read_file(file) == text);
    CHECK(read_file(file, size) == text);
    if (size > 0) CHECK_THROWS_WITH(read_file(file, size - 1), file + ": is longer than 0 MB");
  }
  CHECK_THROWS_WITH(read_file("/dev/zero", 3'000'000), "/dev/zero: is longer than 3 MB");
}

TEST_CASE("a file is written through links, which stay") {
  const Scratch scratch;
  fs::create_directory(scratch.path("deep"));
  scratch.file("old", "before");
  const auto links = {std::pair{"to-old", "old"},
                      {"to-link", "to-old"},
                      {"deep/up", "../old"},
                      std::pair{"to-none", "deep/none"}};
  for (const auto& [link, to] : links) fs::create_symlink(to, scratch.path(link));
  for (const auto& [link, to] : links) {
    CAPTURE(link);
    write_file(scratch.path(link), link);
    CHECK(fs::is_symlink(scratch.path(link)));
    CHECK(read_file(scratch.path(link)) == link);
    CHECK_FALSE(written_in_place(scratch.path(link)));
  }
  CHECK(read_file(scratch.path("old")) == "deep/up");
  CHECK(read_file(scratch.path("deep/none")) == "to-none");
  fs::create_symlink("loop", scratch.path("loop"));
  CHECK_THROWS_WITH(write_file(scratch.path("loop"), ""),
                    Catch::Matchers::Contains("loop: cannot write: Too many levels"));
}

TEST_CASE("what is open is written on, whatever its file is called") {
  const Scratch scratch;
  const std::string file = scratch.file("old", "before, ");
  std::FILE* const open = std::fopen(file.c_str(), "a");
  fs::create_symlink("/proc/self/fd/" + std::to_string(fileno(open)), scratch.path("link"));
  CHECK(written_in_place(scratch.path("link")));
  write_file(scratch.path("link"), "now, ");
  std::fputs("then", open);
  std::fclose(open);
  CHECK(fs::is_symlink(scratch.path("link")));
  CHECK(read_file(file) == "before, now, then");
}

TEST_CASE("a file may have every name that the system knows") {
  const Scratch scratch;
  for (const std::string& name : {std::string(255, 'a'), std::string(251, 'b') + ".svg"}) {
    write_file(scratch.path(name), name);
    CHECK(read_file(scratch.path(name)) == name);
  }
  CHECK(scratch.files() == 2);
}

// JSON from outside: every error is reported in one line, however the text is built.

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
  CHECK(shown(nlohmann::ordered_json{1, "x"}) == R"([1,"x"])");
  CHECK(shown(nlohmann::ordered_json(std::string(100, 'x'))) == '"' + std::string(36, 'x') + "...");
  // The 37th byte is the second one of a two-byte letter.
  CHECK(shown(nlohmann::ordered_json(std::string(35, 'x') + "\u00e4\u00e4\u00e4")) ==
        '"' + std::string(35, 'x') + "...");
}

// What is too large for the machine is refused before it is allocated.

namespace {

constexpr std::uint64_t kFree = 100'000'000;

/// Limits the free memory during its lifetime.
struct Free {
  explicit Free(std::uint64_t bytes) { limit_free_memory(bytes); }
  ~Free() { forget_memory_limit(); }
};

std::string refusal(double bytes) {
  try {
    require_memory(bytes, "the thing");
    return "";
  } catch (const TooLarge& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("an estimate above what is free is refused with both numbers") {
  const Free free(kFree);
  CHECK(refusal(1e8) == "");
  CHECK(refusal(1.01e8) == "the thing needs about 101 MB of memory, and 100 MB are free");
  CHECK(refusal(4.5e15) == "the thing needs about 4.5 PB of memory, and 100 MB are free");
  CHECK_THROWS_WITH(
      require_memory(2e8, "the thing",
                     [](double bytes) { return "enough for " + in_bytes(bytes / 2); }),
      "the thing needs about 200 MB of memory, and 100 MB are free, enough for 50 MB");
}

TEST_CASE("what grows by and by is refused when little is left") {
  MemoryWatch watch("the thing");
  {
    const Free free(10 * kFree);
    for (int i = 0; i < 1000; ++i) watch.grew(1'000'000);
  }
  const Free free(kFree);
  CHECK_THROWS_WITH(
      [&] {
        for (int i = 0; i < 1000; ++i) watch.grew(1'000'000);
      }(),
      Catch::Matchers::Contains("the thing: it has taken 1.0 GB of memory so far, and the 100 MB"));
}

TEST_CASE("where addresses are limited, threads do not take some for heaps of their own") {
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{4'000'000'000, 4'000'000'000};
    setrlimit(RLIMIT_AS, &limit);
    share_heap_if_limited();
    const std::uint64_t before = free_memory();
    std::atomic<int> begun = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        const auto some = std::make_unique<std::vector<int>>(1000);
        ++begun;
        while (begun != 4) std::this_thread::yield();
      });
    }
    for (std::thread& thread : threads) thread.join();
    _exit(free_memory() + 100'000'000 > before ? 0 : 1);  // the threads had stacks
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(status == 0);
#endif
}
