#pragma once

#include <ostream>
#include <string>
#include <systemc>

#include "fabric/fabric.hpp"

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
  std::uint64_t busy = 0;  ///< links that carry a flit now
};

/// One direction of a link: a signal that also reports when it becomes busy and when idle. For a
/// half-duplex link it is what one end drives, and idle while that end does not drive.
class Link final : public sc_core::sc_signal<Flit> {
 public:
  Link(const char* name, Traffic& traffic) : sc_signal<Flit>(name), traffic_(traffic) {}

  /// Adds NAME_flit, the valid bit followed by the word, and NAME_last.
  void trace(sc_core::sc_trace_file* file, const std::string& name) const {
    sc_core::sc_trace(file, shown_, name + "_flit", 33);
    sc_core::sc_trace(file, read().last, name + "_last");
  }

 protected:
  void update() override {
    const bool before = read().valid;
    sc_signal<Flit>::update();
    traffic_.busy += read().valid;
    traffic_.busy -= before;
    shown_ = read().valid ? sc_dt::uint64{1} << 32 | read().data : 0;
  }

 private:
  Traffic& traffic_;
  sc_dt::uint64 shown_ = 0;  ///< for the waveform
};

}  // namespace systemc
}  // namespace gossamer
