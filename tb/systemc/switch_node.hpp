#pragma once

#include <optional>
#include <systemc>
#include <vector>

#include "exchange_logs.hpp"
#include "link.hpp"
#include "link_ends.hpp"
#include "message_logs.hpp"
#include "read_list.hpp"
#include "slot_player.hpp"
#include "sticky_errors.hpp"

namespace gossamer::systemc {

/// A node of the fabric, written from docs/timing.md and docs/table-format.md and not from the RTL:
/// a second opinion on both. One clocked process; what a word of the store passes in three
/// successive cycles are three functions of it:
///
///   cycle t     read_words      the slot that begins in t reads its first word
///   cycle t+1   switch_flits    its selects act on that word, and on what stands on the inputs
///   cycle t+2   receive_flits   its receive window is open; the word stands on the link
///
/// so each has its own idea of what the slot table says: the table's own, or that of one or two
/// cycles ago.
class SwitchNode : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> start{"start"};             ///< one cycle: run the table
  sc_core::sc_vector<sc_core::sc_in<Flit>> rx;     ///< what the neighbours send, by port
  sc_core::sc_vector<sc_core::sc_out<Flit>> tx;    ///< what this node sends, by port

  SC_HAS_PROCESS(SwitchNode);
  /// Node `x` of the fabric. `image` must outlive the node.
  SwitchNode(const sc_core::sc_module_name& name, const FabricImage& image, Node x);

  /// Adds what the node knows of itself to a waveform, in a scope of this name.
  void trace(sc_core::sc_trace_file* file, const std::string& scope) const;
  /// The table has ended and its windows are closed.
  bool done() const { return done_; }
  const NodeError& errors() const { return errors_.told(); }
  const std::vector<std::uint32_t>& log(unsigned log) const {
    return exchange_ ? exchange_->log(log) : logs_.log(log);
  }
  /// Of an adaptive node: which words of a log have arrived. Empty for all others.
  std::vector<bool> arrived(unsigned log) const {
    return exchange_ ? exchange_->arrived(log) : std::vector<bool>{};
  }

 private:
  /// A word on its way from the store to the crossbar.
  using Words = std::vector<Flit>;  // per output

  void cycle();
  void begin();
  void read_words(const SlotCycle& now, Words& words);
  void check_entry(const SlotCycle& now);
  void read_streams(const SlotCycle& now, std::uint64_t outputs, Words& words);
  void read_offer(const SlotCycle& now, std::uint64_t outputs, Words& words);
  std::uint64_t switch_flits(const SlotCycle& now);
  bool dead(Port p, const SlotCycle& now) const;
  Flit to_link(Port p, const Flit& flit, const SlotCycle& now);
  void receive_flits(const SlotCycle& now, std::uint64_t forwarded);
  void store(std::uint64_t taken, std::uint32_t slot);
  std::uint64_t append(std::uint64_t taken);
  void show();

  const NodeKind kind_;
  const std::uint64_t dead_;        ///< outputs that have no source ...
  const std::uint32_t dead_after_;  ///< ... from the slot on that follows so many
  SlotPlayer player_;
  std::vector<ReadList> lists_;
  MessageLogs logs_;
  std::optional<ExchangeLogs> exchange_;  ///< adaptive nodes: in place of logs_
  StickyErrors errors_;
  std::vector<Sender> senders_;
  std::vector<Receiver> receivers_;

  SlotCycle switching_, receiving_;  ///< the table one and two cycles ago
  Words words_, next_words_;         ///< read one cycle ago; read now
  std::vector<Flit> inputs_;         ///< what stands on the inputs
  std::uint64_t driven_ = 0;         ///< ports on which this node drives the link now
  bool done_ = false;

  /// For the waveform: rounds count from 1, and 0 is none.
  struct Shown {
    std::uint32_t round = 0, cycle = 0;
    std::uint32_t errors = 0, first_error = 0, error_round = 0, error_port = 0;
  };
  Shown shown_;
};

}  // namespace gossamer::systemc
