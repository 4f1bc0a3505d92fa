#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"
#include "driver/suite.hpp"
#include "run/runner.hpp"

namespace gossamer::cli {

/// The verbs. All return the exit status and throw InputError.
int list(const Options& options);
int plan(const Options& options);
int check_file(const Options& options);
int run(const Options& options, Runner& runner);
int export_schedule(const Options& options);
int import_schedule(const Options& options);
int compare(const Options& options);
int rank(const Options& options);
int report(const Options& options);
int suite(const Options& options, Runner& runner);
/// A value of --format.
struct ExportFormat {
  std::string_view name, meaning;
};
std::vector<ExportFormat> export_formats();
/// Is -o a folder?
bool writes_folder(std::string_view format);
/// Shows the cases of a suite, and the number of schedules that must be refused.
int list_cases(const std::vector<SuiteCase>& cases, std::size_t refused, bool json);

}  // namespace gossamer::cli
