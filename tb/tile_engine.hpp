#pragma once

#include <array>
#include <bit>
#include <memory>
#include <stdexcept>

#include "fabric/fabric.hpp"
#include "support/error.hpp"
#include "verilated_model.hpp"
#include "wave_file.hpp"

namespace gossamer::tb {

/// The tile engine: one Verilated switch_tile per node, wired here. Every output of a node is a
/// register, so that evaluating the nodes one after the other is exact.
///
/// Tile describes the Verilated variant: its model and root types, ports, channels, single port,
/// half duplex. The stores are kept here, a plain array per log.
template <class Tile>
class TileEngine final : public Fabric {
  static constexpr Port P = Tile::kPorts;
  static constexpr unsigned C = Tile::kChannels;
  static constexpr unsigned kLogs = Tile::kSinglePort ? 1 : P;
  static constexpr unsigned kListWords = rtl::SEG_W / 32;

 public:
  explicit TileEngine(std::uint32_t seed) : seed_(seed) {}
  ~TileEngine() override { close_trace(); }

  void trace(const TraceOptions& options) override {
    if constexpr (!Tile::kTrace) {
      throw InputError("this build of the tile engine has no tracing");
    }
    trace_ = options;
  }

  void load(const FabricImage& image) override {
    build_nodes(image);
    wire(image.topology);
    load_stores(image);
    encode_programs(image);
    reset();
  }

  void run(std::uint64_t cycles) override {
    while (cycles-- > 0 && !done_) step();
  }

  std::uint64_t cycle() const override { return cycle_; }
  bool done() const override { return done_; }
  std::uint64_t last_arrival() const override { return last_arrival_; }
  std::uint64_t flits_moved() const override { return flits_moved_; }

  std::vector<Node> running(std::size_t most) const override {
    std::vector<Node> nodes;
    for (Node x = 0; x < nodes_.size() && nodes.size() < most; ++x) {
      if (!root(x).done_o) nodes.push_back(x);
    }
    return nodes;
  }

  Flit link(Node x, Port p) const override {
    const auto& r = root(x);
    if (!(r.link_valid_o >> p & 1)) return {};
    return {true, (r.link_last_o >> p & 1) != 0, words(r.link_data_o)[p]};
  }

  std::vector<std::uint32_t> log(Node x, unsigned log) const override {
    const std::uint32_t* begin = store_.data() + log_begin(x, log);
    return {begin, begin + length_[x * kLogs + log]};
  }

  std::vector<NodeError> errors() const override {
    std::vector<NodeError> found;
    for (Node x = 0; x < nodes_.size(); ++x) {
      const auto& r = root(x);
      if (r.errors_o == 0) continue;
      found.push_back({x, r.errors_o, r.first_error_o, r.first_error_slot_o, r.first_error_port_o});
    }
    return found;
  }

 private:
  using Model = typename Tile::Model;
  using Root = typename Tile::Root;
  /// The memories of a program as the table ports deliver them.
  struct Tables {
    std::vector<std::uint32_t> slots;
    std::array<std::vector<std::uint32_t>, C> lists;
  };

  auto& root(Node x) { return *roots_[x]; }
  const auto& root(Node x) const { return *roots_[x]; }
  std::size_t log_begin(Node x, unsigned log) const {
    return (std::size_t{x} * kLogs + log) * capacity_;
  }

  void build_nodes(const FabricImage& image) {
    if (image.kind.ports != P || image.kind.single_port != Tile::kSinglePort ||
        image.kind.half_duplex != Tile::kHalfDuplex || image.kind.channels != C) {
      throw std::logic_error("tile engine loaded with an image for another kind of node");
    }
    close_trace();
    nodes_.clear();
    roots_.clear();
    flags_.assign(image.topology.nodes(), {});
    context_ = make_context(seed_, Tile::kTrace);
    for (Node x = 0; x < image.topology.nodes(); ++x) {
      nodes_.push_back(
          std::make_unique<Model>(context_.get(), ("node_" + std::to_string(x)).c_str()));
      roots_.push_back(nodes_.back()->rootp);
      nodes_.back()->clk_i = 0;
      nodes_.back()->eval();  // initial values
    }
  }

  void wire(const Topology& topology) {
    peers_.assign(std::size_t{topology.nodes()} * P, Endpoint{});
    for (Node x = 0; x < topology.nodes(); ++x) {
      for (Port p = 0; p < topology.ports(); ++p) peers_[x * P + p] = topology.peer(x, p);
    }
  }

  void load_stores(const FabricImage& image) {
    const Node n = image.topology.nodes();
    capacity_ = image.capacity;
    own_words_ = image.own_words;
    own_begin_ = image.own_begin;
    store_.assign(std::size_t{n} * kLogs * capacity_, 0);
    length_.assign(std::size_t{n} * kLogs, 0);
    if (!Tile::kSinglePort) return;
    for (Node x = 0; x < n; ++x) {
      std::copy_n(own_words_.data() + own_begin_[x], image.own_size(x),
                  store_.data() + log_begin(x, 0));
      length_[x] = image.own_size(x);
    }
  }

  void encode_programs(const FabricImage& image) {
    tables_.clear();
    program_of_ = image.program_of;
    for (const NodeProgram& program : image.programs) {
      Tables& t = tables_.emplace_back();
      for (const SlotEntry& e : program.slots) append(t.slots, encode(e, image.kind));
      t.slots.resize(t.slots.size() + kSlotWords);  // what stands behind the final entry
      for (unsigned c = 0; c < C; ++c) {
        for (const Segment& s : program.channels[c]) append(t.lists[c], encode(s));
        t.lists[c].resize(t.lists[c].size() + kListWords);  // a segment of count 0 ends the list
      }
    }
  }

  static void append(std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& words) {
    to.insert(to.end(), words.begin(), words.end());
  }

  void reset() {
    cycle_ = 0;
    last_arrival_ = 0;
    flits_moved_ = 0;
    done_ = false;
    for (Node x = 0; x < nodes_.size(); ++x) {
      auto& r = root(x);
      r.link_valid_i = 0;
      r.start_i = 0;
      r.own_words_i = static_cast<std::uint32_t>(own_begin_[x + 1] - own_begin_[x]);
      r.capacity_i = capacity_;
      r.rst_ni = 0;
      for (int edge = 0; edge < 4; ++edge) clock(*nodes_[x], r, true);
      r.rst_ni = 1;
      clock(*nodes_[x], r, true);
      serve_memories(x);
      flags_[x] = input_flags(r);
      r.start_i = 1;
    }
    open_trace();
  }

  void step() {
    const Node n = static_cast<Node>(nodes_.size());
    bool all_done = true;
    for (Node x = 0; x < n; ++x) {
      auto& r = root(x);
      const InputFlags flags = input_flags(r);
      clock(*nodes_[x], r, flags != flags_[x]);
      flags_[x] = flags;
      if (r.taken_o) store_arrivals(x);
      r.link_valid_i = 0;
      serve_memories(x);
      all_done = all_done && r.done_o;
    }
    if (cycle_ == 0) {
      for (Node x = 0; x < n; ++x) root(x).start_i = 0;
    }
    ++cycle_;
    const bool moving = move_flits();
    if (moving) last_arrival_ = cycle_;
    done_ = all_done && !moving;
    if constexpr (Tile::kTrace) dump_trace();
  }

  /// All inputs of a tile that are more than data for its registers.
  struct InputFlags {
    std::uint64_t valid = 0, last_and_start = 0;
    bool operator==(const InputFlags&) const = default;
  };
  static InputFlags input_flags(const Root& r) {
    return {r.link_valid_i, std::uint64_t{r.link_last_i} << 1 | r.start_i};
  }

  /// Hands every flit that stands on an output to the input at the link's other end.
  bool move_flits() {
    std::uint64_t moved = 0;
    for (Node x = 0; x < nodes_.size(); ++x) {
      const auto& r = root(x);
      for (unsigned ports = r.link_valid_o; ports != 0; ports &= ports - 1) {
        const Port p = static_cast<Port>(std::countr_zero(ports));
        ++moved;
        const Endpoint to = peers_[x * P + p];
        if (!to.connected()) continue;
        auto& peer = root(to.node);
        const unsigned bit = 1u << to.port;
        peer.link_valid_i |= bit;
        peer.link_last_i = (peer.link_last_i & ~bit) | (r.link_last_o >> p & 1) << to.port;
        words(peer.link_data_i)[to.port] = words(r.link_data_o)[p];
      }
    }
    flits_moved_ += moved;
    return moved != 0;
  }

  /// What stood on the links in the cycle before goes to the logs.
  void store_arrivals(Node x) {
    const auto& r = root(x);
    for (unsigned ports = r.taken_o; ports != 0; ports &= ports - 1) {
      const Port p = static_cast<Port>(std::countr_zero(ports));
      const unsigned log = Tile::kSinglePort ? 0 : p;
      std::uint32_t& length = length_[x * kLogs + log];
      if (length == capacity_) throw std::logic_error("the RTL stored a word in a full log");
      store_[log_begin(x, log) + length++] = words(r.link_data_i)[p];
    }
  }

  /// The memories: what is addressed now is put where the next edge takes it.
  void serve_memories(Node x) {
    auto& r = root(x);
    const Tables& t = tables_[program_of_[x]];
    if (r.slot_en_o) deliver<kSlotWords>(words(r.slot_mem_i), t.slots, r.slot_addr_o);
    for (unsigned channels = r.list_en_o; channels != 0; channels &= channels - 1) {
      const unsigned c = static_cast<unsigned>(std::countr_zero(channels));
      deliver<kListWords>(words(r.list_mem_i) + c * kListWords, t.lists[c], list_addr(r, c));
    }
    for (unsigned channels = r.read_en_o; channels != 0; channels &= channels - 1) {
      const unsigned c = static_cast<unsigned>(std::countr_zero(channels));
      words(r.read_mem_i)[c] = read(x, read_log(r, c), words(r.read_addr_o)[c]);
    }
  }

  template <unsigned kWords>
  static void deliver(std::uint32_t* to, const std::vector<std::uint32_t>& memory,
                      std::size_t index) {
    if ((index + 1) * kWords > memory.size()) index = memory.size() / kWords - 1;
    std::copy_n(memory.data() + index * kWords, kWords, to);
  }

  std::uint32_t read(Node x, unsigned log, std::uint32_t addr) const {
    if (!Tile::kSinglePort && log == P) {
      const std::uint64_t size = own_begin_[x + 1] - own_begin_[x];
      return addr < size ? own_words_[own_begin_[x] + addr] : 0;
    }
    return log < kLogs && addr < capacity_ ? store_[log_begin(x, log) + addr] : 0;
  }

  static unsigned read_log(const Root& r, unsigned c) {
    constexpr unsigned width = std::bit_width(P);
    return get_field(r.read_log_o, c * width, width);
  }
  static std::uint32_t list_addr(const Root& r, unsigned c) {
    return get_field(r.list_addr_o, c * Tile::kTableAddrBits, Tile::kTableAddrBits);
  }

  void open_trace() {
    if constexpr (Tile::kTrace) {
      traced_ = trace_.nodes;
      if (traced_.empty()) {
        for (Node x = 0; x < nodes_.size(); ++x) traced_.push_back(x);
      }
      wave_.begin(trace_, [this](TraceFile& file) {
        // Newer Verilators trace all models together, whichever is asked.
        for (Node x : trace_.nodes) file.dumpvars(kAllLevels, "node_" + std::to_string(x));
        for (Node x : traced_) nodes_[x]->trace(&file, kAllLevels);
      });
      dump_trace();
    }
  }
  /// The inputs have changed since the clock rose; what follows from them is worked out for the
  /// waveform alone.
  void dump_trace() {
    if constexpr (Tile::kTrace) {
      if (!wave_.in_window(cycle_)) return;
      evaluate_traced(1);
      wave_.rising(cycle_);
      evaluate_traced(0);
      wave_.falling(cycle_);
    }
  }
  void evaluate_traced(CData clk) {
    for (Node x : traced_) {
      root(x).clk_i = clk;
      nodes_[x]->eval();
    }
  }
  void close_trace() { wave_.close(); }

  static constexpr unsigned kSlotWords =
      (rtl::SLOT_RECEIVE_LSB + P + P * std::bit_width(P) + 31) / 32;

  std::uint32_t seed_;
  std::unique_ptr<VerilatedContext> context_;
  std::vector<std::unique_ptr<Model>> nodes_;
  std::vector<Root*> roots_;
  std::vector<InputFlags> flags_;        ///< input_flags of each node at the last edge
  std::vector<Endpoint> peers_;          ///< nodes x P
  std::vector<Tables> tables_;
  std::vector<std::uint32_t> program_of_;
  std::vector<std::uint32_t> own_words_;
  std::vector<std::uint64_t> own_begin_;
  std::vector<std::uint32_t> store_;     ///< nodes x logs x capacity
  std::vector<std::uint32_t> length_;    ///< nodes x logs: words written
  std::uint32_t capacity_ = 0;
  std::uint64_t cycle_ = 0, last_arrival_ = 0, flits_moved_ = 0;
  bool done_ = false;
  TraceOptions trace_;
  std::vector<Node> traced_;
  WaveFile wave_;
};

}  // namespace gossamer::tb
