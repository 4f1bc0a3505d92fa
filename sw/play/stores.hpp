#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "play/play.hpp"
#include "support/number_map.hpp"

namespace gossamer {

/// A message's place in a node's store.
struct LogPlace {
  unsigned log = 0;
  std::uint32_t index = 0;  ///< words before it in the log
};

/// The append-only logs of one node of each class of a schedule's symmetry, as it names messages:
/// the first copy of each message (of sums that are joined the last one), or (much smaller) only
/// the lengths in words. There is a log for each port, and the own one behind them; with a single
/// port there is one.
class Stores {
 public:
  /// Everything that a transfer carries, as its source's class names it; null if it lists that.
  using Carried = std::shared_ptr<const std::vector<Message>>;

  /// `ports`: of the nodes, or 1 if they have a single log.
  Stores(const Schedule& schedule, const ChunkFlits& flits, Port ports, bool contents = true);

  unsigned own_log() const { return static_cast<unsigned>(all_.front().lengths.size() - 1); }
  std::uint64_t length(Node c, unsigned log) const { return all_[c].lengths[log]; }
  /// The place of the first copy of a message; null if the class does not hold it.
  const LogPlace* find(Node c, const Message& m) const {
    return all_[c].places.find(numbers_.number(m));
  }
  /// What a transfer carries that begins now.
  Carried carried(const Transfer& t) const;
  /// Appends a message to a log.
  void append(Node c, unsigned log, const Message& m);
  /// Appends it to the log of a port; without contents so many words.
  void store(const Brought<Carried>& brought, std::uint64_t words);

  /// The messages that a transfer carries, in their order, as the class of `viewer` names them;
  /// that of node 0 does as the schedule.
  template <class Visit>
  void visit(const Transfer& t, const Carried& all, Node viewer, const Visit& visit) const {
    const Translation seen(s_.topology(), s_.change(all ? s_.source(t) : 0, viewer));
    const auto take = [&](const Message& m) { visit(moved(m, seen)); };
    if (all) {
      std::ranges::for_each(*all, take);
    } else {
      std::ranges::for_each(s_.messages(t), take);
    }
  }

 private:
  struct Logs {
    std::vector<std::uint64_t> lengths;
    std::vector<std::vector<std::uint64_t>> arrived;  ///< by log: first copies, in order
    NumberMap<LogPlace, 6> places;                    ///< by message
  };

  const Schedule& s_;
  ChunkFlits flits_;
  bool contents_;
  MessageNumbers numbers_;
  std::vector<Logs> all_;  ///< by class
};

}  // namespace gossamer
