#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// What a node sends in a step: to which node, and which word of its log. A node's log holds its
/// own message (word 0) and then whatever it receives, in order of arrival.
struct Send {
  Node to = kNoNode;
  std::uint32_t index = 0;
};

/// A single-port gossip on one graph, step by step: paper 1's multinode broadcasting algorithm of a
/// graph, in the form that its product algorithm needs.
class SinglePortGossip {
 public:
  virtual ~SinglePortGossip() = default;
  virtual std::uint32_t steps() const = 0;
  /// What node `x` sends in `step` (from 1), if anything.
  virtual std::optional<Send> send(std::uint32_t step, Node x) const = 0;
  /// The origin of word `index` of the log of `x`.
  virtual Node origin(Node x, std::uint32_t index) const = 0;
  /// A translation of the graph that leaves every step and every log unchanged; 0 if there is none.
  virtual Node period() const = 0;
};

/// Such a gossip as a list of what all nodes send, step by step.
class ListedGossip : public SinglePortGossip {
 public:
  std::uint32_t steps() const override { return static_cast<std::uint32_t>(sends_.size()); }
  std::optional<Send> send(std::uint32_t step, Node x) const override {
    const Send& send = sends_[step - 1][x];
    return send.to == kNoNode ? std::nullopt : std::optional(send);
  }
  Node origin(Node x, std::uint32_t index) const override { return logs_[x][index]; }
  Node period() const override { return 0; }

 protected:
  std::vector<std::vector<Send>> sends_;  ///< by step and node; to kNoNode: sends nothing
  std::vector<std::vector<Node>> logs_;   ///< origins, by node
};

/// The model of paper 1: one port, packets, one message at a time.
Model single_port_model(Duplex duplex);

/// The schedule of a gossip on a whole topology, as orbits of its period. `gossip` must be made for
/// that topology and duplex.
Schedule schedule_of(const SinglePortGossip& gossip, const Topology& topology, Duplex duplex);

/// The ring's algorithm, place by place, for any caller with a ring of `n` >= 2 places: place i
/// sends only to i+1 (mod n), first its own message and then what it received, in order of arrival.
namespace ring_algorithm {

/// n-1 (full duplex), 2(n-1) (half duplex, n even), 2n (half duplex, n odd).
Formula formula(Node n, Duplex duplex);
/// The number of messages that place `i` has sent before `step` if it sends in `step`; else
/// nothing.
std::optional<std::uint32_t> send(Node n, Duplex duplex, std::uint32_t step, Node i);
/// Rotating by this many places changes nothing: 1 (full), 2 (half, n even); 0 (half, n odd): no
/// rotation.
Node period(Node n, Duplex duplex);

}  // namespace ring_algorithm

/// The ring's algorithm along a hamiltonian cycle of any graph (Dimakopoulos 1999, section 3):
/// place i of the ring is node cycle[i].
class CycleGossip : public SinglePortGossip {
 public:
  /// `cycle` is a hamiltonian cycle of `topology`, already checked.
  CycleGossip(const Topology& topology, std::vector<Node> cycle, Duplex duplex);

  std::uint32_t steps() const override;
  std::optional<Send> send(std::uint32_t step, Node x) const override;
  Node origin(Node x, std::uint32_t index) const override;
  Node period() const override { return period_; }

 private:
  Node nodes() const { return static_cast<Node>(cycle_.size()); }

  std::vector<Node> cycle_, place_;
  Duplex duplex_;
  Node period_;
};

/// Gossip on a path of n >= 3 nodes (ours; the paper has only paths of two nodes). An inner node
/// must send n+1 messages (towards each end what comes from the other side, and its own to both),
/// so every schedule takes at least n+1 steps (full duplex) or 2n (half duplex, with n-1
/// receptions).
class PathGossip : public ListedGossip {
 public:
  PathGossip(Node nodes, Duplex duplex);

  /// floor((3n-1)/2) steps in full duplex, floor((5n-3)/2) in half duplex.
  static Formula formula(Node nodes, Duplex duplex);
};

}  // namespace gossamer
