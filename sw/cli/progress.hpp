#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace gossamer::cli {

/// What is known of how far some work is.
struct HowFar {
  std::string text;              ///< what is being done
  std::uint64_t done = 0;        ///< steps
  std::uint64_t total = 0;       ///< 0: unknown
  std::uint64_t nodes = 0;       ///< a step is a cycle of so many nodes; 0: it is something else
  double stage_seconds = 0;      ///< since this work began
  double seconds = 0;            ///< since everything began
};

/// "cycles [####......] 400/1,000  12 s, 18 s left, 25.1 million node-cycles/s". The time left is
/// what the steps left take if they take as long as those before.
std::string progress_line(const HowFar& how_far);

/// A line on stderr that tells what is going on, once it has taken a second; only if stderr is a
/// terminal. The line goes away with the object, and before anything is printed (`hide`).
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// What is being done now; nothing is known of how far it is.
  void stage(std::string text);
  /// How far it is; may be called from any thread. With `nodes`, steps are cycles of so many nodes.
  void at(std::uint64_t done, std::uint64_t total, std::uint64_t nodes = 0);
  /// Takes the line away, until it is next drawn.
  void hide();

 private:
  using Clock = std::chrono::steady_clock;

  void draw_until_stopped();
  void draw();
  void erase();

  const bool on_;
  const Clock::time_point begin_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopped_ = false;
  bool shown_ = false;
  HowFar how_far_;
  Clock::time_point stage_begin_ = begin_;
  std::thread thread_;
};

}  // namespace gossamer::cli
