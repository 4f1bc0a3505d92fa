#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "cli/command.hpp"
#include "runner/fabric_runner.hpp"
#include "support/memory.hpp"

// The `gossamer` command: the software's verbs on the testbench's engines.
int main(int argc, char** argv) {
  // Of the standard streams that the caller has closed, writes fail from now on, and no file that
  // is opened later is mistaken for one of them. A write that would make a file larger than `ulimit
  // -f` allows fails, as on a full disk. With `ulimit -v` threads share the heap.
  signal(SIGXFSZ, SIG_IGN);
  gossamer::share_heap_if_limited();
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) == -1) open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
  const auto ranks = gossamer::tb::mpi_ranks(argc, argv);
  gossamer::tb::FabricRunner runner(ranks.get());
  const int status = gossamer::run_command(argc, argv, runner);
  runner.leave(status);
  return status;
}
