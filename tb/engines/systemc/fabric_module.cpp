#include "engines/systemc/fabric_module.hpp"

#include <fmt/format.h>

#include "fabric_module.hpp"

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

FabricModule::FabricModule(const sc_core::sc_module_name& name, const FabricImage& image)
    : sc_module(name),
      ports_(image.kind.ports),
      clock_("clk", period(), 0.5, period()),
      nowhere_("nowhere", traffic_.busy),
      topology_(image.topology),
      settling_(image.settling()) {
  build_nodes(image);
  wire(image);
  start_.write(true);
  SC_METHOD(end_start);
  sensitive << clock_.posedge_event();
  dont_initialize();
  SC_METHOD(watch);
  sensitive << clock_.negedge_event();
  dont_initialize();
}

void FabricModule::build_nodes(const FabricImage& image) {
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    nodes_.push_back(std::make_unique<SwitchNode>(fmt::format("node_{}", x).c_str(), image, x));
    nodes_.back()->clk(clock_);
    nodes_.back()->start(start_);
    for (Port p = 0; p < ports_; ++p) {
      links_.push_back(
          std::make_unique<Link>(fmt::format("link_{}_{}", x, p).c_str(), traffic_.busy));
      nodes_.back()->tx[p](*links_.back());
    }
  }
}

/// What a node sends on a link, behind the link's stages.
Link& FabricModule::far_end(Node x, Port p, std::uint32_t stages) {
  Link* link = links_[std::size_t{x} * ports_ + p].get();
  for (std::uint32_t s = 0; s < stages; ++s) {
    stages_.push_back(
        std::make_unique<LinkStage>(fmt::format("stage_{}_{}_{}", x, p, s).c_str(), traffic_));
    stages_.back()->clk(clock_);
    stages_.back()->in(*link);
    link = &stages_.back()->out();
  }
  return *link;
}

void FabricModule::wire(const FabricImage& image) {
  const Topology& topology = image.topology;
  for (Node x = 0; x < topology.nodes(); ++x) {
    for (Port p = 0; p < ports_; ++p) {
      const Endpoint from = p < topology.ports() ? topology.peer(x, p) : Endpoint{};
      const std::uint32_t stages = p < image.stages.size() ? image.stages[p] : 0;
      arriving_.push_back(from.connected() ? &far_end(from.node, from.port, stages) : &nowhere_);
      nodes_[x]->rx[p](*arriving_.back());
    }
  }
}

void FabricModule::trace(sc_core::sc_trace_file* file, const std::vector<Node>& nodes) const {
  sc_core::sc_trace(file, clock_, "clk");
  for (const Node x : nodes) {
    const std::string scope = fmt::format("node_{}", x);
    nodes_[x]->trace(file, scope);
    for (Port p = 0; p < topology_.ports(); ++p) {
      if (!topology_.peer(x, p).connected()) continue;
      const std::string port = fmt::format("{}.port_{}.", scope, p);
      links_[std::size_t{x} * ports_ + p]->trace(file, port + "out");
      arriving_[std::size_t{x} * ports_ + p]->trace(file, port + "in");
    }
  }
}

/// The start pulse is high in cycle 0 only.
void FabricModule::end_start() { start_.write(false); }

/// Watches the links in the middle of every cycle. Pauses the simulation when the fabric is at
/// rest.
void FabricModule::watch() {
  ++cycle_;
  flits_moved_ += traffic_.busy;
  if (traffic_.busy + traffic_.passing != 0) last_arrival_ = cycle_;
  while (ended_ < nodes() && nodes_[ended_]->model().done()) ++ended_;
  done_ = traffic_.busy + traffic_.passing == 0 && cycle_ > last_arrival_ + settling_ &&
          ended_ == nodes();
  if (done_) sc_core::sc_pause();
}

}  // namespace gossamer::systemc
