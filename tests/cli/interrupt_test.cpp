// Long runs: what they show on a terminal, and what they report after Ctrl-C.
#include <fmt/format.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "catch.hpp"
#include "command.hpp"

namespace {

using Json = nlohmann::json;

/// Some ten seconds of simulation, every link busy.
const std::string kLongRun =
    "run --topology ring:1500 --algorithm ring --duplex half --flits 64 --no-symmetric";

/// A command on its own terminal; its standard output goes to a file.
class OnTerminal {
 public:
  OnTerminal(const std::string& arguments, const std::string& out) {
    const std::string call = fmt::format("exec '{}' {} >'{}'", GOSSAMER_COMMAND, arguments, out);
    const winsize wide{.ws_row = 24, .ws_col = 160, .ws_xpixel = 0, .ws_ypixel = 0};
    pid_ = forkpty(&terminal_, nullptr, nullptr, &wide);
    if (pid_ != 0) return;
    execl("/bin/sh", "sh", "-c", call.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  ~OnTerminal() { close(terminal_); }

  /// False if the machine has no pseudo-terminals, as in a bare chroot.
  bool started() const { return pid_ > 0; }

  /// Reads until `text` was shown; false if the command ends before, or after half a minute.
  bool shows(const std::string& text) {
    std::array<char, 4096> buffer;
    while (shown_.find(text) == std::string::npos) {
      pollfd ready{terminal_, POLLIN, 0};
      if (poll(&ready, 1, 30'000) <= 0) return false;
      const ssize_t size = read(terminal_, buffer.data(), buffer.size());
      if (size <= 0) return false;
      shown_.append(buffer.data(), static_cast<std::size_t>(size));
    }
    return true;
  }
  /// The key that makes the terminal send SIGINT.
  void press_control_c() const { REQUIRE(write(terminal_, "\x03", 1) == 1); }
  int exit_status() const {
    int status = 0;
    waitpid(pid_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  const std::string& shown() const { return shown_; }

 private:
  int terminal_ = -1;
  pid_t pid_ = -1;
  std::string shown_;
};

}  // namespace

namespace {

/// Presses Ctrl-C when `shown` is there; what was printed. Nothing where there are no terminals.
std::optional<std::string> pressed(const std::string& arguments,
                                   const std::vector<std::string>& shown, int status) {
  const Scratch scratch;
  OnTerminal command(arguments, scratch.path("out"));
  if (!command.started()) {
    WARN("not tested: no pseudo-terminal can be opened here (/dev/pts)");
    return {};
  }
  for (const std::string& text : shown) {
    const bool there = command.shows(text);
    CAPTURE(arguments, command.shown());
    REQUIRE(there);
  }
  command.press_control_c();
  CAPTURE(arguments);
  CHECK(command.exit_status() == status);
  return content_of(scratch.path("out"));
}

}  // namespace

TEST_CASE("a long run shows its progress on a terminal, and Ctrl-C ends it with what is known") {
  const auto out =
      pressed(kLongRun + " --json", {"million node-cycles/s", "cycles [", " left, "}, 130);
  if (!out) return;
  const Json json = Json::parse(*out);
  CHECK(json["verdict"] == "interrupted");
  CHECK(json["interrupted_in"] == "running");
  CHECK(json["cycles_measured"].is_null());
  CHECK(json["delivered"].is_null());
  CHECK(json["cycles_simulated"] < json["cycles_predicted"]);
  CHECK(json["rounds_done"] < json["rounds"]);
  for (const char* key : {"cycles_simulated", "rounds_done", "flits_moved", "words_checked"}) {
    CHECK(json[key].get<std::uint64_t>() > 0);
  }
  CHECK(json["errors"] == 0);
}

TEST_CASE("Every long step is shown on a terminal, and Ctrl-C ends it") {
  const auto [call, shown] = GENERATE(table<std::string, std::string>({
      {"plan --topology torus:150x150x150", "planning"},
      {"plan --topology torus:20x20x20 --algorithm hamiltonian", "checking the schedule"},
      // Nothing is shown in the first second, so that a step must come later, or take longer, on
      // fast machines, too.
      {"run --topology torus:20x20x20 --algorithm hamiltonian --flits 1", "compiling the tables"},
  }));
  if (const auto out = pressed(call, {shown}, 130))
    CHECK(*out == "INTERRUPTED while " + shown + "\n");
}

TEST_CASE("Ctrl-C ends a search with the best schedule that it has found, and that is reported") {
  const auto collective = GENERATE(values<std::string>({"gossip", "broadcast", "total-exchange"}));
  // None of them reaches its bound, so that each would go on for ten minutes.
  const std::string graph = collective == "broadcast" ? "torus:15x15" : "mesh:4x4 --duplex half";
  const Scratch scratch;
  const std::string file = scratch.path("found.jsonl");
  const auto out = pressed("plan --algorithm any-graph --ports single --collective " + collective +
                               " --topology " + graph + " --seconds 600 --json -o '" + file + "'",
                           {"planning"}, 0);
  if (!out) return;
  const Json json = Json::parse(*out);
  CHECK(json["verdict"] == "pass");
  CHECK(json["rounds"] > json["rounds_bound"]);
  CHECK(run_gossamer("check '" + file + "'").status == 0);
}
