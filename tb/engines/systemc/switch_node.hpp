#pragma once

#include <systemc>
#include <vector>

#include "engines/node_model/node_model.hpp"
#include "link.hpp"

namespace gossamer::systemc {

/// A node of the fabric as a SystemC module: one clocked process, which is the node's model.
class SwitchNode : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> start{"start"};           ///< one cycle: run the table
  sc_core::sc_vector<sc_core::sc_in<Flit>> rx;   ///< what the neighbours send, by port
  sc_core::sc_vector<sc_core::sc_out<Flit>> tx;  ///< what this node sends, by port

  SC_HAS_PROCESS(SwitchNode);
  /// Node `x` of the fabric. `image` must outlive the node.
  SwitchNode(const sc_core::sc_module_name& name, const FabricImage& image, Node x);

  /// Adds the node's signals to a waveform, in a scope of this name.
  void trace(sc_core::sc_trace_file* file, const std::string& scope) const;
  const model::NodeModel& model() const { return model_; }

 private:
  void cycle();
  void show();

  model::NodeModel model_;
  std::vector<Flit> inputs_;  ///< flits on the inputs

  /// For the waveform: rounds count from 1, and 0 means none.
  struct Shown {
    std::uint32_t round = 0, cycle = 0;
    std::uint32_t errors = 0, first_error = 0, error_round = 0, error_port = 0;
  };
  Shown shown_;
};

}  // namespace gossamer::systemc
