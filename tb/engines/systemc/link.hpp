#pragma once

#include <ostream>
#include <string>
#include <systemc>

#include "fabric/fabric.hpp"
#include "link.hpp"

namespace gossamer {

// Required by sc_signal.
inline std::ostream& operator<<(std::ostream& out, const Flit& flit) {
  if (!flit.valid) return out << "nothing";
  return out << std::hex << flit.data << std::dec << (flit.last ? " last" : "");
}
inline void sc_trace(sc_core::sc_trace_file* file, const Flit& flit, const std::string& name) {
  sc_core::sc_trace(file, flit.valid, name + ".valid");
  sc_core::sc_trace(file, flit.last, name + ".last");
  sc_core::sc_trace(file, flit.data, name + ".data");
}

namespace systemc {

/// What all links of a fabric report to their monitor.
struct Traffic {
  std::uint64_t busy = 0;     ///< links that carry a flit now, at a node's output
  std::uint64_t passing = 0;  ///< stages of links that hold one
};

/// One direction of a link: a signal that also reports when it becomes busy and when idle. For a
/// half-duplex link it is what one end drives, and idle while that end does not drive.
class Link final : public sc_core::sc_signal<Flit> {
 public:
  /// `busy` counts it while it carries a flit.
  Link(const char* name, std::uint64_t& busy) : sc_signal<Flit>(name), busy_(busy) {}

  /// Adds NAME_flit, the valid bit followed by the word, and NAME_last.
  void trace(sc_core::sc_trace_file* file, const std::string& name) const {
    sc_core::sc_trace(file, shown_, name + "_flit", 33);
    sc_core::sc_trace(file, read().last, name + "_last");
  }

 protected:
  void update() override {
    const bool before = read().valid;
    sc_signal<Flit>::update();
    busy_ += read().valid;
    busy_ -= before;
    shown_ = read().valid ? sc_dt::uint64{1} << 32 | read().data : 0;
  }

 private:
  std::uint64_t& busy_;
  sc_dt::uint64 shown_ = 0;  ///< for the waveform
};

}  // namespace systemc

}  // namespace gossamer

namespace gossamer::systemc {

/// A register stage of one direction of a link: what enters leaves a cycle later.
class LinkStage : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<Flit> in{"in"};

  SC_HAS_PROCESS(LinkStage);
  LinkStage(const sc_core::sc_module_name& name, Traffic& traffic)
      : sc_module(name), out_("out", traffic.passing) {
    SC_METHOD(cycle);
    sensitive << clk.pos();
    dont_initialize();
  }

  /// What leaves it.
  Link& out() { return out_; }

 private:
  void cycle() {
    if (in.read().valid || out_.read().valid) out_.write(in.read());
  }
  Link out_;
};

}  // namespace gossamer::systemc
