#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "checker/checker.hpp"
#include "schedule/schedule.hpp"
#include "support/memory.hpp"

namespace gossamer::checking {

class NodeTrees;

/// The messages that a node holds, written as its class representative would see them (that is,
/// translated back by the node's shift). A new set holds what its node holds before round 1; of
/// that nothing is written down, so that a set is as large as what has arrived. All sets of one
/// check have the same concrete type.
class MessageSet {
 public:
  virtual ~MessageSet() = default;
  virtual bool contains(const Message& m) const = 0;
  virtual void insert(const Message& m) = 0;
  /// Adds all of `other`, translated by `by`.
  virtual void merge(const MessageSet& other, Node by) = 0;
  virtual std::uint64_t size() const = 0;
  /// Messages that came later and that its node must hold in the end.
  virtual std::uint64_t delivered() const = 0;
  virtual std::unique_ptr<MessageSet> clone() const = 0;
  /// Up to `most` origins of gossip whose messages are not in the set.
  virtual std::vector<Node> missing_origins(std::size_t most) const = 0;
};

/// The sets of all nodes of a check, made when they are first needed: a bit per origin for gossip,
/// where nodes end with all messages, or where these would take by far the most of the memory trees
/// in which equal parts are held once (node_trees.hpp); a hash table for the other collectives,
/// where nodes end with few of very many. The schedule must outlive them.
class MessageSets {
 public:
  /// Throws TooLarge if the machine has no memory for what the schedule's transfers will fill.
  explicit MessageSets(const Schedule& schedule, OriginSets origin_sets = OriginSets::Automatic);

  /// The set of a class. Throws TooLarge, later or now, if the sets grow too large.
  const std::shared_ptr<MessageSet>& operator[](Node class_index);
  /// Has the class a set? If not, it holds what its node held before round 1.
  bool has(Node class_index) const { return sets_[class_index] != nullptr; }

 private:
  const Schedule& schedule_;
  std::shared_ptr<MemoryWatch> watch_;
  std::shared_ptr<NodeTrees> trees_;  ///< null unless they are the sets
  std::vector<std::shared_ptr<MessageSet>> sets_;
};

/// Translations between the nodes of an orbit schedule and their class representatives. With the
/// trivial group nothing is ever translated, so that any topology will do.
class Frames {
 public:
  explicit Frames(const Schedule& schedule)
      : topology_(schedule.topology()),
        symmetry_(schedule.symmetry()),
        trivial_(schedule.symmetry().order() == 1) {}

  /// `m` as the representative of `viewer` sees it.
  Message seen_from(Node viewer, const Message& m) const;
  /// The translation from what `from` sees to what `to` sees.
  Node change(Node from, Node to) const;
  Node class_of(Node x) const { return symmetry_.class_of(x); }

 private:
  const Topology& topology_;
  const Symmetry& symmetry_;
  bool trivial_;
};

}  // namespace gossamer::checking
