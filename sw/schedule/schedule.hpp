#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "schedule/model.hpp"
#include "topology/topology.hpp"

namespace gossamer {

/// A message by its origin and, where every pair has its own, its destination.
struct Message {
  Node origin = 0;
  Node destination = kNoNode;  ///< kNoNode: the same message for everybody
  auto operator<=>(const Message&) const = default;
};

/// What a transfer carries: the messages listed, or everything that the source holds when the
/// round starts (its own first, then by port and arrival; with a single port by arrival).
enum class Carry : std::uint8_t { Listed, Everything };

/// A path and what travels on it, in one round. Held in a Schedule, which owns path and messages.
struct Transfer {
  std::uint32_t round = 0;      ///< from 1
  std::uint32_t line = 0;       ///< of the file it was read from; 0 if it was computed
  std::uint64_t path_begin = 0;
  std::uint64_t messages_begin = 0;
  std::uint32_t path_size = 0;  ///< nodes, so hops + 1
  std::uint32_t messages_size = 0;
  Carry carry = Carry::Listed;
};

/// A precomputed collective: rounds of transfers on a topology, under a model. Each transfer stands
/// for its whole orbit under `symmetry`, that is for itself and its translations (path, origins and
/// destinations alike); with the trivial symmetry it stands for itself alone.
class Schedule {
 public:
  Schedule(Topology topology, Collective collective, Model model, Symmetry symmetry);
  Schedule(Topology topology, Collective collective, Model model);

  const Topology& topology() const { return topology_; }
  const Symmetry& symmetry() const { return symmetry_; }
  Collective collective() const { return collective_; }
  const Model& model() const { return model_; }

  std::string algorithm;  ///< name, empty for a user's own file
  Node root = 0;          ///< of broadcast, scatter and gather

  /// Appends a transfer (a representative of its orbit). Rounds must not decrease.
  void add(std::uint32_t round, std::span<const Node> path, std::span<const Message> messages,
           std::uint32_t line = 0);
  /// Appends a transfer of everything that the source holds.
  void add_everything(std::uint32_t round, std::span<const Node> path, std::uint32_t line = 0);
  /// One hop, one message for everybody: the usual transfer of the packet papers.
  void add_hop(std::uint32_t round, Node from, Node to, Node origin);

  /// The last round's number.
  std::uint32_t rounds() const { return transfers_.empty() ? 0 : transfers_.back().round; }
  /// In order of rounds.
  std::span<const Transfer> transfers() const { return transfers_; }
  std::span<const Node> path(const Transfer& t) const {
    return {paths_.data() + t.path_begin, t.path_size};
  }
  /// Empty if the transfer carries everything.
  std::span<const Message> messages(const Transfer& t) const {
    return {messages_.data() + t.messages_begin, t.messages_size};
  }

 private:
  Topology topology_;
  Symmetry symmetry_;
  Collective collective_;
  Model model_;
  std::vector<Transfer> transfers_;
  std::vector<Node> paths_;
  std::vector<Message> messages_;
};

}  // namespace gossamer
