#pragma once

#include <deque>
#include <string>

#include "gossamer_axi.hpp"
#include "node_life.hpp"

namespace gossamer::test {

inline constexpr Node kAxiNodes = 3;  ///< a ring; port 0 leads up

/// The parameters of an axi_fabric.
struct AxiBuild {
  NodeBuild node = {};
  unsigned index_w = rtl::AXI_INDEX_W;
  unsigned tree = 0;  ///< TREE_STAGES
};

/// A word on a stream.
struct StreamWord {
  std::uint32_t data = 0;
  unsigned port = 0;
  bool last = false;
  bool operator==(const StreamWord&) const = default;
};

/// A cycle of an axi_fabric: its pins and a few signals within.
struct AxiCycle {
  bool reset = false;

  // AXI4-Lite: the master's signals, then the fabric's.
  bool awvalid = false, wvalid = false, bready = false, arvalid = false, rready = false;
  std::uint32_t awaddr = 0, wdata = 0, araddr = 0;
  unsigned wstrb = 0xf;
  bool awready = false, wready = false, bvalid = false, arready = false, rvalid = false;
  unsigned bresp = 0, rresp = 0;
  std::uint32_t rdata = 0;
  bool irq = false;

  bool start = false;  ///< the pin

  // The streams of each node.
  std::array<bool, kAxiNodes> in_valid{}, in_ready{}, out_valid{}, out_ready{};
  std::array<StreamWord, kAxiNodes> in{}, out{};

  // Signals inside. The first three say when something takes place where docs/hardware/host.md
  // leaves that open; the model knows what takes place, and whether it may happen now. The others
  // are compared.
  bool writes = false, reads = false;  ///< AXI4-Lite's write or read is done in this cycle
  std::array<bool, kAxiNodes> sending{};
  bool starts = false, ends = false;                   ///< the start pulse; a period has ended
  std::array<std::array<Flit, 2>, kAxiNodes> links{};  ///< flits on the outputs
};

/// What is under way (docs/hardware/host.md, "Periods"). Shut: with a tree, before a restart.
/// Abort: nodes are restarted until the links are empty.
enum class Phase { Rest, Restart, Run, Send, Shut, Abort };

/// An axi_fabric from its first reset on, written from docs/hardware/host.md: a NodeLife for each
/// node, and in front of them the requests, the transaction, the periods and the streams. With a
/// tree the nodes and their streams are told everything so many cycles later, and what they report
/// is known as many cycles later.
class AxiLife {
 public:
  explicit AxiLife(const AxiBuild& build);

  /// The next cycle. Returns what is wrong with it, or nothing.
  std::string cycle(const AxiCycle& c);

  Phase phase() const { return phase_; }
  static bool under_way(Phase phase) { return phase == Phase::Restart || phase == Phase::Run; }
  /// The state now, and in the cycle in which the last write and the last read were done.
  std::size_t state() const;
  std::size_t state_of_write() const { return write_.state; }
  std::size_t state_of_read() const { return read_.state; }
  static const std::vector<std::string>& states();
  /// As text, for failures.
  std::string text() const;

 private:
  struct Answer {
    unsigned response = 0;
    Known data = 0;
    bool came = true;  ///< no node still has to be asked
  };
  /// What the nodes are told in a cycle.
  struct Command {
    Phase phase = Phase::Rest;
    std::uint32_t in_phase = 0;
    bool restart = false, start = false, swap = false;
    unsigned bank = 0, program = 0;  ///< of a restart
    std::optional<Node> asked, cancels;
    bool all = false;  ///< it goes to all nodes
    Transfer transfer;
    bool asks(Node x) const { return asked && (all || asked == x); }
    bool writes(Node x, std::uint32_t address) const {
      return asks(x) && transfer.write && transfer.address == address;
    }
  };
  /// A node that is waited for, and why: a bit of the status.
  struct Holder {
    Node node = 0;
    unsigned why = 0;
    std::uint32_t bits() const { return 1u << why | node << rtl::AXI_BAD_NODE; }
  };
  /// What the nodes report in a cycle, all together.
  struct Report {
    bool done = false, error = false, sends = false, holds = false, missing = false;
    std::optional<Node> drops = {};     ///< the lowest node that drops a packet
    std::optional<Holder> holder = {};  ///< the lowest one that is waited for
    std::optional<Node> fails = {};     ///< the lowest one with an error
    std::uint32_t flits = 0;
  };
  /// What an address means. In regions without parts the part's bits belong to the index: flat.
  struct Place {
    bool aligned = false, all = false;
    std::uint32_t index = 0, part = 0, region = 0, node = 0, flat = 0;
  };
  /// Reads, or writes.
  struct Direction {
    std::deque<std::uint32_t> addresses;
    std::deque<std::pair<std::uint32_t, unsigned>> data;  ///< and strobes
    std::deque<Answer> answers;                           ///< of the requests that were done
    bool shown = false;                                   ///< the fabric offers it
    std::uint64_t came = 0,
                  done = 0;  ///< cycles: the first request was complete; the last was done
    std::size_t state = 0;   ///< when it was done
  };
  /// A node's streams.
  enum class In { Packet, Number, Full, Dropping };
  struct Streams {
    In in = In::Packet;
    std::uint32_t words = 0;  ///< of the packet that has begun, or of the full one
    /// Of a packet, by program, if not 0: of these tables and of new ones.
    std::array<std::uint32_t, 8> needs{}, next{};
    bool fresh = false;  ///< no period has begun with these tables
    struct Word {
      Known data;
      unsigned port;
      bool last;
    };
    std::deque<Word> out;              ///< what is still to be sent
    std::size_t left = 0;              ///< of it, what an abort has left
    unsigned port = 0;                 ///< of the last word
    std::optional<StreamWord> stands;  ///< offered and not yet taken
    bool within = false;               ///< a word of a packet was taken, but not yet the last one
    unsigned unasked = 0;              ///< cycles since AXI4-Lite asked for something
    unsigned silent = 0;               ///< cycles without a word although nothing held it back
  };

  void fail(const std::string& what);
  const Command& told() const { return commands_.front(); }  ///< what the nodes know now
  const Report& known() const { return reports_.front(); }   ///< what is known of them now
  /// The effect of what happened in this phase is known.
  bool settled() const { return in_phase_ >= 2 * build_.tree; }
  bool sending(const AxiCycle& c, Node x) const;
  bool begun(const AxiCycle& c, Node x) const;
  bool missing(Node x) const;
  /// Words that a packet for the next period has; 0: any number, or with several programs none.
  std::uint32_t need(Node x) const {
    return streams_[x].needs[told().program % build_.node.programs];
  }
  bool any(Node x) const { return build_.node.programs == 1 && need(x) == 0; }
  void observe(const AxiCycle& c);
  void check_links(const AxiCycle& c);
  void check_answer(const char* what, Direction& d, bool valid, unsigned response,
                    std::uint32_t data, bool ready);
  void move_nodes(const AxiCycle& c);
  void check_ready(const char* what, bool must, bool ready);
  void do_request(const AxiCycle& c);
  void stream_in(const AxiCycle& c, Node x);
  void stream_out(const AxiCycle& c, Node x);
  void take_out(const AxiCycle& c, Node x);
  void accept(const AxiCycle& c);
  void raise(bool ended, bool error, bool late, bool runs);
  void count_flits(const AxiCycle& c, bool starts);
  bool blocked() const { return (irq_ >> rtl::AXI_IRQ_ERROR & 1) != 0; }
  bool running() const { return phase_ != Phase::Rest || wanted_; }
  /// No start is taken now.
  bool busy() const { return running() || blocked() || (refuse_ && known().missing); }
  void send_arrivals();
  void reset();

  Place place(std::uint32_t address) const;
  bool readable(const Place& p) const;
  bool writable(const Place& p) const;
  bool fits(const Place& p, std::uint32_t data) const;
  unsigned write(std::uint32_t address, std::uint32_t data, unsigned strobes);
  unsigned write_control(std::uint32_t reg, std::uint32_t data);
  Answer read(std::uint32_t address);
  std::uint32_t read_control(std::uint32_t reg) const;
  std::uint32_t node_address(const Place& p) const;

  const AxiBuild build_;
  std::vector<NodeLife> nodes_;
  std::string failure_;
  std::uint64_t cycle_ = 0;

  /// On their way; the last ones are those of this cycle.
  std::deque<Command> commands_;
  std::deque<Report> reports_;
  std::array<std::array<std::deque<Flit>, 2>, kAxiNodes> on_links_;  ///< from each output

  // Events of this cycle.
  std::array<std::optional<Transfer>, kAxiNodes> transfers_;
  bool locked_ = false;  ///< the stores must not be accessed
  bool start_written_ = false, abort_written_ = false, last_written_ = false;

  Direction write_, read_;
  std::optional<bool> wrote_last_;
  static constexpr std::size_t kMostAnswers = 2;  ///< to writes, that may wait
  /// Cycles: the answer to the last read was taken; so many waited for the last time.
  std::uint64_t answered_ = 0, full_until_ = 0;
  unsigned waited_ = 0;  ///< cycles in which nothing held the first request back

  // The transaction.
  bool open_ = false, pending_ = false, bad_length_ = false, bad_checksum_ = false;
  std::uint32_t words_ = 0, crc_ = ~0u, length_ = 0, checksum_ = 0;

  // Periods.
  Phase phase_ = Phase::Rest;
  std::uint32_t in_phase_ = 0;  ///< its cycles before this one
  bool wanted_ = false, repeat_ = false;
  unsigned bank_ = 0;
  std::uint32_t programs_ = 0, last_program_ = 0, place_ = 0;  ///< to run; which one is next
  std::uint32_t periods_ = 0, cycles_ = 0, limit_ = 0, patience_ = 0, held_ = 0, missed_ = 0;
  bool refuse_ = false, was_pin_ = false;

  // Interrupts, and their conditions in the cycle before.
  std::uint32_t irq_ = 0, irq_enable_ = 0, irq_cleared_ = 0;
  bool irq_pin_ = false, was_running_ = false, was_error_ = false;

  // Flits on links since the start pulse, without those of this cycle and of the two before.
  std::uint32_t flits_ = 0;
  std::array<std::uint32_t, 2> new_flits_{};

  std::array<Streams, kAxiNodes> streams_;
  std::optional<Node> bad_packet_;
  std::optional<Holder> late_;
};

}  // namespace gossamer::test
