// The SystemC engine as a library that the command loads (tb/engines/engine_plugin.hpp).
#include <memory>

#include "engine_fingerprint.hpp"
#include "engines/engine_plugin.hpp"
#include "fabric_module.hpp"
#include "simulation.hpp"
#include "waveform.hpp"

namespace gossamer::systemc {
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
