#pragma once

#include <string>

#include "cli/options.hpp"
#include "driver/runner.hpp"

namespace gossamer::cli {

/// What each verb does; all return the exit status and throw InputError.
int list(const Options& options);
int plan(const Options& options);
int check_file(const Options& options);
int run(const Options& options, Runner& runner);
int export_schedule(const Options& options);
int suite(const Options& options, Runner& runner);

}  // namespace gossamer::cli
