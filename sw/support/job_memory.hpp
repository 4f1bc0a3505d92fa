#pragma once

namespace gossamer {

/// The memory of one of several jobs that run side by side, each on its own thread. While a thread
/// has one, the memory that it requests with require_memory() is reserved for it until the object
/// is destroyed, so that two jobs are never promised the same bytes. A job that would fit alone but
/// not beside the others waits for them; a job that does not fit alone is refused.
class JobMemory {
 public:
  JobMemory();
  ~JobMemory();
  JobMemory(const JobMemory&) = delete;
  JobMemory& operator=(const JobMemory&) = delete;

  /// The calling thread's object; null if it has none.
  static JobMemory* of_this_thread() noexcept;

  /// Reserves `bytes` in place of the previous reservation, because a job's stages follow one
  /// another. Waits while they fit only without the other jobs. Returns false if they would not fit
  /// alone either; throws Interrupted if a signal comes while it waits.
  bool set_aside(double bytes);

 private:
  void give_back();

  JobMemory* const before_;
  double held_ = 0;
};

}  // namespace gossamer
