#pragma once

#include <exception>

namespace gossamer {

/// Thrown where long work is given up because of Ctrl-C (SIGINT) or SIGTERM. What is known by then
/// is reported by whoever catches it.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

/// From now on SIGINT and SIGTERM only leave a note, which long work looks for. A second one ends
/// the program at once.
void catch_interrupts();

/// The signal that has come; 0 if none has. May be asked from any thread, at the cost of a load.
int interrupt_signal() noexcept;
inline bool interrupted() noexcept { return interrupt_signal() != 0; }

/// Throws Interrupted if a signal has come.
void stop_if_interrupted();

/// Leaves the note as the signal would, and takes it away: for tests.
void note_interrupt(int signal) noexcept;
void forget_interrupt() noexcept;

}  // namespace gossamer
