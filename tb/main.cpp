#include "cli/command.hpp"
#include "fabric_runner.hpp"

// The `gossamer` command: the software's verbs on the testbench's engines.
int main(int argc, char** argv) {
  gossamer::tb::FabricRunner runner;
  return gossamer::run_command(argc, argv, runner);
}
