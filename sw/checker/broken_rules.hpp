#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <set>
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
  /// Transfer `t` is the first, or another one, to use a link that does not exist.
  void add_missing_link(const Transfer& t, Node from, Node to, std::string text) {
    if (!missing_links_.emplace(from, to).second) return;
    if (full()) ++unnamed_links_;
    add(t, from, to, std::move(text));
  }
  /// What nodes lack may follow from a missing link, so that after one it is not reported.
  bool takes_lacks() const { return !full() && missing_links_.empty(); }
  /// A rule that the schedule breaks as a whole; `round` is 0 if it concerns no single round.
  void add(std::uint32_t round, std::string text) {
    if (!full()) faults_.push_back({0, round, kNoNode, kNoNode, std::move(text)});
  }
  std::vector<BrokenRule> take() {
    if (unnamed_links_ > 0) {
      faults_.push_back({.text = fmt::format("{} more link{} missing", unnamed_links_,
                                             unnamed_links_ == 1 ? " is" : "s are")});
    }
    return std::move(faults_);
  }

 private:
  std::size_t max_;
  std::vector<BrokenRule> faults_;
  std::set<std::pair<Node, Node>> missing_links_;
  std::size_t unnamed_links_ = 0;  ///< those of them that came when the log was full
};

}  // namespace gossamer::checking
