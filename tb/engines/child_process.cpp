#include "engines/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "support/error.hpp"
#include "support/job.hpp"

namespace gossamer::tb {
namespace {

using Clock = std::chrono::steady_clock;

/// If a make runs us, its settings must not reach our own calls of make.
constexpr const char* kAlone = "unset MAKEFLAGS MFLAGS MAKELEVEL; ";
/// Time between two checks for an interruption.
constexpr int kMilliseconds = 25;
/// A process that has not ended this long after SIGTERM is killed.
constexpr std::chrono::milliseconds kGrace{400};

/// Runs between fork and exec: nothing here may allocate or lock.
[[noreturn]] void become(const char* command, int output, int kept, pid_t parent) {
  setpgid(0, 0);
  for (const int number : {SIGINT, SIGTERM, SIGXFSZ}) signal(number, SIG_DFL);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);  // the parent was killed before this line
#else
  static_cast<void>(parent);
#endif
  const int input = open("/dev/null", O_RDONLY);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  if (kept >= 0) fcntl(kept, F_SETFD, 0);
  execl("/bin/sh", "sh", "-c", command, static_cast<char*>(nullptr));
  _exit(127);
}

/// Ends a process group; the caller still waits for its leader.
void end(pid_t group) {
  kill(-group, SIGTERM);
  const auto begin = Clock::now();
  siginfo_t info;
  do {
    info.si_pid = 0;
    waitid(P_PID, static_cast<id_t>(group), &info, WEXITED | WNOHANG | WNOWAIT);
    poll(nullptr, 0, kMilliseconds / 5);
  } while (info.si_pid == 0 && Clock::now() - begin < kGrace);
  kill(-group, SIGKILL);  // those that ignored SIGTERM, and what the leader left behind
}

}  // namespace

Outcome run_in_shell(const std::string& command, int kept,
                     const std::function<void(std::string_view)>& printed) {
  stop_if_interrupted();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw InputError(std::string("no pipe: ") + std::strerror(errno));
  const pid_t self = getpid();
  const std::string script = std::string(kAlone) + command;
  const pid_t child = fork();
  if (child == 0) become(script.c_str(), ends[1], kept, self);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    throw InputError(std::string("no process can be started: ") + std::strerror(errno));
  }
  setpgid(child, child);  // by parent or child, whichever comes first

  Outcome outcome;
  std::array<char, 4096> buffer;
  pollfd ready{ends[0], POLLIN, 0};
  while (ready.fd >= 0 && !interrupted()) {
    if (poll(&ready, 1, kMilliseconds) <= 0) continue;
    const ssize_t size = read(ends[0], buffer.data(), buffer.size());
    if (size == 0 || (size < 0 && errno != EINTR && errno != EAGAIN)) ready.fd = -1;
    if (size <= 0) continue;
    outcome.output.append(buffer.data(), static_cast<std::size_t>(size));
    if (printed) printed({buffer.data(), static_cast<std::size_t>(size)});
  }
  close(ends[0]);
  // A command that prints into a file closes the pipe long before it ends.
  int status = 0;
  while (waitpid(child, &status, WNOHANG) != child) {
    if (interrupted()) end(child);
    poll(nullptr, 0, kMilliseconds / 5);
  }
  stop_if_interrupted();
  outcome.succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return outcome;
}

}  // namespace gossamer::tb
