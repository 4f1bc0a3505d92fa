#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "fabric/fabric.hpp"
#include "fabric/node_program.hpp"
#include "fabric/payload.hpp"
#include "fabric/quotient.hpp"
#include "schedule/message_sets.hpp"
#include "schedule/schedule.hpp"

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
  static std::unique_ptr<GossipLogs> of(const Schedule& schedule, const NodeKind& kind,
                                        std::uint32_t written_out = kWrittenOut);
  const DigitPacking& packing() const { return packing_; }

  /// The next round's transfers: what travels is what stood in the logs before it.
  void play(std::span<const Transfer> round);

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
  GossipLogs(const Schedule& schedule, const NodeKind& kind, const DigitPacking& packing,
             std::uint32_t written_out);
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

  Run everything(Node c);
  std::uint32_t write_out(std::span<const Run> runs, std::uint64_t messages);
  void deliver(const Transfer& t, const TransferHop& hop, unsigned log);
  Run listed(std::span<const Message> messages, std::uint32_t by);
  void receive(Node c, unsigned log, Run run);
  void append(Node c, unsigned log, const Run& run);
  void append_one_by_one(Node c, unsigned log, const Run& run, bool adding);

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
  MessageSets held_;                 ///< now
  std::vector<std::shared_ptr<const MessageSet>> begin_;  ///< as the round began
  /// By class: everything that it holds when the round begins, if it is sent.
  std::vector<Run> sent_;
};

/// Plays a gossip for one node of each class, and notes what arrives in which log. Null where that
/// cannot be said in so few words: for other collectives, for pipelined schedules, for topologies
/// whose digits do not fit, and for schedules without symmetry. `written_out`: as in GossipLogs.
std::shared_ptr<const ExpectedLogs> expected_logs(
    const Schedule& schedule, const NodeKind& kind, const Payload& payload,
    std::uint32_t written_out = GossipLogs::kWrittenOut);

/// Where each node's own words begin in an image; their number is known before they are made.
void place_own_words(FabricImage& image, const Schedule& schedule, const Payload& payload);
/// Makes them. Of a reduction all nodes have words for all messages, one behind the other: zeros
/// where they have no part.
void add_own_words(FabricImage& image, const Schedule& schedule, const Payload& payload);

}  // namespace gossamer
