#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace gossamer::tb {

/// How a shell command ended, and what it printed on its standard output.
struct Outcome {
  bool succeeded = false;
  std::string output;
};

/// Runs a shell command in its own process group, without input. Ctrl-C or SIGTERM
/// (support/job.hpp) ends the whole group within half a second and throws Interrupted. If
/// this program is killed, the command gets SIGTERM too. The command inherits only the open file
/// `kept`, none if it is -1. May be called by several threads. `printed` receives what it prints
/// when it does.
Outcome run_in_shell(const std::string& command, int kept = -1,
                     const std::function<void(std::string_view)>& printed = {});

}  // namespace gossamer::tb
