#include "support/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <atomic>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>

namespace gossamer {
namespace {

constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max() / 2;
/// Requests smaller than this are always granted.
constexpr double kSmallBytes = 1e6;

std::atomic<std::uint64_t> limit_for_tests = kUnknown;

std::atomic<bool> recording = false;
std::mutex recorded_mutex;
std::map<std::string, double> recorded;

void record(const std::string& what, double bytes) {
  const std::lock_guard lock(recorded_mutex);
  double& most = recorded[what];
  most = std::max(most, bytes);
}

/// A number from one of the system's key-value lists.
std::uint64_t entry(const char* file, const std::string& wanted, std::uint64_t otherwise) {
  std::ifstream list(file);
  for (std::string key; list >> key;) {
    std::uint64_t value = 0;
    if (key == wanted && list >> value) return value;
  }
  return otherwise;
}

/// The same in bytes, for lists in kilobytes.
std::uint64_t kilobytes(const char* file, const std::string& wanted) {
  return std::min(entry(file, wanted, kUnknown), kUnknown / 1024) * 1024;
}

/// The number in a file; unknown if it holds none ("max").
std::uint64_t number(const char* file) {
  std::uint64_t value = 0;
  return std::ifstream(file) >> value ? value : kUnknown;
}

std::uint64_t left(std::uint64_t limit, std::uint64_t used) {
  return limit > used ? limit - used : 0;
}

/// What the control group (a container's limit) leaves. Cached files count as used there but are
/// given up when memory is needed.
std::uint64_t left_in_group() {
  const std::uint64_t limit = number("/sys/fs/cgroup/memory.max");
  if (limit == kUnknown) return kUnknown;
  const std::uint64_t files = entry("/sys/fs/cgroup/memory.stat", "file", 0);
  return left(limit, left(number("/sys/fs/cgroup/memory.current"), files));
}

/// `ulimit -v` in bytes.
std::uint64_t limit_of_process() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  return limit.rlim_cur;
}

/// What it leaves.
std::uint64_t left_in_process() {
  const std::uint64_t limit = limit_of_process();
  return limit == kUnknown ? limit : left(limit, kilobytes("/proc/self/status", "VmSize:"));
}

}  // namespace

std::uint64_t free_memory() {
  return std::min({kilobytes("/proc/meminfo", "MemAvailable:"), left_in_group(), left_in_process(),
                   limit_for_tests.load()});
}

void share_heap_if_limited() {
#ifdef __GLIBC__
  if (limit_of_process() != kUnknown) mallopt(M_ARENA_MAX, 1);
#endif
}

void limit_free_memory(std::uint64_t most) noexcept { limit_for_tests = most; }
void forget_memory_limit() noexcept { limit_for_tests = kUnknown; }

std::string in_bytes(double bytes) {
  if (bytes >= 1e15) return fmt::format("{:.1f} PB", bytes / 1e15);
  if (bytes >= 1e12) return fmt::format("{:.1f} TB", bytes / 1e12);
  if (bytes >= 1e9) return fmt::format("{:.1f} GB", bytes / 1e9);
  return fmt::format("{:.0f} MB", bytes / 1e6);
}

void require_memory(double bytes, const std::string& what,
                    const std::function<std::string(double free)>& what_fits) {
  if (recording) record(what, bytes);
  if (bytes <= kSmallBytes) return;
  const double free = static_cast<double>(free_memory());
  if (bytes <= free) return;
  throw TooLarge(fmt::format("{} needs about {} of memory, and {} are free{}", what,
                             in_bytes(bytes), in_bytes(free),
                             what_fits ? ", " + what_fits(free) : ""));
}

MemoryWatch::MemoryWatch(std::string what)
    : what_(std::move(what)), next_look_(recording ? 1 : kStep) {}

void MemoryWatch::look() {
  if (recording) return record(what_, static_cast<double>(used_));
  next_look_ = used_ + kStep;
  // A full table is copied into a larger one, so both must fit.
  const std::uint64_t free = free_memory();
  if (free >= std::max(2 * kStep, used_ / 2)) return;
  throw TooLarge(fmt::format(
      "{}: it has taken {} of memory so far, and the {} that are free are "
      "too few for the rest",
      what_, in_bytes(static_cast<double>(used_)), in_bytes(static_cast<double>(free))));
}

RecordedMemory::RecordedMemory() {
  recorded.clear();
  recording = true;
}
RecordedMemory::~RecordedMemory() { recording = false; }

double RecordedMemory::most(const std::string& what) const {
  const std::lock_guard lock(recorded_mutex);
  const auto found = recorded.find(what);
  return found == recorded.end() ? 0 : found->second;
}

std::vector<std::string> RecordedMemory::all() const {
  const std::lock_guard lock(recorded_mutex);
  std::vector<std::string> names;
  for (const auto& [what, bytes] : recorded) names.push_back(what);
  return names;
}

}  // namespace gossamer
