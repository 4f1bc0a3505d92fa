#include "impatience.hpp"

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>

#include "support/job.hpp"
#include "targets.hpp"

namespace gossamer::fuzz {
namespace {

using namespace std::chrono_literals;
constexpr auto kPatience = 250ms;

/// One thread for the whole process.
class Watch {
 public:
  static Watch& watch() {
    static Watch watch;
    return watch;
  }
  void begin() {
    const std::lock_guard lock(mutex_);
    ++begun_;
    working_ = true;
    changed_.notify_one();
  }
  void end() {
    const std::lock_guard lock(mutex_);
    working_ = false;
    forget_interrupt();
  }

 private:
  Watch() : thread_([this] { wait(); }) {}
  ~Watch() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
      changed_.notify_one();
    }
    thread_.join();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    while (!stop_) {
      changed_.wait(lock, [&] { return stop_ || working_; });
      const unsigned long mine = begun_;
      changed_.wait_for(lock, kPatience, [&] { return stop_; });
      if (working_ && begun_ == mine) note_interrupt(SIGINT);
      changed_.wait_for(lock, kPatience, [&] { return stop_ || begun_ != mine; });
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned long begun_ = 0;
  bool working_ = false, stop_ = false;
  std::thread thread_;
};

}  // namespace

Impatience::Impatience() { Watch::watch().begin(); }
Impatience::~Impatience() { Watch::watch().end(); }

}  // namespace gossamer::fuzz
