#pragma once

#include <memory>

#include "node_life.hpp"
#include "verilated_model.hpp"

namespace gossamer::test {

/// A Verilated switch_node of two ports and 32-bit flits, whatever variant it is.
class NodeRtl {
 public:
  virtual ~NodeRtl() = default;
  /// The rising edge with these inputs; then what the registers show.
  virtual void edge(const NodeInputs& in) = 0;

  Flit links[2];
  bool done = false, error = false;
  std::uint32_t rdata = 0;
};

template <class Model>
class VerilatedNode final : public NodeRtl {
 public:
  explicit VerilatedNode(std::uint32_t seed)
      : context_(tb::make_context(seed, false)), model_(context_.get()) {
    model_.clk_i = 0;
    model_.eval();
  }

  void edge(const NodeInputs& in) override {
    model_.rst_ni = !in.reset;
    model_.start_i = in.start;
    model_.cfg_valid_i = in.transfer.has_value();
    if (in.transfer) {
      model_.cfg_write_i = in.transfer->write;
      model_.cfg_addr_i = in.transfer->address;
      model_.cfg_wdata_i = in.transfer->data;
    }
    unsigned valid = 0, last = 0;
    std::uint64_t data = 0;
    for (unsigned p = 0; p < 2; ++p) {
      valid |= unsigned{in.links[p].valid} << p;
      last |= unsigned{in.links[p].last} << p;
      data |= std::uint64_t{in.links[p].data} << (32 * p);
    }
    model_.link_valid_i = static_cast<CData>(valid);
    model_.link_last_i = static_cast<CData>(last);
    model_.link_data_i = data;
    model_.eval();
    model_.clk_i = 1;
    model_.eval();
    model_.clk_i = 0;
    model_.eval();
    for (unsigned p = 0; p < 2; ++p) {
      links[p].valid = model_.link_valid_o >> p & 1;
      links[p].last = links[p].valid && (model_.link_last_o >> p & 1);
      links[p].data =
          links[p].valid ? static_cast<std::uint32_t>(model_.link_data_o >> (32 * p)) : 0;
    }
    done = model_.done_o;
    error = model_.error_o;
    rdata = model_.cfg_rdata_o;
  }

 private:
  std::unique_ptr<VerilatedContext> context_;
  Model model_;
};

}  // namespace gossamer::test
