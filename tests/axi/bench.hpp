#pragma once

#include <deque>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "rtl/block.hpp"
#include "tables/axi_tables.hpp"

namespace gossamer::test {

enum Response : unsigned { kOkay = 0, kSlverr = 2 };

/// A packet on AXI4-Stream: a log of a node, or the words that a node is to start with.
struct Packet {
  Node node = 0;
  Port port = 0;  ///< of those that come out
  std::vector<std::uint32_t> words;
  bool operator==(const Packet&) const = default;
};

/// rtl/axi_fabric.sv with a master on AXI4-Lite, a source on the stream in and a sink on the stream
/// out. All of them stall at random, and watch that what is offered stands until it is taken.
template <class Model>
class AxiBench {
 public:
  /// `stall` is the chance, in percent, that a side is not ready or has nothing to offer in a
  /// cycle.
  AxiBench(std::uint32_t seed, unsigned stall) : block_(seed), random_(seed), stall_(stall) {
    block_->s_axi_awvalid_i = block_->s_axi_wvalid_i = block_->s_axi_arvalid_i = 0;
    block_->s_axi_bready_i = block_->s_axi_rready_i = 0;
    block_->s_axis_tvalid_i = block_->m_axis_tready_i = 0;
    block_.reset();
  }

  unsigned write(std::uint64_t address, std::uint32_t data, unsigned strobes = 0xf) {
    bool sent_address = false, sent_data = false;
    std::optional<unsigned> response;
    while (!response) {
      if (!sent_address && !block_->s_axi_awvalid_i && !stalls()) {
        block_->s_axi_awvalid_i = 1;
        block_->s_axi_awaddr_i = static_cast<std::uint32_t>(address);
      }
      if (!sent_data && !block_->s_axi_wvalid_i && !stalls()) {
        block_->s_axi_wvalid_i = 1;
        block_->s_axi_wdata_i = data;
        block_->s_axi_wstrb_i = strobes;
      }
      block_->s_axi_bready_i = !stalls();
      settle();
      const bool takes_address = block_->s_axi_awvalid_i && block_->s_axi_awready_o;
      const bool takes_data = block_->s_axi_wvalid_i && block_->s_axi_wready_o;
      if (block_->s_axi_bvalid_o) {
        if (!sent_address || !sent_data) throw std::logic_error("a response before its request");
        if (block_->s_axi_bready_i) response = block_->s_axi_bresp_o;
      }
      edge();
      if (takes_address) sent_address = true, block_->s_axi_awvalid_i = 0;
      if (takes_data) sent_data = true, block_->s_axi_wvalid_i = 0;
    }
    block_->s_axi_bready_i = 0;
    return *response;
  }

  struct Read {
    std::uint32_t data = 0;
    unsigned response = kOkay;
    bool operator==(const Read&) const = default;
  };
  Read read(std::uint64_t address) {
    bool sent = false;
    std::optional<Read> answer;
    while (!answer) {
      if (!sent && !block_->s_axi_arvalid_i && !stalls()) {
        block_->s_axi_arvalid_i = 1;
        block_->s_axi_araddr_i = static_cast<std::uint32_t>(address);
      }
      block_->s_axi_rready_i = !stalls();
      settle();
      const bool takes = block_->s_axi_arvalid_i && block_->s_axi_arready_o;
      if (block_->s_axi_rvalid_o) {
        if (!sent) throw std::logic_error("an answer before its question");
        if (block_->s_axi_rready_i) answer = {block_->s_axi_rdata_o, block_->s_axi_rresp_o};
      }
      edge();
      if (takes) sent = true, block_->s_axi_arvalid_i = 0;
    }
    block_->s_axi_rready_i = 0;
    return *answer;
  }

  /// The control registers.
  std::uint32_t control(unsigned reg) { return read(axi_control(reg)).data; }
  unsigned control(unsigned reg, std::uint32_t value) { return write(axi_control(reg), value); }
  bool status(unsigned bit) { return control(rtl::AXI_STATUS) >> bit & 1; }

  /// Writes new tables and commits them; what the commit was answered with.
  unsigned commit(std::span<const AxiWrite> tables, std::uint32_t length, std::uint32_t checksum) {
    control(rtl::AXI_BEGIN, 1);
    for (const AxiWrite& w : tables) {
      if (write(w.address, w.data) != kOkay) return kSlverr;
    }
    control(rtl::AXI_LENGTH, length);
    control(rtl::AXI_CHECKSUM, checksum);
    return control(rtl::AXI_COMMIT, 1);
  }
  unsigned commit(std::span<const AxiWrite> tables) {
    return commit(tables, static_cast<std::uint32_t>(tables.size()), axi_checksum(tables));
  }

  void start(bool repeat = false) { control(rtl::AXI_RUN, repeat ? 3 : 1); }
  /// Cycles pass until no period is under way.
  void finish() {
    while (status(rtl::AXI_RUNNING)) pass(20);
  }
  void pass(unsigned cycles) {
    while (cycles-- > 0) {
      settle();
      edge();
    }
  }
  /// Cycles pass until the stream in is empty.
  void drain() {
    while (!source_.empty()) pass(1);
  }

  /// A packet, or the beginning of one, which is not `whole`.
  void inject(const Packet& packet, bool whole = true) {
    for (std::size_t i = 0; i < packet.words.size(); ++i) {
      const bool last = whole && i + 1 == packet.words.size();
      source_.push_back({packet.words[i], packet.node, last});
    }
  }
  std::size_t waiting() const { return source_.size(); }

  /// Whole packets that have come out.
  std::vector<Packet> packets;
  /// The sink takes nothing at all.
  bool sink_blocked = false;

 private:
  struct Beat {
    std::uint32_t data, node;
    bool last;
  };
  struct Offer {
    std::uint32_t data, id, user;
    bool last;
    bool operator==(const Offer&) const = default;
  };

  bool stalls() { return random_.chance(stall_); }

  /// The streams' inputs for this cycle; then what follows from all inputs.
  void settle() {
    if (!block_->s_axis_tvalid_i && !source_.empty() && !stalls()) {
      block_->s_axis_tvalid_i = 1;
      block_->s_axis_tdata_i = source_.front().data;
      block_->s_axis_tdest_i = static_cast<std::uint16_t>(source_.front().node);
      block_->s_axis_tlast_i = source_.front().last;
    }
    block_->m_axis_tready_i = !sink_blocked && !stalls();
    block_.settle();
  }

  void edge() {
    const bool in = block_->s_axis_tvalid_i && block_->s_axis_tready_o;
    watch_out();
    block_.edge();
    if (in) {
      source_.pop_front();
      block_->s_axis_tvalid_i = 0;
    }
  }

  void watch_out() {
    const bool valid = block_->m_axis_tvalid_o;
    const Offer now{block_->m_axis_tdata_o, block_->m_axis_tid_o, block_->m_axis_tuser_o,
                    block_->m_axis_tlast_o != 0};
    if (stood_ && (!valid || !(now == *stood_))) {
      throw std::logic_error("an offer on the stream was withdrawn");
    }
    stood_.reset();
    if (!valid) return;
    if (!block_->m_axis_tready_i) {
      stood_ = now;
      return;
    }
    if (open_.words.empty()) open_ = {now.id, now.user, {}};
    if (open_.node != now.id || open_.port != now.user) {
      throw std::logic_error("a packet changed its origin");
    }
    open_.words.push_back(now.data);
    if (now.last) packets.push_back(std::exchange(open_, {}));
  }

  Block<Model> block_;
  Random random_;
  const unsigned stall_;
  std::deque<Beat> source_;
  std::optional<Offer> stood_;  ///< offered in the cycle before and not taken
  Packet open_;                 ///< what came of the packet that is under way
};

}  // namespace gossamer::test
