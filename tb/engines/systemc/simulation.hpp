#pragma once

#include <memory>
#include <mutex>
#include <systemc>

namespace gossamer::systemc {

/// A SystemC simulation of its own: several in one process, one after the other or side by side.
///
/// SystemC keeps everything that belongs to a simulation in an sc_simcontext and works on the
/// current one; elaboration can be done once in each. So every fabric gets a context of its own,
/// which is made the current one for as long as anything of that fabric is built, run or destroyed.
/// As the current context is one for the process, simulations of several threads take turns.
class Simulation {
 public:
  Simulation();
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Makes the simulation the current one; the others wait.
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

}  // namespace gossamer::systemc
