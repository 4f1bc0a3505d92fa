// What is too large for the machine is refused before it is allocated; parallel jobs share the
// memory.
#include "support/memory.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "support/interrupt.hpp"
#include "support/job_memory.hpp"

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

/// Waits until the condition holds, limited only by CTest's timeout.
template <typename Holds>
void wait_until(const Holds& holds) {
  while (!holds()) std::this_thread::yield();
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

TEST_CASE("two jobs that would fit alone only are done one after the other") {
  const Free free(kFree);
  std::atomic<bool> first_has = false, second_has = false, let_go = false, in_turn = false;
  std::thread first([&] {
    const JobMemory job;
    require_memory(6e7, "the first");
    first_has = true;
    wait_until([&] { return let_go.load(); });
    in_turn = !second_has;
  });
  wait_until([&] { return first_has.load(); });
  std::thread second([&] {
    const JobMemory job;
    require_memory(3e7, "beside the first");
    let_go = true;
    require_memory(6e7, "the second");
    second_has = true;
  });
  first.join();
  second.join();
  CHECK(in_turn);
  CHECK(second_has);
}

TEST_CASE("a job that does not fit alone is refused") {
  const Free free(kFree);
  const JobMemory job;
  require_memory(5e7, "a stage");
  require_memory(9e7, "the stage after it");
  CHECK(refusal(1.1e8) == "the thing needs about 110 MB of memory, and 100 MB are free");
  CHECK(refusal(9e7) == "");
}

TEST_CASE("two jobs that both need more do not wait for each other for ever") {
  const Free free(kFree);
  std::atomic<unsigned> begun = 0, done = 0;
  const auto work = [&] {
    const JobMemory job;
    require_memory(4e7, "a stage");
    ++begun;
    wait_until([&] { return begun == 2; });
    require_memory(8e7, "the stage after it");
    ++done;
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
  CHECK(done == 2);
}

TEST_CASE("a job that waits for memory hears Ctrl-C") {
  const Free free(kFree);
  const JobMemory job;
  require_memory(6e7, "the first");
  bool heard = false;
  std::thread second([&] {
    const JobMemory other;
    note_interrupt(SIGINT);
    try {
      require_memory(6e7, "the second");
    } catch (const Interrupted&) {
      heard = true;
    }
  });
  second.join();
  forget_interrupt();
  CHECK(heard);
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
        wait_until([&] { return begun == 4; });
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
