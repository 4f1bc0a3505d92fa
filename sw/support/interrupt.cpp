#include "support/interrupt.hpp"

#include <signal.h>

#include <algorithm>
#include <atomic>

namespace gossamer {
namespace {

/// The signal received, or 0. Below zero: so many looks until SIGINT, for tests.
std::atomic<int> noted{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler writes it");

extern "C" void on_signal(int signal) { noted.store(signal, std::memory_order_relaxed); }

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

int interrupt_signal() noexcept {
  const int value = noted.load(std::memory_order_relaxed);
  if (value >= 0) return value;
  if (noted.fetch_add(1, std::memory_order_relaxed) == -1) note_interrupt(SIGINT);
  return std::max(noted.load(std::memory_order_relaxed), 0);
}

void stop_if_interrupted() {
  if (interrupted()) throw Interrupted();
}

void note_interrupt(int signal) noexcept { noted.store(signal, std::memory_order_relaxed); }
void forget_interrupt() noexcept { note_interrupt(0); }

void interrupt_at_look(int n) noexcept { noted.store(-n, std::memory_order_relaxed); }
int looks_left() noexcept { return std::max(-noted.load(std::memory_order_relaxed), 0); }

}  // namespace gossamer
