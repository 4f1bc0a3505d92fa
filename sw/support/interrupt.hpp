#pragma once

#include <exception>

namespace gossamer {

/// Thrown when long work stops because of Ctrl-C (SIGINT), SIGTERM or SIGHUP. The catcher reports
/// what is known by then.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

/// From now on SIGINT, SIGTERM, and SIGHUP unless it is ignored, only set a flag, which long work
/// polls. A second SIGINT or SIGTERM ends the program at once.
void catch_interrupts();

/// The signal that stops the work of this thread (context.hpp), as a rule that of the process; 0 if
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

}  // namespace gossamer
