#include "support/job.hpp"

#include <signal.h>

#include <algorithm>
#include <atomic>
#include <utility>

namespace gossamer {
namespace {

/// Below zero: so many looks until SIGINT, for tests.
std::atomic<int> of_the_process{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler writes it");

/// Once the program is told to end, Ctrl-C makes no less of it.
extern "C" void on_signal(int signal) {
  const int before = of_the_process.load(std::memory_order_relaxed);
  if (before == SIGTERM || before == SIGHUP) return;
  of_the_process.store(signal, std::memory_order_relaxed);
}

std::atomic<bool> caught{false};

std::atomic<int>& heard() noexcept {
  std::atomic<int>* const stop = Context::of_this_thread().stop;
  return stop == nullptr ? of_the_process : *stop;
}

}  // namespace

void catch_interrupts() {
  caught = true;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  struct sigaction hangup = {};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler == SIG_IGN) return;  // nohup
  action.sa_flags = SA_RESTART;              // the kernel and the shell both send it
  sigaction(SIGHUP, &action, nullptr);
}

int interrupt_signal() noexcept {
  std::atomic<int>& stop = heard();
  const int value = stop.load(std::memory_order_relaxed);
  if (value >= 0) return value;
  if (stop.fetch_add(1, std::memory_order_relaxed) == -1) note_interrupt(SIGINT);
  return std::max(stop.load(std::memory_order_relaxed), 0);
}

bool ended_by_control_c() {
  int control_c = SIGINT;
  if (!heard().compare_exchange_strong(control_c, 0)) return false;
  if (caught) catch_interrupts();
  return true;
}

void stop_if_interrupted() {
  if (interrupted()) throw Interrupted();
}

void note_interrupt(int signal) noexcept { heard().store(signal, std::memory_order_relaxed); }
void forget_interrupt() noexcept { note_interrupt(0); }

void interrupt_at_look(int n) noexcept { note_interrupt(-n); }
int looks_left() noexcept { return std::max(-heard().load(std::memory_order_relaxed), 0); }

namespace {

Steps*& of_this_thread() noexcept { return Context::of_this_thread().steps; }

}  // namespace

Steps::Steps() : before_(std::exchange(of_this_thread(), this)) {}
Steps::~Steps() { of_this_thread() = before_; }

Steps::Count Steps::count() const noexcept {
  const std::uint64_t total = total_.load(std::memory_order_relaxed);
  // The three are written one after the other, so the total may be newer than the steps.
  const std::uint64_t done = done_.load(std::memory_order_relaxed);
  return {unit_.load(std::memory_order_relaxed), std::min(done, total), total};
}

void begin_steps(std::uint64_t total, const char* unit) noexcept {
  Steps* const steps = of_this_thread();
  if (steps == nullptr) return;
  steps->done_.store(0, std::memory_order_relaxed);
  steps->unit_.store(unit, std::memory_order_relaxed);
  steps->total_.store(total, std::memory_order_relaxed);
}

void note_step(std::uint64_t done) noexcept {
  if (Steps* const steps = of_this_thread()) steps->done_.store(done, std::memory_order_relaxed);
}

void step_done(std::uint64_t done) {
  stop_if_interrupted();
  note_step(done);
}

}  // namespace gossamer
