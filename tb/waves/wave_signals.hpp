#pragma once

#include <string>

#include "topology/topology.hpp"

namespace gossamer::tb {

/// Signals of a node, full names with their ranges; empty: the engine does not show it.
struct NodeSignals {
  std::string start, done, state, round, cycle;
  std::string first_error, error_round, error_port;
  std::string errors;  ///< without its range
};

/// Signals of a node's port.
struct PortSignals {
  std::string link, source, out, out_last;
  std::string expected;  ///< what should be on the output
  std::string receiver, in, in_last;
};

/// The names of signals in an engine's waveforms.
class WaveSignals {
 public:
  WaveSignals(const std::string& engine, bool half_duplex, bool adaptive = false)
      : engine_(engine), half_duplex_(half_duplex), adaptive_(adaptive) {}

  /// Node `x`'s clock.
  std::string clock(Node x) const;
  NodeSignals node(Node x) const;
  PortSignals port(Node x, Port p) const;
  /// How many words one of a node's logs holds; empty: the engine does not show it.
  std::string words_in_log(Node x, unsigned log) const;

 private:
  std::string scope(Node x) const;

  std::string engine_;
  bool half_duplex_, adaptive_;
};

}  // namespace gossamer::tb
