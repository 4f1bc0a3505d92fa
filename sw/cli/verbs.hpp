#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/progress.hpp"
#include "driver/suite.hpp"
#include "run/runner.hpp"

namespace gossamer::cli {

/// The verbs. All return the exit status and throw InputError.
int list(const Ask& ask);
int plan(const Ask& ask);
int check_file(const Ask& ask);
int run(const Ask& ask, Runner& runner);
int export_schedule(const Ask& ask);
int import_schedule(const Ask& ask);
int compare(const Ask& ask);
int rank(const Ask& ask);
int report(const Ask& ask);
int suite(const Ask& ask, Runner& runner);
/// A value of --format.
struct ExportFormat {
  std::string_view name, meaning;
};
std::vector<ExportFormat> export_formats();
/// Is -o a folder?
bool writes_folder(std::string_view format);
/// Shows the cases of a suite, and the number of schedules that must be refused.
int list_cases(const std::vector<SuiteCase>& cases, std::size_t refused, bool json);

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
  PlannedTo planned_to = PlannedTo::Look;
  std::string making = "planning";
  /// After the checks, whatever they found.
  std::function<void(Facts&, Progress&)> then = nullptr;
};

/// Plans a case, checks the schedule, writes the loads of its links if the options ask for them,
/// and does the rest. An interruption leaves what was asked, and the step in which it came.
Facts carry_out(const Ask& ask, const CaseWork& work);

/// Prints the facts as the options ask, and whether `output` was written, unless it is empty;
/// returns the exit status.
int print(const Ask& ask, Facts facts, const std::string& output);

}  // namespace gossamer::cli
