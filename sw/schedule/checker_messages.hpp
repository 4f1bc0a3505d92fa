#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "schedule/checker.hpp"
#include "schedule/schedule.hpp"

namespace gossamer::checking {

/// The messages that a node holds, written as its class representative would see them (that is,
/// translated back by the node's shift). All sets of one check have the same concrete type.
class MessageSet {
 public:
  virtual ~MessageSet() = default;
  virtual bool contains(const Message& m) const = 0;
  virtual void insert(const Message& m) = 0;
  /// Adds all of `other`, translated by `by`.
  virtual void merge(const MessageSet& other, Node by) = 0;
  virtual std::uint64_t size() const = 0;
  virtual std::unique_ptr<MessageSet> clone() const = 0;
  /// Up to `most` origins of gossip whose messages are not in the set.
  virtual std::vector<Node> missing_origins(std::size_t most) const = 0;
};

/// An empty set that suits the schedule: a bit per origin for gossip, where nodes end with all
/// messages; a hash table for the other collectives, where they end with few of very many.
/// The schedule must outlive the set.
std::unique_ptr<MessageSet> make_message_set(const Schedule& schedule);

/// The same for each class of nodes. For gossip where bits would take by far the most of the
/// memory, trees in which equal parts are held once (node_trees.hpp).
std::vector<std::shared_ptr<MessageSet>> make_message_sets(
    const Schedule& schedule, OriginSets origin_sets = OriginSets::Automatic);

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
