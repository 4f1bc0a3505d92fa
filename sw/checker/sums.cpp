#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "checker/rules.hpp"
#include "schedule/chunks.hpp"
#include "support/job.hpp"
#include "support/memory.hpp"

namespace gossamer::checking {
namespace {

/// Nodes as runs [first, last], in ascending order, with a gap between any two.
class Parts {
 public:
  Parts() = default;
  explicit Parts(Node x) : runs_{{x, x}} {}
  explicit Parts(std::span<const Node> nodes) {
    for (const Node x : nodes) append({x, x});
  }

  /// A node that is in both, if there is one.
  std::optional<Node> common(const Parts& other) const {
    for (auto a = runs_.begin(), b = other.runs_.begin();
         a != runs_.end() && b != other.runs_.end();) {
      const Node first = std::max(a->first, b->first);
      if (first <= std::min(a->second, b->second)) return first;
      ++(a->second < b->second ? a : b);
    }
    return std::nullopt;
  }
  Parts with(const Parts& other) const {
    Parts both;
    auto a = runs_.begin(), b = other.runs_.begin();
    while (a != runs_.end() || b != other.runs_.end()) {
      const bool first = b == other.runs_.end() || (a != runs_.end() && a->first < b->first);
      both.append(first ? *a++ : *b++);
    }
    return both;
  }
  /// The nodes of `all` that are not here.
  std::vector<Node> missing(std::span<const Node> all) const {
    std::vector<Node> absent;
    auto run = runs_.begin();
    for (const Node x : all) {
      while (run != runs_.end() && run->second < x) ++run;
      if (run == runs_.end() || x < run->first) absent.push_back(x);
    }
    return absent;
  }
  bool operator==(const Parts&) const = default;

 private:
  using Run = std::pair<Node, Node>;
  void append(Run run) {
    if (!runs_.empty() && runs_.back().second + 1 == run.first) {
      runs_.back().second = run.second;
    } else {
      runs_.push_back(run);
    }
  }
  std::vector<Run> runs_;
};

class SumChecker {
 public:
  SumChecker(const Schedule& schedule, FaultLog& faults)
      : s_(schedule),
        faults_(faults),
        blocks_(!has_root(s_.collective()) ? nodes()
                                           : std::max<std::size_t>(s_.members.groups(), 1)),
        under_way_(schedule) {
    for (std::size_t g = 0; g < s_.members.groups(); ++g) {
      members_.emplace_back(s_.members.group(g).begin(), s_.members.group(g).end());
    }
    if (members_.empty()) {
      members_.resize(1);
      for (Node i = 0; i < s_.members.count(nodes()); ++i) members_[0].push_back(s_.members[i]);
    }
    for (const auto& group : members_) all_.push_back(std::make_shared<const Parts>(group));
    const double sums = static_cast<double>(std::uint64_t{nodes()} * blocks_ * s_.pieces());
    require_memory(sums * (sizeof(Held) + sizeof(std::uint32_t)),
                   "checking " + s_.topology().spec() + ": its sums");
    held_.resize(static_cast<std::size_t>(sums));
    since_.resize(held_.size());
  }

  Sums play() {
    const auto transfers = s_.transfers();
    for (const Transfer& t : transfers) {
      store_before(t.round);
      send(t);
    }
    store_before(~std::uint32_t{0});
    return count();
  }

 private:
  using Held = std::shared_ptr<const Parts>;  ///< null: a member's own part, of others nothing
  struct Carried {
    Message message;
    Held parts;
  };

  Node nodes() const { return s_.topology().nodes(); }
  /// The members that a message belongs to.
  std::size_t group(const Message& m) const {
    return s_.members.several() ? s_.members.group_of(m.origin) : 0;
  }
  std::size_t place(Node x, const Message& m) const {
    const std::size_t block = has_root(s_.collective()) ? group(m) : m.origin;
    return (std::size_t{x} * blocks_ + block) * s_.pieces() + m.piece;
  }
  Held held(Node x, const Message& m) const {
    const Held& found = held_[place(x, m)];
    return found || !is_initial(s_, x, m) ? found : std::make_shared<const Parts>(x);
  }

  /// What is stored before a round.
  void store_before(std::uint32_t round) {
    under_way_.store_before(round, [&](auto& arrivals) {
      // A whole sum takes the place of a partial one that comes in the same round.
      std::stable_partition(arrivals.begin(), arrivals.end(),
                            [&](const auto& a) { return !whole(std::get<Carried>(a)); });
      for (const auto& [t, hop, sum] : arrivals) store(*t, hop, sum);
    });
  }

  /// The parts that come to the source of a join; null if there are none.
  Held joined(const Transfer& t, const Message& m) const {
    Held all;
    for (const TransferHop hop : s_.hops(t)) {
      const Held more = held(hop.from, m);
      if (!more) continue;
      if (const auto both = all ? all->common(*more) : std::nullopt) {
        faults_.add(t, hop.from, hop.to, "node {}'s part of {} is twice in what is joined", *both,
                    to_text(s_, m));
        return all;
      }
      all = all ? std::make_shared<const Parts>(all->with(*more)) : more;
    }
    return all;
  }

  void send(const Transfer& t) {
    stop_if_interrupted();
    for (const TransferHop hop : s_.hops(t)) {  // other rules have named what is wrong with it
      if (hop.from >= nodes() || hop.to >= nodes()) return;
    }
    for (const Message& m : s_.messages(t)) {
      if (why_no_chunk(s_, m)) continue;
      const Held parts = t.join ? joined(t, m) : held(s_.source(t), m);
      if (!parts) continue;
      under_way_.send(t, {m, parts});
    }
  }

  bool whole(const Carried& sum) const { return *sum.parts == *all_[group(sum.message)]; }
  void store(const Transfer& t, const TransferHop& hop, const Carried& sum) {
    const auto& [m, parts] = sum;
    Held& to = held_[place(hop.to, m)];
    const Held before = held(hop.to, m);
    std::uint32_t& since = since_[place(hop.to, m)];
    if (t.join && since >= s_.last_round(t)) {
      faults_.add(t, hop.from, hop.to,
                  "node {} adds what it holds of {} in round {}, and another sum of it is under "
                  "way into its store then",
                  hop.to, to_text(s_, m), s_.last_round(t));
    }
    since = s_.stored_round(t, hop);
    if (!t.join && whole(sum)) {
      to = all_[group(m)];
    } else if (!before) {
      to = parts;
    } else if (!t.join && s_.joins()) {
      faults_.add(t, hop.from, hop.to,
                  "node {} holds a part of {}, and what comes is no whole sum; only joins add up",
                  hop.to, to_text(s_, m));
    } else if (const auto both = before->common(*parts)) {
      faults_.add(t, hop.from, hop.to,
                  "node {}'s part of {} is in both what node {} holds and what comes", *both,
                  to_text(s_, m), hop.to);
    } else {
      to = std::make_shared<const Parts>(before->with(*parts));
    }
  }

  Sums count() {
    Sums sums;
    for (Node x = 0; x < nodes(); ++x) {
      bool whole = count_expected(s_, x) != 0;
      sums.expected += whole ? 1 : 0;
      for_each_expected(s_, x, [&](const Message& m) {
        const Held parts = held(x, m), all = all_[group(m)];
        if (parts == all || *parts == *all) return true;
        const std::vector<Node> missing = parts->missing(members_[group(m)]);
        whole = false;
        faults_.add(s_.rounds(), "node {}'s sum of {} lacks the part{} of {} after the last round",
                    x, to_text(s_, m), missing.size() == 1 ? "" : "s", nodes_text(missing));
        return !faults_.full();
      });
      sums.delivered += whole ? 1 : 0;
    }
    return sums;
  }

  const Schedule& s_;
  FaultLog& faults_;
  std::size_t blocks_;
  std::vector<std::vector<Node>> members_;  ///< by group
  std::vector<Held> all_;
  std::vector<Held> held_;
  std::vector<std::uint32_t> since_;  ///< the round that stored it; 0: it is there from the start
  UnderWay<Carried> under_way_;
};

}  // namespace

Sums check_sums(const Schedule& schedule, FaultLog& faults) {
  return SumChecker(schedule, faults).play();
}

}  // namespace gossamer::checking
