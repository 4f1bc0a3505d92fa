#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "checker/checker.hpp"
#include "schedule/members.hpp"
#include "schedule/schedule.hpp"

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
  template <typename... Args>
  void add(const Transfer& t, Node from, Node to, fmt::format_string<Args...> text,
           Args&&... args) {
    if (full()) return;
    faults_.push_back({t.line, t.round, from, to, fmt::format(text, std::forward<Args>(args)...)});
  }
  /// Transfer `t` is the first, or another one, to use a link that does not exist.
  void add_missing_link(const Transfer& t, Node from, Node to, const std::string& text) {
    if (!missing_links_.emplace(from, to).second) return;
    if (full()) ++unnamed_links_;
    add(t, from, to, "{}", text);
  }
  /// What nodes lack may follow from a missing link, so that after one it is not reported.
  bool takes_lacks() const { return !full() && missing_links_.empty(); }
  /// A rule that the schedule breaks as a whole; `round` is 0 if it concerns no single round.
  template <typename... Args>
  void add(std::uint32_t round, fmt::format_string<Args...> text, Args&&... args) {
    if (full()) return;
    faults_.push_back({0, round, kNoNode, kNoNode, fmt::format(text, std::forward<Args>(args)...)});
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

/// What makes the schedule invalid as a whole: a root that is not a node or is faulty; orbits of a
/// collective that has a root (a translation moves the root) or faults; an adaptive schedule that
/// breaks the adaptive rules. Nothing if it is valid.
std::optional<std::string> whole_schedule_fault(const Schedule& schedule);

/// Checks that the path or tree exists, has at least one hop and does not turn back on a link; that
/// a path does not end where it starts, and a tree comes to each node once and ends at nodes that
/// store. With packets it must have one hop. Returns false if the transfer cannot be played
/// at all.
bool check_path(const Schedule& schedule, const Transfer& t, FaultLog& faults);

/// A transfer must carry something, each message once, and only one unless the model combines.
void check_load(const Schedule& schedule, const Transfer& t, FaultLog& faults);

/// Is `m` a message of the collective?
bool check_message(const Schedule& schedule, const Transfer& t, const Message& m, FaultLog& faults);

/// Why a node cannot send `m` yet: when `m` would arrive, if the listed messages show
/// it.
std::string not_held_text(const Schedule& schedule, Node source, const Message& m);

/// "message 3" or "message [3,5]".
std::string to_text(const Schedule& schedule, const Message& m);
/// "node 3 lacks message 5", "nodes 3-7 and 12 lack messages 0-48, 50 (50)".
std::string missing_text(const Schedule& schedule, const MissingByNode::Group& lacking);

/// What an adaptive schedule that keeps all rules does, with its faults.
struct Replay {
  std::vector<std::uint64_t> carried;  ///< messages that crossed each transfer's link
  std::uint64_t transmissions = 0;     ///< messages that crossed a link, over all links and rounds
  std::uint64_t expected = 0;          ///< pairs of a healthy node and what it should hold
  std::vector<MissingPair> missing;    ///< the pairs of these whose message is missing
};

/// What has been sent and is not yet stored, with the hops whose ends store it.
template <class Content>
class UnderWay {
 public:
  explicit UnderWay(const Schedule& schedule) : s_(schedule) {}

  void send(const Transfer& t, const Content& content) {
    for (const TransferHop hop : s_.stored_hops(t)) {
      arrivals_[s_.stored_round(t, hop)].emplace_back(&t, hop, content);
    }
  }
  /// What can be sent on from this round on: `store` takes what comes in one round.
  template <class Store>
  void store_before(std::uint32_t round, const Store& store) {
    for (; !arrivals_.empty() && arrivals_.begin()->first < round;
         arrivals_.erase(arrivals_.begin())) {
      store(arrivals_.begin()->second);
    }
  }

 private:
  const Schedule& s_;
  using Arrivals = std::vector<std::tuple<const Transfer*, TransferHop, Content>>;
  std::map<std::uint32_t, Arrivals> arrivals_;  ///< by stored_round
};

/// An adaptive schedule: finds what is new message by message, as defined at Schedule::add_new.
/// Looks at the origins that a slot offers only if there is an initiator, where they matter (see
/// Offers). The checker's own: the tables and the oracle read AdaptiveRun.
Replay replay_adaptive(const Schedule& schedule);

/// "7 of 90 messages are missing at healthy nodes: node 1 lacks 0, 2; node 2 lacks 0; ..."
std::string missing_text(const Replay& replay);

/// A schedule with a tolerance: the root alone sends, and of the ways of all pieces to a node no
/// two share a link, or a node between their ends. Of the healthy nodes those that lack more than
/// one piece, if all of the schedule's faults are there from the beginning.
std::vector<Node> check_tolerance(const Schedule& schedule, FaultLog& log);

/// Pairs of a node and a message whose sum it must have in the end, and those that it has.
struct Sums {
  std::uint64_t expected = 0, delivered = 0;
};

/// Follows whose parts are in every sum of a schedule that reduces. What comes to a node is added
/// to what it holds, so that no node's part may be in both; a sum with the parts of all members is
/// a result, which takes the place of what was held. In the end every receiver must hold the
/// result.
Sums check_sums(const Schedule& schedule, FaultLog& faults);

}  // namespace gossamer::checking
