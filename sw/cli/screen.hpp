#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "driver/report.hpp"
#include "run/runner.hpp"
#include "support/error.hpp"
#include "support/job.hpp"

namespace gossamer::cli {

/// What "-" means as an output.
inline constexpr const char* kStdout = "/dev/stdout";

/// Colours, if stdout is a terminal and NO_COLOR is not set.
class Paint {
 public:
  Paint();
  std::string good(std::string_view text) const;
  std::string bad(std::string_view text) const;
  std::string strong(std::string_view text) const;
  std::string faint(std::string_view text) const;

 private:
  bool on_;
};

/// Prints how to open the waveform that was written.
void print_waveform(const std::string& file);

/// Prints "gossamer: LINE" on stderr, if anybody reads it: the exit status tells the rest.
void print_error(const std::string& line);

/// Prints the object, indented.
void print_json(const nlohmann::ordered_json& json);

/// A column of a table of cases.
struct Column {
  std::string_view head;
  const char* key;  ///< of a case's JSON, as "/rounds"
  int width = 9;    ///< negative: what is in it stands at the left
};
std::string heads(std::span<const Column> columns);
/// What the case has in each column, "-" for what it does not have.
std::string cells(std::span<const Column> columns, const nlohmann::ordered_json& json);

/// The progress of some work.
struct ProgressState {
  std::string text;          ///< what is being done
  std::uint64_t done = 0;    ///< steps
  std::uint64_t total = 0;   ///< 0: unknown
  std::string unit = {};     ///< "rounds"; empty if the text says it
  std::uint64_t nodes = 0;   ///< steps are cycles of so many nodes; 0: other steps
  double stage_seconds = 0;  ///< since this work began
  double seconds = 0;        ///< since everything began
};

/// "cycles [####......] 400/1,000  12 s, 18 s left, 25.1 million node-cycles/s". The time left
/// assumes that the remaining steps take as long as those before. Parts that do not fit in so
/// many columns are left out.
std::string progress_line(const ProgressState& state, std::size_t columns = 1000);

/// A line on stderr that shows the progress of work that takes more than a second; only if stderr
/// is a terminal or GOSSAMER_PROGRESS is set (the Python package shows the line in a notebook), or
/// else, with `lines`, a line on stdout each half minute. It shows the steps that this thread's
/// work counts (support/job.hpp) until it is told others. The line disappears with the object, and
/// before anything is printed (`hide`).
class Progress final : public Job {
 public:
  explicit Progress(bool lines = false);
  ~Progress() override;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Names the current work, which has not counted its steps yet.
  void stage(std::string text) override;
  const std::string& text() const { return state_.text; }
  /// May be called from any thread.
  void at(std::uint64_t done, std::uint64_t total, std::uint64_t nodes = 0) override;
  /// Removes the line until it is drawn again.
  void hide();

 private:
  using Clock = std::chrono::steady_clock;

  void draw_until_stopped();
  void draw();
  void erase();

  const bool redrawn_;  ///< one line again and again
  const Clock::time_point begin_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopped_ = false;
  bool shown_ = false;
  bool told_ = false;  ///< how far it is, by `at`
  ProgressState state_;
  Clock::time_point stage_begin_ = begin_;
  Steps steps_;
  std::thread thread_;
};

}  // namespace gossamer::cli
