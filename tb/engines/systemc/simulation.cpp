#include "simulation.hpp"

namespace gossamer::systemc {

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
  // With the modules went the events that were still to come. SystemC frees them when it asks what
  // comes next, but not with the context.
  sc_core::sc_time_to_pending_activity(context_.get());
  context_.reset();
}

}  // namespace gossamer::systemc

/// The SystemC library calls it from a main program of its own, which nobody uses here.
__attribute__((visibility("default"))) int sc_main(int, char*[]) { return 1; }
