#include "checker/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <vector>

#include "adaptive/adaptive.hpp"
#include "checker/rules.hpp"
#include "schedule/chunks.hpp"
#include "support/job.hpp"

namespace gossamer {
namespace checking {
namespace {

/// The most missing messages that are looked for at one node, and at all together.
constexpr std::size_t kMostLooked = 1000;
constexpr std::uint64_t kMostLookedInAll = 20'000'000;

/// What arrives at the nodes of a class at the end of a transfer.
struct Arrival {
  Node at = 0;                                   ///< class
  std::vector<Message> listed;                   ///< as seen by the class representative
  std::shared_ptr<const MessageSet> everything;  ///< null if the transfer lists its messages
  Node by = 0;                                   ///< translation of `everything`
};

/// Simulates a schedule, one node of each class.
class Player {
 public:
  Player(const Schedule& schedule, std::size_t max_faults, OriginSets origin_sets,
         std::uint32_t flits)
      : schedule_(schedule),
        flits_(schedule.chunk_flits(flits)),
        adaptive_(adaptive(schedule)),
        frames_(schedule),
        faults_(max_faults),
        use_(schedule, faults_),
        held_(schedule, origin_sets) {}

  CheckReport play() {
    const auto transfers = schedule_.transfers();
    report_.carried.assign(transfers.size(), 0);
    if (!flits_.equal()) report_.flits_carried.assign(transfers.size(), 0);
    if (const auto fault = whole_schedule_fault(schedule_)) {
      faults_.add(0, "{}", *fault);
      report_.faults = faults_.take();
      return std::move(report_);
    }
    begin_steps(transfers.size(), "transfers");
    for (std::size_t first = 0; first < transfers.size();) {
      std::size_t last = first;
      while (last < transfers.size() && transfers[last].round == transfers[first].round) ++last;
      play_round(first, last);
      first = last;
    }
    arrive_until(~std::uint32_t{0});
    if (reduces(schedule_.collective())) {
      const Sums sums = check_sums(schedule_, faults_);
      report_.expected = sums.expected;
      report_.delivered = sums.delivered;
    } else if (!adaptive_) {
      count_delivered();
    }
    if (faults_.none() && adaptive_) run_adaptive();
    report_.faults = faults_.take();
    return std::move(report_);
  }

 private:
  void play_round(std::size_t first, std::size_t last) {
    const auto transfers = schedule_.transfers();
    arrive_until(transfers[first].round);
    round_hops_ = round_messages_ = 0;
    for (std::size_t i = first; i < last; ++i) play_transfer(static_cast<std::uint32_t>(i));
    report_.delta_sum += round_hops_;
    report_.tau_sum += round_messages_;
  }

  void play_transfer(std::uint32_t index) {
    step_done(index);
    const Transfer& t = schedule_.transfers()[index];
    if (!check_path(schedule_, t, faults_)) return;
    check_load(schedule_, t, faults_);
    use_.check(index);

    const std::uint64_t hops = schedule_.depth(t);
    round_hops_ = std::max(round_hops_, hops);
    if (t.carry == Carry::New) {  // run_adaptive() finds out what it carries
      report_.rounds = t.round;
      return;
    }
    const bool listed = t.carry == Carry::Listed;
    const TransferHops stored = schedule_.stored_hops(t);
    auto next = stored.begin();
    const TransferHop first = *next;
    Arrival arrival = listed ? send_listed(t, first.to) : send_everything(t, first.to);
    const std::uint64_t messages = listed ? t.messages_size : arrival.everything->size();
    report_.carried[index] = messages;
    report_.rounds = std::max(report_.rounds, schedule_.last_round(t));
    const std::uint64_t hops_of_orbit = (t.path_size - 1) * schedule_.symmetry().order();
    report_.transmissions += messages * hops_of_orbit;
    if (!flits_.equal()) {
      report_.flits_carried[index] =
          listed ? schedule_.listed_flits(t, flits_) : arrival.everything->flits(flits_);
    }
    report_.flits_sent += report_.flits_of(index, flits_) * hops_of_orbit;
    round_messages_ = std::max(round_messages_, messages);
    while (++next != stored.end()) {
      arrivals_[ready_round(t, *next)].push_back(moved(arrival, first.to, (*next).to));
    }
    arrivals_[ready_round(t, first)].push_back(std::move(arrival));
  }

  Arrival send_listed(const Transfer& t, Node destination) {
    const Node source = schedule_.source(t);
    const MessageSet& held = *held_[frames_.class_of(source)];
    const Frames::View of_source = frames_.view_of(source),
                       of_destination = frames_.view_of(destination);
    Arrival arrival;
    arrival.at = frames_.class_of(destination);
    arrival.listed.reserve(t.messages_size);
    for (const Message& m : schedule_.messages(t)) {
      stop_if_interrupted();
      if (!check_message(schedule_, t, m, faults_)) continue;
      if (held.contains(of_source(m))) {
        arrival.listed.push_back(of_destination(m));
      } else if (faults_.takes_lacks()) {
        faults_.add(t, source, schedule_.hops(t)[0].to, "{}", not_held_text(schedule_, t, m));
      }
    }
    return arrival;
  }

  Arrival send_everything(const Transfer& t, Node destination) {
    const TransferHop hop = schedule_.hops(t)[0];
    const Node source = frames_.class_of(hop.from);
    const std::uint64_t messages = held_[source]->size();
    if (messages == 0 && faults_.takes_lacks()) {
      faults_.add(t, hop.from, hop.to, "carries everything, and node {} holds nothing", hop.from);
    } else if (messages > 1 && pipelined()) {
      faults_.add(t, hop.from, hop.to,
                  "carries everything, which is {} messages; a pipelined transfer carries one",
                  messages);
    }
    Arrival arrival;
    arrival.at = frames_.class_of(destination);
    arrival.everything = held_[source];
    arrival.by = frames_.change(hop.from, destination);
    return arrival;
  }

  /// What arrives at node `from` of a tree, as it arrives at node `to`.
  Arrival moved(const Arrival& arrival, Node from, Node to) const {
    const Node by = frames_.change(from, to);
    const Frames::View seen(schedule_.topology(), by);
    Arrival same;
    same.at = frames_.class_of(to);
    same.everything = arrival.everything;
    same.by = by == 0 ? arrival.by : schedule_.topology().translate(arrival.by, by);
    same.listed.reserve(arrival.listed.size());
    for (const Message& m : arrival.listed) same.listed.push_back(seen(m));
    return same;
  }

  void arrive_until(std::uint32_t round) {
    while (!arrivals_.empty() && arrivals_.begin()->first <= round) {
      for (const Arrival& arrival : arrivals_.begin()->second) {
        MessageSet& held = held_.changing(arrival.at);
        for (const Message& m : arrival.listed) {
          stop_if_interrupted();
          held.insert(m);
        }
        if (arrival.everything) held.merge(*arrival.everything, arrival.by);
      }
      arrivals_.erase(arrivals_.begin());
    }
  }

  void count_delivered() {
    MissingByNode lacking(faults_.room());
    for (Node c = 0; c < schedule_.symmetry().classes(); ++c) count_delivered_at(c, lacking);
    for (const MissingByNode::Group& group : lacking.groups()) {
      if (!faults_.takes_lacks()) break;
      faults_.add(report_.rounds, "{} after the last round", missing_text(schedule_, group));
    }
    report_.expected *= schedule_.symmetry().order();
    report_.delivered *= schedule_.symmetry().order();
  }

  void count_delivered_at(Node class_index, MissingByNode& lacking) {
    stop_if_interrupted();
    const Node node = schedule_.symmetry().representative(class_index);
    const std::uint64_t expected = count_expected(schedule_, node);
    const bool cut = schedule_.pieces() > 1;
    std::uint64_t delivered = 0;
    if (!cut && held_.has(class_index)) delivered = held_[class_index]->delivered();
    report_.expected += expected;
    if (!cut) {
      report_.delivered += delivered;
      if (delivered == expected || faults_.full() || looked_ > kMostLookedInAll) return;
    }
    const MessageSet& held = *held_[class_index];
    std::vector<Node> missing;
    if (everybody_ends_with_all(schedule_)) {
      missing = held.missing_origins(cut ? expected : kMostLooked);
    } else {
      for_each_expected(schedule_, node, [&](const Message& m) {
        if (!held.contains(m) && (missing.empty() || missing.back() != m.origin)) {
          missing.push_back(m.origin);
        }
        return cut || missing.size() < kMostLooked;
      });
      looked_ += expected;
    }
    looked_ += missing.size();
    if (cut) {
      delivered = expected - missing.size();
      report_.delivered += delivered;
      if (missing.empty() || faults_.full()) return;
      missing.resize(std::min(missing.size(), kMostLooked));
    }
    lacking.add(node, std::move(missing), expected - delivered);
  }

  /// What adaptive nodes do with the schedule's faults is worked out in one place (sw/adaptive):
  /// the hardware itself is the second opinion on it.
  void run_adaptive() {
    AdaptiveRun run = gossamer::play(schedule_, offers(schedule_), schedule_.faults);
    if (!run.missing.empty()) faults_.add(report_.rounds, "{}", missing_text(run));
    report_.transmissions = run.crossed;
    report_.flits_sent = run.crossed * flits_.longest().of(0);
    report_.expected = run.expected;
    report_.delivered = run.delivered();
    report_.missing = std::move(run.missing);
    for (std::size_t i = 0; i < report_.carried.size(); ++i) report_.carried[i] = run.carried(i);
    report_.tau_sum = std::accumulate(run.most.begin(), run.most.end(), std::uint64_t{0});
  }

  bool pipelined() const { return schedule_.model().switching == Switching::Pipelined; }
  /// The first round in which the messages that come over this hop can be sent on.
  std::uint32_t ready_round(const Transfer& t, const TransferHop& hop) const {
    return schedule_.stored_round(t, hop) + 1;
  }

  const Schedule& schedule_;
  ChunkFlits flits_;
  bool adaptive_;
  Frames frames_;
  FaultLog faults_;
  UseRules use_;
  CheckReport report_;
  MessageSets held_;                                        ///< by class
  std::map<std::uint32_t, std::vector<Arrival>> arrivals_;  ///< by round of first use
  std::uint64_t round_hops_ = 0, round_messages_ = 0;
  std::uint64_t looked_ = 0;  ///< missing messages
};

}  // namespace
}  // namespace checking

CheckReport check(const Schedule& schedule, std::size_t max_faults, OriginSets origin_sets,
                  std::uint32_t flits) {
  return checking::Player(schedule, max_faults, origin_sets, flits).play();
}

std::string to_string(const BrokenRule& fault) {
  std::string place;
  const auto append = [&place](const std::string& part) {
    if (!place.empty()) place += ", ";
    place += part;
  };
  if (fault.line != 0) append(fmt::format("line {}", fault.line));
  if (fault.round != 0) append(fmt::format("round {}", fault.round));
  if (fault.from != kNoNode) append(fmt::format("link {}-{}", fault.from, fault.to));
  return place.empty() ? fault.text : place + ": " + fault.text;
}

}  // namespace gossamer
