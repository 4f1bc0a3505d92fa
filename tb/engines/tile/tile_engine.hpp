#pragma once

#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "engines/tile/link_slots.hpp"
#include "engines/tile/log_store.hpp"
#include "engines/tile/tile_nodes.hpp"
#include "engines/tile/tile_threads.hpp"
#include "engines/verilated_model.hpp"
#include "fabric/fabric.hpp"
#include "support/error.hpp"

namespace gossamer::tb {

/// The waveform of a tile engine's nodes; nothing if the engine is built without tracing.
template <class Tile>
class TileWaves {
 public:
  explicit TileWaves(TileNodes<Tile>& nodes) : nodes_(nodes) {}
  ~TileWaves() { close(); }

  void set(const TraceOptions& options) { options_ = options; }

  /// Begins with the present state as that of cycle 0. `number(i)` is what the waveform calls node
  /// i.
  template <class Number>
  void open([[maybe_unused]] const Number& number) {
    if constexpr (Tile::kTrace) {
      traced_ = options_.nodes;
      if (traced_.empty()) {
        for (Node x = 0; x < nodes_.size(); ++x) traced_.push_back(x);
      }
      file_.begin(options_, [&](TraceFile& file) {
        // Newer Verilators always trace all models together.
        for (Node x : options_.nodes) {
          file.dumpvars(kAllLevels, "node_" + std::to_string(number(x)));
        }
        for (Node x : traced_) nodes_.model(x).trace(&file, kAllLevels);
      });
      dump(0);
    }
  }

  /// The inputs have changed since the clock rose; signals that depend on them are evaluated only
  /// for the waveform.
  void dump(std::uint64_t cycle) {
    if (!file_.in_window(cycle)) return;
    show_expected(cycle);
    evaluate(1);
    file_.rising(cycle);
    evaluate(0);
    file_.falling(cycle);
  }

  void close() { file_.close(); }

 private:
  void show_expected(std::uint64_t cycle) {
    if (!options_.expected) return;
    for (Node x : traced_) {
      for (Port p = 0; p < Tile::kPorts; ++p) {
        const auto word = options_.expected(x, p, cycle);
        set_bits(nodes_.root(x).expected_i, p * 33, word.value_or(0));
        set_bits(nodes_.root(x).expected_i, p * 33 + 32, word ? 1 : 0, 1);
      }
    }
  }
  void evaluate(CData clk) {
    for (Node x : traced_) {
      nodes_.root(x).clk_i = clk;
      nodes_.model(x).eval();
    }
  }

  TileNodes<Tile>& nodes_;
  TraceOptions options_;
  std::vector<Node> traced_;
  WaveFile file_;
};

/// For a Tile whose nodes are evaluated one by one; TileLanes (tile_lanes.hpp) is for the others.
template <class Tile>
struct NoLanes {
  using Store = TileStore<Tile>;
};

/// The tile engine: one Verilated switch_tile per node; the links are here. Every output of a node
/// is a register, so that it is exact to evaluate the nodes one after the other, or on several
/// threads.
///
/// Tile describes the Verilated variant: its model and root types, ports, channels, single port,
/// half duplex, and the class that evaluates nodes several at once. The stores are kept here
/// (log_store.hpp).
template <class Tile>
class TileEngine final : public Fabric {
  static constexpr Port P = Tile::kPorts;
  static constexpr unsigned C = Tile::kChannels;

 public:
  explicit TileEngine(std::uint32_t seed) : seed_(seed) {}

  void trace(const TraceOptions& options) override {
    if constexpr (!Tile::kTrace) {
      throw InputError("this build of the tile engine has no tracing");
    }
    waves_.set(options);
  }
  int trace_error() const override { return wave_error(); }
  void end_trace() override { waves_.close(); }

  void load(const FabricImage& image) override {
    const Node nodes = image.topology.nodes();
    std::tie(first_, last_) =
        ranks_ ? ranks_->block(nodes, ranks_->rank()) : std::pair{Node{0}, nodes};
    quotient_ = image.quotient;
    stages_ = image.stages;
    settling_ = image.settling();
    stages_.resize(P);
    build_nodes(image);
    wire(image.topology);
    store_.load(image, first_, last_);
    tables_.load(image, first_, last_, std::uint32_t{1} << Tile::kTableAddrBits);
    unused_bits_ = rtl::CONTROL_PROGRAM_W - image.kind.programs;
    set_up(image);
    reset(0, false);
  }

  void set_word(Node x, unsigned log, std::uint32_t index, std::uint32_t word) override {
    store_.set_word(x - first_, log, index, word);
  }

  void restart(unsigned program, bool keeps) override {
    if (!keeps) store_.forget();
    slots_.clear_slots(crossings_.slots(), *std::ranges::max_element(stages_));
    rests_.assign(nodes_.size(), {});
    reset(program, keeps);
  }

  void join(Ranks& ranks) override {
    if (Tile::kTrace) throw InputError("waveforms are written on one rank only");
    ranks_ = &ranks;
  }
  bool holds(Node x) const override { return x >= first_ && x < last_; }
  void skip_idle(bool skips) override { skips_ = skips; }
  void use_threads(unsigned threads) override { threads_ = Tile::kTrace ? 1 : threads; }

  void run(std::uint64_t cycles) override {
    run_and_look(cycles, [] { return true; });
  }
  void run_and_look(std::uint64_t cycles, const std::function<bool()>& look) override {
    try {
      run_up_to(cycles, look);
    } catch (...) {
      part_nodes();
      throw;
    }
    part_nodes();
  }

  std::uint64_t cycle() const override { return cycle_; }
  bool done() const override { return done_; }
  std::uint64_t last_arrival() const override { return last_arrival_; }
  std::uint64_t flits_moved() const override { return flits_moved_; }

  std::vector<Node> running(std::size_t most) const override {
    std::vector<Node> nodes;
    for (Node i = 0; i < nodes_.size() && nodes.size() < most; ++i) {
      if (!root(i).done_o) nodes.push_back(first_ + i);
    }
    return nodes;
  }

  Flit link(Node x, Port p) const override {
    const Node i = x - first_;
    if constexpr (Tile::kLanes) {
      if (lanes_.has(i)) return lanes_.link(i, p);
    }
    const auto& r = root(i);
    if (!(r.link_valid_o >> p & 1)) return {};
    return {true, (r.link_last_o >> p & 1) != 0, words(r.link_data_o)[p]};
  }
  void links(Port ports, std::span<std::uint64_t> valid,
             std::span<std::uint32_t> to) const override {
    for (Node i = 0; i < nodes_.size(); ++i) {
      if constexpr (Tile::kLanes) {
        if (lanes_.has(i)) continue;
      }
      const auto& r = root(i);
      valid[i] = r.link_valid_o;
      if (valid[i] != 0) std::copy_n(words(r.link_data_o), ports, &to[std::size_t{i} * ports]);
    }
    if constexpr (Tile::kLanes) lanes_.links(ports, valid, to);
  }

  std::vector<std::uint32_t> log(Node x, unsigned log) const override {
    return store_.log(x - first_, log);
  }

  std::vector<std::uint32_t> part_of_log(Node x, unsigned log, std::uint64_t first,
                                         std::uint64_t most) const override {
    return store_.part(x - first_, log, first, most);
  }

  std::vector<bool> arrived(Node x, unsigned log) const override {
    return store_.arrived(x - first_, log);
  }

  bool as_expected(Node x) const override { return store_.as_expected(x - first_); }
  Compared compared() const override { return store_.compared(); }

  std::vector<NodeError> errors() const override {
    std::vector<NodeError> found;
    for (Node i = 0; i < nodes_.size(); ++i) {
      const auto& r = root(i);
      if (r.errors_o == 0) continue;
      found.push_back(
          {first_ + i, r.errors_o, r.first_error_o, r.first_error_slot_o, r.first_error_port_o});
    }
    return found;
  }

 private:
  using Root = typename Tile::Root;
  using Slots = LinkSlots<P>;
  using LinkCycle = typename Slots::Cycle;
  static constexpr std::uint32_t kNowhere = Boundary::kNowhere;
  static constexpr std::uint64_t kForever = ~std::uint64_t{0};
  /// For an idle node: the cycle in which it was last simulated, and the one until which it need
  /// not be. Otherwise zeros.
  struct Rest {
    std::uint64_t since = 0, until = 0;
  };

  /// Each thread has a block of nodes; a barrier ends the cycle, and then one of them looks.
  /// Nodes may be evaluated several at once, and then have no models of their own until
  /// part_nodes().
  void run_up_to(std::uint64_t cycles, const std::function<bool()>& look) {
    const std::uint64_t end = cycle_ + cycles;
    for (bool going = !done_; going && cycle_ < end;) {
      if (dead_cycle_ != 0 && cycle_ + 1 >= dead_cycle_) cut_links();
      const std::uint64_t stop = dead_cycle_ == 0 ? end : std::min(end, dead_cycle_ - 1);
      if constexpr (Tile::kLanes) lanes_.begin(for_lanes(), blocks_);
      const auto part = choice_.next(stop - cycle_);
      const auto begin = std::chrono::steady_clock::now();
      run_on_threads(
          blocks_, part.threads, cycle_, cycle_ + part.cycles,
          [this](unsigned block, std::uint64_t cycle, Totals& totals) {
            evaluate(block, cycle, totals);
          },
          [&](std::uint64_t cycle, const Totals& totals) {
            cycle_ = cycle;
            end_cycle(totals);
            return going = look() && !done_;
          });
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      choice_.took(part, took.count());
    }
  }

  /// The schedule's number for a node of this fabric.
  Node number(Node i) const { return quotient_ ? quotient_->representative(i) : first_ + i; }
  auto& root(Node x) { return nodes_.root(x); }
  const auto& root(Node x) const { return nodes_.root(x); }

  void build_nodes(const FabricImage& image) {
    NodeKind kind = image.kind;
    kind.programs = 0;  // tiles hold as many as there can be
    if (kind.ports != P || kind.channels != C || model_register(kind) != Tile::kModel ||
        (image.most_stages() != 0) != Tile::kStaged) {
      throw std::logic_error("tile engine loaded with an image for another kind of node");
    }
    waves_.close();
    nodes_.clear();
    context_ = make_context(seed_, Tile::kTrace);
    nodes_.build(*context_, last_ - first_,
                 [this](std::size_t i) { return number(static_cast<Node>(i)); });
  }

  void wire(const Topology& topology) {
    const std::size_t nodes = last_ - first_;
    to_ = boundary_.wire(topology, ranks_, first_, last_, P);
    blocks_ = NodeBlocks(nodes, threads_);
    choice_ = ThreadChoice(threads_, nodes);
    crossings_.wire(to_, P, blocks_, first_crossing());
    slots_.clear_slots(crossings_.slots(), *std::ranges::max_element(stages_));
    rests_.assign(nodes, {});
  }

  /// A slot after those of the nodes and of the links that leave this rank.
  std::uint32_t first_crossing() const {
    return static_cast<std::uint32_t>(Slots::stride(boundary_.end()));
  }

  void set_up(const FabricImage& image) {
    dead_cycle_ = image.dead_cycle;
    dead_ = image.dead;
    for (Node i = 0; i < nodes_.size(); ++i) {
      const Node x = first_ + i;
      auto& r = root(i);
      r.own_words_i = image.own_size(x);
      r.capacity_i = image.capacity;
      const bool dead = !image.dead.empty() && image.dead_cycle == 0;
      r.dead_i = static_cast<decltype(r.dead_i)>(dead ? image.dead[x] : 0);
      r.dead_after_i = image.dead_after;
      if constexpr (Tile::kStaged) {
        for (Port p = 0; p < P; ++p) words(r.link_stages_i)[p] = stages_[p];
      }
      if constexpr (Tile::kAdaptive) place(r, image, x);
    }
  }

  /// Cycle 0 of a run by this program, whose logs go on or begin.
  void reset(unsigned program, bool keeps) {
    cycle_ = 0;
    last_arrival_ = 0;
    flits_moved_ = 0;
    done_ = false;
    for (Node i = 0; i < nodes_.size(); ++i) {
      auto& r = root(i);
      r.link_valid_i = 0;
      r.start_i = 0;
      r.program_i = static_cast<decltype(r.program_i)>(program << unused_bits_);
      r.keep_i = keeps;
      r.rst_ni = 0;
      for (int edge = 0; edge < 4; ++edge) nodes_.clock(r, i, true);
      r.rst_ni = 1;
      nodes_.clock(r, i, true);
      serve_memories(r, i);
      nodes_.clock(r, i, true);  // the first entries are read
      r.start_i = 1;
      nodes_.settle(i);  // with the start pulse the second ones are
      serve_memories(r, i);
    }
    waves_.open([this](std::size_t i) { return number(static_cast<Node>(i)); });
  }

  /// What dead outputs put on their links in the next cycle comes nowhere.
  void cut_links() {
    part_nodes();
    for (Node i = 0; i < nodes_.size(); ++i) {
      for (Port p = 0; p < P; ++p) {
        if (dead_[first_ + i] >> p & 1) to_[std::size_t{i} * P + p] = kNowhere;
      }
    }
    dead_cycle_ = 0;
  }

  /// Sets what an adaptive node knows about its place.
  static void place(Root& r, const FabricImage& image, Node x) {
    r.shift_i = static_cast<decltype(r.shift_i)>(image.message_shift);
    for (Port p = 0; p < P; ++p) {
      words(r.partner_i)[p] = p < image.partner.size() ? image.partner[p] : 0;
    }
    r.initiated_i = !image.initiator.empty();
    r.initiator_i = image.initiator.empty() ? 0 : image.initiator[x];
  }

  /// One cycle of some nodes: they take the flits on their inputs, and put what they send into the
  /// slots of the next cycle. It is one function because calls would cost a twentieth of the time.
  [[gnu::flatten]] void evaluate(unsigned block, std::uint64_t cycle, Totals& totals) {
    Totals mine;
    const LinkCycle now = slots_.at(cycle), next = slots_.at(cycle + 1);
    crossings_.deliver(now, block);
    if constexpr (Tile::kLanes) {
      if (!lanes_.empty()) {
        lanes_.evaluate(
            for_lanes(), block, cycle, mine, [this](Node x) { return rests_[x].until != 0; },
            [&](Node x) {
              if (!sleeps(x, cycle, now, mine)) {
                clock_alone(x, take(root(x), x, cycle, now), cycle, next, mine);
              }
            },
            [&](Node x, bool changed) { clock_alone(x, changed, cycle, next, mine); });
        totals = mine;
        return;
      }
    }
    const Node first = static_cast<Node>(blocks_.first(block)),
               last = static_cast<Node>(blocks_.last(block));
    for (Node x = first; x < last; ++x) {
      if (x + 2 < last) prefetch(x + 2, now, next);
      evaluate_node(x, cycle, now, next, mine);
    }
    totals = mine;
  }

  /// What lanes use.
  [[gnu::always_inline]] auto for_lanes() {
    return typename Tile::InLanes::Shared{nodes_, store_,  tables_,        slots_,
                                          to_,    stages_, quotient_.get()};
  }
  /// Takes all nodes out of the lanes.
  void part_nodes() {
    if constexpr (Tile::kLanes) lanes_.part(for_lanes());
  }

  [[gnu::always_inline]] void evaluate_node(Node x, std::uint64_t cycle, const LinkCycle& now,
                                            const LinkCycle& next, Totals& mine) {
    if (!sleeps(x, cycle, now, mine)) {
      auto& r = root(x);
      clock_node(r, x, take(r, x, cycle, now), cycle, next, mine);
    }
  }

  /// Is this a node in which nothing happens? If it has slept until now, it is woken up.
  [[gnu::always_inline]] bool sleeps(Node x, std::uint64_t cycle, const LinkCycle& now,
                                     Totals& mine) {
    if constexpr (Tile::kSkips) {
      const Rest& rest = rests_[x];
      if (rest.until != 0) {
        if (rest.until > cycle && !now.any(x)) {
          mine.running |= rest.until != kForever;
          return true;
        }
        wake(x, cycle);
      }
    }
    return false;
  }

  /// Sets a node's inputs. Has anything changed except data for its registers?
  [[gnu::always_inline]] bool take(Root& r, Node x, std::uint64_t cycle, const LinkCycle& now) {
    bool changed = cycle <= 1;  // the start pulse
    r.start_i = cycle == 0;
    if constexpr (!Tile::kTrace) changed |= take_inputs(r, x, now);
    return changed;
  }

  /// The clock edge of a node whose inputs are set, and what follows from it.
  [[gnu::always_inline]] void clock_node(Root& r, Node x, bool changed, std::uint64_t cycle,
                                         const LinkCycle& next, Totals& mine) {
    nodes_.clock(r, x, changed);
    if (r.taken_o) store_arrivals(r, x);
    serve_memories(r, x);
    if (r.link_valid_o) {
      if constexpr (Tile::kStaged) {
        send_far(r, x, cycle + 1, mine);
      } else {
        mine.moved += send(r, x, next);
      }
    }
    mine.running |= !r.done_o;
    if constexpr (Tile::kSkips) fall_asleep(r, x, cycle);
  }

  /// For a node beside those in lanes. A call, because few nodes are, and each copy of the model
  /// takes seconds to compile.
  [[gnu::noinline]] void clock_alone(Node x, bool changed, std::uint64_t cycle,
                                     const LinkCycle& next, Totals& mine) {
    clock_node(root(x), x, changed, cycle, next, mine);
  }

  /// Prefetches the state of a node that will be evaluated soon; there may be no such node.
  void prefetch(Node x, const LinkCycle& now, const LinkCycle& next) const {
    nodes_.prefetch(x);
    now.prefetch(x);
    next.prefetch(x);
    store_.prefetch(x);
  }

  /// A node that does nothing but count a slot's cycles is not evaluated until something arrives or
  /// the slot ends; then the count is set to what it would be.
  void fall_asleep(const Root& r, Node x, std::uint64_t cycle) {
    if (r.link_valid_i != 0 || r.link_valid_o != 0 || !skips_) return;
    const std::uint64_t idle = Tile::idle_cycles(r);
    if (idle == 0) return;
    rests_[x] = {cycle, idle == kForever ? kForever : cycle + 1 + idle};
  }
  void wake(Node x, std::uint64_t cycle) {
    if (rests_[x].until != kForever) Tile::skip(root(x), cycle - rests_[x].since - 1);
    rests_[x] = {};
  }

  /// `cycle_` has been reached.
  void end_cycle(Totals totals) {
    if (ranks_ != nullptr) totals = with_others(cycle_, totals);
    if (totals.moved != 0) {
      last_arrival_ = std::max(last_arrival_, cycle_ + longest(totals.senders));
    }
    flits_moved_ += totals.moved;
    done_ = !totals.running && last_arrival_ + settling_ < cycle_;
    if constexpr (Tile::kTrace) {
      for (Node x = 0; x < nodes_.size(); ++x) {
        root(x).start_i = 0;
        take_inputs(root(x), x, slots_.at(cycle_));
      }
      waves_.dump(cycle_);
    }
  }

  /// The most stages of the links at these ports.
  std::uint64_t longest(std::uint64_t ports) const {
    std::uint64_t most = 0;
    for (; ports != 0; ports &= ports - 1) {
      most = std::max<std::uint64_t>(most, stages_[std::countr_zero(ports)]);
    }
    return most;
  }

  /// Sends flits to other ranks, and adds up what all of them saw.
  Totals with_others(std::uint64_t cycle, const Totals& totals) {
    boundary_.exchange(slots_.at(cycle));
    std::array<std::uint64_t, 2 + (Tile::kStaged ? P : 0)> sums{totals.moved, totals.running};
    for (std::size_t i = 2; i < sums.size(); ++i) sums[i] = totals.senders >> (i - 2) & 1;
    ranks_->add_up(sums);
    std::uint64_t senders = 0;
    for (std::size_t i = 2; i < sums.size(); ++i) {
      if (sums[i] != 0) senders |= std::uint64_t{1} << (i - 2);
    }
    return {sums[0], senders, sums[1] != 0};
  }

  /// Has anything changed except data for the node's registers?
  static bool take_inputs(Root& r, Node x, const LinkCycle& now) {
    const Inputs in = now.take(x, words(r.link_data_i));
    // Words that are joined are added before they come to a register.
    const bool joins = Tile::kJoin && in.valid != 0;
    const bool changed = joins || in.valid != r.link_valid_i || in.last != r.link_last_i;
    r.link_valid_i = static_cast<decltype(r.link_valid_i)>(in.valid);
    r.link_last_i = static_cast<decltype(r.link_last_i)>(in.last);
    return changed;
  }

  /// Moves every flit on an output to the input at the other end of the link. Returns how many.
  unsigned send(const Root& r, Node x, const LinkCycle& next) const {
    const std::uint32_t* to = to_.data() + std::size_t{x} * P;
    const std::uint64_t valid = r.link_valid_o, last = r.link_last_o;
    const Quotient* const quotient = quotient_.get();
    unsigned sent = 0;
    for (std::uint64_t ports = valid; ports != 0; ports &= ports - 1) {
      ++sent;
      const Port p = static_cast<Port>(std::countr_zero(ports));
      if (to[p] == kNowhere) continue;
      std::uint32_t word = words(r.link_data_o)[p];
      if (quotient != nullptr) word = quotient->arriving(x, p, word);
      next.put(to[p], (last >> p & 1) != 0, word);
    }
    return sent;
  }

  /// The same for links with stages: a flit comes to the other end later.
  void send_far(const Root& r, Node x, std::uint64_t cycle, Totals& totals) {
    for (std::uint64_t ports = r.link_valid_o; ports != 0; ports &= ports - 1) {
      const Port p = static_cast<Port>(std::countr_zero(ports));
      const std::uint32_t to = to_[std::size_t{x} * P + p];
      ++totals.moved;
      totals.senders |= std::uint64_t{1} << p;
      if (to == kNowhere) continue;
      std::uint32_t word = words(r.link_data_o)[p];
      if (quotient_) word = quotient_->arriving(x, p, word);
      slots_.at(cycle + stages_[p]).put(to, (r.link_last_o >> p & 1) != 0, word);
    }
  }

  /// Stores the flits that were on the links in the cycle before.
  void store_arrivals(const Root& r, Node x) {
    if constexpr (Tile::kSinglePort && !Tile::kAdaptive) {
      // The log takes one word a cycle. No legal table asks for several; then it is the last
      // port's.
      if (r.taken_o != 0) {
        store_.append(x, 0, words(r.link_data_i)[std::bit_width(std::uint64_t{r.taken_o}) - 1]);
      }
      return;
    }
    for (std::uint64_t ports = r.taken_o; ports != 0; ports &= ports - 1) {
      const Port p = static_cast<Port>(std::countr_zero(ports));
      const unsigned log = Tile::kSinglePort ? 0 : p;
      if constexpr (Tile::kAdaptive) {
        store_.put(x, log, words(r.taken_addr_o)[log], words(r.link_data_i)[p]);
      } else {
        store_.append(x, log, stored_word(r, p));
      }
    }
  }
  static std::uint32_t stored_word(const Root& r, Port p) {
    if constexpr (Tile::kJoin) {
      if (r.joined_o >> p & 1) return words(r.joined_data_o)[p];
    }
    return words(r.link_data_i)[p];
  }

  /// The memories: reads the addressed words for the next clock edge.
  void serve_memories(Root& r, Node x) {
    if (r.slot_en_o)
      deliver<slot_words(P, Tile::kJoin)>(words(r.slot_mem_i), tables_[x].slots, r.slot_addr_o);
    if constexpr (C == 1) {
      if (r.list_en_o) serve_list(r, x, 0);
      if (r.read_en_o) serve_read(r, x, 0);
    } else {
      for (std::uint64_t channels = r.list_en_o; channels != 0; channels &= channels - 1) {
        serve_list(r, x, static_cast<unsigned>(std::countr_zero(channels)));
      }
      for (std::uint64_t channels = r.read_en_o; channels != 0; channels &= channels - 1) {
        serve_read(r, x, static_cast<unsigned>(std::countr_zero(channels)));
      }
    }
  }
  void serve_list(Root& r, Node x, unsigned c) {
    deliver<kListWords>(words(r.list_mem_i) + c * kListWords, tables_[x].lists[c], list_addr(r, c));
  }
  void serve_read(Root& r, Node x, unsigned c) {
    words(r.read_mem_i)[c] = store_.read(x, c, read_log(r, c), words(r.read_addr_o)[c]);
  }

  template <unsigned kWords>
  static void deliver(std::uint32_t* to, const TableMemory& memory, std::size_t index) {
    std::copy_n(words_at<kWords>(memory, index), kWords, to);
  }
  static unsigned read_log(const Root& r, unsigned c) {
    constexpr unsigned width = std::bit_width(P);
    return get_field(r.read_log_o, c * width, width);
  }
  static std::uint32_t list_addr(const Root& r, unsigned c) {
    return get_field(r.list_addr_o, c * Tile::kTableAddrBits, Tile::kTableAddrBits);
  }

  std::uint32_t seed_;
  std::unique_ptr<VerilatedContext> context_;
  TileNodes<Tile> nodes_;
  TileWaves<Tile> waves_{nodes_};
  Slots slots_;
  std::vector<std::uint32_t> to_;  ///< nodes x P: slot at the link's other end, or kNowhere
  TableMemories tables_;
  std::vector<std::uint32_t> stages_;         ///< by port
  std::uint32_t settling_ = 0;                ///< cycles
  std::shared_ptr<const Quotient> quotient_;  ///< null: nodes stand for themselves
  typename Tile::InLanes::Store store_;
  typename Tile::InLanes lanes_;
  Boundary boundary_;
  NodeBlocks blocks_;  ///< one for each thread
  ThreadChoice choice_;
  Crossings crossings_;
  Ranks* ranks_ = nullptr;     ///< if there are several
  Node first_ = 0, last_ = 0;  ///< the nodes that are simulated here
  unsigned threads_ = 1;
  bool skips_ = true;
  std::uint64_t dead_cycle_ = 0;     ///< links that are still to be cut; 0: none
  std::vector<std::uint64_t> dead_;  ///< by node, a bit for each output
  std::vector<Rest> rests_;          ///< by node
  /// These change in every cycle: not in a cache line that other threads read.
  alignas(64) std::uint64_t cycle_ = 0;
  std::uint64_t last_arrival_ = 0, flits_moved_ = 0;
  bool done_ = false;
  unsigned unused_bits_ = 0;  ///< of a program's number: fewer name those that the nodes hold
};

}  // namespace gossamer::tb
