#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace gossamer::cli {

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
  /// How far it is; may be called from any thread.
  void at(std::uint64_t done, std::uint64_t total);
  /// Takes the line away, until it is next drawn.
  void hide();

 private:
  void draw_until_stopped();
  void draw();
  void erase();

  const bool on_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopped_ = false;
  bool shown_ = false;
  std::string text_;
  std::uint64_t done_ = 0, total_ = 0;
  std::thread thread_;
};

}  // namespace gossamer::cli
