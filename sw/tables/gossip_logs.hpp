#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "fabric/digit_packing.hpp"
#include "fabric/node_program.hpp"
#include "schedule/schedule.hpp"

namespace gossamer {

/// What the logs of a gossip hold, for one node of each class of the schedule's symmetry, round by round.
///
/// "Everything" is mostly what a few neighbours had, one after the other, translated. So a log is a
/// rope: runs of origins that stand side by side in one array, each run with a translation. What is sent
/// is written out anew where it is short, so that later logs have few runs. Whether messages come for the
/// first time is asked of whole runs, by sets, and message by message only where some have come before.
class GossipLogs {
 public:
  /// `length` origins from `begin` on, translated alike. All is packed (fabric/digit_packing.hpp).
  struct Run {
    std::uint32_t begin = 0, length = 0;
    std::uint32_t shift = 0;
    bool first = true;      ///< the node did not hold these messages before
    std::uint32_t set = 0;  ///< its origins before the translation, as a set, if that is known; else 0
  };

  /// The schedule must be a gossip whose rounds are whole (not pipelined), and outlive this.
  GossipLogs(const Schedule& schedule, const NodeKind& kind, const DigitPacking& packing);
  ~GossipLogs();

  /// The next round's transfers: what travels is what stood in the logs before it.
  void play(std::span<const Transfer> round);

  /// In order of arrival. The own log stands behind those of the ports, unless it is the only one.
  std::span<const Run> runs(Node c, unsigned log) const { return logs_[at(c, log)].runs; }
  std::uint64_t length(Node c, unsigned log) const { return logs_[at(c, log)].length; }
  /// What the runs are runs of.
  std::vector<std::uint32_t> take_origins() { return std::exchange(origins_, {}); }

 private:
  class Held;
  struct Log {
    std::vector<Run> runs;
    std::uint64_t length = 0;
  };
  std::size_t at(Node c, unsigned log) const { return std::size_t{c} * all_logs_ + log; }

  void gather(Node c);
  void write_out(std::vector<Run>& runs, std::uint32_t set);
  void deliver(const Transfer& t);
  Run listed(std::span<const Message> messages, std::uint32_t by);
  void append(Node c, unsigned log, const Run& run);
  void append_one_by_one(Node c, unsigned log, const Run& run, bool adding);

  const Schedule& s_;
  const Symmetry& symmetry_;
  NodeKind kind_;
  DigitPacking packing_;
  std::size_t all_logs_;
  std::vector<std::uint32_t> origins_;
  std::vector<Log> logs_;  ///< by class and log, the own log last
  std::unique_ptr<Held> held_;
  std::vector<std::vector<Run>> sent_;  ///< by class: everything that it holds when the round begins
};

}  // namespace gossamer
