#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "rtl/block.hpp"
#include "tables/axi_tables.hpp"

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
/// a sink on the stream out. All of them stall at random, independently, and check that offered
/// data stay until they are accepted.
template <class Model>
class AxiBench {
 public:
  static constexpr Node kNodes =
      sizeof(Model::s_axis_tdata_i) / sizeof(std::uint32_t);  ///< a word each
  static constexpr std::uint64_t kCycles = 400000;            ///< more than any test takes

  /// `stall` is the chance, in percent, that a side is not ready or offers nothing in a cycle.
  AxiBench(std::uint32_t seed, unsigned stall) : block_(seed), random_(seed), stall_(stall) {
    block_->s_axi_awvalid_i = block_->s_axi_wvalid_i = block_->s_axi_arvalid_i = 0;
    block_->s_axi_bready_i = block_->s_axi_rready_i = 0;
    block_->s_axis_tvalid_i = block_->s_axis_tlast_i = block_->m_axis_tready_i = 0;
    block_.reset();
  }

  Block<Model>& block() { return block_; }

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

  /// Writes without waiting for responses, while the addresses are read; returns the responses to
  /// writes and reads, and their order (`true`: a write).
  struct Stream {
    std::vector<unsigned> writes;
    std::vector<Read> reads;
    std::vector<bool> order;
  };
  Stream stream(std::span<const AxiWrite> writes, std::span<const std::uint64_t> reads) {
    Stream came;
    std::size_t addresses = 0, data = 0, asked = 0;
    while (came.order.size() < writes.size() + reads.size()) {
      if (addresses < writes.size() && !block_->s_axi_awvalid_i && !stalls()) {
        block_->s_axi_awvalid_i = 1;
        block_->s_axi_awaddr_i = static_cast<std::uint32_t>(writes[addresses].address);
      }
      if (data < writes.size() && !block_->s_axi_wvalid_i && !stalls()) {
        block_->s_axi_wvalid_i = 1;
        block_->s_axi_wdata_i = writes[data].data;
        block_->s_axi_wstrb_i = 0xf;
      }
      if (asked < reads.size() && !block_->s_axi_arvalid_i && !stalls()) {
        block_->s_axi_arvalid_i = 1;
        block_->s_axi_araddr_i = static_cast<std::uint32_t>(reads[asked]);
      }
      block_->s_axi_bready_i = !stalls();
      block_->s_axi_rready_i = !stalls();
      settle();
      const bool takes_address = block_->s_axi_awvalid_i && block_->s_axi_awready_o;
      const bool takes_data = block_->s_axi_wvalid_i && block_->s_axi_wready_o;
      const bool takes_read = block_->s_axi_arvalid_i && block_->s_axi_arready_o;
      if (block_->s_axi_bvalid_o && block_->s_axi_bready_i) {
        came.writes.push_back(block_->s_axi_bresp_o);
        came.order.push_back(true);
      }
      if (block_->s_axi_rvalid_o && block_->s_axi_rready_i) {
        came.reads.push_back({block_->s_axi_rdata_o, block_->s_axi_rresp_o});
        came.order.push_back(false);
      }
      edge();
      if (takes_address) ++addresses, block_->s_axi_awvalid_i = 0;
      if (takes_data) ++data, block_->s_axi_wvalid_i = 0;
      if (takes_read) ++asked, block_->s_axi_arvalid_i = 0;
    }
    block_->s_axi_bready_i = block_->s_axi_rready_i = 0;
    return came;
  }

  /// Reset for three cycles, in which the streams are idle; everything that was running is dropped.
  void reset() {
    block_->s_axi_awvalid_i = block_->s_axi_wvalid_i = block_->s_axi_arvalid_i = 0;
    block_->s_axis_tvalid_i = 0;
    sides_ = {};
    block_.reset();
  }

  /// The control registers.
  std::uint32_t control(unsigned reg) { return read(axi_control(reg)).data; }
  unsigned control(unsigned reg, std::uint32_t value) { return write(axi_control(reg), value); }
  bool interrupt() { return block_->irq_o; }
  bool status(unsigned bit) { return control(rtl::AXI_STATUS) >> bit & 1; }

  /// Writes new tables and commits them; returns the response to the commit.
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

  /// How the nodes are built: as node 0 reports it, because all are alike.
  NodeBuild build() {
    return read_build(
        [this](unsigned r) { return read(axi_address(0, rtl::CFG_REGISTERS, r)).data; });
  }
  /// The writes for an image, which must fit.
  std::vector<AxiWrite> tables(const FabricImage& image) {
    return axi_table_writes(image, build());
  }

  unsigned start(bool repeat = false) { return control(rtl::AXI_RUN, repeat ? 3 : 1); }
  void abort() { control(rtl::AXI_RUN, 1u << rtl::AXI_ABORT); }
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
  /// Runs until nothing waits on the streams in.
  void drain() {
    while (std::any_of(sides_.begin(), sides_.end(), [](const Side& s) { return !s.in.empty(); })) {
      pass(1);
    }
  }

  /// A packet for a node; if not `whole`, only its beginning.
  void inject(Node x, const Words& words, bool whole = true) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      sides_[x].in.push_back({words[i], 0, whole && i + 1 == words.size()});
    }
  }
  /// Words waiting to be accepted at a node.
  std::size_t waiting(Node x) const { return sides_[x].in.size(); }

  /// Whole packets received from a node.
  const std::vector<Packet>& packets(Node x) const { return sides_[x].packets; }
  /// Makes a node's sink accept nothing.
  void block_sink(Node x, bool blocked) { sides_[x].blocked = blocked; }

  /// Cycles in which a node accepted a word, and in which it sent one.
  struct Taken {
    std::vector<std::uint64_t> in, out;
  };
  const Taken& taken(Node x) const { return sides_[x].taken; }

 private:
  struct Beat {
    std::uint32_t data, user;
    bool last;
    bool operator==(const Beat&) const = default;
  };
  /// The source and sink at a node's local port.
  struct Side {
    std::deque<Beat> in;
    bool offers = false, ready = false, blocked = false;
    std::optional<Beat> stood;  ///< offered in the previous cycle and not accepted
    Packet open;                ///< the received part of the current packet
    std::vector<Packet> packets;
    Taken taken;
  };

  bool stalls() { return random_.chance(stall_); }

  /// Sets the streams' inputs for this cycle, then evaluates the logic after all inputs.
  void settle() {
    unsigned valid = 0, last = 0, ready = 0;  // a master without a word may say that it is the last
    for (Node x = 0; x < kNodes; ++x) {
      Side& side = sides_[x];
      side.offers = side.offers || (!side.in.empty() && !stalls());
      side.ready = !side.blocked && !stalls();
      ready |= unsigned{side.ready} << x;
      if (!side.offers) {
        last |= 1u << x;
        continue;
      }
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
    const unsigned takes = block_->s_axis_tready_o;
    for (Side& side : sides_) watch_out(side, static_cast<Node>(&side - sides_.data()));
    block_.edge();
    for (Node x = 0; x < kNodes; ++x) {
      Side& side = sides_[x];
      if (!side.offers || (takes >> x & 1) == 0) continue;
      side.in.pop_front();
      side.offers = false;
      side.taken.in.push_back(cycle_);
    }
    if (++cycle_ == kCycles) throw std::logic_error("no end after so many cycles");
  }

  void watch_out(Side& side, Node x) {
    const bool valid = block_->m_axis_tvalid_o >> x & 1;
    const Beat now{block_->m_axis_tdata_o[x],
                   static_cast<std::uint8_t>(block_->m_axis_tuser_o >> (8 * x)),
                   (block_->m_axis_tlast_o >> x & 1) != 0};
    if (side.stood && (!valid || !(now == *side.stood))) {
      throw std::logic_error("an offer on the stream was withdrawn");
    }
    side.stood.reset();
    if (!valid) return;
    if (!side.ready) {
      side.stood = now;
      return;
    }
    side.taken.out.push_back(cycle_);
    if (side.open.words.empty()) side.open.port = now.user;
    if (side.open.port != now.user) throw std::logic_error("a packet changed its port");
    side.open.words.push_back(now.data);
    if (now.last) side.packets.push_back(std::exchange(side.open, {}));
  }

  Block<Model> block_;
  Random random_;
  const unsigned stall_;
  std::array<Side, kNodes> sides_;
  std::uint64_t cycle_ = 0;
};

}  // namespace gossamer::test
