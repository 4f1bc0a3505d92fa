#pragma once

namespace gossamer {

/// The memory of one of several jobs that run side by side, each on a thread of its own. While a
/// thread has one, what it asks for with require_memory() is set aside for it until the object's
/// end, so that two jobs are never promised the same bytes. A job that would fit alone, but not
/// beside the others, waits for them; only one that does not fit alone is refused.
class JobMemory {
 public:
  JobMemory();
  ~JobMemory();
  JobMemory(const JobMemory&) = delete;
  JobMemory& operator=(const JobMemory&) = delete;

  /// The calling thread's; null if it has none.
  static JobMemory* of_this_thread() noexcept;

  /// Sets `bytes` aside, in place of what was set aside before: a job's stages follow one another.
  /// Waits while they fit only without the other jobs. False if they would not fit alone either;
  /// throws Interrupted if a signal comes while it waits.
  bool set_aside(double bytes);

 private:
  void give_back();

  double held_ = 0;
};

}  // namespace gossamer
