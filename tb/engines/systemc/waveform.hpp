#pragma once

#include <string>
#include <systemc>
#include <vector>

#include "fabric/fabric.hpp"
#include "fabric_module.hpp"

namespace gossamer::systemc {

/// The waveform of a run, a VCD file (docs/use/waveforms.md). Opened in the window's first cycle and
/// closed after its last one.
class Waveform : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Waveform);
  /// Throws InputError if the file cannot be written. Must be destroyed before `fabric`.
  Waveform(const sc_core::sc_module_name& name, const TraceOptions& options,
           const FabricModule& fabric);
  ~Waveform() override { close(); }

 private:
  void begin_cycle();
  void open();
  void close();

  const TraceOptions options_;
  const FabricModule& fabric_;
  std::vector<Node> nodes_;
  std::uint64_t cycle_ = 0;
  sc_core::sc_trace_file* file_ = nullptr;
};

}  // namespace gossamer::systemc
