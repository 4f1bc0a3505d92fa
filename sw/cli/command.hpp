#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/screen.hpp"
#include "driver/report.hpp"
#include "driver/suite.hpp"
#include "run/runner.hpp"
#include "support/job.hpp"

namespace CLI {
class App;
}

namespace gossamer {

/// The `gossamer` command: reads the arguments, runs the verb, and returns the exit status: 0 if
/// everything is as predicted, 1 if a check failed, 2 if the input was bad, with one line on
/// stderr. Schedules run on `runner`.
int run_command(int argc, char** argv, Runner& runner);

}  // namespace gossamer

namespace gossamer::cli {

/// What a command asks for. Texts are empty if they are not given.
struct Ask {
  std::string program;  ///< how this command was called, for commands that it prints
  std::string command;  ///< all of the call, as a shell takes it back
  std::string file;
  std::vector<std::string> files;                  ///< to compare; words of the call with a bug
  std::map<std::string_view, std::string> fields;  ///< of the case, by name
  Case request;                                    ///< what the fields say, and the file
  std::string threads, jobs;
  unsigned jobs_at_a_time = 1;
  RunOptions run;
  std::string lengths;  ///< of messages, to rank for
  std::string format;   ///< to export
  std::string part;     ///< of a torus, to export
  std::string scope;    ///< of a fabric in the user's testbench
  std::string output, trace, trace_nodes, trace_rounds, trace_cycles;
  std::string junit;
  std::string report;                 ///< page to write
  std::vector<std::string> pictures;  ///< "fabric=FILE.svg"
  std::vector<std::string> cases;
  std::string loads;  ///< file for the loads of the links
  bool json = false;
  bool list = false;  ///< the cases of a suite
  bool no_check = false;
  bool orbits = false;
  bool combining = false;  ///< what is imported may combine messages
  bool one_cycle = false, in_order = false, tight = false;  ///< kind of nodes to export images for
};

struct Verb {
  std::string_view name;
  const char *help, *examples;
  void (*options)(CLI::App&, Ask&);  ///< adds them, with their defaults
  int (*run)(const Ask&, Runner&);
  const char* needs = nullptr;  ///< a file, which is called so
};
std::span<const Verb> verbs();
std::vector<std::string_view> verb_names();
/// Adds all verbs with their options and examples.
void add_verbs(CLI::App& app, Ask& ask);

/// Reads the texts of what is given into values. Throws InputError "--flits: ..." for a bad one.
void read_values(Ask& ask);
/// Sets those fields of the case that are given. Throws as read_values().
void set_fields(const Ask& ask, Case& c);

/// Throws InputError if the name has another extension.
void require_extension(const std::string& option, const std::string& file,
                       std::string_view extension);
/// Throws InputError if the file's name does not match the engine's waveform format.
void check_trace_file(const Ask& ask, const std::string& engine);

/// The verbs. All return the exit status and throw InputError.
int list(const Ask& ask, Runner& runner);
int bug(const Ask& ask, Runner& runner);
int rtl_files(const Ask& ask, Runner& runner);
std::string_view rtl_formats();
/// "gossamer 1.0.0 with RTL 1.0.0", the latter from gossamer.core beside the RTL.
std::string versions(const Runner& runner);
int plan(const Ask& ask, Runner& runner);
int check_file(const Ask& ask, Runner& runner);
int run(const Ask& ask, Runner& runner);
int rank(const Ask& ask, Runner& runner);
int suite(const Ask& ask, Runner& runner);
/// Is the file a job, and not a schedule?
inline bool is_job(const Ask& ask) { return ask.file.ends_with(".toml"); }
/// Plans all of it, and runs it.
int job(const Ask& ask, Runner& runner, bool runs);
/// Reads it. Throws InputError for options that a job has no use for.
std::vector<JobProgram> job_of(const Ask& ask);
int export_schedule(const Ask& ask, Runner& runner);
int import_schedule(const Ask& ask, Runner& runner);
int compare(const Ask& ask, Runner& runner);
int report(const Ask& ask, Runner& runner);
/// A value of --format.
struct ExportFormat {
  std::string_view name, meaning;
};
std::vector<ExportFormat> export_formats();
/// Is -o a folder?
bool writes_folder(const Ask& o);
/// Shows the cases of a suite.
int list_cases(const std::vector<SuiteCase>& cases, bool json);

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

/// Until its end the thread hears no interruption: what is known is written.
class HearsNothing {
 private:
  std::atomic<int> nothing_{0};
  Hears heard_{&nothing_};
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

/// Prints a report as text, every number with its meaning.
void print_report(const Facts& facts, const Paint& paint);
/// Status of the command: 0 passed, 1 failed, 128 + signal interrupted.
int exit_status(const Facts& facts);
/// Prints the facts as the options ask, and whether `output` was written, unless it is empty;
/// returns the exit status.
int print(const Ask& ask, Facts facts, const std::string& output);

}  // namespace gossamer::cli
