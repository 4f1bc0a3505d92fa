#pragma once

#include <memory>
#include <mutex>
#include <systemc>

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

}  // namespace gossamer::systemc
