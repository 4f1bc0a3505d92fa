// A simulation does not depend on the number of its threads.
#include <algorithm>
#include <atomic>
#include <stdexcept>

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

}  // namespace

TEST_CASE("threads: every cycle ends once, with what all of them saw, until it is to end") {
  const Outcome outcome = run_nine([](auto, auto) {}, [](auto) {});
  CHECK(outcome.nodes == std::vector<std::uint64_t>(8, 9));
  CHECK(outcome.thrown.empty());
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

}  // namespace gossamer::test
