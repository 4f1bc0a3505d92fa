// GOAL texts, read back by a reader that shares no code with the writer.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "export/deliveries.hpp"
#include "export/goal_reader.hpp"
#include "export/plans.hpp"
#include "export/text.hpp"
#include "random_schedules.hpp"
#include "schedule/jsonl.hpp"
#include "slow_check.hpp"

using namespace gossamer;
using export_test::planned;

namespace {

std::string name(const Message& m) {
  return m.destination == kNoNode ? fmt::format("{}", m.origin)
                                  : fmt::format("{}>{}", m.origin, m.destination);
}

/// What each node holds at the start and needs at the end, from the collective alone.
struct Ends {
  std::vector<std::set<std::string>> first, last;
};

Ends ends(const Schedule& s) {
  const Node n = s.topology().nodes();
  Ends e{std::vector<std::set<std::string>>(n), std::vector<std::set<std::string>>(n)};
  const auto goes = [&](Node from, Node to, const Message& m) {
    e.first[from].insert(name(m));
    e.last[to].insert(name(m));
  };
  for (Node x = 0; x < n; ++x) {
    for (Node y = 0; y < n; ++y) {
      if (x == y) continue;
      const bool from_root = x == s.root, to_root = y == s.root;
      switch (s.collective()) {
        case Collective::Gossip: goes(x, y, {x}); break;
        case Collective::TotalExchange: goes(x, y, {x, y}); break;
        case Collective::Broadcast:
          if (from_root) goes(x, y, {x});
          break;
        case Collective::Scatter:
          if (from_root) goes(x, y, {x, y});
          break;
        case Collective::Gather:
          if (to_root) goes(x, y, {x, y});
          break;
        default: throw std::logic_error("a reduction");
      }
    }
  }
  return e;
}

/// A node that has one port sends through one after the other, else through each in order; then
/// each operation has the interface of the link's port, at its end.
void check_ports(const Schedule& schedule, const goal_reader::Program& program) {
  const bool single = schedule.model().ports == PortModel::Single;
  for (Node x = 0; x < program.ranks.size(); ++x) {
    std::map<std::uint32_t, std::size_t> before;  // by interface
    for (std::size_t i = 0; i < program.ranks[x].size(); ++i) {
      const auto& op = program.ranks[x][i];
      CAPTURE(x, i);
      if (single) CHECK(op.nic == 0);
      if (!single && schedule.model().switching != Switching::Packet) continue;
      if (!single) CHECK(op.nic == schedule.topology().port_to(x, op.peer));
      if (!op.sends) continue;
      const auto last = before.find(op.nic);
      if (last != before.end()) CHECK(std::ranges::count(op.requires_, last->second) == 1);
      before[op.nic] = i;
    }
  }
}

void check_read_back(const Schedule& schedule) {
  constexpr std::uint64_t kBytes = 12;
  const auto program = goal_reader::parse(goal_text(schedule, kBytes / 4));
  check_ports(schedule, program);
  const Ends e = ends(schedule);
  REQUIRE(program.ranks.size() == schedule.topology().nodes());
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    const auto outcome = goal_reader::play(program, e.first, kBytes, seed);
    CHECK((outcome.problems.empty() ? "" : outcome.problems.front()) == "");
    for (Node x = 0; x < program.ranks.size(); ++x) {
      CAPTURE(x);
      CHECK(std::includes(outcome.held[x].begin(), outcome.held[x].end(), e.last[x].begin(),
                          e.last[x].end()));
    }
  }
}

}  // namespace

TEST_CASE("a GOAL text of any schedule brings what the schedule brings") {
  for (const Model& model : test::all_models(/*runnable=*/false)) {
    std::mt19937 random(4);
    for (int i = 0; i < 15; ++i) {
      const Schedule s =
          test::random_script(random, model, {.orbits = true, .trees = true}).schedule();
      std::vector<std::set<std::string>> held;
      for (const auto& messages : test::slow_check(s).held) {
        held.emplace_back();
        for (const Message& m : messages) held.back().insert(name(m));
      }
      const auto outcome =
          goal_reader::play(goal_reader::parse(goal_text(s, 2)), ends(s).first, 8, i);
      INFO(test::name_of(model) << ' ' << goal_text(s, 2));
      REQUIRE(outcome.problems == std::vector<std::string>{});
      REQUIRE(outcome.held == held);
    }
  }
}

TEST_CASE("a GOAL text delivers the schedules of every algorithm and model") {
  for (const Schedule& schedule : export_test::of_every_model()) {
    CAPTURE(export_test::title(schedule));
    check_read_back(schedule);
  }
}

namespace {

/// Whose parts of a message an operation sends, or a rank has in the end: its own, and those of
/// what it must have received before.
std::set<std::uint32_t> parts_of(const goal_reader::Program& program, std::uint32_t rank,
                                 const std::string& message,
                                 const std::vector<std::size_t>& received) {
  std::set<std::uint32_t> all = {rank};
  for (const std::size_t i : received) {
    const goal_reader::Op& in = program.ranks[rank][i];
    if (in.sends) continue;
    for (const goal_reader::Op& out : program.ranks[in.peer]) {
      if (!out.sends || out.peer != rank || out.tag != in.tag) continue;
      if (std::ranges::find(out.carries, message) == out.carries.end()) continue;
      all.merge(parts_of(program, in.peer, message, out.requires_));
    }
  }
  return all;
}

}  // namespace

TEST_CASE("a GOAL text of a reduction sends no sum before its parts have come") {
  for (const Schedule& s : export_test::of_every_model(/*sums=*/true)) {
    if (!reduces(s.collective()) || s.topology().nodes() > 16) continue;
    CAPTURE(export_test::title(s));
    const auto program = goal_reader::parse(goal_text(s, 3 * s.pieces()));
    for (Node x = 0; x < program.ranks.size(); ++x) {
      if (s.collective() == Collective::Reduce && x != s.root) continue;
      std::vector<std::size_t> all(program.ranks[x].size());
      std::iota(all.begin(), all.end(), 0);
      const Node origin = s.collective() == Collective::ReduceScatter ? x : s.root;
      for (std::uint32_t k = 0; k < s.pieces(); ++k) {
        const std::string piece = s.pieces() == 1 ? "" : fmt::format("/{}", k);
        CHECK(parts_of(program, x, fmt::format("{}{}", origin, piece), all).size() ==
              s.topology().nodes());
      }
    }
  }
}

TEST_CASE("a GOAL text has as many bytes as messages of several lengths, and their pieces") {
  constexpr std::uint32_t kFlits = 8;
  for (const char* file :
       {"sizes-everything-ring-6", "sizes-circuit-path-4", "pieces-scatter-path-3"}) {
    const Schedule schedule = read_jsonl(fmt::format("tests/data/{}.jsonl", file));
    std::uint64_t sent = 0, bytes = 0;
    for (const Delivery& d : deliveries(schedule)) {
      for (const Message& m : d.messages) bytes += 4 * schedule.chunk_flits(kFlits).of(m);
    }
    for (const auto& rank : goal_reader::parse(goal_text(schedule, kFlits)).ranks) {
      for (const auto& op : rank) sent += op.sends ? op.bytes : 0;
    }
    CHECK(sent == bytes);
  }
}

TEST_CASE("messages of more than 2^32 bytes are written to GOAL as they are") {
  const Schedule schedule = planned("ring:4", "ring", "gossip");
  const std::uint32_t flits = (std::uint32_t{1} << 31) + 1;
  const std::uint64_t bytes = 4 * std::uint64_t{flits};
  const auto program = goal_reader::parse(goal_text(schedule, flits));
  const auto outcome = goal_reader::play(program, ends(schedule).first, bytes, 1);
  CHECK((outcome.problems.empty() ? "" : outcome.problems.front()) == "");
  CHECK(outcome.bytes_sent == 4 * 3 * bytes);
}

TEST_CASE("the reader notices what is wrong with a GOAL text") {
  const Schedule schedule = planned("ring:4", "ring", "gossip");
  const std::string good = goal_text(schedule, 1);
  const auto [from, to, notices] = GENERATE(table<std::string, std::string, std::string>({
      {"num_ranks", "num_ranks", "none"},
      {"send 4b", "send 8b", "size"},
      {"tag 0", "tag 7", "for ever"},
      {"carries 0\n", "carries 2\n", "before it has it"},
      {"recv 4b", "receive 4b", "neither an operation nor a dependency"},
      {"requires l", "requires x", "unknown label"},
  }));
  std::string text = good, problem = "none";
  text.replace(text.find(from), from.size(), to);
  try {
    const auto outcome = goal_reader::play(goal_reader::parse(text), ends(schedule).first, 4, 1);
    if (!outcome.problems.empty()) problem = outcome.problems.front();
  } catch (const std::runtime_error& error) {
    problem = error.what();
  }
  CAPTURE(from, problem);
  CHECK(problem.find(notices) != std::string::npos);
}
