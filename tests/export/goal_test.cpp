#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <numeric>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "checker/checker.hpp"
#include "export/export.hpp"
#include "export/plans.hpp"
#include "random_schedules.hpp"
#include "schedule/jsonl.hpp"
#include "slow_check.hpp"

namespace goal_reader {

/// A reader of GOAL texts, independent of the writer: the grammar of txt2bin, and the semantics of
/// LogGOPSim. Throws std::runtime_error with the line for anything that it does not understand.
struct Op {
  bool sends = false;
  std::uint64_t bytes = 0;
  std::uint32_t peer = 0;
  std::uint32_t tag = 0;
  std::uint32_t nic = 0;
  std::vector<std::size_t> requires_;  ///< operations of the same rank that must have ended
  std::vector<std::string> carries;    ///< from the comment before it
  unsigned round = 0;                  ///< from the comment too
};

struct Program {
  std::vector<std::vector<Op>> ranks;
};

Program parse(const std::string& text);

/// What the ranks hold at the end, if each begins with what it is given.
struct Outcome {
  std::vector<std::set<std::string>> held;
  std::vector<std::string> problems;
  std::uint64_t bytes_sent = 0;
};

/// Runs the operations in an order chosen by `seed` among those that are possible. An operation is
/// possible when those that it requires have ended; a send then starts at once, a recv ends when a
/// message from its peer with its tag has arrived. A send must hold what it carries and have its
/// size.
Outcome play(const Program& program, std::vector<std::set<std::string>> begin,
             std::uint64_t bytes_per_message, std::uint32_t seed);

}  // namespace goal_reader

namespace goal_reader {
namespace {

class Parser {
 public:
  explicit Parser(const std::string& text) : in_(text) {}

  Program parse() {
    for (std::string line; std::getline(in_, line);) {
      ++number_;
      if (!line.empty()) statement(line);
    }
    if (rank_ != kOutside) fail("a rank is not closed");
    return program_;
  }

 private:
  static constexpr std::size_t kOutside = ~std::size_t{0};

  [[noreturn]] void fail(const std::string& why) const {
    throw std::runtime_error("line " + std::to_string(number_) + ": " + why);
  }

  void statement(const std::string& line) {
    static const std::regex carries("// (l\\d+) in round (\\d+) carries (.*)"), comment("//.*"),
        ranks("num_ranks (\\d+)"), opens("rank (\\d+) \\{"), needs("(l\\d+) requires (l?\\w+)"),
        operation("(l\\d+): (send|recv) (\\d+)b (to|from) (\\d+) tag (\\d+)(?: nic (\\d+))?");
    std::smatch part;
    const auto number = [&](int i) { return part.length(i) == 0 ? 0 : std::stoull(part[i]); };
    if (std::regex_match(line, part, carries)) {
      announced_ = {part[1], {}};
      announced_round_ = static_cast<unsigned>(number(2));
      std::istringstream messages(part[3]);
      for (std::string m; messages >> m;) announced_.second.push_back(m);
    } else if (std::regex_match(line, comment)) {
    } else if (std::regex_match(line, part, ranks)) {
      program_.ranks.resize(number(1));
    } else if (std::regex_match(line, part, opens)) {
      rank_ = number(1);
      if (rank_ >= program_.ranks.size()) fail("no such rank");
      labels_.clear();
    } else if (line == "}" && rank_ != kOutside) {
      rank_ = kOutside;
    } else if (rank_ == kOutside) {
      fail("an operation outside of a rank");
    } else if (std::regex_match(line, part, needs)) {
      auto& all = program_.ranks[rank_].at(find(part[1])).requires_;
      all.push_back(find(part[2]));
      if (std::count(all.begin(), all.end(), all.back()) > 1) fail("a need twice");
    } else if (std::regex_match(line, part, operation) &&
               (part[2] == "send") == (part[4] == "to")) {
      Op op;
      op.sends = part[2] == "send";
      op.bytes = number(3);
      op.peer = static_cast<std::uint32_t>(number(5));
      op.tag = static_cast<std::uint32_t>(number(6));
      op.nic = static_cast<std::uint32_t>(number(7));
      if (op.peer >= program_.ranks.size()) fail("no such rank");
      if (op.sends && announced_.first == part[1]) {
        op.carries = announced_.second;
        op.round = announced_round_;
      }
      if (!labels_.emplace(part[1], program_.ranks[rank_].size()).second) fail("a label twice");
      program_.ranks[rank_].push_back(op);
    } else {
      fail("neither an operation nor a dependency");
    }
  }

  /// txt2bin knows a label only after its operation.
  std::size_t find(const std::string& label) const {
    const auto found = labels_.find(label);
    if (found == labels_.end()) fail("unknown label " + label);
    return found->second;
  }

  std::istringstream in_;
  Program program_;
  std::size_t number_ = 0;
  std::size_t rank_ = kOutside;
  std::map<std::string, std::size_t> labels_;
  std::pair<std::string, std::vector<std::string>> announced_;
  unsigned announced_round_ = 0;
};

/// A message on its way.
struct Letter {
  std::uint64_t bytes = 0;
  std::vector<std::string> content;
};

class Player {
 public:
  Player(const Program& program, std::vector<std::set<std::string>> begin,
         std::uint64_t bytes_per_message)
      : program_(program), bytes_per_message_(bytes_per_message) {
    out_.held = std::move(begin);
    for (std::size_t r = 0; r < program.ranks.size(); ++r) {
      ended_.emplace_back(program.ranks[r].size(), false);
      for (std::size_t o = 0; o < program.ranks[r].size(); ++o) left_.push_back({r, o});
    }
  }

  Outcome play(std::uint32_t seed) {
    std::mt19937 random(seed);
    for (bool moved = true; moved;) {
      moved = false;
      std::shuffle(left_.begin(), left_.end(), random);
      std::vector<std::pair<std::size_t, std::size_t>> waiting;
      for (const auto& [r, o] : left_) {
        if (step(r, o)) {
          moved = true;
        } else {
          waiting.push_back({r, o});
        }
      }
      left_.swap(waiting);
    }
    if (!left_.empty()) problem(left_[0].first, "operations wait for ever");
    for (const auto& [key, letters] : under_way_) {
      if (!letters.empty()) problem(std::get<1>(key), "a message that nobody receives");
    }
    return out_;
  }

 private:
  using Key = std::tuple<std::size_t, std::size_t, std::uint32_t>;  // from, to, tag

  void problem(std::size_t rank, const std::string& what) {
    out_.problems.push_back("rank " + std::to_string(rank) + ": " + what);
  }

  /// Ends the operation if it can end now.
  bool step(std::size_t r, std::size_t o) {
    const Op& op = program_.ranks[r][o];
    for (const std::size_t before : op.requires_) {
      if (!ended_[r][before]) return false;
    }
    if (op.sends) {
      send(r, op);
    } else if (!receive(r, op)) {
      return false;
    }
    ended_[r][o] = true;
    return true;
  }

  void send(std::size_t r, const Op& op) {
    if (op.carries.empty()) problem(r, "a send without content");
    for (const std::string& m : op.carries) {
      if (out_.held[r].count(m) == 0) problem(r, "sends " + m + " before it has it");
    }
    if (op.bytes != op.carries.size() * bytes_per_message_) problem(r, "a size that is wrong");
    out_.bytes_sent += op.bytes;
    auto& letters = under_way_[{r, op.peer, op.tag}];
    if (!letters.empty()) problem(r, "two messages that cannot be told apart");
    letters.push_back({op.bytes, op.carries});
  }

  bool receive(std::size_t r, const Op& op) {
    auto& letters = under_way_[{op.peer, r, op.tag}];
    if (letters.empty()) return false;
    const Letter letter = letters.front();
    letters.pop_front();
    if (letter.bytes != op.bytes) problem(r, "sent and received sizes differ");
    out_.held[r].insert(letter.content.begin(), letter.content.end());
    return true;
  }

  const Program& program_;
  std::uint64_t bytes_per_message_;
  Outcome out_;
  std::vector<std::vector<bool>> ended_;
  std::vector<std::pair<std::size_t, std::size_t>> left_;
  std::map<Key, std::deque<Letter>> under_way_;
};

}  // namespace

Program parse(const std::string& text) { return Parser(text).parse(); }

Outcome play(const Program& program, std::vector<std::set<std::string>> begin,
             std::uint64_t bytes_per_message, std::uint32_t seed) {
  return Player(program, std::move(begin), bytes_per_message).play(seed);
}

}  // namespace goal_reader

// GOAL texts, read back by a reader that shares no code with the writer.

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
