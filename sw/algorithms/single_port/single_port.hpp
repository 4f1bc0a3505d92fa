#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "algorithms/common/algorithm.hpp"

namespace gossamer {

/// What a node sends in a step: to whom, and which word of its log. A node's log holds its own
/// message (word 0) and then whatever it receives, in order of arrival.
struct Send {
  Node to = kNoNode;
  std::uint32_t index = 0;
};

/// A single-port gossip on one graph, step by step: what paper 1 calls the multinode broadcasting
/// algorithm of a graph, and the form in which its product algorithm takes those of the dimensions.
class SinglePortGossip {
 public:
  virtual ~SinglePortGossip() = default;
  virtual std::uint32_t steps() const = 0;
  /// What node `x` sends in `step` (from 1), if anything.
  virtual std::optional<Send> send(std::uint32_t step, Node x) const = 0;
  /// Whose message is word `index` of the log of `x`.
  virtual Node origin(Node x, std::uint32_t index) const = 0;
  /// A translation of the graph that leaves every step and every log unchanged; 0: none but none.
  virtual Node period() const = 0;
};

/// The model of paper 1: one port, packets, one message at a time.
Model single_port_model(Duplex duplex);

/// What all algorithms of paper 1 refuse: anything but gossip through a single port.
std::optional<std::string> refuses_all_but_gossip(std::string_view name, const Request& request);

/// The schedule of a gossip on a whole topology, as orbits of its period. `gossip` was made for
/// that topology and duplex.
Schedule schedule_of(const SinglePortGossip& gossip, const Topology& topology, Duplex duplex,
                     std::string algorithm);

}  // namespace gossamer
