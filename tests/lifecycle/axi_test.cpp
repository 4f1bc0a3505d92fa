#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>

#include "Vfabric_all.h"
#include "Vfabric_all___024root.h"
#include "Vfabric_all_half.h"
#include "Vfabric_all_half___024root.h"
#include "Vfabric_join.h"
#include "Vfabric_join___024root.h"
#include "Vfabric_join_half.h"
#include "Vfabric_join_half___024root.h"
#include "Vfabric_single.h"
#include "Vfabric_single___024root.h"
#include "Vfabric_single_half.h"
#include "Vfabric_single_half___024root.h"
#include "Vfabric_tree.h"
#include "Vfabric_tree___024root.h"
#include "Vfabric_tree_half.h"
#include "Vfabric_tree_half___024root.h"
#include "Vfabric_tree_links.h"
#include "Vfabric_tree_links___024root.h"
#include "axi_life.hpp"
#include "axi_master.hpp"
#include "catch.hpp"
#include "engines/verilated_model.hpp"
#include "rtl/block.hpp"
#include "session.hpp"

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
    c.writes = within.axi_fabric__DOT__i_lite__DOT__wrote;
    c.reads = within.axi_fabric__DOT__i_lite__DOT__read_done;
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

  std::unique_ptr<VerilatedContext> context_;
  Model model_;
};

// Compares axi_fabric with AxiLife, which is written from docs/hardware/host.md: every answer,
// every word on the streams and the links, every period. A confused or hostile master does anything
// on AXI4-Lite; packets come early, late, too long and unfinished; there are back-pressure
// everywhere and resets.

namespace {

struct Variant {
  const char* name;
  AxiBuild build;
  std::function<std::unique_ptr<FabricRtl>(std::uint32_t seed)> make;
};

template <class Model>
Variant variant(const char* name, NodeKind kind, unsigned index_w = rtl::AXI_INDEX_W,
                unsigned tree = 0, unsigned stages = 0, NodeBuild node = {}) {
  AxiBuild build{.node = std::move(node), .index_w = index_w, .tree = tree};
  build.node.kind = kind;
  build.node.stages.assign(kind.ports, stages);
  build.node.double_buffered = true;
  return {name, build,
          [](std::uint32_t seed) { return std::make_unique<VerilatedFabric<Model>>(seed); }};
}

NodeKind joining(NodeKind kind) {
  kind.join = true;
  return kind;
}

const std::vector<Variant>& variants() {
  using Kind = NodeKind;
  Kind flat = joining({2, false, false, 2});
  flat.flat = 1;
  static const std::vector<Variant> all{
      variant<Vfabric_single>("single-port", Kind{2, true}),
      variant<Vfabric_single_half>("single-port, half duplex", Kind{2, true, true}),
      variant<Vfabric_all>("all-port", Kind{2, false, false, 2}),
      variant<Vfabric_all_half>("all-port, half duplex", Kind{2, false, true}, 7),
      variant<Vfabric_tree>("single-port, tree", Kind{2, true}, 12, 1, 0, {.programs = 2}),
      variant<Vfabric_tree_links>("all-port, tree, long links", Kind{2, false, false, 2}, 12, 3, 2),
      variant<Vfabric_tree_half>("single-port, half duplex, tree, long links", Kind{2, true, true},
                                 12, 2, 1),
      variant<Vfabric_join>("all-port, join, shared copies, flat lists", flat, 12, 0, 0,
                            {.own = 6, .shared = {0, 1, 0, 0, 1, 4}, .programs = 4, .repeat_w = 4}),
      variant<Vfabric_join_half>("half duplex, join, tree, long links",
                                 joining({2, false, true, 2}), 12, 1, 2)};
  return all;
}

/// RTL and model side by side.
class Bench {
 public:
  /// Starts after a reset, with tables of zeros and no own words, so that everything is known.
  Bench(const Variant& variant, std::uint32_t seed)
      : rtl_(variant.make(seed)), life_(variant.build), random_(seed) {
    c_.reset = true;
    for (int i = 0; i < 3; ++i) {  // before, registers hold random values
      rtl_->settle(c_);
      rtl_->edge();
    }
    reset(3);
    play(axi_clearing(variant.build), nullptr);
    stall_ = seed % 4 * 20;
    ahead_ = 1 + seed / 4 % 3;
  }

  /// Plays a session; returns the first difference, or nothing.
  std::string play(const std::vector<AxiOp>& ops, Coverage* coverage) {
    coverage_ = coverage;
    for (const AxiOp& op : ops) queue(op).waiting.emplace_back(number_++, op);
    for (std::uint32_t idle = 0; idle < 200 && failure_.empty();) {
      step();
      const auto over = [](const Channel& q) { return q.waiting.empty() && q.released.empty(); };
      idle = over(writes_) && over(reads_) && over(events_) ? idle + 1 : 0;
    }
    return failure_;
  }

  std::uint64_t cycles() const { return cycles_; }

 private:
  /// Operations that are done in order.
  struct Channel {
    std::deque<std::pair<std::uint64_t, AxiOp>> waiting;  ///< numbered
    std::deque<AxiOp> released;
    std::deque<AxiOp> addresses, data;  ///< released, and not yet taken
    std::uint32_t waited = 0;           ///< cycles for the phase
  };
  static constexpr std::uint32_t kPatience = 150;

  Channel& queue(const AxiOp& op) {
    if (op.what >= AxiOperation::Stall) return events_;
    if (op.what >= AxiOperation::Packet) return packets_[op.node];
    return op.what >= AxiOperation::ReadControl ? reads_ : writes_;
  }

  /// Is it time for the next operation?
  bool due(Channel& q) {
    if (q.waiting.empty()) return false;
    auto& [number, op] = q.waiting.front();
    if (!writes_.waiting.empty() && writes_.waiting.front().first < number) return false;
    if (op.at && life_.phase() != *op.at && q.waited++ < kPatience) return false;
    op.at.reset();
    q.waited = 0;
    if (op.gap == 0) return true;
    --op.gap;
    return false;
  }
  /// Releases it if fewer than `most` operations are under way.
  bool release(Channel& q, std::size_t most) {
    if (q.released.size() >= most || !due(q)) return false;
    q.released.push_back(q.waiting.front().second);
    q.waiting.pop_front();
    return true;
  }

  bool stalls() { return random_.chance(stall_); }
  void count(AxiOperation what, std::size_t state) {
    if (coverage_ != nullptr) coverage_->count(state, std::size_t(what));
  }

  void step() {
    if (due(events_)) begin_event();
    drive();
    cycle();
    advance();
  }

  void begin_event() {
    const AxiOp op = events_.waiting.front().second;
    events_.waiting.pop_front();
    count(op.what, life_.state());
    switch (op.what) {
      case AxiOperation::Reset: return reset(op.words);
      case AxiOperation::Pin: pin_ = op.words; return;
      default: stalled_[op.node] = op.words;
    }
  }

  /// Signals that are offered once stay until they are taken.
  void reset(std::uint32_t cycles) {
    for (std::uint32_t i = 0; i < cycles; ++i) {
      if (i == 1) c_ = {};
      c_.reset = true;
      cycle();
    }
    c_ = {};
    for (Channel* q : {&writes_, &reads_, &packets_[0], &packets_[1], &packets_[2]}) {
      q->released.clear();
      q->addresses.clear();
      q->data.clear();
    }
    sent_ = {};
    done_ = 0;
  }

  void cycle() {
    rtl_->settle(c_);
    if (failure_.empty()) failure_ = life_.cycle(c_);
    rtl_->edge();
    ++cycles_;
  }

  void drive() {
    if (release(writes_, ahead_)) {
      writes_.addresses.push_back(writes_.released.back());
      writes_.data.push_back(writes_.released.back());
    }
    if (release(reads_, ahead_)) reads_.addresses.push_back(reads_.released.back());
    if (!writes_.addresses.empty()) c_.awaddr = writes_.addresses.front().address;
    if (!writes_.data.empty()) {
      c_.wdata = writes_.data.front().data;
      c_.wstrb = writes_.data.front().strobes;
    }
    if (!reads_.addresses.empty()) c_.araddr = reads_.addresses.front().address;
    c_.awvalid = c_.awvalid || (!writes_.addresses.empty() && !stalls());
    c_.wvalid = c_.wvalid || (!writes_.data.empty() && !stalls());
    c_.arvalid = c_.arvalid || (!reads_.addresses.empty() && !stalls());
    c_.start = pin_ > 0;
    pin_ -= pin_ > 0 ? 1 : 0;
    c_.bready = !stalls();
    c_.rready = !stalls();
    for (Node x = 0; x < kAxiNodes; ++x) {
      release(packets_[x], 1);
      if (!packets_[x].released.empty() && !c_.in_valid[x] && !stalls()) {
        const AxiOp& op = packets_[x].released.front();
        if (sent_[x] == 0) count(op.what, life_.state());
        c_.in_valid[x] = true;
        c_.in[x] = {random_.word() | 1, 0,
                    sent_[x] + 1 == op.words && op.what != AxiOperation::PacketBegun};
      }
      c_.out_ready[x] = stalled_[x] == 0 && !stalls();
      if (stalled_[x] > 0) --stalled_[x];
    }
  }

  /// Signals that were taken at the edge are not offered any more.
  void advance() {
    if (c_.awvalid && c_.awready) {
      c_.awvalid = false;
      writes_.addresses.pop_front();
    }
    if (c_.wvalid && c_.wready) {
      c_.wvalid = false;
      writes_.data.pop_front();
    }
    if (c_.arvalid && c_.arready) {
      c_.arvalid = false;
      reads_.addresses.pop_front();
    }
    if (c_.writes && done_ < writes_.released.size())
      count(writes_.released[done_++].what, life_.state_of_write());
    if (c_.reads && !reads_.released.empty())
      count(reads_.released.front().what, life_.state_of_read());
    if (c_.bvalid && c_.bready && done_ > 0) {
      writes_.released.pop_front();
      --done_;
    }
    if (c_.rvalid && c_.rready && !reads_.released.empty()) reads_.released.pop_front();
    for (Node x = 0; x < kAxiNodes; ++x) {
      if (!c_.in_valid[x] || !c_.in_ready[x]) continue;
      c_.in_valid[x] = false;
      const AxiOp& op = packets_[x].released.front();
      if (++sent_[x] < op.words) continue;
      packets_[x].released.pop_front();
      sent_[x] = 0;
    }
  }

  std::unique_ptr<FabricRtl> rtl_;
  AxiLife life_;
  Random random_;
  unsigned stall_ = 0;     ///< percent of the cycles in which a channel pauses
  std::size_t ahead_ = 1;  ///< requests that do not wait for an answer
  std::size_t done_ = 0;   ///< of the released writes, those whose answers have not come
  AxiCycle c_;
  std::uint64_t cycles_ = 0, number_ = 0;
  Channel writes_, reads_, events_;
  std::array<Channel, kAxiNodes> packets_;
  std::array<std::uint32_t, kAxiNodes> sent_{}, stalled_{};
  std::uint32_t pin_ = 0;  ///< cycles for which the pin is still high
  std::string failure_;
  Coverage* coverage_ = nullptr;
};

void check_session(const Variant& variant, std::uint32_t seed, std::uint32_t operations,
                   Coverage& coverage) {
  const auto ops = random_axi_session(variant.build, seed, operations);
  Bench bench(variant, seed);
  const bool agree = bench.play(ops, &coverage).empty();
  coverage.cycles += bench.cycles();
  if (agree) return;
  const auto fails = [&](const std::vector<AxiOp>& some) {
    return !Bench(variant, seed).play(some, nullptr).empty();
  };
  const auto few = shrunk(ops, fails, 300);
  std::string list;
  for (const AxiOp& op : few) list += text(op);
  FAIL(variant.name << " fabric, seed " << seed << ": " << Bench(variant, seed).play(few, nullptr)
                    << "\nOperations:\n"
                    << list);
}

Coverage empty_coverage() { return {AxiLife::states(), axi_operations()}; }

Coverage run_sessions(std::uint64_t operations, std::uint32_t seed, std::uint32_t session) {
  Coverage all = empty_coverage();
  for (const Variant& variant : variants()) {
    Coverage coverage = empty_coverage();
    while (coverage.sum() < operations) check_session(variant, seed++, session, coverage);
    all.add(coverage);
  }
  return all;
}

}  // namespace

TEST_CASE(
    "life cycle: the AXI side does what docs/hardware/host.md says, whatever the master and the "
    "streams do") {
  const Coverage coverage = run_sessions(40'000, 1, 3000);
  // While nodes are restarted again and again, none of them is asked.
  const auto unreachable = [](std::size_t state, std::size_t operation) {
    using enum AxiOperation;
    const auto what = static_cast<AxiOperation>(operation);
    return AxiLife::states()[state] == "abort" &&
           ((what >= SlotWord && what <= NodeControl) || what == ReadNode || what == ReadStore);
  };
  CHECK(coverage.holes(unreachable) == "");
  run_sessions(1'000, std::random_device()(), 1000);
}

TEST_CASE("life cycle: many operations on the AXI side", "[.long]") {
  const LongRun run = long_run();
  const auto begin = std::chrono::steady_clock::now();
  const Coverage coverage = run_sessions(run.operations / variants().size(), run.seed, 3000);
  run.report("axi_fabric, operation by state of the periods and the transaction", coverage, begin);
}

}  // namespace gossamer::test
