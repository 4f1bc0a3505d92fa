// What is too large for the machine is refused before it is allocated.
#include "support/memory.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "support/job.hpp"

using namespace gossamer;

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
