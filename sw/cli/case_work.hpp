#pragma once

#include <exception>
#include <functional>
#include <string>

#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "driver/report.hpp"

namespace gossamer::cli {

/// The step that a case is in: shown while it takes long, and named if it is interrupted.
class Step {
 public:
  void begin(std::string text) { progress_.stage(text_ = std::move(text)); }
  const std::string& text() const { return text_; }
  Progress& progress() { return progress_; }

 private:
  std::string text_;
  Progress progress_;
};

/// Writes several outputs, each whatever becomes of the others.
class Outputs {
 public:
  /// False if it failed; only an interruption is thrown at once.
  bool write(const std::function<void()>& writer);
  /// Throws what the first that failed has thrown.
  void end() const;

 private:
  std::exception_ptr first_;
};

/// What a verb does with a case.
struct CaseWork {
  std::function<Plan()> make = nullptr;  ///< empty: plans the case, or reads its file
  std::string making = "planning";
  bool ignore_faults = false;  ///< as examine() has it
  /// After the checks, whatever they found.
  std::function<void(Report&, const Plan&, Step&)> then = nullptr;
};

/// Plans a case, checks the schedule, writes the loads of its links if the options ask for them,
/// and does the rest. An interruption ends in a report that names the step.
Report carry_out(const Options& options, const Case& c, const CaseWork& work);

/// Writes the schedule to -o, if there is one and it is valid.
void write_schedule(const Options& options, const Report& report, const Plan& plan, Step& step);

/// Prints the report's object: of one that is interrupted meanwhile without its loads. Returns the
/// exit status.
int print_object(Report report, bool measured);

/// Prints the report as the options ask, and whether `output` was written, unless it is empty;
/// returns the exit status.
int print(const Options& options, Report report, const std::string& output);

}  // namespace gossamer::cli
