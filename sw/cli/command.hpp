#pragma once

#include "driver/runner.hpp"

namespace gossamer {

/// The `gossamer` command: reads the arguments, runs the verb, and returns the exit status: 0 if
/// everything is as predicted, 1 if a check failed, 2 if the input was bad, with one line on
/// stderr. Schedules run on `runner`.
int run_command(int argc, char** argv, Runner& runner);

}  // namespace gossamer
