#include "support/steps.hpp"

#include <algorithm>
#include <utility>

#include "support/context.hpp"
#include "support/interrupt.hpp"

namespace gossamer {
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
