#include "support/interrupt.hpp"

#include <signal.h>

#include <atomic>

namespace gossamer {
namespace {

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

int interrupt_signal() noexcept { return noted.load(std::memory_order_relaxed); }

void stop_if_interrupted() {
  if (interrupted()) throw Interrupted();
}

void note_interrupt(int signal) noexcept { noted.store(signal, std::memory_order_relaxed); }
void forget_interrupt() noexcept { note_interrupt(0); }

}  // namespace gossamer
