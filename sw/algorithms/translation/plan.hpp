#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer::translation {

/// Distances from node 0, and the ports through which an offset can arrive from a nearer one.
class Metric {
 public:
  explicit Metric(const Topology& topology);

  Port ports() const { return topology_.ports(); }
  Node nodes() const { return topology_.nodes(); }
  Node next(Node x, Port p) const { return topology_.peer(x, p).node; }
  Node parent(Node x, Port p) const { return next(x, back_[p]); }
  std::uint32_t distance(Node x) const { return distance_[x]; }
  bool may_arrive(Node x, Port p) const { return distance_[parent(x, p)] < distance_[x]; }

 private:
  const Topology& topology_;
  std::vector<Port> back_;  ///< the port that leads back along the link of port p
  std::vector<std::uint32_t> distance_;
};

/// A port for every offset that has not arrived, and the number of offsets of each port.
class Plan {
 public:
  explicit Plan(const Metric& metric)
      : metric_(&metric), port_(metric.nodes(), kNoPort), load_(metric.ports(), 0) {}

  Port port(Node offset) const { return port_[offset]; }
  std::uint32_t load(Port p) const { return load_[p]; }
  bool is_open(Node offset) const { return port_[offset] != kNoPort; }

  void assign(Node offset, Port p) {
    close(offset);
    port_[offset] = p;
    ++load_[p];
  }
  void close(Node offset) {
    if (is_open(offset)) --load_[port_[offset]];
    port_[offset] = kNoPort;
  }

  /// Brings port `from` down to its capacity: moves an offset to another port that it may arrive
  /// through, from there another one, and so on, up to a port with room. Returns false if that is
  /// impossible.
  bool relieve(Port from, const std::vector<std::uint32_t>& capacity);

 private:
  std::optional<Node> movable(Port from, Port to) const;

  const Metric* metric_;  // a pointer, because plans are assigned
  std::vector<Port> port_;
  std::vector<std::uint32_t> load_;
};

}  // namespace gossamer::translation
