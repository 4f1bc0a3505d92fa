#pragma once

#include <string>
#include <string_view>

#include "driver/report.hpp"
#include "support/error.hpp"

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

/// Prints a report as text, every number with its meaning.
void print_report(const Facts& facts, const Paint& paint);

/// Status of the command: 0 passed, 1 failed, 128 + signal interrupted.
int exit_status(const Facts& facts);

/// Prints how to open the waveform that was written.
void print_waveform(const std::string& file);

/// Prints "gossamer: LINE" on stderr, if anybody reads it: the exit status tells the rest.
void print_error(const std::string& line);

/// Prints the object, indented.
void print_json(const nlohmann::ordered_json& json);

}  // namespace gossamer::cli
