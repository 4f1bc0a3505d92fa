#pragma once

#include "run/runner.hpp"

namespace gossamer {

/// What must be done before anything else. Of the standard streams that the caller has closed,
/// writes fail from now on, and no file that is opened later is mistaken for one of them. A write
/// that would make a file larger than `ulimit -f` allows fails, as on a full disk. With `ulimit -v`
/// threads share the heap.
void prepare_process();

/// The `gossamer` command: reads the arguments, runs the verb, and returns the exit status: 0 if
/// everything is as predicted, 1 if a check failed, 2 if the input was bad, with one line on
/// stderr. Schedules run on `runner`.
int run_command(int argc, char** argv, Runner& runner);

}  // namespace gossamer
