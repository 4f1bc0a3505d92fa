#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "fabric/node_program.hpp"
#include "fabric/quotient.hpp"
#include "play/play.hpp"
#include "schedule/message_sets.hpp"
#include "schedule/schedule.hpp"
#include "support/error.hpp"
#include "support/job.hpp"

namespace gossamer {

/// What the logs of a gossip hold, for one node of each class of the schedule's symmetry, round by
/// round.
///
/// "Everything" is mostly what a few neighbours had, one after the other, translated. So a log is a
/// rope: runs that are each a whole *sequence*, "everything" that some class held in some round,
/// with one translation. A sequence consists of earlier ones in the same way. Whether messages come
/// for the first time is asked of whole sequences, by sets. Only where some have come before and
/// some have not is it asked of the parts, down to single messages.
class GossipLogs {
 public:
  /// Messages that arrive one after the other, translated alike. All nodes are packed
  /// (fabric/expected_logs.hpp).
  struct Run {
    std::uint32_t begin = 0;     ///< where their origins stand in one array, or kNowhere
    std::uint32_t length = 0;    ///< messages
    std::uint32_t shift = 0;     ///< the translation
    std::uint32_t sequence = 0;  ///< the sequence that this is, if it is one; else 0
    bool first = true;           ///< the node did not hold these messages before
  };
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  /// A sequence is written out, as a single run, up to this many messages: an array of them costs
  /// less than the runs that every later copy would consist of.
  static constexpr std::uint32_t kWrittenOut = 1u << 15;

  /// Null for other collectives than gossip, for messages in pieces, for pipelined schedules, for
  /// those without symmetry, and for topologies whose digits do not fit. The schedule must outlive
  /// it.
  static std::unique_ptr<GossipLogs> of(const Schedule& s, const NodeKind& kind,
                                        std::uint32_t written_out = kWrittenOut) {
    if (s.collective() != Collective::Gossip || s.model().switching == Switching::Pipelined ||
        s.symmetry().order() == 1 || s.pieces() > 1) {
      return nullptr;
    }
    const auto packing = DigitPacking::of(s.topology());
    if (!packing) return nullptr;
    return std::unique_ptr<GossipLogs>(new GossipLogs(s, kind, *packing, written_out));
  }
  const DigitPacking& packing() const { return packing_; }

  /// The next round's transfers: what travels is what stood in the logs before it.
  void play(std::span<const Transfer> round) {
    std::map<Node, Carried> sent;  // everything, by class
    story_.send(round, [&](const Transfer& t) {
      if (t.carry == Carry::Listed) return Carried{};
      const Node from = symmetry_.class_of(s_.source(t));
      const auto [found, is_new] = sent.try_emplace(from);
      if (is_new) found->second = everything(from);
      return found->second;
    });
    story_.store_until(~std::uint32_t{0}, [&](const auto& all) {
      for (const Brought<Carried>& brought : all) {
        stop_if_interrupted();
        deliver(brought, kind_.single_port ? 0 : brought.in);
      }
    });
  }

  /// In order of arrival. The own log stands behind those of the ports, unless it is the only one.
  std::span<const Run> runs(Node c, unsigned log) const { return logs_[at(c, log)].runs; }
  std::uint64_t length(Node c, unsigned log) const { return logs_[at(c, log)].length; }
  /// The same as runs() down to runs whose origins stand in the array, each passed to `take`.
  template <class Take>
  void written_runs(Node c, unsigned log, const Take& take) const {
    for (const Run& run : runs(c, log)) written(run, 0, take);
  }
  /// The array.
  std::vector<std::uint32_t> take_origins() { return std::exchange(origins_, {}); }

 private:
  /// Are the messages that nodes hold kept as trees, which answer for whole sequences? Messages of
  /// lists come one by one, which is faster with bits while they are few.
  static bool takes_trees(const Schedule& s) {
    constexpr double kBytesOfBits = 1u << 26;
    const bool listed = std::ranges::any_of(
        s.transfers(), [](const Transfer& t) { return t.carry == Carry::Listed; });
    const double bits = static_cast<double>(s.symmetry().classes()) * s.topology().nodes();
    const bool few = bits / 8 <= kBytesOfBits;
    return !(listed && few) && everybody_ends_with_all(s) && trees_suit(s.topology());
  }

  /// Adds a run, as part of the last one if it goes on where that ends.
  static void join(std::vector<GossipLogs::Run>& runs, const GossipLogs::Run& run) {
    if (run.length == 0) return;
    if (!runs.empty()) {
      GossipLogs::Run& last = runs.back();
      if (last.sequence == 0 && run.sequence == 0 && last.begin + last.length == run.begin &&
          last.shift == run.shift && last.first == run.first) {
        last.length += run.length;
        return;
      }
    }
    runs.push_back(run);
  }

  GossipLogs(const Schedule& schedule, const NodeKind& kind, const DigitPacking& packing,
             std::uint32_t written_out)
      : s_(schedule),
        symmetry_(schedule.symmetry()),
        kind_(kind),
        packing_(packing),
        written_out_(written_out),
        all_logs_(kind.logs() + 1),
        sequences_(1),
        logs_(symmetry_.classes() * all_logs_),
        trees_(takes_trees(schedule)),
        held_(schedule, trees_ ? OriginSets::Trees : OriginSets::Bits),
        story_(schedule) {
    for (Node c = 0; c < symmetry_.classes(); ++c) {
      const Message own[] = {{symmetry_.representative(c), kNoNode}};
      append(c, kind_.own_log(), listed(own, 0));
    }
  }
  /// Everything that a class held as the round began.
  struct Carried {
    Run run = {};
    std::shared_ptr<const MessageSet> set = nullptr;  ///< the same, if sets are trees
  };
  struct Log {
    std::vector<Run> runs;
    std::uint64_t length = 0;
  };
  /// What some class held in some round, each message once.
  struct Sequence {
    std::shared_ptr<const MessageSet> set;  ///< its origins, if they are kept as trees
    std::vector<Run> parts;
  };
  std::size_t at(Node c, unsigned log) const { return std::size_t{c} * all_logs_ + log; }
  template <class Take>
  void written(Run run, std::uint32_t by, const Take& take) const {
    run.shift = packing_.translate(run.shift, by);
    if (run.begin != kNowhere) return take(run);
    for (const Run& part : sequences_[run.sequence].parts) written(part, run.shift, take);
  }

  /// "Everything" is each message once, from the log in which it came first.
  Carried everything(Node c) {
    Sequence all{trees_ ? held_[c] : nullptr, {}};
    std::uint64_t messages = 0;
    const auto take = [&](unsigned log) {
      for (const Run& run : logs_[at(c, log)].runs) {
        if (!run.first) continue;
        join(all.parts, run);
        messages += run.length;
      }
    };
    if (!kind_.single_port) take(kind_.own_log());
    for (unsigned g = 0; g < kind_.logs(); ++g) take(g);
    if (all.parts.size() == 1) return {all.parts.front(), all.set};
    Run whole{kNowhere, static_cast<std::uint32_t>(messages), 0,
              static_cast<std::uint32_t>(sequences_.size()), true};
    if (messages <= written_out_) whole.begin = write_out(all.parts, messages);
    sequences_.push_back(std::move(all));
    return {whole, sequences_.back().set};
  }

  /// Writes the origins of runs one behind the other into the array; says where they begin.
  std::uint32_t write_out(std::span<const Run> runs, std::uint64_t messages) {
    const std::size_t begin = origins_.size();
    if (begin + messages >= kNowhere) {
      throw TooLarge(s_.topology().spec() + ": the lists of what its logs hold are too long");
    }
    for (const Run& run : runs) {
      for (std::uint32_t i = 0; i < run.length; ++i) {
        origins_.push_back(packing_.translate(origins_[run.begin + i], run.shift));
      }
    }
    return static_cast<std::uint32_t>(begin);
  }

  void deliver(const Brought<Carried>& brought, unsigned log) {
    const Transfer& t = *brought.transfer;
    const Node to = symmetry_.class_of(brought.hop.to);
    if (t.carry == Carry::Listed) {
      const MessageList messages = s_.messages(t);
      const std::vector<Message> all(messages.begin(), messages.end());
      append_one_by_one(to, log, listed(all, packing_.pack(s_.change(0, brought.hop.to))), true);
      return;
    }
    const Node by = s_.change(s_.source(t), brought.hop.to);
    Run run = brought.carried.run;
    run.shift = packing_.translate(run.shift, packing_.pack(by));
    receive(to, log, run);
    if (trees_) held_.changing(to).merge(*brought.carried.set, by);
  }

  Run listed(std::span<const Message> messages, std::uint32_t by) {
    const Run run{static_cast<std::uint32_t>(origins_.size()),
                  static_cast<std::uint32_t>(messages.size())};
    for (const Message& m : messages)
      origins_.push_back(packing_.translate(packing_.pack(m.origin), by));
    return run;
  }

  /// A run of what is sent. Nothing stands twice in that, so its parts can be looked at one by one
  /// before any is added.
  void receive(Node c, unsigned log, Run run) {
    const bool divisible = run.sequence != 0 && (trees_ || run.begin == kNowhere);
    if (!divisible) return append_one_by_one(c, log, run, !trees_);
    const Sequence& sequence = sequences_[run.sequence];
    if (trees_) {
      const auto both = held_[c]->clone();
      both->merge(*sequence.set, packing_.node(run.shift));
      const std::uint64_t added = both->size() - held_[c]->size();
      run.first = added != 0;
      if (added == 0 || added == sequence.set->size()) return append(c, log, run);
    }
    for (Run part : sequence.parts) {
      part.shift = packing_.translate(part.shift, run.shift);
      receive(c, log, part);
    }
  }

  void append(Node c, unsigned log, const Run& run) {
    Log& l = logs_[at(c, log)];
    l.length += run.length;
    join(l.runs, run);
  }

  /// A run of messages of which some may be held already; `adding`: from now on they are.
  void append_one_by_one(Node c, unsigned log, const Run& run, bool adding) {
    MessageSet& held = adding ? held_.changing(c) : *held_[c];
    Run part{run.begin, 0, run.shift};
    for (std::uint32_t i = 0; i < run.length; ++i) {
      const Message m{packing_.node(packing_.translate(origins_[run.begin + i], run.shift))};
      const bool is_new = !held.contains(m);
      if (adding && is_new) held.insert(m);
      if (is_new != part.first) {
        append(c, log, part);
        part = {run.begin + i, 0, run.shift, 0, is_new};
      }
      ++part.length;
    }
    append(c, log, part);
  }

  const Schedule& s_;
  const Symmetry& symmetry_;
  NodeKind kind_;
  DigitPacking packing_;
  std::uint32_t written_out_;
  std::size_t all_logs_;
  std::vector<std::uint32_t> origins_;
  std::vector<Sequence> sequences_;  ///< none has number 0
  std::vector<Log> logs_;            ///< by class and log, the own log last
  bool trees_;                       ///< what the sets of what classes hold are
  MessageSets held_;
  Story<Carried> story_;
};

}  // namespace gossamer
