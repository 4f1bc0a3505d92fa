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

/// Why an algorithm of paper 1 refuses: it serves only gossip through a single port.
std::optional<std::string> refuses_all_but_gossip(std::string_view name, const Request& request);

/// The schedule of a gossip on a whole topology, as orbits of its period. `gossip` must be made for
/// that topology and duplex.
Schedule schedule_of(const SinglePortGossip& gossip, const Topology& topology, Duplex duplex,
                     std::string algorithm);

}  // namespace gossamer
