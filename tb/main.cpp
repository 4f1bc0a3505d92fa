#include "cli/command.hpp"
#include "runner/fabric_runner.hpp"
#include "runner/mpi_ranks.hpp"

// The `gossamer` command: the software's verbs on the testbench's engines.
int main(int argc, char** argv) {
  gossamer::prepare_process();
  const auto ranks = gossamer::tb::mpi_ranks(argc, argv);
  gossamer::tb::FabricRunner runner(ranks.get());
  const int status = gossamer::run_command(argc, argv, runner);
  runner.leave(status);
  return status;
}
