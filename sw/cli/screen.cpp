#include "cli/screen.hpp"

#include <fmt/color.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "support/file.hpp"
#include "support/job.hpp"
#include "support/json.hpp"
#include "support/words.hpp"

namespace gossamer::cli {
namespace {

std::string styled(bool on, const fmt::text_style& style, std::string_view text) {
  return on ? fmt::format(style, "{}", text) : std::string(text);
}

}  // namespace

Paint::Paint() : on_(is_terminal(STDOUT_FILENO) && std::getenv("NO_COLOR") == nullptr) {}

std::string Paint::good(std::string_view text) const {
  return styled(on_, fmt::emphasis::bold | fmt::fg(fmt::terminal_color::green), text);
}
std::string Paint::bad(std::string_view text) const {
  return styled(on_, fmt::emphasis::bold | fmt::fg(fmt::terminal_color::red), text);
}
std::string Paint::strong(std::string_view text) const {
  return styled(on_, fmt::emphasis::bold, text);
}
std::string Paint::faint(std::string_view text) const {
  return styled(on_, fmt::fg(fmt::terminal_color::bright_black), text);
}

void print_waveform(const std::string& file) {
  const std::string view = std::filesystem::path(file).replace_extension(".gtkw").string();
  fmt::print("waveform: gtkwave {} {}\n", shell_file(file), shell_file(view));
}

void print_error(const std::string& line) {
  std::fflush(stdout);
  std::fputs(fmt::format("gossamer: {}\n", line).c_str(), stderr);
}

void print_json(const nlohmann::ordered_json& json) {
  // File names in messages may not be UTF-8; the output must be.
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

namespace {

std::string cell(int width, std::string_view text) {
  return width < 0 ? fmt::format("{:<{}}  ", text, -width) : fmt::format("{:>{}} ", text, width);
}

}  // namespace

std::string heads(std::span<const Column> columns) {
  std::string line;
  for (const Column& c : columns) line += cell(c.width, c.head);
  return line;
}

std::string cells(std::span<const Column> columns, const nlohmann::ordered_json& json) {
  std::string line;
  for (const Column& c : columns) {
    const Json value = json.value(Json::json_pointer(c.key), Json());
    line += cell(c.width, value.is_null()     ? "-"
                          : value.is_string() ? value.get<std::string>()
                                              : value.dump());
  }
  return line;
}

namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 1s;
constexpr auto kInterval = 100ms;
/// Both, where lines stay: in a file.
constexpr auto kSparsely = 30s;
constexpr std::uint64_t kBarWidth = 20;
/// Of fewer steps, those that remain may take much longer than those before.
constexpr std::uint64_t kEnough = 10;

/// "12 s", "3 min 20 s", "2 h 5 min".
std::string duration(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

std::string whole_line(const ProgressState& h) {
  std::string line = h.text;
  if (h.total != 0) {
    const auto filled =
        static_cast<std::size_t>(static_cast<double>(kBarWidth) * static_cast<double>(h.done) /
                                 static_cast<double>(h.total));
    line += fmt::format(" [{:#<{}}{:.<{}}] {}/{}{}{}", "", filled, "", kBarWidth - filled,
                        grouped(h.done), grouped(h.total), h.unit.empty() ? "" : " ", h.unit);
  }
  line += "  " + duration(h.seconds);
  if (h.done == 0 || h.stage_seconds <= 0) return line;
  const double steps_per_second = static_cast<double>(h.done) / h.stage_seconds;
  if (h.total > h.done && h.total >= kEnough) {
    line += fmt::format(", {} left",
                        duration(static_cast<double>(h.total - h.done) / steps_per_second));
  }
  if (h.nodes != 0) {
    line += fmt::format(", {:.1f} million node-cycles/s",
                        steps_per_second * static_cast<double>(h.nodes) / 1e6);
  }
  return line;
}

}  // namespace

std::string progress_line(const ProgressState& h, std::size_t columns) {
  const std::string line = without_control_characters(whole_line(h));
  const auto begins_character = [](char c) { return (c & 0xC0) != 0x80; };  // in UTF-8
  const auto end =
      std::ranges::find_if(line, [&](char c) { return begins_character(c) && columns-- == 0; });
  if (end == line.end()) return line;
  const auto fits = static_cast<std::size_t>(end - line.begin());
  return line.substr(0, std::min(fits, line.rfind(", ", fits)));
}

Progress::Progress(bool lines)
    : redrawn_(is_terminal(STDERR_FILENO) || std::getenv("GOSSAMER_PROGRESS") != nullptr) {
  if (!redrawn_ && !lines) return;
  try {
    thread_ = std::thread([this] { draw_until_stopped(); });
  } catch (const std::system_error&) {  // then there is no progress line
  }
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
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
  state_ = {};
  state_.text = std::move(text);
  told_ = false;
  steps_.forget();
  stage_begin_ = Clock::now();
}

void Progress::at(std::uint64_t done, std::uint64_t total, std::uint64_t nodes) {
  const std::lock_guard lock(mutex_);
  told_ = true;
  state_.done = std::min(done, total);
  state_.total = total;
  state_.nodes = nodes;
  // Time goes on between two reports of steps: the steps were done at the last report.
  state_.stage_seconds = std::chrono::duration<double>(Clock::now() - stage_begin_).count();
}

void Progress::hide() {
  const std::lock_guard lock(mutex_);
  erase();
}

void Progress::draw_until_stopped() {
  std::unique_lock lock(mutex_);
  const auto stopped = [this] { return stopped_; };
  if (wake_.wait_for(lock, redrawn_ ? kPatience : kSparsely, stopped)) return;
  do draw();
  while (!wake_.wait_for(lock, redrawn_ ? kInterval : kSparsely, stopped));
}

void Progress::draw() {
  if (!told_) {
    const Steps::Count count = steps_.count();
    state_.done = count.done;
    state_.total = count.total;
    state_.unit = count.unit;
    state_.stage_seconds = std::chrono::duration<double>(Clock::now() - stage_begin_).count();
  }
  state_.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  if (!redrawn_) {
    fmt::print("{}\n", progress_line(state_));
    std::fflush(stdout);
    return;
  }
  std::fputs(("\r\033[K" + progress_line(state_, columns_of(STDERR_FILENO) - 1)).c_str(), stderr);
  std::fflush(stderr);
  shown_ = true;
}

void Progress::erase() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace gossamer::cli
