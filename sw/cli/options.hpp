#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/case_fields.hpp"
#include "run/runner.hpp"

namespace CLI {
class App;
}

namespace gossamer::cli {

/// The options as given: text, which the functions below convert, with error messages of our own.
/// Empty: not given.
struct Options {
  std::string program;  ///< how this command was called, for commands that it prints
  std::string command;  ///< all of the call, as a shell takes it back
  std::string file;
  std::vector<std::string> files;                  ///< to compare
  std::vector<std::string> also;                   ///< that exported nodes must hold, too
  std::map<std::string_view, std::string> fields;  ///< of the case, by name
  std::string threads;
  std::string lengths;            ///< of messages, to rank for
  std::string format;             ///< to export
  std::string part;               ///< of a torus, to export
  std::string scope;              ///< of a fabric in the user's testbench
  std::string output, trace, trace_nodes, trace_rounds, trace_cycles;
  std::string jobs, junit;
  std::string report;                 ///< page to write
  std::vector<std::string> pictures;  ///< "fabric=FILE.svg"
  std::vector<std::string> cases;
  std::string loads;  ///< file for the loads of the links
  bool json = false;
  bool list = false;  ///< the cases of a suite
  bool no_check = false;
  bool orbits = false;
  bool combining = false;                    ///< what is imported may combine messages
  bool one_cycle = false, in_order = false;  ///< kind of nodes to export images for
};

/// The option of a field of the case; without a help of the verb's own, with the field's.
void add_field(CLI::App& verb, Options& options, std::string_view name,
               const std::string& help = {});
/// Options with the same meaning in several verbs.
void add_schedule_options(CLI::App& verb, Options& options);
void add_engine_options(CLI::App& verb, Options& options);
void add_trace_options(CLI::App& verb, Options& options);

/// The case that the options describe. Throws InputError "--flits: ..." for a bad value.
Case case_of(const Options& options);

/// Throws InputError if the name has another extension.
void require_extension(const std::string& option, const std::string& file,
                       std::string_view extension);

/// Sets those fields of the case that are given. Throws as case_of().
void set_fields(const Options& options, Case& c);

/// Throws InputError if the file's name does not match the engine's waveform format.
void check_trace_file(const Options& options, const std::string& engine);

/// How the case runs; checks the waveform's nodes and rounds against the schedule.
/// Null: the schedule cannot be timed.
RunOptions run_options_of(const Options& options, const Case& c, const Schedule& schedule,
                          const ScheduleTiming* timed);
/// The same for a suite, whose cases have their own flits, engine and seed.
RunOptions suite_options_of(const Options& options);

/// Threads to run cases on.
unsigned jobs_of(const Options& options);

}  // namespace gossamer::cli
