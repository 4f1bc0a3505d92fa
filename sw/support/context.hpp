#pragma once

#include <atomic>

namespace gossamer {

class JobMemory;
class Steps;

/// What long work hears and tells, several layers below those who want to know: when it should
/// stop (interrupt.hpp), how far it is (steps.hpp), what memory it may take (job_memory.hpp). Each
/// thread has one, so that a program can plan two schedules at once and stop one of them.
struct Context {
  std::atomic<int>* stop = nullptr;  ///< the signal, or 0; null: the signals of the process
  Steps* steps = nullptr;            ///< null: nobody wants to know
  JobMemory* memory = nullptr;       ///< null: all that is free

  // Here, because engines, which are separate libraries, start threads, too.
  static Context& of_this_thread() noexcept {
    thread_local Context context;
    return context;
  }
};

/// Until its end the thread hears `stop`, and not what it heard before.
class Hears {
 public:
  explicit Hears(std::atomic<int>* stop) { Context::of_this_thread().stop = stop; }
  ~Hears() { Context::of_this_thread().stop = before_; }
  Hears(const Hears&) = delete;
  Hears& operator=(const Hears&) = delete;

 private:
  std::atomic<int>* const before_ = Context::of_this_thread().stop;
};

}  // namespace gossamer
