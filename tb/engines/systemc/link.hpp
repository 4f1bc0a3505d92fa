#pragma once

#include <ostream>
#include <string>
#include <systemc>

#include "fabric/fabric.hpp"

namespace gossamer {

// What sc_signal asks of a type.
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

/// What all links of a fabric tell their monitor.
struct Traffic {
  std::uint64_t busy = 0;  ///< links on which a flit stands now
};

/// One direction of a link: a signal that also tells when it becomes busy and when idle. Of a
/// half-duplex link it is what one end drives; nothing stands on it while that end does not drive.
class Link final : public sc_core::sc_signal<Flit> {
 public:
  Link(const char* name, Traffic& traffic) : sc_signal<Flit>(name), traffic_(traffic) {}

  /// NAME_flit, the valid bit in front of the word, and NAME_last.
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
