#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "support/error.hpp"

namespace gossamer {

/// Something needs more memory than is free. Every estimate ends in this error, so that the system
/// never has to kill the program.
class TooLarge : public InputError {
 public:
  using InputError::InputError;
};

/// Bytes of memory that the machine, and the limits of this process and its control group, can
/// still give; a very large number if that is unknown.
std::uint64_t free_memory();

/// Call this before there are threads. If `ulimit -v` limits this process, they share the heap: one
/// of its own would take 64 MB of addresses for each thread, also after it has ended.
void share_heap_if_limited();

/// "1.2 GB", "340 MB".
std::string in_bytes(double bytes);

/// Call this before allocating that much memory. Throws TooLarge, "WHAT needs about 3.1 TB of
/// memory, and 20.2 GB are free", if it does not fit; `what_fits` may add what the free bytes would
/// be enough for.
void require_memory(double bytes, const std::string& what,
                    const std::function<std::string(double free)>& what_fits = {});

/// Tracks memory that grows step by step to an unknown size.
class MemoryWatch {
 public:
  /// `what` is what the memory is for: "torus:4x4: what its nodes hold".
  explicit MemoryWatch(std::string what);

  /// Adds so many bytes. Throws TooLarge when the machine's memory is nearly used up.
  void grew(std::uint64_t bytes) {
    used_ += bytes;
    if (used_ >= next_look_) look();
  }
  /// So many bytes were freed.
  void shrank(std::uint64_t bytes) noexcept { used_ -= bytes < used_ ? bytes : used_; }

 private:
  static constexpr std::uint64_t kStep = std::uint64_t{1} << 26;
  void look();

  std::string what_;
  std::uint64_t used_ = 0, next_look_;
};

/// From now on free_memory() returns at most this: for tests.
void limit_free_memory(std::uint64_t most) noexcept;
void forget_memory_limit() noexcept;

/// What was asked for while this object exists, on any thread: for tests.
class RecordedMemory {
 public:
  RecordedMemory();
  ~RecordedMemory();
  RecordedMemory(const RecordedMemory&) = delete;
  RecordedMemory& operator=(const RecordedMemory&) = delete;

  /// The most bytes that were required, or counted by a watch, for this.
  double most(const std::string& what) const;
  /// What memory was asked for.
  std::vector<std::string> all() const;
};

}  // namespace gossamer
