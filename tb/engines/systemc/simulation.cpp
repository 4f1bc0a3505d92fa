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
  // The modules' pending events are gone. SystemC frees them when it searches for the next event,
  // but not together with the context.
  sc_core::sc_time_to_pending_activity(context_.get());
  context_.reset();
}

}  // namespace gossamer::systemc

/// The SystemC library's own main function calls it; nobody uses that here.
__attribute__((visibility("default"))) int sc_main(int, char*[]) { return 1; }
