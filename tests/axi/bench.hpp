#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <span>
#include <stdexcept>
#include <vector>

#include "export/export.hpp"
#include "rtl/block.hpp"
#include "tables/programs.hpp"

namespace gossamer::test {

enum Response : unsigned { kOkay = 0, kSlverr = 2 };

using Words = std::vector<std::uint32_t>;

/// A packet that comes out of a node on AXI4-Stream: one of its logs.
struct Packet {
  Port port = 0;
  Words words;
  bool operator==(const Packet&) const = default;
};

/// rtl/axi/axi_fabric.sv with a master on AXI4-Lite, and at each node a source on the stream in and
/// a sink on the stream out. Streams stall at random.
template <class Model>
class AxiBench {
 public:
  static constexpr Node kNodes =
      sizeof(Model::s_axis_tdata_i) / sizeof(std::uint32_t);  ///< a word each

  /// `stall` is the chance, in percent, that a stream waits in a cycle.
  AxiBench(std::uint32_t seed, unsigned stall) : block_(seed), random_(seed), stall_(stall) {
    block_->s_axi_awvalid_i = block_->s_axi_wvalid_i = block_->s_axi_arvalid_i = 0;
    block_->s_axi_bready_i = block_->s_axi_rready_i = 1;
    block_->s_axi_wstrb_i = 0xf;
    block_->start_i = 0;
    block_->s_axis_tvalid_i = block_->s_axis_tlast_i = block_->m_axis_tready_i = 0;
    block_.reset();
  }

  Block<Model>& block() { return block_; }

  unsigned write(std::uint64_t address, std::uint32_t data, unsigned strobes = 0xf) {
    block_->s_axi_awaddr_i = static_cast<std::uint32_t>(address);
    block_->s_axi_wdata_i = data;
    block_->s_axi_wstrb_i = strobes;
    // The slave is always ready for the first.
    block_->s_axi_awvalid_i = block_->s_axi_wvalid_i = 1;
    pass(1);
    block_->s_axi_awvalid_i = block_->s_axi_wvalid_i = 0;
    unsigned response = 0;
    pass_until([this, &response] {
      response = block_->s_axi_bresp_o;
      return block_->s_axi_bvalid_o;
    });
    return response;
  }

  struct Read {
    std::uint32_t data = 0;
    unsigned response = kOkay;
  };
  Read read(std::uint64_t address) {
    block_->s_axi_araddr_i = static_cast<std::uint32_t>(address);
    block_->s_axi_arvalid_i = 1;
    pass(1);
    block_->s_axi_arvalid_i = 0;
    pass_until([this] { return block_->s_axi_rvalid_o; });
    return {block_->s_axi_rdata_o, block_->s_axi_rresp_o};
  }

  /// The control registers.
  std::uint32_t control(unsigned reg) { return read(axi_control(reg)).data; }
  unsigned control(unsigned reg, std::uint32_t value) { return write(axi_control(reg), value); }
  bool status(unsigned bit) { return control(rtl::AXI_STATUS) >> bit & 1; }

  /// Writes new tables and commits them, a word a cycle; returns the response to the commit.
  unsigned commit(std::span<const AxiWrite> tables) {
    std::vector<AxiWrite> all{{axi_control(rtl::AXI_BEGIN), 1}};
    all.insert(all.end(), tables.begin(), tables.end());
    all.push_back({axi_control(rtl::AXI_LENGTH), static_cast<std::uint32_t>(tables.size())});
    all.push_back({axi_control(rtl::AXI_CHECKSUM), axi_checksum(tables)});
    all.push_back({axi_control(rtl::AXI_COMMIT), 1});
    std::size_t addresses = 0, words = 0, answers = 0, cycles = 0;
    unsigned response = kOkay;
    for (; answers < all.size(); ++cycles) {
      block_->s_axi_awvalid_i = addresses < all.size();
      block_->s_axi_wvalid_i = words < all.size();
      if (addresses < all.size()) {
        block_->s_axi_awaddr_i = static_cast<std::uint32_t>(all[addresses].address);
      }
      if (words < all.size()) block_->s_axi_wdata_i = all[words].data;
      settle();
      addresses += block_->s_axi_awvalid_i & block_->s_axi_awready_o;
      words += block_->s_axi_wvalid_i & block_->s_axi_wready_o;
      if (block_->s_axi_bvalid_o) {
        ++answers;
        response |= block_->s_axi_bresp_o;
      }
      edge();
    }
    const std::size_t loads = tables.size() + kLoadControl;
    if (cycles > loads + 2) throw std::logic_error("tables are not loaded at a word a cycle");
    return response;
  }

  /// The writes for an image, which must fit: all nodes are built as node 0 says. `packets`: words
  /// by program, then node; the image's own words, if there are none.
  std::vector<AxiWrite> tables(const FabricImage& image, std::vector<std::uint32_t> packets = {}) {
    const NodeBuild build =
        read_build([this](unsigned r) { return read(axi_address(0, rtl::CFG_REGISTERS, r)).data; });
    for (Node x = 0; packets.size() < kNodes; ++x) packets.push_back(image.own_size(x));
    return axi_table_writes(image, build, packets);
  }

  /// Runs until no period is running.
  void finish() {
    while (status(rtl::AXI_RUNNING)) pass(20);
  }
  void pass(unsigned cycles) {
    while (cycles-- > 0) {
      settle();
      edge();
    }
  }

  /// A packet for a node.
  void inject(Node x, const Words& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      sides_[x].in.push_back({words[i], 0, i + 1 == words.size()});
    }
  }
  /// Until the nodes have taken all packets.
  void send() {
    const auto waits = [](const Side& side) { return !side.in.empty(); };
    while (std::ranges::any_of(sides_, waits)) pass(1);
  }
  /// From now on a node's sink accepts nothing, or again.
  void block_sink(Node x, bool blocked) { sides_[x].blocked = blocked; }
  /// Whole packets received from a node since the last call.
  std::vector<Packet> packets(Node x) { return std::exchange(sides_[x].packets, {}); }

 private:
  struct Beat {
    std::uint32_t data, user;
    bool last;
  };
  /// The source and sink at a node's local port.
  struct Side {
    std::deque<Beat> in;
    bool offers = false, ready = false, blocked = false;
    Words open;  ///< the received part of the current packet
    std::vector<Packet> packets;
  };

  template <class Happens>
  void pass_until(Happens happens) {
    for (unsigned cycles = 0; cycles < 1000; ++cycles) {
      settle();
      const bool now = happens();
      edge();
      if (now) return;
    }
    throw std::logic_error("no answer after 1000 cycles");
  }

  /// Sets the streams' inputs for this cycle, then evaluates the logic after all inputs.
  void settle() {
    unsigned valid = 0, last = 0, ready = 0;
    for (Node x = 0; x < kNodes; ++x) {
      Side& side = sides_[x];
      side.offers = side.offers || (!side.in.empty() && !random_.chance(stall_));
      side.ready = !side.blocked && !random_.chance(stall_);
      ready |= unsigned{side.ready} << x;
      if (!side.offers) continue;
      valid |= 1u << x;
      last |= unsigned{side.in.front().last} << x;
      block_->s_axis_tdata_i[x] = side.in.front().data;
    }
    block_->s_axis_tvalid_i = static_cast<std::uint8_t>(valid);
    block_->s_axis_tlast_i = static_cast<std::uint8_t>(last);
    block_->m_axis_tready_i = static_cast<std::uint8_t>(ready);
    block_.settle();
  }

  void edge() {
    for (Node x = 0; x < kNodes; ++x) {
      Side& side = sides_[x];
      if (side.offers && (block_->s_axis_tready_o >> x & 1) != 0) {
        side.in.pop_front();
        side.offers = false;
      }
      if (!side.ready || (block_->m_axis_tvalid_o >> x & 1) == 0) continue;
      side.open.push_back(block_->m_axis_tdata_o[x]);
      if ((block_->m_axis_tlast_o >> x & 1) == 0) continue;
      const Port port = static_cast<std::uint8_t>(block_->m_axis_tuser_o >> (8 * x));
      side.packets.push_back({port, std::exchange(side.open, {})});
    }
    block_.edge();
  }

  Block<Model> block_;
  Random random_;
  const unsigned stall_;
  std::array<Side, kNodes> sides_;
};

}  // namespace gossamer::test
