#pragma once

#include <systemc>

#include "link.hpp"

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
