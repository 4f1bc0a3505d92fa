#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "support/error.hpp"

namespace gossamer {

/// Something needs more memory than there is. Every estimate ends here, so that nothing that is too
/// large ends by the system's hand.
class TooLarge : public InputError {
 public:
  using InputError::InputError;
};

/// Bytes of memory that the machine, and the limits set for this process and its control group, can
/// still give; a very large number where that is unknown.
std::uint64_t free_memory();

/// "1.2 GB", "340 MB".
std::string in_bytes(double bytes);

/// To be called before what takes so much memory is made. Throws TooLarge, "WHAT needs about 3.1 TB
/// of memory, and 20.2 GB are free", if that is more than there is; `what_fits` may add what the
/// free bytes would be enough for. Jobs that run side by side share what there is (JobMemory).
void require_memory(double bytes, const std::string& what,
                    const std::function<std::string(double free)>& what_fits = {});

/// Follows memory that grows by and by, where nobody can say beforehand how far.
class MemoryWatch {
 public:
  /// `what` is what the memory is for: "checking torus:4x4".
  explicit MemoryWatch(std::string what) : what_(std::move(what)) {}

  /// So many bytes more. Throws TooLarge when little is left of the machine's memory.
  void grew(std::uint64_t bytes) {
    used_ += bytes;
    if (used_ >= next_look_) look();
  }
  /// So many of them are given back.
  void shrank(std::uint64_t bytes) noexcept { used_ -= bytes < used_ ? bytes : used_; }

 private:
  static constexpr std::uint64_t kStep = std::uint64_t{1} << 26;
  void look();

  std::string what_;
  std::uint64_t used_ = 0, next_look_ = kStep;
};

/// From now on free_memory() says no more than this: for tests.
void limit_free_memory(std::uint64_t most) noexcept;
void forget_memory_limit() noexcept;

}  // namespace gossamer
