// A simulation does not depend on the number of its threads.
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "catch.hpp"
#include "engines/engine_library.hpp"
#include "engines/prepared.hpp"
#include "engines/same_links.hpp"
#include "engines/tile/tile_threads.hpp"
#include "no_threads.hpp"
#include "support/parallel_for.hpp"

namespace gossamer::test {
namespace {

std::unique_ptr<Fabric> load(const FabricImage& image, unsigned threads) {
  auto fabric = tb::make_tile_fabric(image.kind, false, 3);
  fabric->use_threads(threads);
  fabric->load(image);
  return fabric;
}

/// Ten cycles of nine nodes on three threads; the sum over nodes in each cycle, and any exception.
struct Outcome {
  std::vector<std::uint64_t> nodes;
  std::string thrown;
};
Outcome run_nine(const std::function<void(std::size_t first, std::uint64_t cycle)>& work,
                 const std::function<void(std::uint64_t cycle)>& at_end) {
  Outcome outcome;
  try {
    tb::NodeBlocks blocks(9, 3);
    const std::uint64_t reached = tb::run_on_threads(
        blocks, 3, 0, 10,
        [&](unsigned block, std::uint64_t cycle, tb::Totals& seen) {
          work(blocks.first(block), cycle);
          seen.moved = blocks.last(block) - blocks.first(block);
        },
        [&](std::uint64_t cycle, const tb::Totals& seen) {
          at_end(cycle);
          outcome.nodes.push_back(seen.moved);
          return cycle < 8;
        });
    CHECK(reached == 8);
  } catch (const std::exception& e) {
    outcome.thrown = e.what();
  }
  return outcome;
}

/// The state of a thread of this process, as the kernel reports it: 'S' is sleeping.
char state_of(pid_t thread) {
  std::ifstream in("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string text;
  std::getline(in, text);
  const std::size_t name_ends = text.rfind(')');
  return name_ends == std::string::npos ? '?' : text[name_ends + 2];
}

}  // namespace

TEST_CASE("threads: every cycle ends once, with what all of them saw, until it is to end") {
  const Outcome outcome = run_nine([](auto, auto) {}, [](auto) {});
  CHECK(outcome.nodes == std::vector<std::uint64_t>(8, 9));
  CHECK(outcome.thrown.empty());
}

TEST_CASE("threads: a single block, too, says which cycle it has reached") {
  const auto reached = [](std::uint64_t begin, std::uint64_t end, std::uint64_t last) {
    tb::NodeBlocks blocks(9, 1);
    std::vector<std::uint64_t> cycles;
    const std::uint64_t r = tb::run_on_threads(
        blocks, 1, begin, end,
        [&](unsigned, std::uint64_t cycle, tb::Totals& seen) {
          cycles.push_back(cycle);
          CHECK(seen.moved == 0);
          seen.moved = cycle;
        },
        [&](std::uint64_t cycle, const tb::Totals& seen) {
          CHECK(seen.moved + 1 == cycle);
          return cycle < last;
        });
    CHECK(cycles.size() == r - begin);
    return r;
  };
  CHECK(reached(3, 10, 99) == 10);
  CHECK(reached(3, 10, 8) == 8);
  CHECK(reached(3, 3, 8) == 3);
}

TEST_CASE("threads: who waits for a cycle waits until it is said to have come") {
  tb::CycleCount count;
  count.wait_for(0);
  std::atomic<bool> passed = false;
  std::thread waits([&] {
    count.wait_for(1);
    passed = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  CHECK_FALSE(passed);
  count.set(1);
  waits.join();
  count.wait_for(1);
}

TEST_CASE("threads: what any of them throws ends the run, and comes out of it") {
  for (const std::size_t block : {0, 3, 6}) {
    CAPTURE(block);
    const Outcome outcome = run_nine(
        [&](std::size_t first, std::uint64_t cycle) {
          if (first == block && cycle == 4) throw std::runtime_error("in a block");
        },
        [](auto) {});
    CHECK(outcome.thrown == "in a block");
    CHECK(outcome.nodes.size() == 4);
  }
  std::atomic<bool> went_on = false;
  const Outcome at_end = run_nine(
      [&](std::size_t, std::uint64_t cycle) {
        if (cycle >= 3) went_on = true;
      },
      [](std::uint64_t cycle) {
        if (cycle == 3) throw std::runtime_error("at a cycle's end");
      });
  CHECK_FALSE(went_on);
  CHECK(at_end.thrown == "at a cycle's end");
  CHECK(at_end.nodes.size() == 2);
}

TEST_CASE("threads: results are taken in order, and a failure ends the work") {
  for (const unsigned threads : {1u, 2u, 5u}) {
    std::vector<std::size_t> taken, squares;
    ordered_parallel_for(
        100, threads, [](unsigned, std::size_t i) { return i * i; },
        [&](std::size_t i, std::size_t square) {
          taken.push_back(i);
          squares.push_back(square);
        });
    REQUIRE(taken.size() == 100);
    for (std::size_t i = 0; i < 100; ++i) {
      CHECK(taken[i] == i);
      CHECK(squares[i] == i * i);
    }
    std::size_t before = 0;
    const auto fail = [&] {
      ordered_parallel_for(
          1'000'000, threads,
          [](unsigned, std::size_t i) {
            if (i == 40) throw std::runtime_error("at 40");
            return 0;
          },
          [&](std::size_t, int) { ++before; });
    };
    CHECK_THROWS_WITH(fail(), "at 40");
    CHECK(before <= 40);
  }
}

TEST_CASE("threads: results that are ready too early wait for those before them") {
  // Each result is ready only when three later ones are, as far as there are any.
  constexpr std::size_t kCount = 40, kLater = 3;
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t ready = 0;
  std::vector<std::size_t> taken;
  ordered_parallel_for(
      kCount, kLater + 1,
      [&](unsigned, std::size_t i) {
        std::unique_lock lock(mutex);
        if (i % (kLater + 1) == 0) {
          const std::size_t least = std::min(i + kLater, kCount - 1);
          changed.wait_for(lock, std::chrono::seconds(20), [&] { return ready >= least; });
        }
        ++ready;
        changed.notify_all();
        return i;
      },
      [&](std::size_t i, std::size_t result) {
        CHECK(result == i);
        taken.push_back(i);
      });
  REQUIRE(taken.size() == kCount);
  CHECK(std::ranges::is_sorted(taken));
}

TEST_CASE("threads: where the system starts none the caller does all the work") {
  const Schedule schedule = plan("torus:5x5x5", "product", Duplex::Full);
  const FabricImage image = prepare(schedule, 1, 6);
  const auto one = load(image, 1), several = load(image, 3);
  const NoThreads none;
  std::vector<std::pair<unsigned, unsigned>> calls;
  parallel_for(4, [&](unsigned me, unsigned all) { calls.emplace_back(me, all); });
  CHECK(calls == std::vector<std::pair<unsigned, unsigned>>{{0, 1}});
  std::vector<std::size_t> taken;
  ordered_parallel_for(
      20, 4, [](unsigned me, std::size_t i) { return i + me; },
      [&](std::size_t i, std::size_t result) {
        CHECK(result == i);
        taken.push_back(i);
      });
  CHECK(taken.size() == 20);
  CHECK(first_disagreement(*one, *several, schedule.topology()) == "");
  CHECK(several->flits_moved() == one->flits_moved());
}

TEST_CASE("threads: who waits long for the others sleeps") {
  tb::CycleCount cycles;
  std::atomic<pid_t> id = 0;
  std::thread waiting([&] {
    id = static_cast<pid_t>(syscall(SYS_gettid));
    cycles.wait_for(2);
  });
  while (id == 0) std::this_thread::yield();
  bool sleeps = false;
  for (int looks = 0; looks < 20'000 && !sleeps; ++looks) {
    sleeps = state_of(id) == 'S';
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  CHECK(sleeps);
  cycles.set(1);
  cycles.set(2);
  waiting.join();  // it wakes up
}

TEST_CASE("threads: one of them runs alone as long as that is faster") {
  // Of a machine on which a cycle takes one thread a microsecond, and all of them this long.
  const auto share_of_one = [](double microseconds, std::uint64_t cycles,
                               tb::ThreadChoice& choice) {
    std::uint64_t alone = 0;
    for (std::uint64_t done = 0; done < cycles;) {
      const auto part = choice.next(cycles - done);
      REQUIRE(part.cycles > 0);
      REQUIRE((part.threads == 1 || part.threads == 4));
      if (part.threads == 1) alone += part.cycles;
      choice.took(part, static_cast<double>(part.cycles) * (part.threads == 1 ? 1 : microseconds));
      done += part.cycles;
    }
    return static_cast<double>(alone) / static_cast<double>(cycles);
  };
  tb::ThreadChoice choice(4, 343);
  CHECK(share_of_one(0.4, 1'000'000, choice) < 0.01);
  CHECK(share_of_one(5.0, 2'000'000, choice) > 0.85);  // from now on the machine is busy
  CHECK(share_of_one(5.0, 2'000'000, choice) > 0.99);
  CHECK(share_of_one(0.4, 2'000'000, choice) < 0.15);  // and now idle
  tb::ThreadChoice only(1, 343);
  CHECK(only.next(5'000).threads == 1);
  CHECK(only.next(5'000).cycles == 5'000);
}

TEST_CASE("threads: trials are short, and the rarer the more often the other was slower") {
  // 4,096 nodes: a trial takes 16 cycles, a pause 8 trials and then four times as many.
  tb::ThreadChoice choice(4, 4096);
  const auto lasts = [&choice](unsigned threads, std::uint64_t cycles, double seconds) {
    const auto part = choice.next(1'000'000);
    CHECK(part.threads == threads);
    CHECK(part.cycles == cycles);
    choice.took(part, seconds);
  };
  lasts(4, 16, 1);
  for (const std::uint64_t pause : {32, 128, 512, 1024, 1024}) {
    lasts(1, 16, 1.5);
    lasts(4, 16 * pause, static_cast<double>(pause));
  }
  lasts(1, 16, 1);  // not faster
  lasts(4, 16 * 1024, 1025);
  lasts(1, 16, 1);  // faster
  lasts(1, 16 * 8, 8);
  lasts(4, 16, 1.001);
  lasts(1, 16 * 32, 32);
  lasts(4, 16, 0.999);
  lasts(4, 16 * 8, 8);
  // Parts that were cut short count by their cycles.
  lasts(1, 16, 2);
  choice.took({4, 500}, 1);
  CHECK(choice.next(5).cycles == 5);
  CHECK(choice.next(50).cycles == 12);
  choice.took({4, 0}, 1);
  lasts(4, 12, 1);
  lasts(1, 16, 0.0625);  // 512 cycles took 2 seconds
  lasts(4, 16 * 128, 1);
  // Half a trial is left, of either.
  choice.took({1, 8}, 1);
  CHECK(choice.next(1'000'000).threads == 4);
  // The least trial is 16 cycles, also without nodes.
  CHECK(tb::ThreadChoice(2, 0).next(1'000'000).cycles == 1 << 16);
  CHECK(tb::ThreadChoice(2, 1 << 13).next(1'000'000).cycles == 16);
}

TEST_CASE("one, two and three threads show the same on every link in every cycle") {
  const Schedule schedule = plan("torus:5x5x5", "product", Duplex::Full);
  const FabricImage image = prepare(schedule, 1, 6);
  const unsigned threads = GENERATE(2u, 3u);
  const auto one = load(image, 1), several = load(image, threads);
  CHECK(first_disagreement(*one, *several, schedule.topology()) == "");
  CHECK(one->flits_moved() > 0);
  CHECK(several->errors().empty());
  bool same = true;
  for (Node x = 0; x < schedule.topology().nodes(); ++x) {
    same = same && one->log(x, 0) == several->log(x, 0);
  }
  CHECK(same);
}

TEST_CASE("threads: after each cycle one looks at the links, and decides whether to go on") {
  const Schedule schedule = plan("torus:5x5x5", "product", Duplex::Full);
  const FabricImage image = prepare(schedule, 1, 6);
  const auto one = load(image, 1), several = load(image, 3);
  std::uint64_t looks = 0, different = 0;
  several->run_and_look(20, [&] {
    one->run(1);
    CHECK(several->cycle() == ++looks);
    for (Node x = 0; x < schedule.topology().nodes(); ++x) {
      for (Port p = 0; p < schedule.topology().ports(); ++p) {
        if (!(one->link(x, p) == several->link(x, p))) ++different;
      }
    }
    return looks < 12;
  });
  CHECK(looks == 12);
  CHECK(several->cycle() == 12);
  CHECK(different == 0);
}

TEST_CASE("threads: nodes that move to other threads in the middle of a run lose nothing") {
  const Schedule schedule = plan("torus:5x5x5", "product", Duplex::Full);
  const FabricImage image = prepare(schedule, 200, 6);
  const auto one = load(image, 1), several = load(image, GENERATE(2u, 3u));
  while (!one->done()) {
    // Their blocks change between these runs.
    one->run(1100);
    several->run(1100);
    CHECK(several->cycle() == one->cycle());
    CHECK(several->flits_moved() == one->flits_moved());
  }
  CHECK(several->done());
  CHECK(several->errors().empty());
  Node different = 0;
  for (Node x = 0; x < schedule.topology().nodes(); ++x) {
    if (one->log(x, 0) != several->log(x, 0)) ++different;
  }
  CHECK(different == 0);
  CHECK(one->log(0, 0).size() == 125 * 200);
}

TEST_CASE("more threads than nodes simulate a fabric too") {
  const Schedule schedule = plan("ring:3", "ring", Duplex::Full);
  const FabricImage image = prepare(schedule, 2, 2);
  const auto one = load(image, 1), several = load(image, 5);
  CHECK(first_disagreement(*one, *several, schedule.topology()) == "");
}

}  // namespace gossamer::test
