#include "waveform.hpp"

#include <sysc/tracing/sc_tracing_ids.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "support/error.hpp"

namespace gossamer::systemc {

Waveform::Waveform(const sc_core::sc_module_name& name, const TraceOptions& options,
                   const FabricModule& fabric)
    : sc_module(name), options_(options), fabric_(fabric), nodes_(options.nodes) {
  if (!std::ofstream(options_.file)) throw InputError(options_.file + ": cannot be written");
  if (nodes_.empty()) {
    nodes_.resize(fabric.nodes());
    std::iota(nodes_.begin(), nodes_.end(), Node{0});
  }
  if (options_.first_cycle == 0) open();
  SC_METHOD(begin_cycle);
  sensitive << fabric.rising_edge();
  dont_initialize();
}

/// Writes the values of a cycle after its rising edge.
void Waveform::begin_cycle() {
  ++cycle_;
  if (cycle_ == options_.first_cycle) open();
  if (cycle_ > options_.last_cycle) close();
}

void Waveform::open() {
  // SystemC appends .vcd to the name.
  const auto name = std::filesystem::path(options_.file).replace_extension().string();
  file_ = sc_core::sc_create_vcd_trace_file(name.c_str());
  // Suppresses its report about the time scale on standard output.
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_TRACING_TIMESCALE_UNIT_,
                                          sc_core::SC_DO_NOTHING);
  file_->set_time_unit(1, sc_core::SC_PS);
  fabric_.trace(file_, nodes_);
}

void Waveform::close() {
  if (file_ != nullptr) sc_core::sc_close_vcd_trace_file(file_);
  file_ = nullptr;
}

}  // namespace gossamer::systemc
