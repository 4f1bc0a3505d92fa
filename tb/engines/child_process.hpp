#pragma once

#include <string>

namespace gossamer::tb {

/// How a command of the shell ended, and what it printed on its standard output.
struct Outcome {
  bool succeeded = false;
  std::string output;
};

/// Runs a command of the shell in a process group of its own, without input. Ctrl-C or SIGTERM
/// (support/interrupt.hpp) ends the whole group within half a second, and Interrupted is thrown. If
/// this program is killed, the command is asked to end, too. Of what this program has open the command
/// inherits `kept` alone, if that is not -1. May be called by several threads.
Outcome run_in_shell(const std::string& command, int kept = -1);

}  // namespace gossamer::tb
