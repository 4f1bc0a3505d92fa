#pragma once

#include <string>

#include "views/signals.hpp"

namespace gossamer::tb {

/// The names of signals in an engine's waveforms.
class WaveSignals : public Signals {
 public:
  WaveSignals(const std::string& engine, bool half_duplex, bool adaptive = false)
      : engine_(engine), half_duplex_(half_duplex), adaptive_(adaptive) {}

  std::string clock(Node x) const override;
  NodeSignals node(Node x) const override;
  PortSignals port(Node x, Port p) const override;
  std::string operation(Node x, unsigned channel) const override;
  std::string words_in_log(Node x, unsigned log) const override;

 private:
  std::string scope(Node x) const;

  std::string engine_;
  bool half_duplex_, adaptive_;
};

}  // namespace gossamer::tb
