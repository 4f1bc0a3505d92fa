// The SystemC engine as a library that the command loads (tb/engines/engine_plugin.hpp).

#include <sysc/tracing/sc_tracing_ids.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <systemc>
#include <vector>

#include "engine_fingerprint.hpp"
#include "engines/engine_plugin.hpp"
#include "fabric/fabric.hpp"
#include "fabric_module.hpp"

namespace gossamer::systemc {

/// A SystemC simulation: several may exist in one process, one after the other or at the same time.
///
/// SystemC keeps everything that belongs to a simulation in an sc_simcontext and works on the
/// current one; each allows one elaboration. So every fabric gets its own context, which is current
/// while anything of that fabric is built, run or destroyed. A process has only one current
/// context, so simulations of several threads take turns.
class Simulation {
 public:
  Simulation();
  ~Simulation();
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

Simulation::Simulation() {
  const std::lock_guard lock(mutex_);
  context_ = std::make_unique<sc_core::sc_simcontext>();
}

Simulation::~Simulation() {
  const Turn turn(*this);
  // The modules' pending events are gone. SystemC frees them when it searches for the next event,
  // but not together with the context.
  sc_core::sc_time_to_pending_activity(context_.get());
  context_.reset();
}

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
           const FabricModule& fabric);
  ~Waveform() override { close(); }
  void close();
  /// Why the closed file is not whole; 0 if it is.
  int error() const { return error_; }

 private:
  void begin_cycle();
  void open();

  const TraceOptions options_;
  const FabricModule& fabric_;
  std::vector<Node> nodes_;
  std::uint64_t cycle_ = 0;
  sc_core::sc_trace_file* file_ = nullptr;
  int error_ = 0;
};

Waveform::Waveform(const sc_core::sc_module_name& name, const TraceOptions& options,
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

/// Writes the values of a cycle after its rising edge.
void Waveform::begin_cycle() {
  ++cycle_;
  if (cycle_ == options_.first_cycle) open();
  if (cycle_ > options_.last_cycle) close();
}

void Waveform::open() {
  // SystemC appends .vcd to the name.
  const auto name = std::filesystem::path(options_.file).replace_extension().string();
  file_ = sc_core::sc_create_vcd_trace_file(name.c_str());
  // Suppresses its report about the time scale on standard output.
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_TRACING_TIMESCALE_UNIT_,
                                          sc_core::SC_DO_NOTHING);
  file_->set_time_unit(1, sc_core::SC_PS);
  fabric_.trace(file_, nodes_);
}

/// SystemC does not say whether it could write, but a whole file ends with what is written last,
/// and at most the time.
void Waveform::close() {
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
