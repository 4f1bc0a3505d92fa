#pragma once

#include <string>
#include <systemc>
#include <vector>

#include "fabric/fabric.hpp"
#include "fabric_module.hpp"

namespace gossamer::systemc {

/// The waveform of a run, a VCD file (docs/use/waveforms.md). Opened in the window's first cycle
/// and closed after its last one.
class Waveform : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Waveform);
  /// Must be destroyed before `fabric`.
  Waveform(const sc_core::sc_module_name& name, const TraceOptions& options,
           const FabricModule& fabric);
  ~Waveform() override { close(); }
  void close();
  /// Why the closed file is not whole; 0 if it is.
  int error() const { return error_; }

 private:
  void begin_cycle();
  void open();

  const TraceOptions options_;
  const FabricModule& fabric_;
  std::vector<Node> nodes_;
  std::uint64_t cycle_ = 0;
  sc_core::sc_trace_file* file_ = nullptr;
  int error_ = 0;
};

}  // namespace gossamer::systemc
