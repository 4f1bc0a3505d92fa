#pragma once

#include <memory>

#include "axi_life.hpp"
#include "engines/verilated_model.hpp"

namespace gossamer::test {

/// A Verilated axi_fabric of any variant, a ring of kAxiNodes.
class FabricRtl {
 public:
  virtual ~FabricRtl() = default;
  /// Its outputs with these inputs.
  virtual void settle(AxiCycle& c) = 0;
  /// The rising edge.
  virtual void edge() = 0;
};

/// `Model` and its root, whose signals are those of witness.vlt.
template <class Model>
class VerilatedFabric final : public FabricRtl {
 public:
  explicit VerilatedFabric(std::uint32_t seed)
      : context_(tb::make_context(seed, false)), model_(context_.get()) {}
  /// The model's end looks for its context in the thread, where a later one may have been.
  ~VerilatedFabric() override { Verilated::threadContextp(context_.get()); }

  void settle(AxiCycle& c) override {
    drive(c);
    model_.clk_i = 0;
    model_.eval();
    show(c);
  }
  void edge() override {
    model_.clk_i = 1;
    model_.eval();
  }

 private:
  void drive(const AxiCycle& c) {
    Model& m = model_;
    m.rst_ni = !c.reset;
    m.s_axi_awvalid_i = c.awvalid;
    m.s_axi_awaddr_i = c.awaddr;
    m.s_axi_wvalid_i = c.wvalid;
    m.s_axi_wdata_i = c.wdata;
    m.s_axi_wstrb_i = static_cast<CData>(c.wstrb);
    m.s_axi_bready_i = c.bready;
    m.s_axi_arvalid_i = c.arvalid;
    m.s_axi_araddr_i = c.araddr;
    m.s_axi_rready_i = c.rready;
    m.start_i = c.start;
    unsigned valid = 0, last = 0, ready = 0;
    for (Node x = 0; x < kAxiNodes; ++x) {
      valid |= unsigned{c.in_valid[x]} << x;
      last |= unsigned{!c.in_valid[x] || c.in[x].last} << x;  // without a word it may be anything
      ready |= unsigned{c.out_ready[x]} << x;
      m.s_axis_tdata_i[x] = c.in[x].data;
    }
    m.s_axis_tvalid_i = static_cast<CData>(valid);
    m.s_axis_tlast_i = static_cast<CData>(last);
    m.m_axis_tready_i = static_cast<CData>(ready);
  }

  void show(AxiCycle& c) const {
    const Model& m = model_;
    c.awready = m.s_axi_awready_o;
    c.wready = m.s_axi_wready_o;
    c.bvalid = m.s_axi_bvalid_o;
    c.bresp = m.s_axi_bresp_o;
    c.arready = m.s_axi_arready_o;
    c.rvalid = m.s_axi_rvalid_o;
    c.rresp = m.s_axi_rresp_o;
    c.rdata = m.s_axi_rdata_o;
    c.irq = m.irq_o;
    const auto& within = *m.rootp;
    const unsigned state = within.axi_fabric__DOT__i_lite__DOT__state_q;
    const bool done = within.axi_fabric__DOT__i_lite__DOT__done;
    c.writes = state == kWrite && done;
    c.reads = state == kRead && done;
    c.starts = within.axi_fabric__DOT__i_period__DOT__start_o;
    c.ends = within.axi_fabric__DOT__i_period__DOT__ended_o;
    for (Node x = 0; x < kAxiNodes; ++x) {
      c.sending[x] = within.axi_fabric__DOT__sending >> x & 1;
      c.in_ready[x] = m.s_axis_tready_o >> x & 1;
      c.out_valid[x] = m.m_axis_tvalid_o >> x & 1;
      c.out[x] = {m.m_axis_tdata_o[x], static_cast<unsigned>(m.m_axis_tuser_o >> (8 * x) & 0xff),
                  (m.m_axis_tlast_o >> x & 1) != 0};
      for (Port p = 0; p < 2; ++p) {
        const unsigned link = 2 * x + p;
        Flit& flit = c.links[x][p];
        flit.valid = within.axi_fabric__DOT__tx_valid >> link & 1;
        flit.last = flit.valid && (within.axi_fabric__DOT__tx_last >> link & 1);
        flit.data = flit.valid ? within.axi_fabric__DOT__tx_data[link] : 0;
      }
    }
  }

  /// States of axi_lite_config.
  static constexpr unsigned kWrite = 1, kRead = 4;

  std::unique_ptr<VerilatedContext> context_;
  Model model_;
};

}  // namespace gossamer::test
