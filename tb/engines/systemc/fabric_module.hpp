#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "fabric/fabric.hpp"
#include "link.hpp"
#include "link_stage.hpp"
#include "switch_node.hpp"

namespace gossamer::systemc {

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
