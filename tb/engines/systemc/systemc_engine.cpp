// The SystemC engine as a library that the command loads (sw/fabric/fabric.hpp).
#include <fmt/format.h>
#include <sysc/tracing/sc_tracing_ids.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <numeric>
#include <ostream>
#include <string>
#include <systemc>
#include <vector>

#include "engine_fingerprint.hpp"
#include "engines/node_model/node_model.hpp"
#include "fabric/fabric.hpp"

namespace gossamer {

// Required by sc_signal.
inline std::ostream& operator<<(std::ostream& out, const Flit& flit) {
  if (!flit.valid) return out << "nothing";
  return out << std::hex << flit.data << std::dec << (flit.last ? " last" : "");
}
inline void sc_trace(sc_core::sc_trace_file* file, const Flit& flit, const std::string& name) {
  sc_core::sc_trace(file, flit.valid, name + ".valid");
  sc_core::sc_trace(file, flit.last, name + ".last");
  sc_core::sc_trace(file, flit.data, name + ".data");
}

namespace systemc {

/// What all links of a fabric report to their monitor.
struct Traffic {
  std::uint64_t busy = 0;     ///< links that carry a flit now, at a node's output
  std::uint64_t passing = 0;  ///< stages of links that hold one
};

/// One direction of a link: a signal that also reports when it becomes busy and when idle. For a
/// half-duplex link it is what one end drives, and idle while that end does not drive.
class Link final : public sc_core::sc_signal<Flit> {
 public:
  /// `busy` counts it while it carries a flit.
  Link(const char* name, std::uint64_t& busy) : sc_signal<Flit>(name), busy_(busy) {}

  /// Adds NAME_flit, the valid bit followed by the word, and NAME_last.
  void trace(sc_core::sc_trace_file* file, const std::string& name) const {
    sc_core::sc_trace(file, shown_, name + "_flit", 33);
    sc_core::sc_trace(file, read().last, name + "_last");
  }

 protected:
  void update() override {
    const bool before = read().valid;
    sc_signal<Flit>::update();
    busy_ += read().valid;
    busy_ -= before;
    shown_ = read().valid ? sc_dt::uint64{1} << 32 | read().data : 0;
  }

 private:
  std::uint64_t& busy_;
  sc_dt::uint64 shown_ = 0;  ///< for the waveform
};

}  // namespace systemc

}  // namespace gossamer

namespace gossamer::systemc {

/// A register stage of one direction of a link: what enters leaves a cycle later.
class LinkStage : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<Flit> in{"in"};

  SC_HAS_PROCESS(LinkStage);
  LinkStage(const sc_core::sc_module_name& name, Traffic& traffic)
      : sc_module(name), out_("out", traffic.passing) {
    SC_METHOD(cycle);
    sensitive << clk.pos();
    dont_initialize();
  }

  /// What leaves it.
  Link& out() { return out_; }

 private:
  void cycle() {
    if (in.read().valid || out_.read().valid) out_.write(in.read());
  }
  Link out_;
};

/// A node of the fabric as a SystemC module: one clocked process, which is the node's model.
class SwitchNode : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> start{"start"};           ///< one cycle: run the table
  sc_core::sc_vector<sc_core::sc_in<Flit>> rx;   ///< what the neighbours send, by port
  sc_core::sc_vector<sc_core::sc_out<Flit>> tx;  ///< what this node sends, by port

  SC_HAS_PROCESS(SwitchNode);

  /// Node `x` of the fabric. `image` must outlive the node.
  SwitchNode(const sc_core::sc_module_name& name, const FabricImage& image, Node x)
      : sc_module(name),
        rx("rx", image.kind.ports),
        tx("tx", image.kind.ports),
        model_(model::node_setup(image, x)),
        inputs_(image.kind.ports) {
    SC_METHOD(cycle);
    sensitive << clk.pos();
    dont_initialize();
  }

  /// Adds the node's signals to a waveform, in a scope of this name.
  void trace(sc_core::sc_trace_file* file, const std::string& scope) const {
    const auto add = [&](const std::uint32_t& value, const char* name, int width) {
      sc_core::sc_trace(file, value, scope + "." + name, width);
    };
    add(shown_.round, "round", rtl::SLOT_REPEAT_W);
    add(shown_.cycle, "cycle", rtl::SLOT_LEN_W);
    add(shown_.errors, "errors", rtl::ERROR_CODES);
    add(shown_.first_error, "first_error", 4);
    add(shown_.error_round, "error_round", rtl::SLOT_REPEAT_W);
    add(shown_.error_port, "error_port", 8);
  }
  const model::NodeModel& model() const { return model_; }

 private:
  void cycle() {
    if (start.read()) {
      model_.start();
    } else {
      for (Port p = 0; p < inputs_.size(); ++p) inputs_[p] = rx[p].read();
      const std::uint64_t driven = model_.driven();
      model_.cycle(inputs_);
      for (Port p = 0; p < inputs_.size(); ++p) {
        const Flit& flit = model_.sent()[p];
        if (flit.valid || (driven >> p & 1)) tx[p].write(flit);
      }
    }
    show();
  }

  void show() {
    const model::SlotCycle& now = model_.now();
    const NodeError& error = model_.errors();
    const bool runs = now.entry != nullptr;
    shown_ = {runs ? now.slot + 1 : 0,
              runs ? now.cycle + 1 : 0,
              error.seen,
              error.first_code,
              error.seen == 0 ? 0 : error.first_slot + 1,
              error.first_port};
  }

  model::NodeModel model_;
  std::vector<Flit> inputs_;  ///< flits on the inputs

  /// For the waveform: rounds count from 1, and 0 means none.
  struct Shown {
    std::uint32_t round = 0, cycle = 0;
    std::uint32_t errors = 0, first_error = 0, error_round = 0, error_port = 0;
  };
  Shown shown_;
};

/// Nodes and links of any topology, their clock and start pulse, and a monitor of the links. Cycle
/// k begins at time k, in clock periods; the clock rises there, and falls half a cycle later.
class FabricModule : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(FabricModule);

  /// `image` must outlive the module.
  FabricModule(const sc_core::sc_module_name& name, const FabricImage& image)
      : sc_module(name),
        ports_(image.kind.ports),
        clock_("clk", period(), 0.5, period()),
        nowhere_("nowhere", traffic_.busy),
        topology_(image.topology),
        settling_(image.settling()) {
    build_nodes(image);
    wire(image);
    start_.write(true);
    SC_METHOD(end_start);
    sensitive << clock_.posedge_event();
    dont_initialize();
    SC_METHOD(watch);
    sensitive << clock_.negedge_event();
    dont_initialize();
  }

  static sc_core::sc_time period() { return {1, sc_core::SC_NS}; }
  /// The length of the first run: whole periods after it contain both edges of the next cycle.
  /// sc_start postpones what happens exactly at its end to the next call.
  static sc_core::sc_time beginning() { return 0.75 * period(); }

  std::uint64_t cycle() const { return cycle_; }
  std::uint64_t last_arrival() const { return last_arrival_; }
  std::uint64_t flits_moved() const { return flits_moved_; }
  bool done() const { return done_; }
  const SwitchNode& node(Node x) const { return *nodes_[x]; }
  Node nodes() const { return static_cast<Node>(nodes_.size()); }
  Flit link(Node x, Port p) const { return links_[std::size_t{x} * ports_ + p]->read(); }
  const sc_core::sc_event& rising_edge() const { return clock_.posedge_event(); }

  /// Adds the clock and all signals of these nodes to a waveform.
  void trace(sc_core::sc_trace_file* file, const std::vector<Node>& nodes) const {
    sc_core::sc_trace(file, clock_, "clk");
    for (const Node x : nodes) {
      const std::string scope = fmt::format("node_{}", x);
      nodes_[x]->trace(file, scope);
      for (Port p = 0; p < topology_.ports(); ++p) {
        if (!topology_.peer(x, p).connected()) continue;
        const std::string port = fmt::format("{}.port_{}.", scope, p);
        links_[std::size_t{x} * ports_ + p]->trace(file, port + "out");
        arriving_[std::size_t{x} * ports_ + p]->trace(file, port + "in");
      }
    }
  }

 private:
  void build_nodes(const FabricImage& image) {
    for (Node x = 0; x < image.topology.nodes(); ++x) {
      nodes_.push_back(std::make_unique<SwitchNode>(fmt::format("node_{}", x).c_str(), image, x));
      nodes_.back()->clk(clock_);
      nodes_.back()->start(start_);
      for (Port p = 0; p < ports_; ++p) {
        links_.push_back(
            std::make_unique<Link>(fmt::format("link_{}_{}", x, p).c_str(), traffic_.busy));
        nodes_.back()->tx[p](*links_.back());
      }
    }
  }

  void wire(const FabricImage& image) {
    const Topology& topology = image.topology;
    for (Node x = 0; x < topology.nodes(); ++x) {
      for (Port p = 0; p < ports_; ++p) {
        const Endpoint from = p < topology.ports() ? topology.peer(x, p) : Endpoint{};
        const std::uint32_t stages = p < image.stages.size() ? image.stages[p] : 0;
        arriving_.push_back(from.connected() ? &far_end(from.node, from.port, stages) : &nowhere_);
        nodes_[x]->rx[p](*arriving_.back());
      }
    }
  }

  /// What a node sends on a link, behind the link's stages.
  Link& far_end(Node x, Port p, std::uint32_t stages) {
    Link* link = links_[std::size_t{x} * ports_ + p].get();
    for (std::uint32_t s = 0; s < stages; ++s) {
      stages_.push_back(
          std::make_unique<LinkStage>(fmt::format("stage_{}_{}_{}", x, p, s).c_str(), traffic_));
      stages_.back()->clk(clock_);
      stages_.back()->in(*link);
      link = &stages_.back()->out();
    }
    return *link;
  }

  /// The start pulse is high in cycle 0 only.
  void end_start() { start_.write(false); }

  /// Watches the links in the middle of every cycle. Pauses the simulation when the fabric is at
  /// rest.
  void watch() {
    ++cycle_;
    flits_moved_ += traffic_.busy;
    if (traffic_.busy + traffic_.passing != 0) last_arrival_ = cycle_;
    while (ended_ < nodes() && nodes_[ended_]->model().done()) ++ended_;
    done_ = traffic_.busy + traffic_.passing == 0 && cycle_ > last_arrival_ + settling_ &&
            ended_ == nodes();
    if (done_) sc_core::sc_pause();
  }

  const Port ports_;
  sc_core::sc_clock clock_;
  sc_core::sc_signal<bool> start_{"start"};
  Traffic traffic_;
  Link nowhere_;                              ///< input of ports without a link: always idle
  std::vector<std::unique_ptr<Link>> links_;  ///< nodes x ports: what each node sends
  std::vector<Link*> arriving_;               ///< nodes x ports: what each node receives
  std::vector<std::unique_ptr<SwitchNode>> nodes_;
  std::vector<std::unique_ptr<LinkStage>> stages_;
  const Topology& topology_;
  const std::uint32_t settling_;  ///< cycles

  std::uint64_t cycle_ = 0, last_arrival_ = 0, flits_moved_ = 0;
  Node ended_ = 0;  ///< nodes 0 ... ended_-1 have ended their tables
  bool done_ = false;
};

/// A SystemC simulation: several may exist in one process, one after the other or at the same time.
///
/// SystemC keeps everything that belongs to a simulation in an sc_simcontext and works on the
/// current one; each allows one elaboration. So every fabric gets its own context, which is current
/// while anything of that fabric is built, run or destroyed. A process has only one current
/// context, so simulations of several threads take turns.
class Simulation {
 public:
  Simulation() {
    const std::lock_guard lock(mutex_);
    context_ = std::make_unique<sc_core::sc_simcontext>();
  }

  ~Simulation() {
    const Turn turn(*this);
    // The modules' pending events are gone. SystemC frees them when it searches for the next event,
    // but not together with the context.
    sc_core::sc_time_to_pending_activity(context_.get());
    context_.reset();
  }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Makes the simulation the current one; others wait until it is destroyed.
  class Turn {
   public:
    explicit Turn(Simulation& simulation);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    std::lock_guard<std::mutex> lock_;
    sc_core::sc_simcontext* before_;
  };

 private:
  static std::mutex mutex_;
  std::unique_ptr<sc_core::sc_simcontext> context_;
};

std::mutex Simulation::mutex_;

Simulation::Turn::Turn(Simulation& simulation)
    : lock_(mutex_), before_(sc_core::sc_curr_simcontext) {
  sc_core::sc_curr_simcontext = simulation.context_.get();
}

Simulation::Turn::~Turn() { sc_core::sc_curr_simcontext = before_; }

}  // namespace gossamer::systemc

/// The SystemC library's own main function calls it; nobody uses that here.
__attribute__((visibility("default"))) int sc_main(int, char*[]) { return 1; }

namespace gossamer::systemc {

/// The waveform of a run, a VCD file (docs/use/waveforms.md). Opened in the window's first cycle
/// and closed after its last one.
class Waveform : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Waveform);

  /// Must be destroyed before `fabric`.
  Waveform(const sc_core::sc_module_name& name, const TraceOptions& options,
           const FabricModule& fabric)
      : sc_module(name), options_(options), fabric_(fabric), nodes_(options.nodes) {
    if (nodes_.empty()) {
      nodes_.resize(fabric.nodes());
      std::iota(nodes_.begin(), nodes_.end(), Node{0});
    }
    if (options_.first_cycle == 0) open();
    SC_METHOD(begin_cycle);
    sensitive << fabric.rising_edge();
    dont_initialize();
  }
  ~Waveform() override { close(); }

  /// SystemC does not say whether it could write, but a whole file ends with what is written last,
  /// and at most the time.
  void close() {
    if (file_ == nullptr) return;
    const std::string last = "end of the waveform";
    file_->write_comment(last);
    sc_core::sc_close_vcd_trace_file(file_);
    file_ = nullptr;
    const std::string end = "$comment\n" + last + "\n$end\n\n";
    constexpr std::size_t kTime = 24;  // "#", digits and the end of the line
    std::fstream file(options_.file, std::ios::in | std::ios::out | std::ios::binary);
    std::string found(end.size() + kTime, ' ');
    if (file.seekg(-static_cast<std::streamoff>(found.size()), std::ios::end) &&
        file.read(found.data(), static_cast<std::streamsize>(found.size())) &&
        found.find(end) != std::string::npos && found.back() == '\n') {
      return;
    }
    // To write once more tells why.
    errno = 0;
    file.clear();
    file.seekp(0, std::ios::end) << std::string(std::size_t{1} << 16, ' ') << std::flush;
    error_ = errno != 0 ? errno : EIO;
  }
  /// Why the closed file is not whole; 0 if it is.
  int error() const { return error_; }

 private:
  /// Writes the values of a cycle after its rising edge.
  void begin_cycle() {
    ++cycle_;
    if (cycle_ == options_.first_cycle) open();
    if (cycle_ > options_.last_cycle) close();
  }

  void open() {
    // SystemC appends .vcd to the name.
    const auto name = std::filesystem::path(options_.file).replace_extension().string();
    file_ = sc_core::sc_create_vcd_trace_file(name.c_str());
    // Suppresses its report about the time scale on standard output.
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_TRACING_TIMESCALE_UNIT_,
                                            sc_core::SC_DO_NOTHING);
    file_->set_time_unit(1, sc_core::SC_PS);
    fabric_.trace(file_, nodes_);
  }

  const TraceOptions options_;
  const FabricModule& fabric_;
  std::vector<Node> nodes_;
  std::uint64_t cycle_ = 0;
  sc_core::sc_trace_file* file_ = nullptr;
  int error_ = 0;
};

namespace {

class SystemCEngine final : public Fabric {
 public:
  ~SystemCEngine() override { destroy(); }

  void trace(const TraceOptions& options) override { trace_ = options; }
  int trace_error() const override { return waveform_ ? waveform_->error() : 0; }
  void end_trace() override {
    const Simulation::Turn turn(*simulation_);
    if (waveform_) waveform_->close();
  }

  void load(const FabricImage& image) override {
    destroy();
    image_ = std::make_unique<FabricImage>(image);
    simulation_ = std::make_unique<Simulation>();
    const Simulation::Turn turn(*simulation_);
    fabric_ = std::make_unique<FabricModule>("fabric", *image_);
    if (!trace_.file.empty()) waveform_ = std::make_unique<Waveform>("waveform", trace_, *fabric_);
    sc_core::sc_start(FabricModule::beginning());
  }

  void run(std::uint64_t cycles) override {
    const std::uint64_t end = fabric_->cycle() + cycles;
    const Simulation::Turn turn(*simulation_);
    while (!fabric_->done() && fabric_->cycle() < end) {
      sc_core::sc_start(static_cast<double>(end - fabric_->cycle()) * FabricModule::period());
    }
  }

  std::uint64_t cycle() const override { return fabric_->cycle(); }
  bool done() const override { return fabric_->done(); }
  std::uint64_t last_arrival() const override { return fabric_->last_arrival(); }
  std::uint64_t flits_moved() const override { return fabric_->flits_moved(); }
  Flit link(Node x, Port p) const override { return fabric_->link(x, p); }

  std::vector<Node> running(std::size_t most) const override {
    std::vector<Node> found;
    for (Node x = 0; x < fabric_->nodes() && found.size() < most; ++x) {
      if (!fabric_->node(x).model().done()) found.push_back(x);
    }
    return found;
  }

  std::vector<std::uint32_t> log(Node x, unsigned log) const override {
    return fabric_->node(x).model().log(log);
  }

  std::vector<bool> arrived(Node x, unsigned log) const override {
    return fabric_->node(x).model().arrived(log);
  }

  std::vector<NodeError> errors() const override {
    std::vector<NodeError> found;
    for (Node x = 0; x < fabric_->nodes(); ++x) {
      if (fabric_->node(x).model().errors().seen == 0) continue;
      found.push_back(fabric_->node(x).model().errors());
      found.back().node = x;
    }
    return found;
  }

 private:
  void destroy() {
    if (!simulation_) return;
    {
      const Simulation::Turn turn(*simulation_);
      waveform_.reset();
      fabric_.reset();
    }
    simulation_.reset();
  }

  std::unique_ptr<FabricImage> image_;
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<FabricModule> fabric_;
  TraceOptions trace_;
  std::unique_ptr<Waveform> waveform_;
};

}  // namespace
}  // namespace gossamer::systemc

/// Every register of this model starts with a defined value: no seed is needed.
extern "C" __attribute__((visibility("default"))) gossamer::Fabric* gossamer_make_fabric(
    std::uint32_t) {
  return new gossamer::systemc::SystemCEngine;
}

extern "C" __attribute__((visibility("default"))) const char gossamer_engine_fingerprint[] =
    GOSSAMER_ENGINE_FINGERPRINT;
