// Long runs: what they show on a terminal, and what they report after Ctrl-C.
#include <fmt/format.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "catch.hpp"
#include "command.hpp"

namespace {

using Json = nlohmann::json;

/// Some ten seconds of simulation, every link busy.
const std::string kLongRun =
    "run --topology ring:1500 --algorithm ring --duplex half --flits 64 --no-symmetric";

/// Calls the command after the shell commands in `before`, and sends it a signal after half a
/// second.
Outcome gossamer_interrupted(const std::string& arguments, const std::string& signal,
                             const std::string& before = "") {
  const Scratch scratch;
  const std::string out = scratch.path("out"), err = scratch.path("err");
  const std::string call = fmt::format(
      "{}'{}' {} >'{}' 2>'{}' </dev/null & "
      "sleep 0.5; kill -{} $!; wait $!",
      before, GOSSAMER_COMMAND, arguments, out, err, signal);
  const int status = std::system(call.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(out), content_of(err)};
}

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

TEST_CASE("a long run shows its progress on a terminal, and Ctrl-C ends it with what is known") {
  const Scratch scratch;
  OnTerminal command(kLongRun + " --json", scratch.path("out"));
  if (!command.started()) {
    WARN("not tested: no pseudo-terminal can be opened here (/dev/pts)");
    return;
  }
  const bool shown = command.shows("million node-cycles/s");
  CAPTURE(command.shown());
  REQUIRE(shown);
  CHECK(command.shown().find("cycles [") != std::string::npos);
  CHECK(command.shown().find(" left, ") != std::string::npos);
  command.press_control_c();
  CHECK(command.exit_status() == 130);
  const Json json = Json::parse(content_of(scratch.path("out")));
  CHECK(json["verdict"] == "interrupted");
  CHECK(json["interrupted_in"] == "running");
  CHECK(json["cycles_measured"].is_null());
  CHECK(json["delivered"].is_null());
  CHECK(json["cycles_simulated"].get<std::uint64_t>() > 0);
  CHECK(json["cycles_simulated"] < json["cycles_predicted"]);
  CHECK(json["rounds_done"].get<std::uint64_t>() > 0);
  CHECK(json["rounds_done"] < json["rounds"]);
  CHECK(json["flits_moved"].get<std::uint64_t>() > 0);
  CHECK(json["words_checked"].get<std::uint64_t>() > 0);
  CHECK(json["errors"] == 0);
}

TEST_CASE("Every long step is shown on a terminal, and Ctrl-C ends it") {
  struct Step {
    std::string call, shown;
  };
  const auto step = GENERATE(values<Step>({
      {"plan --topology torus:150x150x150", "planning"},
      {"plan --topology torus:20x20x20 --algorithm hamiltonian", "checking the schedule"},
      // Nothing is shown in the first second, so that a step must come later, or take longer, on
      // fast machines, too.
      {"run --topology torus:20x20x20 --algorithm hamiltonian --flits 1", "compiling the tables"},
  }));
  const Scratch scratch;
  OnTerminal command(step.call, scratch.path("out"));
  if (!command.started()) {
    WARN("not tested: no pseudo-terminal can be opened here (/dev/pts)");
    return;
  }
  const bool shown = command.shows(step.shown);
  CAPTURE(step.call, command.shown());
  REQUIRE(shown);
  command.press_control_c();
  CHECK(command.exit_status() == 130);
  CHECK(content_of(scratch.path("out")) == "INTERRUPTED while " + step.shown + "\n");
}

TEST_CASE("Ctrl-C ends a search with the best schedule that it has found, and that is reported") {
  const auto collective = GENERATE(values<std::string>({"gossip", "broadcast", "total-exchange"}));
  // None of them reaches its bound, so that each would go on for ten minutes.
  const std::string graph = collective == "broadcast" ? "torus:15x15" : "mesh:4x4 --duplex half";
  const Scratch scratch;
  const std::string file = scratch.path("found.jsonl");
  OnTerminal command("plan --algorithm any-graph --ports single --collective " + collective +
                         " --topology " + graph + " --seconds 600 --json -o '" + file + "'",
                     scratch.path("out"));
  if (!command.started()) {
    WARN("not tested: no pseudo-terminal can be opened here (/dev/pts)");
    return;
  }
  const bool shown = command.shows("planning");
  CAPTURE(collective, command.shown());
  REQUIRE(shown);
  command.press_control_c();
  CHECK(command.exit_status() == 0);
  const Json json = Json::parse(content_of(scratch.path("out")));
  CHECK(json["verdict"] == "pass");
  CHECK(json["rounds"] > json["rounds_bound"]);
  CHECK(run_gossamer("check '" + file + "'").status == 0);
}

TEST_CASE("What would not fit is refused before it is planned") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return;  // they need more than any limit
#endif
  for (const std::string algorithm : {"translation", "hamiltonian", "product"}) {
    const Outcome outcome = run_gossamer(
        "plan --topology torus:1200x1200x1200 --algorithm " + algorithm, "ulimit -v 20000000; ");
    CAPTURE(algorithm, outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.error_lines() == 1);
    CHECK(outcome.err.find("of memory, and ") != std::string::npos);
  }
}

TEST_CASE("SIGTERM and a closed terminal end a run as Ctrl-C does") {
  const auto [signal, number] = GENERATE(
      table<std::string, int>({{"TERM", SIGTERM}, {"HUP", SIGHUP}, {"HUP $!; kill -HUP", SIGHUP}}));
  const Scratch scratch;
  const std::string page = scratch.path("x.html");
  const Outcome outcome = gossamer_interrupted(kLongRun + " --report " + page, signal);
  CAPTURE(signal, outcome.out);
  CHECK(outcome.status == 128 + number);
  CHECK(outcome.err.empty());
  CHECK(outcome.out.find("INTERRUPTED while ") != std::string::npos);
  CHECK(outcome.out.find("rerun") == std::string::npos);
  if (outcome.out.find("INTERRUPTED while running") != std::string::npos) {
    CHECK(outcome.out.ends_with("report: " + page + "\n"));
    CHECK(content_of(page).ends_with("</html>\n"));
  }
}

TEST_CASE("a program under nohup goes on when its terminal is closed") {
  const Outcome outcome = gossamer_interrupted(
      "plan --topology mesh:4x4 --ports single --duplex half --algorithm any-graph --seconds 0.8",
      "HUP", "trap '' HUP; ");
  CAPTURE(outcome.out, outcome.err);
  CHECK(outcome.status == 0);
}

TEST_CASE("planning that is interrupted leaves valid JSON") {
  const Outcome outcome = gossamer_interrupted(
      "plan --topology hypercube:20 --algorithm bertsekas --collective total-exchange --json",
      "INT");
  CHECK(outcome.status == 130);
  CHECK(outcome.err.empty());
  const Json json = Json::parse(outcome.out);
  CHECK(json["verdict"] == "interrupted");
  CHECK(json["interrupted_in"] == "planning");
  CHECK(json["topology"] == "hypercube:20");
}

TEST_CASE("a suite that is interrupted says how many cases it did not run") {
  const Scratch scratch;
  const std::string long_case =
      "topology = \"ring:1500\"\nalgorithm = \"ring\"\nduplex = \"half\"\nflits = 64\n"
      "symmetric = false\n";
  const std::string suite =
      scratch.file("suite.toml",
                   "[[case]]\nname = \"short\"\ntopology = \"ring:4\"\n"
                   "[[case]]\nname = \"long\"\n" +
                       long_case + "[[case]]\nname = \"later\"\n" + long_case);
  const Outcome text = gossamer_interrupted("suite --jobs 1 " + suite, "INT");
  CAPTURE(text.out);
  CHECK(text.status == 130);
  CHECK(text.out.find("INTERRUPTED: 1 passed, 0 failed, 2 not run") != std::string::npos);
  const std::string xml = scratch.path("x.xml"), page = scratch.path("x.html");
  const Outcome outcome = gossamer_interrupted(
      "suite --jobs 1 --json --junit " + xml + " --report " + page + " " + suite, "INT");
  CHECK(outcome.status == 130);
  CHECK(content_of(xml).find("skipped=\"2\"") != std::string::npos);
  CHECK(content_of(page).ends_with("</html>\n"));
  const Json json = Json::parse(outcome.out);
  CHECK(json["verdict"] == "interrupted");
  CHECK(json["cases"].size() == 1);
  CHECK(json["not_run"] == 2);
}
