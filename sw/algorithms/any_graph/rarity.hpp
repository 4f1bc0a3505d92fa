#pragma once

#include "algorithms/any_graph/bit_sets.hpp"
#include "algorithms/any_graph/random.hpp"

namespace gossamer::any_graph {

/// How many nodes hold each message, kept so that the rarest of any set of messages is found fast:
/// row h is the set of all messages with at most h holders, so one more holder clears one bit.
class Rarity {
 public:
  explicit Rarity(Node nodes);

  void one_more(Node m);
  void one_less(Node m);
  /// Reduces `set`, which is not empty, to its messages with the fewest holders.
  void keep_rarest(Word* set);

 private:
  bool meets(const Word* set, std::uint32_t holders) const;
  std::vector<std::uint32_t> holders_;
  std::vector<std::uint32_t> messages_with_;  ///< so many holders
  BitSets at_most_;
  std::uint32_t fewest_ = 1;  ///< no message has fewer holders
};

/// A random member of a set of so many words that is not empty.
Node random_member(const Word* set, std::uint32_t words, Random& random);

}  // namespace gossamer::any_graph
