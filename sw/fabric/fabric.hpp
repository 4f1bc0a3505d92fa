#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "fabric/node_program.hpp"
#include "fabric/quotient.hpp"
#include "support/error.hpp"
#include "topology/topology.hpp"

namespace gossamer {

/// A flit on its way to another rank: the slot of the input that it goes to (as the receiving
/// engine numbers them), and the word.
struct RemoteFlit {
  std::uint32_t slot = 0;  ///< the topmost bit is the flit's `last`
  std::uint32_t data = 0;
};

/// The processes that simulate one fabric together, each a block of its nodes. All of them call the
/// same functions in the same order.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual unsigned size() const = 0;
  virtual unsigned rank() const = 0;

  /// To and from one neighbour: what is sent, and then what was received.
  struct Exchange {
    unsigned rank = 0;
    std::vector<RemoteFlit> sent;      ///< the first `sending` are in use
    std::vector<RemoteFlit> received;  ///< room for all that can come; the first `receiving` came
    std::size_t sending = 0, receiving = 0;
  };
  virtual void exchange(std::span<Exchange> neighbours) = 0;
  /// Replaces the values by their sums over all ranks.
  virtual void add_up(std::span<std::uint64_t> values) = 0;
  /// The texts of all ranks, in order.
  virtual std::vector<std::string> gather(const std::string& text) = 0;
  /// Ends all ranks with this line on stderr and exit status 2.
  [[noreturn]] virtual void abort(const std::string& why) = 0;

  /// The nodes [first, second) of a rank.
  std::pair<Node, Node> block(Node nodes, unsigned rank) const {
    const std::uint64_t n = nodes;
    return {static_cast<Node>(n * rank / size()), static_cast<Node>(n * (rank + 1) / size())};
  }
  unsigned owner(Node nodes, Node x) const {
    unsigned r = static_cast<unsigned>(std::uint64_t{x} * size() / nodes);
    while (block(nodes, r).second <= x) ++r;
    return r;
  }
};

/// Everything that a fabric is loaded with before a run.
struct FabricImage {
  Topology topology;  ///< of the nodes that are simulated
  NodeKind kind = {};
  std::vector<NodeProgram> programs = {};
  std::vector<std::uint32_t> program_of = {};  ///< per node: index into programs
  /// What the nodes' tables hold besides: programs 1, 2 ... for later runs.
  struct Later {
    std::vector<NodeProgram> programs;
    std::vector<std::uint32_t> program_of;
  };
  std::vector<Later> later = {};
  std::size_t held() const { return 1 + later.size(); }
  const std::vector<NodeProgram>& programs_of(std::size_t k) const {
    return k == 0 ? programs : later[k - 1].programs;
  }
  const NodeProgram& program(Node x, std::size_t k) const {
    return programs_of(k)[k == 0 ? program_of[x] : later[k - 1].program_of[x]];
  }
  /// Where program k begins in tables or lists of such a depth, and the one before it ends.
  std::uint32_t begin(std::size_t k, std::uint32_t depth) const {
    return static_cast<std::uint32_t>(std::uint64_t{depth} * k >> kind.programs);
  }
  std::vector<std::uint64_t> own_begin = {};  ///< nodes + 1 offsets into own_words
  std::vector<std::uint32_t> own_words = {};  ///< the words that each node starts with
  std::uint32_t capacity = 0;                 ///< words that a log must be able to hold
  std::uint32_t arrivals = 0;                 ///< ... of those that come, if it is known (Programs)
  /// What the logs will hold if all goes well; null: unknown. If it is known, the tile engine keeps
  /// its stores compressed.
  std::shared_ptr<const ExpectedLogs> expected = nullptr;

  /// If each node represents a class of nodes: the classes, and how words change on their links.
  /// Null: these are all nodes.
  std::shared_ptr<const Quotient> quotient = nullptr;

  /// Register stages of the link at each port of a node; empty: no link has any.
  std::vector<std::uint32_t> stages = {};
  std::uint32_t most_stages() const { return stages.empty() ? 0 : std::ranges::max(stages); }
  /// A flit that nobody expects may come through stages when all tables have ended. So many cycles
  /// later it is known which slot it came in, and the fabric is at rest.
  std::uint32_t settling() const { return most_stages() == 0 ? 0 : 2; }

  /// Faults: bit p of dead[x] kills output p of node x as soon as `dead_after` slots have passed.
  /// Empty: no faults.
  std::vector<std::uint64_t> dead = {};
  std::uint32_t dead_after = 0;
  /// Instead, if it is not 0: the outputs work, and what is on their links from this cycle on is
  /// lost. Only the tile engine does so.
  std::uint32_t dead_cycle = 0;

  /// Adaptive nodes only. Message m of a node, counted from its own, is stored at address m <<
  /// message_shift.
  std::uint32_t message_shift = 0;
  std::vector<std::uint32_t> partner = {};  ///< per port: address of the neighbour's own message
  std::vector<std::uint32_t> initiator =
      {};  ///< per node: address of the message it waits for, if any

  std::uint32_t own_size(Node x) const {
    return static_cast<std::uint32_t>(own_begin[x + 1] - own_begin[x]);
  }
  /// The number that a simulated node has in the topology of the schedule.
  Node node_of(Node i) const { return quotient ? quotient->representative(i) : i; }
  /// The simulated node that is, or represents, a node of the schedule.
  Node class_of(Node x) const { return quotient ? quotient->class_of(x) : x; }
  /// How many nodes of the schedule a simulated one represents.
  Node copies() const { return quotient ? quotient->copies() : 1; }
};

/// What is on a link in a cycle.
struct Flit {
  bool valid = false;
  bool last = false;
  std::uint32_t data = 0;  ///< 0 where not valid
  bool operator==(const Flit&) const = default;
};

/// The sticky errors of a node.
struct NodeError {
  Node node = 0;
  std::uint32_t seen = 0;  ///< bit k: rtl::error_e k was raised
  std::uint32_t first_code = 0;
  std::uint32_t first_slot = 0;  ///< slots executed before, so round first_slot + 1
  Port first_port = 0;
};

/// Units of time in a waveform file for one cycle. Verilator's files count in picoseconds: a cycle
/// takes a nanosecond, and the time axis reads as cycle numbers.
inline constexpr std::uint64_t kWaveUnitsPerCycle = 1000;

/// What to write into a waveform file.
struct TraceOptions {
  std::string file;         ///< .fst, or of the systemc engine .vcd
  std::vector<Node> nodes;  ///< of the image; empty: all
  std::uint64_t first_cycle = 0;
  std::uint64_t last_cycle = ~std::uint64_t{0};
  /// The word that should be on the link of a node's port in a cycle, if any. Some engines show it
  /// beside the word that is there. May be empty.
  std::function<std::optional<std::uint32_t>(Node, Port, std::uint64_t)> expected = {};
};

/// A run has gone so wrong that there is no room for its words. It ends here, and has failed.
class GaveUp : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A fabric of switch nodes, simulated by some engine. The driver knows it only through this class.
/// Cycle 0 is the cycle of the start pulse.
class Fabric {
 public:
  virtual ~Fabric() = default;

  /// Traces the next run. Throws InputError if the engine was built without tracing.
  virtual void trace(const TraceOptions& options) = 0;
  /// The system's number of an error in writing the waveform; 0: none so far.
  virtual int trace_error() const { return 0; }
  /// Completes the waveform; trace_error() then says whether it is whole.
  virtual void end_trace() {}
  /// How many threads simulate it; the results are the same. Call it before load(). Some engines
  /// have one thread only.
  virtual void use_threads(unsigned) {}
  /// Whether nodes in which nothing happens are simulated, too. Call it before load().
  virtual void skip_idle(bool) {}
  /// From now on this process simulates this rank's block of nodes only. Call it before load().
  /// Throws InputError if the engine cannot.
  virtual void join(Ranks&) { throw InputError("only the tile engine runs on several ranks"); }
  /// Whether a node is simulated here. The functions below answer for such nodes only.
  virtual bool holds(Node) const { return true; }
  /// Resets the fabric, writes tables and own words, and stops right before cycle 0.
  virtual void load(const FabricImage& image) = 0;
  /// After a run: cycle 0 of the next one, by the program of this number. The logs go on, or begin
  /// again. Throws InputError if the engine cannot.
  virtual void restart(unsigned, bool) {
    throw InputError("the systemc engine runs one program: take tile or flat");
  }
  /// Between two runs: writes a word of a log that arrived there, or of the own words.
  virtual void set_word(Node, unsigned, std::uint32_t, std::uint32_t) {}
  /// Simulates up to `cycles` cycles, fewer if every node has ended its table before. May throw
  /// GaveUp; errors() and compared() then return what was seen before.
  virtual void run(std::uint64_t cycles) = 0;
  /// The same, but calls `look` after every cycle, while no thread simulates; it returns whether to
  /// go on.
  virtual void run_and_look(std::uint64_t cycles, const std::function<bool()>& look) {
    for (; cycles > 0 && !done(); --cycles) {
      run(1);
      if (!look()) return;
    }
  }

  /// The cycle that the registers show now; 0 after load.
  virtual std::uint64_t cycle() const = 0;
  /// Has every node ended its table, and is no flit under way?
  virtual bool done() const = 0;
  /// Nodes that have not ended their tables, up to `most` of them.
  virtual std::vector<Node> running(std::size_t most) const = 0;
  /// The last cycle in which the monitor saw a flit on a link.
  virtual std::uint64_t last_arrival() const = 0;
  /// Flits that were on links so far.
  virtual std::uint64_t flits_moved() const = 0;
  /// What node `x` puts on the link of port `p` in the current cycle.
  virtual Flit link(Node x, Port p) const = 0;
  /// The same for all nodes, which must be simulated here: by node the ports that have a flit, a
  /// bit each, and by node and port its word. What stands for the other ports is not changed.
  virtual void links(Port ports, std::span<std::uint64_t> valid,
                     std::span<std::uint32_t> words) const {
    for (std::size_t i = 0; i < valid.size(); ++i) {
      valid[i] = 0;
      for (Port p = 0; p < ports; ++p) {
        const Flit flit = link(static_cast<Node>(i), p);
        valid[i] |= std::uint64_t{flit.valid} << p;
        if (flit.valid) words[i * ports + p] = flit.data;
      }
    }
  }
  /// The words of a log, in order of arrival; in a single-port node the own words come first. For
  /// an adaptive node it is the log's memory, `capacity` words, whether written or not.
  virtual std::vector<std::uint32_t> log(Node x, unsigned log) const = 0;
  /// Up to `most` words of a log from word `first` on; fewer only where the log ends.
  virtual std::vector<std::uint32_t> part_of_log(Node x, unsigned g, std::uint64_t first,
                                                 std::uint64_t most) const {
    std::vector<std::uint32_t> words = log(x, g);
    if (words.size() > first + most) words.resize(first + most);
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(
                                                   std::min<std::uint64_t>(first, words.size())));
    return words;
  }
  /// Adaptive nodes: which words of that log have arrived, by address. Empty for other nodes.
  virtual std::vector<bool> arrived(Node, unsigned) const { return {}; }
  /// Does every log of the node hold exactly what image.expected says, each word compared when it
  /// arrived? False if that was not done.
  virtual bool as_expected(Node) const { return false; }
  /// How many words were compared with image.expected when they arrived, and how many of them
  /// differed.
  struct Compared {
    std::uint64_t words = 0, different = 0;
  };
  virtual Compared compared() const { return {}; }
  /// Nodes that raised errors.
  virtual std::vector<NodeError> errors() const = 0;
};

}  // namespace gossamer

/// What every engine library exports: a new fabric whose registers start from values drawn with
/// `seed`. The caller owns it.
extern "C" gossamer::Fabric* gossamer_make_fabric(std::uint32_t seed);

/// A hash of this header and all that it includes, computed when the library was compiled
/// (engine_hash.mk). The program loads only libraries with its own hash.
extern "C" const char gossamer_engine_fingerprint[];
