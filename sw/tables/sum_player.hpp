#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "schedule/schedule.hpp"
#include "play/stores.hpp"

namespace gossamer {

/// The cycles from the read of a word that is kept to the first in which its result can be read.
std::uint64_t keep_cycles();

/// What the nodes of a reduction read, round by round: where each message stands, and what is
/// combined with what. An arrival is combined with own words as it is sent on. If several have
/// come, all but one are merged before, one after the other: channel 0 reads an arrival, and the
/// result replaces the own words. Own words of all nodes lie in one order: by origin, then by
/// piece. Nodes that are no members have them too, for what they have to merge.
class SumPlayer {
 public:
  /// A run of words that a channel reads.
  struct Read {
    unsigned log = 0;
    std::uint32_t base = 0, words = 0;
    bool combines = false;  ///< with own words,
    bool keeps = false;     ///< which the result replaces
    std::uint32_t own = 0;  ///< address of the first of these
  };
  /// A read of channel 0 that nothing is sent of.
  struct Merge {
    Node node = 0;
    std::uint64_t at = 0;  ///< cycles after the round has begun
    Read read;
  };
  struct Round {
    /// Of all nodes, by node and time. All nodes send and receive `before` cycles later.
    std::vector<Merge> merges;
    std::uint64_t before = 0;
    std::vector<std::vector<Read>> reads;  ///< by transfer
    /// Of nodes whose channel 0 sends nothing: what it reads while the others send.
    std::vector<Merge> meanwhile;
  };

  /// `single_port`: nodes have one channel and one log of arrivals, and not one for each port.
  SumPlayer(const Schedule& schedule, unsigned flits, bool single_port);

  /// Those of one node.
  static std::span<const Merge> of_node(const std::vector<Merge>& merges, Node x);

  /// Transfers of one round, in any order; rounds in theirs.
  Round play(std::span<const Transfer> starting);
  /// What is left to be merged in the end.
  Round finish();
  /// Where a result stands; nothing if the node does not have it.
  std::optional<LogPlace> result(Node x, const Message& m) const;
  /// Words of a log of arrivals.
  std::uint64_t length(Node x, unsigned log) const { return lengths_[x * logs_ + log]; }
  /// Own words of each node, and where those of a message begin.
  std::uint64_t own_words() const { return own_begin_.back(); }
  unsigned logs() const { return logs_; }
  std::uint32_t own_address(const Message& m) const;

 private:
  /// What a node holds of a message.
  struct Held {
    std::vector<LogPlace> came;  ///< not yet merged
    std::optional<LogPlace> whole;
    std::uint32_t parts = 0;  ///< of how many members
    bool own = false;         ///< own words belong to it
  };
  struct Arrival {
    Node at = 0;
    LogPlace came;
    Message message;
    std::uint32_t parts = 0;
    bool whole = false;
  };
  class Merging;

  Held& held(Node x, const Message& m);
  const Held& held(Node x, const Message& m) const;
  std::size_t place(Node x, const Message& m) const;
  unsigned own_log() const { return logs_; }
  std::size_t blocks() const { return own_begin_.size() - 1; }
  Read read_of(Node x, const Message& m) const;
  std::vector<Arrival> arrivals_of(std::span<const Transfer> starting);
  void keep(std::span<const Transfer* const> sent, Round& round,
            std::span<const Transfer> starting);
  void meanwhile(const std::map<Node, std::vector<const Transfer*>>& sent, Round& round,
                 std::span<const Transfer> starting);

  const Schedule& s_;
  ChunkFlits flits_;
  bool single_port_;
  unsigned logs_;
  std::vector<std::uint32_t> block_of_;   ///< by origin
  std::vector<std::uint32_t> own_begin_;  ///< of each block
  std::vector<Held> held_;
  std::vector<std::uint64_t> lengths_;         ///< by node and log
  std::vector<std::vector<Message>> waiting_;  ///< by node: of which something has come
};

}  // namespace gossamer
