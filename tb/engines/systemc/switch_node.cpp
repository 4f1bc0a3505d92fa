#include "switch_node.hpp"

namespace gossamer::systemc {

SwitchNode::SwitchNode(const sc_core::sc_module_name& name, const FabricImage& image, Node x)
    : sc_module(name),
      rx("rx", image.kind.ports),
      tx("tx", image.kind.ports),
      model_(model::node_setup(image, x)),
      inputs_(image.kind.ports) {
  SC_METHOD(cycle);
  sensitive << clk.pos();
  dont_initialize();
}

void SwitchNode::cycle() {
  if (start.read()) {
    model_.start();
  } else {
    for (Port p = 0; p < inputs_.size(); ++p) inputs_[p] = rx[p].read();
    const std::uint64_t driven = model_.driven();
    model_.cycle(inputs_);
    for (Port p = 0; p < inputs_.size(); ++p) {
      const Flit& flit = model_.sent()[p];
      if (flit.valid || (driven >> p & 1)) tx[p].write(flit);
    }
  }
  show();
}

void SwitchNode::show() {
  const model::SlotCycle& now = model_.now();
  const NodeError& error = model_.errors();
  const bool runs = now.entry != nullptr;
  shown_ = {runs ? now.slot + 1 : 0,
            runs ? now.cycle + 1 : 0,
            error.seen,
            error.first_code,
            error.seen == 0 ? 0 : error.first_slot + 1,
            error.first_port};
}

void SwitchNode::trace(sc_core::sc_trace_file* file, const std::string& scope) const {
  const auto add = [&](const std::uint32_t& value, const char* name, int width) {
    sc_core::sc_trace(file, value, scope + "." + name, width);
  };
  add(shown_.round, "round", rtl::SLOT_REPEAT_W);
  add(shown_.cycle, "cycle", rtl::SLOT_LEN_W);
  add(shown_.errors, "errors", rtl::ERROR_CODES);
  add(shown_.first_error, "first_error", 4);
  add(shown_.error_round, "error_round", rtl::SLOT_REPEAT_W);
  add(shown_.error_port, "error_port", 8);
}

}  // namespace gossamer::systemc
