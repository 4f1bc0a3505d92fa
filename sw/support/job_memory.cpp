#include "support/job_memory.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "support/context.hpp"
#include "support/interrupt.hpp"
#include "support/memory.hpp"

namespace gossamer {
namespace {

std::mutex mutex;
std::condition_variable given_back;
double promised = 0;  ///< to all jobs
/// What was free when the first of those promises was made. What jobs have taken since then is no
/// longer free and must not count twice.
double budget = 0;

}  // namespace

JobMemory::JobMemory() : before_(std::exchange(Context::of_this_thread().memory, this)) {}

JobMemory::~JobMemory() {
  Context::of_this_thread().memory = before_;
  give_back();
}

JobMemory* JobMemory::of_this_thread() noexcept { return Context::of_this_thread().memory; }

void JobMemory::give_back() {
  const std::lock_guard lock(mutex);
  promised = std::max(0.0, promised - held_);
  held_ = 0;
  given_back.notify_all();
}

bool JobMemory::set_aside(double bytes) {
  // Two waiting jobs must not hold the memory that the other one waits for.
  give_back();
  std::unique_lock lock(mutex);
  const auto fits = [&] { return bytes <= static_cast<double>(free_memory()); };
  while (promised > 0 && (promised + bytes > budget || !fits())) {
    given_back.wait_for(lock, std::chrono::milliseconds(100));
    stop_if_interrupted();
  }
  if (promised == 0) {
    if (!fits()) return false;
    budget = static_cast<double>(free_memory());
  }
  promised += bytes;
  held_ = bytes;
  return true;
}

}  // namespace gossamer
