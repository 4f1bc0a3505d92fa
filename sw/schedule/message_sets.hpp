#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "schedule/schedule.hpp"
#include "support/memory.hpp"
#include "topology/topology.hpp"

namespace gossamer {

class NodeTrees;

/// Are the digits of nodes small enough for trees of origins? Not if a radix has a large prime.
bool trees_suit(const Topology& topology);

/// How the sets of messages at the nodes of a gossip are stored. Both give the same answer; tests
/// compare them.
enum class OriginSets : std::uint8_t { Automatic, Bits, Trees };

/// The messages that a node holds, as its class representative sees them (that is, translated back
/// by the node's shift). A new set holds what its node holds before round 1. That part takes no
/// memory, so a set is as large as what has arrived. All sets of one check have the same concrete
/// type.
class MessageSet {
 public:
  virtual ~MessageSet() = default;
  virtual bool contains(const Message& m) const = 0;
  virtual void insert(const Message& m) = 0;
  /// Adds all of `other`, translated by `by`.
  virtual void merge(const MessageSet& other, Node by) = 0;
  virtual std::uint64_t size() const = 0;
  virtual std::uint64_t flits(const ChunkFlits& flits) const = 0;
  /// Messages that arrived later and that its node must hold at the end.
  virtual std::uint64_t delivered() const = 0;
  virtual std::unique_ptr<MessageSet> clone() const = 0;
  /// Up to `most` origins of gossip whose messages are not in the set.
  virtual std::vector<Node> missing_origins(std::size_t most) const = 0;
};

/// Is it a gossip of all nodes, with a message of each? Then sets are sets of origins, and know
/// what is missing.
bool everybody_ends_with_all(const Schedule& schedule);

/// The sets of all nodes of a check, each made at its first use. For gossip, where nodes end with
/// all messages: a bit per origin, or, if bits would take by far the most memory, trees that store
/// equal parts once. For the other collectives, where nodes end with few of very
/// many messages: a hash table. The schedule must outlive them.
class MessageSets {
 public:
  /// Throws TooLarge if the schedule's transfers will need more memory than is free.
  explicit MessageSets(const Schedule& schedule, OriginSets origin_sets = OriginSets::Automatic);

  /// The set of a class. Throws TooLarge if the sets have grown too large.
  const std::shared_ptr<MessageSet>& operator[](Node class_index);
  /// The same, to be changed: a copy if somebody still looks at what it was.
  MessageSet& changing(Node class_index) {
    std::shared_ptr<MessageSet>& set = sets_[class_index];
    if ((*this)[class_index].use_count() > 1) set = set->clone();
    return *set;
  }
  /// Does the class have a set? If not, it holds what its node held before round 1.
  bool has(Node class_index) const { return sets_[class_index] != nullptr; }

 private:
  const Schedule& schedule_;
  std::shared_ptr<MemoryWatch> watch_;
  std::shared_ptr<NodeTrees> trees_;  ///< null unless the sets are trees
  std::vector<std::shared_ptr<MessageSet>> sets_;
};

}  // namespace gossamer
