#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "play/stores.hpp"
#include "schedule/schedule.hpp"

namespace gossamer {

/// Where a node has the sum of a message when the run has ended.
struct SumPlace {
  Node node = 0;
  Message message;
  LogPlace place;
};

/// What the nodes of a reduction read, round by round: where each message stands, and what is
/// combined with what. An arrival is combined with own words as it is sent on. If several have
/// come, all but one are merged before, one after the other: channel 0 reads an arrival, and the
/// result replaces the own words. Own words of all nodes lie in one order: by origin, then by
/// piece. Nodes that are no members have them too, for what they have to merge. Nodes have a log of
/// arrivals for each port, or one if the model's have one port.
struct SumPlan {
  /// Where a channel reads a message.
  struct Read {
    std::uint32_t base = 0;
    std::uint16_t log = 0;
    bool combines = false;  ///< with own words,
    bool keeps = false;     ///< which the result replaces
  };
  /// A read of channel 0 that nothing is sent of.
  struct Merge {
    Node node = 0;
    std::uint32_t at = 0;  ///< cycles after the round has begun
    Message message;
    Read read;
  };
  struct Round {
    /// Of all nodes, by node and time. All nodes send and receive `before` cycles later.
    std::vector<Merge> merges;
    std::uint64_t before = 0;
    /// Of nodes whose channel 0 sends nothing: what it reads while the others send.
    std::vector<Merge> meanwhile;
  };

  static const Round kIdle;

  SumPlan(const Schedule& schedule, unsigned flits);

  /// What happens in a round; in the one after the last, what is left to be merged.
  const Round& round(std::uint32_t number) const;
  /// Those of one node.
  static std::span<const Merge> of_node(const std::vector<Merge>& merges, Node x);

  std::uint64_t own_words() const { return own_begin.back(); }
  std::uint32_t own_address(const Message& m) const {
    return own_begin[block_of[m.origin]] + flits.cut(m).first(m.piece);
  }

  ChunkFlits flits;
  std::vector<std::uint32_t> block_of;    ///< of own words, by origin
  std::vector<std::uint32_t> own_begin;   ///< of each block, and their end
  std::map<std::uint32_t, Round> rounds;  ///< those in which anything is merged
  std::vector<Read> reads;                ///< a transfer's from its messages_begin on
  unsigned logs;                          ///< of arrivals; the own words' log has this number
  std::vector<std::uint64_t> lengths;     ///< words of these, by node and log
  std::vector<SumPlace> results;          ///< by node, then piece: those it brings
};

}  // namespace gossamer
