#include "export/goal_reader.hpp"

#include <algorithm>
#include <deque>
#include <random>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <tuple>

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
    } else if (std::regex_match(line, part, operation) && (part[2] == "send") == (part[4] == "to")) {
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
