// Every output of every verb: to names that a shell must quote, and where it cannot be written.
// Then the command says so in one line and ends with status 2, and nothing is there under the name,
// or beside it.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catch.hpp"
#include "command.hpp"
#include "support/words.hpp"

namespace outputs {
namespace {

namespace fs = std::filesystem;
using gossamer::shell_word;

const std::string kRing = " --topology ring:4 --ports single --flits 1 ";

struct Output {
  std::string call, option, name;
  bool prints_its_name = true;
};

std::vector<Output> all() {
  const std::string schedule = "tests/data/ring-4-both-ways.jsonl",
                    xml = "tests/data/ring-4-all-gather.xml", suite = "suite SUITE ";
  return {
      {"plan" + kRing, "-o ", "x.jsonl"},
      {"plan" + kRing, "--loads ", "x.csv", false},
      {"check " + schedule, "--loads ", "x.csv", false},
      {"run" + kRing, "--loads ", "x.csv", false},
      {"run" + kRing, "--report ", "x.html"},
      {"run" + kRing, "--trace ", "x.fst"},
      {"report" + kRing, "-o ", "x.html"},
      {"report" + kRing, "--svg space-time=", "x.svg"},
      {"import --topology ring:4 " + xml, "-o ", "x.jsonl"},
      {"export --format goal" + kRing, "-o ", "x.goal"},
      {"export --format msccl-xml" + kRing, "-o ", "x.xml"},
      {"export --format axi" + kRing, "-o ", "x.txt"},
      {"export --format axi" + kRing, "-o ", "x.h"},
      {"export --format axi" + kRing, "-o ", "x.v"},
      {"export --format mem" + kRing, "-o ", "images"},
      {"export --format rtl" + kRing, "-o ", "new/design"},
      {"export --format gtkw --scope tb.i_fabric" + kRing, "-o ", "x.gtkw"},
      {suite, "--junit ", "x.xml", false},
      {suite, "--report ", "x.html"},
      {suite + "--case ring ", "--report ", "x.html"},
      {suite + "--case ring ", "--trace ", "x.fst"},
  };
}

/// Calls the command after `before`; what it prints goes through a pipe, so that no limit of files
/// counts for it.
Outcome call(const Output& output, const fs::path& folder, const std::string& before = "") {
  const Scratch scratch;
  const std::string suite = scratch.file(
      "suite.toml",
      "[[case]]\nname = \"ring\"\ntopology = \"ring:4\"\nports = \"single\"\nflits = 1\n");
  std::string arguments =
      output.call + " " + output.option + shell_word((folder / output.name).string());
  if (const std::size_t at = arguments.find("SUITE"); at != std::string::npos) {
    arguments.replace(at, 5, shell_word(suite));
  }
  const std::string out = scratch.path("out"), err = scratch.path("err");
  const std::string line = fmt::format(
      "{{ {{ ( {} exec {} {} ) 2>&3 3>&- | cat >{}; exit ${{PIPESTATUS[0]}}; }} 3>&1 | cat >{}; }} "
      "</dev/null; exit ${{PIPESTATUS[0]}}",
      before, GOSSAMER_COMMAND, arguments, shell_word(out), shell_word(err));
  const int status = std::system(("exec bash -c " + shell_word(line)).c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(out), content_of(err)};
}

void check_refused(const Output& output, const Outcome& outcome, const std::string& reason) {
  CAPTURE(output.call, output.option, outcome.out, outcome.err);
  CHECK(outcome.status == 2);
  CHECK(outcome.error_lines() == 1);
  CHECK(outcome.err.find(": cannot ") != std::string::npos);
  CHECK(outcome.err.find(reason) != std::string::npos);
  CHECK(outcome.err.find(".tmp") == std::string::npos);
}

void check_nothing_in(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) FAIL_CHECK(entry.path());
}

/// The status of a shell's line, in which GOSSAMER is the command.
int status_of(std::string line) {
  const std::string word = "GOSSAMER";
  for (std::size_t at; (at = line.find(word)) != std::string::npos;) {
    line.replace(at, word.size(), GOSSAMER_COMMAND);
  }
  const int status = std::system(("exec bash -c " + shell_word(line)).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("outputs go to any name, and what is printed of them can be pasted into a shell") {
  const Scratch scratch;
  const fs::path folder = scratch.folder() / "it's \"a\" Größe $x";
  for (const Output& output : all()) {
    fs::create_directory(folder);
    const Outcome outcome = call(output, folder);
    CAPTURE(output.call, output.option, outcome.out, outcome.err);
    CHECK(outcome.status == 0);
    CHECK(fs::exists(folder / output.name));
    if (output.option == "--trace ") {
      const std::size_t at = outcome.out.find("waveform: ");
      REQUIRE(at != std::string::npos);
      CHECK(status_of("gtkwave() { [ $# -eq 2 ] && [ -s \"$1\" ] && [ -s \"$2\" ]; }; " +
                      outcome.out.substr(at + 10)) == 0);
    } else if (output.prints_its_name) {
      CHECK(outcome.out.find((folder / output.name).string()) != std::string::npos);
    }
    fs::remove_all(folder);
  }
}

TEST_CASE("outputs on a full disk") {
  const Scratch scratch;
  for (const Output& output : all()) {
    // Nothing fits, or not all: a limit of the length of files is to a program what a full disk is.
    for (const int kilobytes : {0, 1}) {
      const Outcome outcome =
          call(output, scratch.folder(), fmt::format("trap '' XFSZ; ulimit -f {};", kilobytes));
      if (kilobytes != 0 && outcome.status == 0) {  // it is that small
        for (const auto& entry : fs::directory_iterator(scratch.folder())) fs::remove_all(entry);
      } else {
        check_refused(output, outcome, "File too large");
      }
      check_nothing_in(scratch.folder());
    }
  }
}

TEST_CASE("an output that fails takes no other with it") {
  const Scratch scratch;
  const std::string junit = scratch.path("x.xml");
  const std::string full = "trap '' XFSZ; ulimit -f 4;";  // too little for a page alone
  for (const std::string& verb : {"suite SUITE --junit " + shell_word(junit), "run" + kRing}) {
    const Outcome outcome = call({verb + " --json", "--report ", "x.html"}, scratch.folder(), full);
    CAPTURE(verb, outcome.out);
    CHECK(outcome.status == 2);
    CHECK(outcome.err ==
          "gossamer: " + scratch.path("x.html") + ": cannot write: File too large\n");
    CHECK(nlohmann::json::parse(outcome.out)["verdict"] == "pass");
    CHECK(fs::remove(junit) == verb.starts_with("suite"));
    check_nothing_in(scratch.folder());
  }
  const std::string suite = "suite tests/regression.toml --case 'ring-4-*' --junit " + junit;
  for (const std::string option : {"", " --json"}) {
    CHECK(run_gossamer(suite + option, "", "/dev/full").status == 2);
    CHECK(content_of(junit).ends_with("</testsuite>\n"));
    CHECK(fs::remove(junit));
  }
}

TEST_CASE("a waveform on a full disk") {
  const Scratch scratch;
  for (const std::string engine : {"tile", "systemc"}) {
    const std::string file = engine == "tile" ? "d/w.fst" : "d/w.vcd";
    for (const std::string size : {"800k", "100k", "16k"}) {
      const std::string line = fmt::format(
          "mount -t tmpfs -o size={} tmpfs d || exit 77; \"$0\" run --topology torus:4x4 --flits "
          "512 --engine {} --trace {} >out 2>err; "
          "status=$?; ls d >left; exit $status",
          size, engine, file);
      const int status =
          status_of("cd " + shell_word(scratch.path("")) +
                    " && mkdir -p d && unshare -rm bash -c " + shell_word(line) + " GOSSAMER");
      const Outcome outcome{status, content_of(scratch.path("out")),
                            content_of(scratch.path("err"))};
      CAPTURE(engine, size, outcome.out, outcome.err);
      if (status == 77 || outcome.err.find("SystemC") != std::string::npos ||
          (status == 1 && outcome.err.empty())) {
        WARN("not tested: no file system of " + size +
             " can be mounted here, or there is no engine " + engine);
        continue;
      }
      CHECK(outcome.status == 2);
      CHECK(outcome.err == "gossamer: " + file + ": cannot write: No space left on device\n");
      CHECK(content_of(scratch.path("left")).empty());
    }
  }
}

TEST_CASE("outputs in a folder that cannot be written") {
  const Scratch scratch;
  fs::path folder = scratch.folder() / "read-only";
  fs::create_directory(folder);
  fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
  if (geteuid() == 0) folder = "/proc";  // root may write everywhere else
  for (const Output& output : all()) check_refused(output, call(output, folder), folder.string());
  fs::permissions(scratch.folder() / "read-only", fs::perms::owner_all);
}

TEST_CASE("a pipe that nobody reads ends the command as it ends others") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  close(ends[0]);
  for (const std::string call :
       {"plan --topology ring:4", "list", "check tests/data/ring-4-both-ways.jsonl"}) {
    CAPTURE(call);
    const std::string to = fmt::format(" >&{}", ends[1]);
    CHECK(status_of("trap - PIPE; GOSSAMER " + call + to) == 128 + SIGPIPE);
    CHECK(status_of("trap '' PIPE; GOSSAMER " + call + to + " 2>/dev/null") == 2);
  }
  close(ends[1]);
}

}  // namespace outputs
