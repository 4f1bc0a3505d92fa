#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace gossamer::test {

/// The shortest list of operations found that still fails: leaves out smaller and smaller pieces
/// while `fails` is still true. Operations keep their times.
template <class Op, class Fails>
std::vector<Op> shrunk(std::vector<Op> ops, Fails fails, unsigned attempts = 2000) {
  for (std::size_t piece = (ops.size() + 1) / 2; piece > 0; piece /= 2) {
    for (std::size_t at = 0; at < ops.size() && attempts > 0;) {
      std::vector<Op> fewer(ops.begin(), ops.begin() + static_cast<std::ptrdiff_t>(at));
      const std::size_t behind = std::min(at + piece, ops.size());
      fewer.insert(fewer.end(), ops.begin() + static_cast<std::ptrdiff_t>(behind), ops.end());
      --attempts;
      if (fails(fewer)) {
        ops = std::move(fewer);
      } else {
        at += piece;
      }
    }
  }
  return ops;
}

/// Names out of "one; another".
inline std::vector<std::string> listed(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + 2) {
    end = text.find("; ", at);
    names.push_back(text.substr(at, end - at));
  }
  return names;
}

/// How often each operation was done in each state.
class Coverage {
 public:
  Coverage(std::vector<std::string> states, std::vector<std::string> operations)
      : states_(std::move(states)),
        operations_(std::move(operations)),
        counts_(states_.size() * operations_.size()) {}

  std::uint64_t cycles = 0;  ///< of all sessions

  void count(std::size_t state, std::size_t operation) {
    ++counts_[operation * states_.size() + state];
  }
  std::uint64_t at(std::size_t state, std::size_t operation) const {
    return counts_[operation * states_.size() + state];
  }
  std::uint64_t sum() const {
    std::uint64_t all = 0;
    for (const std::uint64_t n : counts_) all += n;
    return all;
  }
  void add(const Coverage& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    cycles += other.cycles;
  }

  std::string table() const {
    std::string text = fmt::format("{:28}", "");
    for (const std::string& s : states_) text += fmt::format("{:>12}", s);
    for (std::size_t o = 0; o < operations_.size(); ++o) {
      text += fmt::format("\n{:28}", operations_[o]);
      for (std::size_t s = 0; s < states_.size(); ++s) text += fmt::format("{:>12}", at(s, o));
    }
    return text + "\n";
  }
  /// The cells that were never hit, except those for which `unreachable(state, operation)` is true.
  template <class Unreachable>
  std::string holes(Unreachable unreachable) const {
    std::string text;
    for (std::size_t o = 0; o < operations_.size(); ++o) {
      for (std::size_t s = 0; s < states_.size(); ++s) {
        if (at(s, o) == 0 && !unreachable(s, o)) {
          text += fmt::format("{} in {}\n", operations_[o], states_[s]);
        }
      }
    }
    return text;
  }
  std::string holes() const {
    return holes([](std::size_t, std::size_t) { return false; });
  }

 private:
  std::vector<std::string> states_, operations_;
  std::vector<std::uint64_t> counts_;
};

/// Length and first seed of a long run: OPERATIONS and SEED of the environment.
struct LongRun {
  std::uint64_t operations = 0;
  std::uint32_t seed = 0;

  void report(const char* what, const Coverage& coverage,
              std::chrono::steady_clock::time_point begin) const {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    const auto done = static_cast<double>(coverage.sum());
    fmt::print("{}: seed {}, {} operations in {} cycles and {:.0f} s, {:.0f} a second\n{}\n", what,
               seed, coverage.sum(), coverage.cycles, took.count(), done / took.count(),
               coverage.table());
  }
};
inline LongRun long_run() {
  const auto number = [](const char* variable, std::uint64_t otherwise) {
    const char* text = std::getenv(variable);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 0);
  };
  return {number("OPERATIONS", 4'000'000),
          static_cast<std::uint32_t>(number("SEED", std::random_device()()))};
}

}  // namespace gossamer::test
