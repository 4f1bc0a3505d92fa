#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "checker/checker.hpp"

namespace gossamer::checking {

/// Collects the first broken rules; later ones are dropped.
class FaultLog {
 public:
  explicit FaultLog(std::size_t max_faults) : max_(std::max<std::size_t>(max_faults, 1)) {}

  bool full() const { return room() == 0; }
  /// How many more it takes.
  std::size_t room() const { return max_ - faults_.size(); }
  bool none() const { return faults_.empty(); }
  /// A rule that transfer `t` breaks on the arc `from`-`to`.
  void add(const Transfer& t, Node from, Node to, std::string text) {
    if (!full()) faults_.push_back({t.line, t.round, from, to, std::move(text)});
  }
  /// A rule that the schedule breaks as a whole; `round` is 0 if it concerns no single round.
  void add(std::uint32_t round, std::string text) {
    if (!full()) faults_.push_back({0, round, kNoNode, kNoNode, std::move(text)});
  }
  std::vector<BrokenRule> take() { return std::move(faults_); }

 private:
  std::size_t max_;
  std::vector<BrokenRule> faults_;
};

}  // namespace gossamer::checking
