#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "engines/node_model/node_model.hpp"
#include "fabric/fabric.hpp"
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

/// Nodes and links of any topology, their clock and start pulse, and a monitor of the links. Cycle
/// k begins at time k, in clock periods; the clock rises there, and falls half a cycle later.
class FabricModule : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(FabricModule);
  /// `image` must outlive the module.
  FabricModule(const sc_core::sc_module_name& name, const FabricImage& image);

  static sc_core::sc_time period() { return {1, sc_core::SC_NS}; }
  /// The length of the first run: whole periods after it contain both edges of the next cycle.
  /// sc_start postpones what happens exactly at its end to the next call.
  static sc_core::sc_time beginning() { return 0.75 * period(); }

  std::uint64_t cycle() const { return cycle_; }
  std::uint64_t last_arrival() const { return last_arrival_; }
  std::uint64_t flits_moved() const { return flits_moved_; }
  bool done() const { return done_; }
  const SwitchNode& node(Node x) const { return *nodes_[x]; }
  Node nodes() const { return static_cast<Node>(nodes_.size()); }
  Flit link(Node x, Port p) const { return links_[std::size_t{x} * ports_ + p]->read(); }
  const sc_core::sc_event& rising_edge() const { return clock_.posedge_event(); }
  /// Adds the clock and all signals of these nodes to a waveform.
  void trace(sc_core::sc_trace_file* file, const std::vector<Node>& nodes) const;

 private:
  void build_nodes(const FabricImage& image);
  void wire(const FabricImage& image);
  Link& far_end(Node x, Port p, std::uint32_t stages);
  void end_start();
  void watch();

  const Port ports_;
  sc_core::sc_clock clock_;
  sc_core::sc_signal<bool> start_{"start"};
  Traffic traffic_;
  Link nowhere_;                              ///< input of ports without a link: always idle
  std::vector<std::unique_ptr<Link>> links_;  ///< nodes x ports: what each node sends
  std::vector<Link*> arriving_;               ///< nodes x ports: what each node receives
  std::vector<std::unique_ptr<SwitchNode>> nodes_;
  std::vector<std::unique_ptr<LinkStage>> stages_;
  const Topology& topology_;
  const std::uint32_t settling_;  ///< cycles

  std::uint64_t cycle_ = 0, last_arrival_ = 0, flits_moved_ = 0;
  Node ended_ = 0;  ///< nodes 0 ... ended_-1 have ended their tables
  bool done_ = false;
};

}  // namespace gossamer::systemc
