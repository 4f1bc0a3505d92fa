#pragma once

#include <atomic>
#include <cstdint>

namespace gossamer {

/// How far a piece of long work is. The work counts its steps where it is done, several layers
/// below the thread that shows them; so a thread that wants to know has an object of this class,
/// and what it then calls writes there. Without one, counting steps does nothing.
class Steps {
 public:
  struct Count {
    const char* unit = "";  ///< "rounds"
    std::uint64_t done = 0;
    std::uint64_t total = 0;  ///< 0: nothing is counted
  };

  Steps();
  ~Steps();
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;

  /// May be called from any thread.
  Count count() const noexcept;
  /// What comes next has not counted anything yet.
  void forget() noexcept { total_.store(0, std::memory_order_relaxed); }

 private:
  friend void begin_steps(std::uint64_t total, const char* unit) noexcept;
  friend void note_step(std::uint64_t done) noexcept;

  Steps* const before_;
  std::atomic<std::uint64_t> done_{0}, total_{0};
  std::atomic<const char*> unit_{""};
};

/// The work of this thread now has so many steps; `unit` must stay where it is.
void begin_steps(std::uint64_t total, const char* unit) noexcept;
/// So many of them are done.
void note_step(std::uint64_t done) noexcept;
/// The same; throws Interrupted if a signal was received.
void step_done(std::uint64_t done);

}  // namespace gossamer
