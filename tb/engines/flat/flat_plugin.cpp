// A variant of the flat engine as a shared library (tb/engines/engine.mk).
#include <algorithm>
#include <bit>
#include <memory>

#include "Vengine.h"
#include "Vengine___024root.h"
#include "engines/verilated_model.hpp"
#include "fabric/fabric.hpp"
#include "support/error.hpp"
#include "tables/node_build.hpp"

namespace gossamer::tb {

/// The flat engine: rtl/fabric/torus_fabric.sv itself, Verilated as a whole. Tables and own words
/// are written and logs and errors are read through its configuration port; the links are watched
/// at the monitor ports.
template <class Model>
class FlatEngine final : public Fabric {
 public:
  explicit FlatEngine(std::uint32_t seed) : seed_(seed) {}
  ~FlatEngine() override { destroy(); }

  void trace(const TraceOptions& options) override {
    if constexpr (!VM_TRACE_FST) {
      throw InputError("this build of the flat engine has no tracing");
    }
    trace_ = options;
  }
  int trace_error() const override { return wave_error(); }
  void end_trace() override { wave_.close(); }

  void load(const FabricImage& image) override {
    nodes_ = image.topology.nodes();
    ports_ = image.topology.ports();
    adaptive_ = image.kind.adaptive;
    single_port_ = image.kind.single_port;
    shift_ = image.message_shift;
    capacity_ = image.capacity;
    stages_ = image.most_stages();
    settling_ = image.settling();
    reset();
    check(image);
    for (Node x = 0; x < nodes_; ++x) {
      for (std::size_t k = 0; k < image.held(); ++k) write_program(x, image, k);
      write_own_words(x, image);
      write_place(x, image);
    }
    begin();
    open_trace();
  }

  void restart(unsigned number, bool keeps) override {
    for (Node x = 0; x < nodes_; ++x) {
      write(x, rtl::CFG_REGISTERS, rtl::CFG_CONTROL,
            number << rtl::CONTROL_PROGRAM_LSB | unsigned{keeps} << rtl::CONTROL_KEEP | 1);
    }
    for (unsigned edge = 0; edge < 2 + stages_; ++edge) clock_edge();
    begin();
  }

  void set_word(Node x, unsigned log, std::uint32_t index, std::uint32_t word) override {
    write(x, rtl::CFG_STORE, log << rtl::CFG_LOG_LSB | index, word);
  }

  void run(std::uint64_t cycles) override {
    if (read_back_ && !done_) throw std::logic_error("the fabric ran on while it was read");
    while (cycles-- > 0 && !done_) step();
  }

  std::uint64_t cycle() const override { return cycle_; }
  bool done() const override { return done_; }
  std::uint64_t last_arrival() const override { return last_arrival_; }
  std::uint64_t flits_moved() const override { return flits_moved_; }

  std::vector<Node> running(std::size_t most) const override {
    std::vector<Node> found;
    for (Node x = 0; x < nodes_ && found.size() < most; ++x) {
      if (!bit(model_->done_o, x)) found.push_back(x);
    }
    return found;
  }

  Flit link(Node x, Port p) const override {
    const std::size_t at = std::size_t{x} * ports_ + p;
    if (!bit(model_->link_valid_o, at)) return {};
    return {true, bit(model_->link_last_o, at), words(model_->link_data_o)[at]};
  }

  std::vector<std::uint32_t> log(Node x, unsigned log) const override {
    std::vector<std::uint32_t> found(
        adaptive_ ? capacity_ : read(x, rtl::CFG_REGISTERS, rtl::CFG_LOG_LENGTH + log));
    for (std::size_t i = 0; i < found.size(); ++i) {
      found[i] = read(x, rtl::CFG_STORE, log << rtl::CFG_LOG_LSB | static_cast<unsigned>(i));
    }
    return found;
  }

  std::vector<bool> arrived(Node x, unsigned log) const override {
    std::vector<bool> words(adaptive_ ? capacity_ : 0);
    std::uint32_t ports = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::size_t message = i >> shift_;
      if (message << shift_ == i) ports = read(x, rtl::CFG_ARRIVED, static_cast<unsigned>(message));
      words[i] = single_port_ ? ports != 0 : (ports >> log & 1) != 0;
    }
    return words;
  }

  std::vector<NodeError> errors() const override {
    std::vector<NodeError> found;
    for (Node x = 0; x < nodes_; ++x) {
      if (!bit(model_->error_o, x)) continue;
      found.push_back({x, read(x, rtl::CFG_REGISTERS, rtl::CFG_ERRORS),
                       read(x, rtl::CFG_REGISTERS, rtl::CFG_FIRST_CODE),
                       read(x, rtl::CFG_REGISTERS, rtl::CFG_FIRST_SLOT),
                       read(x, rtl::CFG_REGISTERS, rtl::CFG_FIRST_PORT)});
    }
    return found;
  }

 private:
  template <class Vector>
  static bool bit(const Vector& v, std::size_t i) {
    return get_field(v, static_cast<unsigned>(i), 1) != 0;
  }
  template <class Scalar>
  static unsigned count_ones(const Scalar& v) {
    return static_cast<unsigned>(std::popcount(std::uint64_t{v}));
  }
  template <std::size_t N>
  static unsigned count_ones(const VlWide<N>& v) {
    unsigned ones = 0;
    for (std::size_t i = 0; i < N; ++i) ones += count_ones(v.data()[i]);
    return ones;
  }

  void clock_edge() const {
    model_->clk_i = 0;
    model_->eval();
    model_->clk_i = 1;
    model_->eval();
  }

  void destroy() {
    wave_.close();
    // Deleting a model's scopes uses the thread's context, which may be another model's.
    if (context_) enter_context(*context_);
    model_.reset();
  }

  void reset() {
    destroy();
    context_ = make_context(seed_, VM_TRACE_FST);
    model_ = std::make_unique<Model>(context_.get(), "fabric");
    model_->clk_i = 0;
    model_->eval();  // initial values
    model_->rst_ni = 0;
    model_->start_i = 0;
    model_->cfg_valid_i = 0;
    for (int edge = 0; edge < 4; ++edge) clock_edge();
    model_->rst_ni = 1;
  }

  /// One access at the configuration port. Its clock cycles are not part of the run: cycles that
  /// pass while the fabric is read back are not counted.
  void transfer(Node x, unsigned region, unsigned address, bool write, std::uint32_t data) const {
    model_->cfg_valid_i = 1;
    model_->cfg_write_i = write;
    model_->cfg_node_i = static_cast<std::uint16_t>(x);
    model_->cfg_addr_i = region << rtl::CFG_REGION_LSB | address;
    model_->cfg_wdata_i = data;
    clock_edge();
    model_->cfg_valid_i = 0;
  }
  void write(Node x, unsigned region, unsigned address, std::uint32_t data) const {
    transfer(x, region, address, true, data);
  }
  std::uint32_t read(Node x, unsigned region, unsigned address) const {
    read_back_ = true;
    transfer(x, region, address, false, 0);
    return model_->cfg_rdata_o;
  }

  /// Was this library built for the image's kind of nodes, and are its memories large enough?
  void check(const FabricImage& image) {
    build_ = read_build([this](unsigned r) { return read(0, rtl::CFG_REGISTERS, r); });
    check_fits(image, build_);
  }

  /// The start pulse comes in the cycle that follows.
  void begin() {
    clock_edge();  // reads the first entries
    cycle_ = last_sent_ = last_arrival_ = flits_moved_ = 0;
    done_ = false;
    read_back_ = false;
    model_->start_i = 1;
  }

  void write_program(Node x, const FabricImage& image, std::size_t k) const {
    const auto write_words = [&](unsigned region, unsigned address,
                                 const std::vector<std::uint32_t>& words) {
      for (const std::uint32_t word : words) write(x, region, address++, word);
    };
    gossamer::write_program(image.program(x, k), image.kind, write_words,
                            image.begin(k, build_.depths.slots),
                            image.begin(k, build_.depths.segments));
  }

  void write_own_words(Node x, const FabricImage& image) const {
    const unsigned log = image.kind.own_log() << rtl::CFG_LOG_LSB;
    const std::uint32_t size = image.own_size(x);
    write(x, rtl::CFG_REGISTERS, rtl::CFG_OWN_WORDS, size);
    for (std::uint32_t i = 0; i < size; ++i) {
      write(x, rtl::CFG_STORE, log | i, image.own_words[image.own_begin[x] + i]);
    }
  }

  /// Writes the faults, and an adaptive node's position.
  void write_place(Node x, const FabricImage& image) const {
    const std::uint64_t dead = image.dead.empty() ? 0 : image.dead[x];
    write(x, rtl::CFG_REGISTERS, rtl::CFG_DEAD, static_cast<std::uint32_t>(dead));
    write(x, rtl::CFG_REGISTERS, rtl::CFG_DEAD + 1, static_cast<std::uint32_t>(dead >> 32));
    write(x, rtl::CFG_REGISTERS, rtl::CFG_DEAD_AFTER, image.dead_after);
    if (!adaptive_) return;
    write(x, rtl::CFG_REGISTERS, rtl::CFG_SHIFT, image.message_shift);
    for (unsigned p = 0; p < image.partner.size(); ++p) {
      write(x, rtl::CFG_REGISTERS, rtl::CFG_PARTNER + p, image.partner[p]);
    }
    const bool initiated = !image.initiator.empty();
    write(x, rtl::CFG_REGISTERS, rtl::CFG_INITIATOR,
          initiated ? std::uint32_t{1} << 31 | image.initiator[x] : 0);
  }

  void step() {
    clock_edge();
    model_->start_i = 0;
    ++cycle_;
    const unsigned moving = count_ones(model_->link_valid_o);
    flits_moved_ += moving;
    if (moving != 0) last_sent_ = cycle_;
    if (stages_ == 0 ? moving != 0 : count_ones(model_->link_arrived_o) != 0) {
      last_arrival_ = cycle_;
    }
    done_ = cycle_ > std::max(last_sent_ + stages_, last_arrival_ + settling_) &&
            count_ones(model_->done_o) == nodes_;
    dump_trace();
  }

  void open_trace() {
    if constexpr (VM_TRACE_FST) {
      wave_.begin(trace_, [this](TraceFile& file) {
        for (Node x : trace_.nodes) {
          file.dumpvars(kAllLevels, "fabric.torus_fabric.gen_node[" + std::to_string(x) + "]");
        }
        model_->trace(&file, kAllLevels);
      });
      dump_trace();
    }
  }

  /// Inputs may have changed since the rising edge; the falling edge changes nothing else.
  void dump_trace() {
    if constexpr (VM_TRACE_FST) {
      if (!wave_.in_window(cycle_)) return;
      model_->eval();
      wave_.rising(cycle_);
      model_->clk_i = 0;
      model_->eval();
      wave_.falling(cycle_);
    }
  }

  std::uint32_t seed_;
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Model> model_;
  NodeBuild build_;
  Node nodes_ = 0;
  Port ports_ = 0;
  bool adaptive_ = false, single_port_ = false;
  std::uint32_t shift_ = 0, capacity_ = 0;
  std::uint32_t stages_ = 0, settling_ = 0;  ///< of the longest link; cycles
  std::uint64_t cycle_ = 0, last_sent_ = 0, last_arrival_ = 0, flits_moved_ = 0;
  bool done_ = false;
  mutable bool read_back_ = false;  ///< uncounted cycles have passed
  TraceOptions trace_;
  WaveFile wave_;
};

}  // namespace gossamer::tb

__attribute__((visibility("default"))) gossamer::Fabric* gossamer_make_fabric(std::uint32_t seed) {
  return new gossamer::tb::FlatEngine<Vengine>(seed);
}

extern "C" __attribute__((visibility("default"))) const char gossamer_engine_fingerprint[] =
    GOSSAMER_ENGINE_FINGERPRINT;
