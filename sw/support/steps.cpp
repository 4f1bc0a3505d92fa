#include "support/steps.hpp"

#include <algorithm>

#include "support/interrupt.hpp"

namespace gossamer {
namespace {

thread_local Steps* of_this_thread = nullptr;

}  // namespace

Steps::Steps() { of_this_thread = this; }
Steps::~Steps() { of_this_thread = nullptr; }

Steps::Count Steps::count() const noexcept {
  const std::uint64_t total = total_.load(std::memory_order_relaxed);
  // The three are written one after the other, so the total may be newer than the steps.
  const std::uint64_t done = done_.load(std::memory_order_relaxed);
  return {unit_.load(std::memory_order_relaxed), std::min(done, total), total};
}

void begin_steps(std::uint64_t total, const char* unit) noexcept {
  if (of_this_thread == nullptr) return;
  of_this_thread->done_.store(0, std::memory_order_relaxed);
  of_this_thread->unit_.store(unit, std::memory_order_relaxed);
  of_this_thread->total_.store(total, std::memory_order_relaxed);
}

void note_step(std::uint64_t done) noexcept {
  if (of_this_thread != nullptr) of_this_thread->done_.store(done, std::memory_order_relaxed);
}

void step_done(std::uint64_t done) {
  stop_if_interrupted();
  note_step(done);
}

}  // namespace gossamer
