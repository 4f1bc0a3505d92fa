#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace gossamer::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 1s;
constexpr auto kInterval = 100ms;
constexpr std::uint64_t kBarWidth = 30;

}  // namespace

Progress::Progress() : on_(isatty(STDERR_FILENO)) {
  if (on_) thread_ = std::thread([this] { draw_until_stopped(); });
}

Progress::~Progress() {
  if (!on_) return;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  wake_.notify_all();
  thread_.join();
  erase();
}

void Progress::stage(std::string text) {
  const std::lock_guard lock(mutex_);
  text_ = std::move(text);
  total_ = 0;
}

void Progress::at(std::uint64_t done, std::uint64_t total) {
  const std::lock_guard lock(mutex_);
  done_ = std::min(done, total);
  total_ = total;
}

void Progress::hide() {
  const std::lock_guard lock(mutex_);
  erase();
}

void Progress::draw_until_stopped() {
  std::unique_lock lock(mutex_);
  if (wake_.wait_for(lock, kPatience, [this] { return stopped_; })) return;
  while (!stopped_) {
    draw();
    wake_.wait_for(lock, kInterval);
  }
}

void Progress::draw() {
  std::string line = text_;
  if (total_ != 0) {
    const std::uint64_t filled = done_ * kBarWidth / total_;
    line +=
        fmt::format(" [{:#<{}}{:.<{}}] {}/{}", "", filled, "", kBarWidth - filled, done_, total_);
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
  fmt::print(stderr, "\r\033[K{}  {:.0f} s", line, elapsed.count());
  std::fflush(stderr);
  shown_ = true;
}

void Progress::erase() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace gossamer::cli
