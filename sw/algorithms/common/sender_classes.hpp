#pragma once

#include <vector>

#include "schedule/model.hpp"
#include "topology/topology.hpp"

namespace gossamer {

/// The classes of nodes of schedules in which all nodes of a class do the same, on a topology whose
/// nodes can all be translated to one another.
///
/// Over full-duplex links there is one class. Over half-duplex links the ends of a link may not
/// send at the same time. If the link leads through different ports of its ends, every node may
/// still do the same, as long as it does not use both of these ports. But some links lead through
/// the same port of both ends, to a node r/2 digits on in a dimension of r nodes: all links of a
/// hypercube, for example. If there are such dimensions, and 2^a is the largest power of two that
/// divides one of their sides, there are 2^a classes. A node's class is the sum modulo 2^a of its
/// digits in these dimensions, each times 2^a over the power of two in its side. So the classes of
/// the ends of such links differ by half of 2^a.
class SenderClasses {
 public:
  SenderClasses(const Topology& topology, Duplex duplex);

  Node count() const { return count_; }
  Node of(Node x) const { return count_ == 1 ? 0 : class_of_[x]; }
  Node representative(Node c) const { return c * unit_; }
  /// Translations that leave every node in its class.
  const std::vector<Node>& generators() const { return generators_; }

 private:
  Node count_ = 1;
  Node unit_ = 0;               ///< a node of class 1; 0 if there is one class
  std::vector<Node> class_of_;  ///< empty if there is one class
  std::vector<Node> generators_;
};

/// The port through which a hop through port p comes, of a topology whose nodes can all be
/// translated.
inline Port port_back(const Topology& topology, Port p) { return topology.peer(0, p).port; }

}  // namespace gossamer
