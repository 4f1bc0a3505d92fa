#pragma once

#include <atomic>
#include <cstdint>
#include <exception>

namespace gossamer {

class Steps;

/// What long work hears and tells, several layers below those who want to know: when it should
/// stop, and how far it is. Each thread has one, so that a program can plan two schedules at once
/// and stop one of them.
struct Context {
  std::atomic<int>* stop = nullptr;  ///< the signal, or 0; null: the signals of the process
  Steps* steps = nullptr;            ///< null: nobody wants to know

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

/// Thrown when long work stops because of Ctrl-C (SIGINT), SIGTERM or SIGHUP. The catcher reports
/// what is known by then.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

/// From now on SIGINT, SIGTERM, and SIGHUP unless it is ignored, only set a flag, which long work
/// polls. A second SIGINT or SIGTERM ends the program at once.
void catch_interrupts();

/// The signal that stops the work of this thread, as a rule that of the process; 0 if
/// none. Costs a load or two.
int interrupt_signal() noexcept;
inline bool interrupted() noexcept { return interrupt_signal() != 0; }

/// Throws Interrupted if a signal was received.
void stop_if_interrupted();

/// Was it Ctrl-C that ended a piece of work? Then the program goes on: the flag is cleared, and the
/// next signal only sets it again.
bool ended_by_control_c();

/// Sets the flag as the signal would, or clears it: for tests.
void note_interrupt(int signal) noexcept;
void forget_interrupt() noexcept;

/// The n-th look for a signal from now on, n >= 1, finds SIGINT: for tests.
void interrupt_at_look(int n) noexcept;
/// Looks that are left until then; 0 if it has happened.
int looks_left() noexcept;

/// How far a piece of long work is. The work counts its steps where it is done, several layers
/// below the thread that shows them; so a thread that wants to know has an object of this class,
/// and what it then calls writes there. Without one, counting steps does nothing.
class Steps {
 public:
  struct Count {
    const char* unit = "";  ///< "rounds"
    std::uint64_t done = 0;
    std::uint64_t total = 0;  ///< 0: nothing is counted
  };

  Steps();
  ~Steps();
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;

  /// May be called from any thread.
  Count count() const noexcept;
  /// What comes next has not counted anything yet.
  void forget() noexcept { total_.store(0, std::memory_order_relaxed); }

 private:
  friend void begin_steps(std::uint64_t total, const char* unit) noexcept;
  friend void note_step(std::uint64_t done) noexcept;

  Steps* const before_;
  std::atomic<std::uint64_t> done_{0}, total_{0};
  std::atomic<const char*> unit_{""};
};

/// The work of this thread now has so many steps; `unit` must stay where it is.
void begin_steps(std::uint64_t total, const char* unit) noexcept;
/// So many of them are done.
void note_step(std::uint64_t done) noexcept;
/// The same; throws Interrupted if a signal was received.
void step_done(std::uint64_t done);

}  // namespace gossamer
