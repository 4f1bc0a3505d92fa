#pragma once

#include <memory>

#include "engines/verilated_model.hpp"
#include "node_life.hpp"

namespace gossamer::test {

/// A Verilated switch_node of any variant.
class NodeRtl {
 public:
  virtual ~NodeRtl() = default;
  /// The rising edge with these inputs; afterwards the outputs show the new state.
  virtual void edge(const NodeInputs& in) = 0;

  std::vector<Flit> links;
  bool done = false, error = false;
  std::uint32_t rdata = 0;
};

template <class Model>
class VerilatedNode final : public NodeRtl {
 public:
  VerilatedNode(const NodeBuild& build, std::uint32_t seed)
      : context_(tb::make_context(seed, false)), model_(context_.get()), build_(build) {
    links.resize(build.kind.ports);
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
    std::vector<std::uint32_t> data((links.size() * build_.flit_w + 31) / 32);
    for (unsigned p = 0; p < links.size(); ++p) {
      valid |= unsigned{in.links[p].valid} << p;
      last |= unsigned{in.links[p].last} << p;
      data[p * build_.flit_w / 32] |= in.links[p].data << (p * build_.flit_w % 32);
    }
    model_.link_valid_i =
        static_cast<std::remove_reference_t<decltype(model_.link_valid_i)>>(valid);
    model_.link_last_i = static_cast<std::remove_reference_t<decltype(model_.link_last_i)>>(last);
    set_words(model_.link_data_i, data);
    model_.eval();
    model_.clk_i = 1;
    model_.eval();
    model_.clk_i = 0;
    model_.eval();
    for (unsigned p = 0; p < links.size(); ++p) {
      const unsigned bit = p * build_.flit_w;
      const std::uint32_t flit =
          word(model_.link_data_o, bit / 32) >> bit % 32 & build_.flit_mask();
      links[p].valid = model_.link_valid_o >> p & 1;
      links[p].last = links[p].valid && (model_.link_last_o >> p & 1);
      links[p].data = links[p].valid ? flit : 0;
    }
    done = model_.done_o;
    error = model_.error_o;
    rdata = model_.cfg_rdata_o;
  }

 private:
  /// A port of any width, as words.
  template <class Port>
  static void set_words(Port& port, const std::vector<std::uint32_t>& words) {
    if constexpr (std::is_integral_v<Port>) {
      const std::uint64_t upper = words.size() > 1 ? words[1] : 0;
      port = static_cast<Port>(words[0] | upper << 32);
    } else {
      for (std::size_t i = 0; i < words.size(); ++i) port[i] = words[i];
    }
  }
  template <class Port>
  static std::uint32_t word(const Port& port, unsigned i) {
    if constexpr (std::is_integral_v<Port>) {
      return static_cast<std::uint32_t>(std::uint64_t{port} >> 32 * i);
    } else {
      return port[i];
    }
  }

  std::unique_ptr<VerilatedContext> context_;
  Model model_;
  const NodeBuild build_;
};

}  // namespace gossamer::test
