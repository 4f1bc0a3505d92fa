#include "checker/checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "adaptive/adaptive.hpp"
#include "checker/rules.hpp"
#include "schedule/chunks.hpp"
#include "support/job.hpp"

namespace gossamer {
namespace checking {
namespace {

/// How far ahead of its own round a transfer may use a link, plus one.
std::size_t window(const Schedule& schedule) {
  std::size_t longest = 1;
  if (schedule.model().switching != Switching::Pipelined) return longest;
  for (const Transfer& t : schedule.transfers()) {
    longest = std::max<std::size_t>(longest, t.path_size);  // of a tree at least
  }
  return longest * schedule.model().hop_rounds;
}

std::size_t arc_keys(const Schedule& schedule) {
  return std::max<std::size_t>(
      1, std::size_t{schedule.symmetry().classes()} * schedule.topology().ports());
}

std::uint64_t hops(const Schedule& schedule) {
  std::uint64_t sum = 0;
  for (const Transfer& t : schedule.transfers()) sum += t.path_size;
  return sum;
}

/// Which transfer uses what in which round. Keeps only the last `window` rounds: a pipelined path
/// uses links that many rounds after its start. It is a table, or a hash table if the table would
/// stay nearly empty (a few transfers on a large fabric).
class UseTable {
 public:
  static constexpr std::uint32_t kFree = ~std::uint32_t{0};

  /// `takes`: how often take() will be called.
  UseTable(std::size_t keys, std::size_t window, std::uint64_t takes)
      : keys_(keys), window_(window) {
    const double entries = static_cast<double>(keys) * static_cast<double>(window);
    if (entries <= kFewEntries || entries <= 8.0 * static_cast<double>(takes)) {
      uses_.resize(keys * window);
    }
  }

  /// The index of the transfer that has taken `key` in `round`, or kFree.
  std::uint32_t user(std::uint32_t round, std::size_t key) const {
    if (uses_.empty()) {
      const auto found = few_uses_.find(slot(round, key));
      return found != few_uses_.end() && found->second.round == round ? found->second.transfer
                                                                      : kFree;
    }
    const Use& use = uses_[slot(round, key)];
    return use.round == round ? use.transfer : kFree;
  }
  void take(std::uint32_t round, std::size_t key, std::uint32_t transfer) {
    (uses_.empty() ? few_uses_[slot(round, key)] : uses_[slot(round, key)]) = {round, transfer};
  }

 private:
  struct Use {
    std::uint32_t round = 0;  // rounds count from 1
    std::uint32_t transfer = 0;
  };
  /// A table of this size is never too large.
  static constexpr double kFewEntries = 1 << 20;

  std::size_t slot(std::uint32_t round, std::size_t key) const {
    return round % window_ * keys_ + key;
  }

  std::size_t keys_, window_;
  std::vector<Use> uses_;
  std::unordered_map<std::size_t, Use> few_uses_;
};

/// The rules about links and ports within a round: arcs are disjoint, a half-duplex link carries
/// one direction, a single-port node sends one transfer and receives one (with half duplex, one of
/// the two). Counts by class of nodes: a translation group acts freely, so two arcs are
/// translations of each other exactly if their tails are in one class and their ports are equal,
/// and each node of a class is the source of exactly one transfer of an orbit that starts there.
class UseRules {
 public:
  UseRules(const Schedule& schedule, FaultLog& faults)
      : schedule_(schedule),
        faults_(faults),
        arcs_(arc_keys(schedule), window(schedule), hops(schedule)),
        writes_(schedule.joins() ? 2 * arc_keys(schedule) : 1,
                window(schedule) + schedule.model().hop_rounds, hops(schedule)),
        senders_(schedule.symmetry().classes(), window(schedule), schedule.transfers().size()),
        receivers_(schedule.symmetry().classes(), window(schedule), schedule.transfers().size()) {}

  /// Checks the transfer with this index, whose path must exist, against all before it.
  void check(std::uint32_t index) {
    const Transfer& t = schedule_.transfers()[index];
    for (const TransferHop hop : schedule_.hops(t)) check_hop(index, hop);
    if (t.join) {  // its lane is an arc that carries nothing, so something may come by its link
      const Port lane = schedule_.lane_of_join(t);
      const Node source = schedule_.source(t);
      take_arc(index, source, schedule_.topology().peer(source, lane).node, lane,
               schedule_.last_round(t));
    }
    if (schedule_.joins()) check_logs(index);
    if (schedule_.model().ports == PortModel::Single) check_ports(index);
  }

 private:
  void check_hop(std::uint32_t index, const TransferHop& hop) {
    const Transfer& t = schedule_.transfers()[index];
    const Node from = hop.from, to = hop.to;
    const std::uint32_t round = schedule_.round_of(t, hop);
    const Port port = port_out(schedule_.topology(), hop);
    if (!take_arc(index, from, to, port, round)) return;
    if (schedule_.model().duplex == Duplex::Full) return;
    const Endpoint head = schedule_.topology().peer(from, port);
    const auto other = arcs_.user(round, arc(head.node, head.port));
    if (other == UseTable::kFree || is_lane(other, head, round)) return;
    faults_.add(t, from, to,
                "this half-duplex link already carries {} in the other direction in round {}; "
                "it carries one direction in a round",
                name(other, index), round);
  }

  bool is_lane(std::uint32_t index, Endpoint of, std::uint32_t round) const {
    const Transfer& t = schedule_.transfers()[index];
    return t.join && schedule_.source(t) == of.node && schedule_.lane_of_join(t) == of.port &&
           schedule_.last_round(t) == round;
  }

  /// False if another transfer has it.
  bool take_arc(std::uint32_t index, Node from, Node to, Port port, std::uint32_t round) {
    const std::size_t forward = arc(from, port);
    if (const auto other = arcs_.user(round, forward); other != UseTable::kFree) {
      faults_.add(
          schedule_.transfers()[index], from, to,
          "this arc already carries {} in round {}; the paths of a round must be arc-disjoint",
          name(other, index), round);
      return false;
    }
    arcs_.take(round, forward, index);
    return true;
  }

  /// What a lane stores, and what comes by its port, goes to one log. The lane's is there sooner if
  /// links have stages: so nothing comes in its round, or in those before in which it would be
  /// overtaken.
  void check_logs(std::uint32_t index) {
    const Transfer& t = schedule_.transfers()[index];
    for (const TransferHop hop : schedule_.stored_hops(t)) {
      const Port log = t.join ? schedule_.lane_of_join(t) : port_in(schedule_.topology(), hop);
      const std::uint32_t round = t.join ? schedule_.last_round(t) : schedule_.round_of(t, hop);
      const std::size_t comes = 2 * arc(hop.to, log), lane = comes + 1;
      const std::uint32_t stages = std::max(schedule_.model().hop_rounds, 2u) - 2;
      for (std::uint32_t n = 0; n <= stages && (!t.join || n < round); ++n) {
        const std::uint32_t other =
            t.join ? writes_.user(round - n, comes) : writes_.user(round + n, lane);
        if (other == UseTable::kFree) continue;
        faults_.add(
            t, hop.from, hop.to,
            "node {} stores what {} brings into the log of port {}, too, at the time of round {}",
            hop.to, name(other, index), log, round);
      }
      writes_.take(round, t.join ? lane : comes, index);
    }
  }

  /// What a transfer starts from sends, and what stores it receives; of a join all that its arcs
  /// leave and come to.
  void check_ports(std::uint32_t index) {
    const Transfer& t = schedule_.transfers()[index];
    const TransferHops hops = schedule_.hops(t);
    const auto each_end = [&](const auto& check) {
      if (!t.join) check(true, hops[0], senders_, receivers_);
      for (const TransferHop hop : t.join ? hops : schedule_.stored_hops(t)) {
        if (t.join) check(true, hop, senders_, receivers_);
        check(false, hop, receivers_, senders_);
      }
    };
    const auto broken = [&](bool sends, const TransferHop& hop, std::uint32_t other,
                            const char* rule) {
      faults_.add(t, hop.from, hop.to, "node {} already takes part in {} in round {}; {}",
                  sends ? hop.from : hop.to, name(other, index), schedule_.round_of(t, hop), rule);
    };
    for (std::uint32_t i = 1; t.tree && !t.join && i < hops.size(); ++i) {
      for (std::uint32_t j = 0; j < i; ++j) {
        if (hops[i].before != hops[j].before) continue;
        faults_.add(t, hops[i].from, hops[i].to,
                    "node {} sends on two links; a single-port node sends on one in a round",
                    hops[i].from);
        break;
      }
    }
    each_end([&](bool sends, const TransferHop& hop, UseTable& same, const UseTable&) {
      const std::uint32_t round = schedule_.round_of(t, hop);
      const Node at = schedule_.symmetry().class_of(sends ? hop.from : hop.to);
      if (const auto other = same.user(round, at); other != UseTable::kFree) {
        broken(sends, hop, other,
               sends ? "a single-port node sends one transfer in a round"
                     : "a single-port node receives one transfer in a round");
      }
      same.take(round, at, index);
    });
    if (schedule_.model().duplex == Duplex::Full) return;
    bool none = true;
    each_end([&](bool sends, const TransferHop& hop, const UseTable&, UseTable& others) {
      const Node at = schedule_.symmetry().class_of(sends ? hop.from : hop.to);
      const auto other = others.user(schedule_.round_of(t, hop), at);
      if (other == UseTable::kFree || !none) return;
      none = false;
      broken(sends, hop, other, "a half-duplex single-port node sends or receives, never both");
    });
  }

  std::size_t arc(Node tail, Port port) const {
    return std::size_t{schedule_.symmetry().class_of(tail)} * schedule_.topology().ports() + port;
  }

  std::string name(std::uint32_t index, std::uint32_t asked_by) const {
    if (index == asked_by) {
      const bool tree = schedule_.transfers()[index].tree;
      return schedule_.symmetry().order() == 1 ? tree ? "the same tree" : "the same path"
                                               : "a translation of the same transfer";
    }
    const Transfer& t = schedule_.transfers()[index];
    const std::string name =
        t.tree ? fmt::format("the tree of node {}", schedule_.source(t))
               : fmt::format("the transfer {}-{}", schedule_.source(t), schedule_.path(t).back());
    return t.line == 0 ? name : fmt::format("{} of line {}", name, t.line);
  }

  const Schedule& schedule_;
  FaultLog& faults_;
  UseTable arcs_, writes_, senders_, receivers_;
};

/// The most missing messages that are looked for at one node, and at all together.
constexpr std::size_t kMostLooked = 1000;
constexpr std::uint64_t kMostLookedInAll = 20'000'000;

/// What a transfer carries.
struct Load {
  std::shared_ptr<const std::vector<Message>> listed;  ///< null: all that the transfer lists
  std::shared_ptr<const MessageSet> everything;        ///< as the source's class holds it
};

/// Simulates a schedule, one node of each class.
class Player {
 public:
  Player(const Schedule& schedule, std::size_t max_faults, OriginSets origin_sets,
         std::uint32_t flits)
      : schedule_(schedule),
        flits_(schedule.chunk_flits(flits)),
        adaptive_(adaptive(schedule)),
        faults_(max_faults),
        use_(schedule, faults_),
        held_(schedule, origin_sets),
        under_way_(schedule) {}

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
    store_before(~std::uint32_t{0});
    if (reduces(schedule_.collective())) {
      const Sums sums = check_sums(schedule_, faults_);
      report_.expected = sums.expected;
      report_.delivered = sums.delivered;
    } else if (!adaptive_) {
      count_delivered();
    }
    if (faults_.none() && schedule_.tolerance > 0) check_fault_tolerance();
    if (faults_.none() && adaptive_) run_adaptive();
    report_.faults = faults_.take();
    return std::move(report_);
  }

 private:
  void play_round(std::size_t first, std::size_t last) {
    const auto transfers = schedule_.transfers();
    store_before(transfers[first].round);
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
    const Load load = listed ? Load{listed_by(t), nullptr} : Load{nullptr, held_by(t)};
    const std::uint64_t messages = listed ? t.messages_size : load.everything->size();
    report_.carried[index] = messages;
    report_.rounds = std::max(report_.rounds, schedule_.last_round(t));
    const std::uint64_t hops_of_orbit = (t.path_size - 1) * schedule_.symmetry().order();
    report_.transmissions += messages * hops_of_orbit;
    if (!flits_.equal()) {
      report_.flits_carried[index] =
          listed ? schedule_.listed_flits(t, flits_) : load.everything->flits(flits_);
    }
    report_.flits_sent += report_.flits_of(index, flits_) * hops_of_orbit;
    round_messages_ = std::max(round_messages_, messages);
    under_way_.send(t, load);
  }

  std::shared_ptr<const std::vector<Message>> listed_by(const Transfer& t) {
    const Node source = schedule_.source(t);
    const MessageSet& held = *held_[schedule_.symmetry().class_of(source)];
    const Translation of_source = schedule_.view_of(source);
    std::vector<Message> listed;
    listed.reserve(t.messages_size);
    for (const Message& m : schedule_.messages(t)) {
      stop_if_interrupted();
      if (!check_message(schedule_, t, m, faults_)) continue;
      const TransferHop lacks = t.join ? first_without(t, m) : schedule_.hops(t)[0];
      if (t.join ? lacks.from == kNoNode : held.contains(moved(m, of_source))) {
        listed.push_back(m);
      } else if (faults_.takes_lacks()) {
        faults_.add(t, lacks.from, lacks.to, "{}", not_held_text(schedule_, lacks.from, m));
      }
    }
    if (listed.size() == t.messages_size) return nullptr;
    return std::make_shared<const std::vector<Message>>(std::move(listed));
  }

  /// The first arc of a join whose tail neither holds a part of the message nor is sent one.
  TransferHop first_without(const Transfer& t, const Message& m) {
    std::set<Node> comes;
    for (const TransferHop hop : schedule_.hops(t)) {
      const bool holds = held_[schedule_.symmetry().class_of(hop.from)]->contains(
          moved(m, schedule_.view_of(hop.from)));
      if (!holds && !comes.contains(hop.from)) return hop;
      comes.insert(hop.to);
    }
    return {.from = kNoNode};
  }

  std::shared_ptr<const MessageSet> held_by(const Transfer& t) {
    const TransferHop hop = schedule_.hops(t)[0];
    const Node source = schedule_.symmetry().class_of(hop.from);
    const std::uint64_t messages = held_[source]->size();
    if (messages == 0 && faults_.takes_lacks()) {
      faults_.add(t, hop.from, hop.to, "carries everything, and node {} holds nothing", hop.from);
    } else if (messages > 1 && pipelined()) {
      faults_.add(t, hop.from, hop.to,
                  "carries everything, which is {} messages; a pipelined transfer carries one",
                  messages);
    }
    return held_[source];
  }

  void store_before(std::uint32_t round) {
    under_way_.store_before(round, [&](const auto& arrivals) {
      for (const auto& [t, hop, load] : arrivals) {
        MessageSet& held = held_.changing(schedule_.symmetry().class_of(hop.to));
        if (load.everything) {
          held.merge(*load.everything, schedule_.change(schedule_.source(*t), hop.to));
          continue;
        }
        const Translation seen = schedule_.view_of(hop.to);
        const auto insert = [&](const Message& m) {
          stop_if_interrupted();
          held.insert(moved(m, seen));
        };
        if (load.listed) {
          std::ranges::for_each(*load.listed, insert);
        } else {
          std::ranges::for_each(schedule_.messages(*t), insert);
        }
      }
    });
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

  /// Of the nodes that are dead nobody expects anything.
  void check_fault_tolerance() {
    const std::vector<Node> lacking = check_tolerance(schedule_, faults_);
    report_.expected -= schedule_.faults.nodes.size();
    report_.delivered = report_.expected - lacking.size();
    for (const Node x : lacking) report_.missing.push_back({x, schedule_.root});
    if (lacking.empty()) return;
    faults_.add(report_.rounds, "{} lack{} more than one piece, and cannot work them out",
                nodes_text(lacking), lacking.size() == 1 ? "s" : "");
  }

  /// What adaptive nodes do with the schedule's faults.
  void run_adaptive() {
    Replay replay = replay_adaptive(schedule_);
    if (!replay.missing.empty()) faults_.add(report_.rounds, "{}", missing_text(replay));
    report_.transmissions = replay.transmissions;
    report_.flits_sent = replay.transmissions * flits_.longest().of(0);
    report_.expected = replay.expected;
    report_.delivered = replay.expected - replay.missing.size();
    report_.missing = std::move(replay.missing);
    report_.carried = std::move(replay.carried);
    report_.tau_sum = 0;
    std::map<std::uint32_t, std::uint64_t> most;  // by round
    for (std::size_t i = 0; i < report_.carried.size(); ++i) {
      std::uint64_t& of_round = most[schedule_.transfers()[i].round];
      of_round = std::max(of_round, report_.carried[i]);
    }
    for (const auto& [round, messages] : most) report_.tau_sum += messages;
  }

  bool pipelined() const { return schedule_.model().switching == Switching::Pipelined; }

  const Schedule& schedule_;
  ChunkFlits flits_;
  bool adaptive_;
  FaultLog faults_;
  UseRules use_;
  CheckReport report_;
  MessageSets held_;  ///< by class
  UnderWay<Load> under_way_;
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
  if (fault.from != kNoNode && fault.to != kNoNode) {
    append(fmt::format("link {}-{}", fault.from, fault.to));
  }
  return place.empty() ? fault.text : place + ": " + fault.text;
}

}  // namespace gossamer
