#include "waveform.hpp"

#include <sysc/tracing/sc_tracing_ids.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace gossamer::systemc {

Waveform::Waveform(const sc_core::sc_module_name& name, const TraceOptions& options,
                   const FabricModule& fabric)
    : sc_module(name), options_(options), fabric_(fabric), nodes_(options.nodes) {
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

/// SystemC does not say whether it could write, but a whole file ends with what is written last,
/// and at most the time.
void Waveform::close() {
  if (file_ == nullptr) return;
  const std::string last = "end of the waveform";
  file_->write_comment(last);
  sc_core::sc_close_vcd_trace_file(file_);
  file_ = nullptr;
  const std::string end = "$comment\n" + last + "\n$end\n\n";
  constexpr std::size_t kTime = 24;  // "#", digits and the end of the line
  std::fstream file(options_.file, std::ios::in | std::ios::out | std::ios::binary);
  std::string found(end.size() + kTime, ' ');
  if (file.seekg(-static_cast<std::streamoff>(found.size()), std::ios::end) &&
      file.read(found.data(), static_cast<std::streamsize>(found.size())) &&
      found.find(end) != std::string::npos && found.back() == '\n') {
    return;
  }
  // To write once more tells why.
  errno = 0;
  file.clear();
  file.seekp(0, std::ios::end) << std::string(std::size_t{1} << 16, ' ') << std::flush;
  error_ = errno != 0 ? errno : EIO;
}

}  // namespace gossamer::systemc
