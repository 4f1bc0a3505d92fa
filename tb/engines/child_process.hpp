#pragma once

#include <string>

namespace gossamer::tb {

/// How a shell command ended, and what it printed on its standard output.
struct Outcome {
  bool succeeded = false;
  std::string output;
};

/// Runs a shell command in its own process group, without input. Ctrl-C or SIGTERM
/// (support/interrupt.hpp) ends the whole group within half a second and throws Interrupted. If
/// this program is killed, the command gets SIGTERM too. The command inherits only the open file
/// `kept`, none if it is -1. May be called by several threads.
Outcome run_in_shell(const std::string& command, int kept = -1);

}  // namespace gossamer::tb
