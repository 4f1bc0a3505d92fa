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
#include "support/shell.hpp"

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

TEST_CASE("what cannot become an output is said before anything is planned") {
  const Scratch scratch;
  fs::create_directory(scratch.path("x.html"));
  const std::string here = "cd " + shell_word(scratch.folder().string()) + " && ",
                    never = "run --topology torus:1200x1200x1200 ";
  for (const std::string option :
       {"--report x.html", "--loads no/x.csv", "--loads x.html", "--trace x.html/none/x.fst"}) {
    const Outcome outcome = run_gossamer(never + option, here + "ulimit -v 20000000; ");
    CAPTURE(option, outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.error_lines() == 1);
    CHECK((outcome.err.find("Is a directory") != std::string::npos ||
           outcome.err.find("there is no folder") != std::string::npos));
  }
}

TEST_CASE("no output is an input or another output, too") {
  const Scratch scratch;
  const std::string schedule = content_of("tests/data/ring-4-both-ways.jsonl"),
                    xml = content_of("tests/data/ring-4-all-gather.xml"),
                    suite = "[[case]]\nname = \"a\"\ntopology = \"ring:4\"\n",
                    edges = R"({"n":2,"edges":[[0,1]]})",
                    named =
                        "[[case]]\nname = \"a\"\nfile = \"e.jsonl\"\n"
                        "[[case]]\nname = \"b\"\ntopology = \"ring:4\"\n"
                        "members = \"@m.txt\"\n"
                        "[[case]]\nname = \"c\"\ntopology = \"ring:4\"\nsizes = \"z.csv\"\n";
  scratch.file("s.jsonl", schedule);
  scratch.file("i.xml", xml);
  scratch.file("s.toml", suite);
  scratch.file("g.json", edges);
  scratch.file("n.toml", named);
  scratch.file("m.txt", "0,1");
  scratch.file("z.csv", "0,2\n1,2\n2,2\n3,2\n");
  const std::string on_edges =
      R"({"gossamer":1,"topology":"edges:g.json","collective":"gossip","model":)"
      R"({"ports":"single","duplex":"full","switching":"packet","combining":false}})"
      "\n{\"r\":1,\"path\":[0,1],\"msgs\":[0]}\n{\"r\":1,\"path\":[1,0],\"msgs\":[1]}\n";
  scratch.file("e.jsonl", on_edges);
  scratch.file("r.toml", suite + "[[refused]]\nname = \"r\"\nbecause = \"x\"\nschedule = '''\n" +
                             on_edges + "'''\n");
  fs::create_symlink("s.jsonl", scratch.path("link"));
  const std::string here = "cd " + shell_word(scratch.folder().string()) + " && ";
  for (const std::string call : {"report s.jsonl --svg fabric=x.svg --svg space-time=./x.svg",
                                 "plan --topology ring:4 -o a --loads a",
                                 "run s.jsonl --trace w.fst --loads w.fst",
                                 "run s.jsonl --trace w.fst --loads w.gtkw",
                                 "suite s.toml --junit x.html --report x.html",
                                 "suite s.toml --junit s.toml",
                                 "run s.jsonl --loads s.jsonl",
                                 "check s.jsonl --loads link",
                                 "check link --loads s.jsonl",
                                 "export s.jsonl --format goal -o ../$(basename $PWD)/s.jsonl",
                                 "import i.xml --topology ring:4 -o i.xml",
                                 "plan --topology edges:g.json -o g.json",
                                 "plan --topology ring:4 --members @g.json -o g.json",
                                 "plan --topology product:edges:g.json,ring:3 --loads g.json",
                                 "check e.jsonl --loads g.json",
                                 "export e.jsonl --format goal -o g.json",
                                 "suite n.toml --junit e.jsonl",
                                 "suite n.toml --junit g.json",
                                 "suite n.toml --junit m.txt",
                                 "suite n.toml --junit z.csv",
                                 "suite r.toml --junit g.json"}) {
    const Outcome outcome = run_gossamer(call, here);
    CAPTURE(call, outcome.out, outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.error_lines() == 1);
    CHECK(outcome.err.starts_with("gossamer: -"));
    CHECK(outcome.err.find("is an input or another output, too") != std::string::npos);
  }
  CHECK(content_of(scratch.path("s.jsonl")) == schedule);
  CHECK(content_of(scratch.path("i.xml")) == xml);
  CHECK(content_of(scratch.path("s.toml")) == suite);
  CHECK(content_of(scratch.path("g.json")) == edges);
  CHECK(content_of(scratch.path("n.toml")) == named);
  CHECK(content_of(scratch.path("m.txt")) == "0,1");
  CHECK(content_of(scratch.path("z.csv")).starts_with("0,2\n"));
  CHECK(content_of(scratch.path("e.jsonl")) == on_edges);
  CHECK(scratch.files() == 10);
  CHECK(run_gossamer("plan --topology ring:4 -o /dev/null --loads /dev/null", here).status == 0);
}

TEST_CASE("an output may be a stream under any name, before what is printed") {
  const Scratch scratch;
  fs::create_symlink("/proc/self/fd/1", scratch.path("printed"));
  const std::string out = scratch.file("out", "");
  const Outcome outcome =
      run_gossamer("plan --topology ring:4 -o " + shell_word(scratch.path("printed")), "", out);
  CHECK(outcome.status == 0);
  CHECK(fs::is_symlink(scratch.path("printed")));
  CHECK(content_of(out).starts_with("{\"gossamer\":1,"));
  CHECK(content_of(out).find("}\ngossip ") != std::string::npos);
  CHECK(content_of(out).ends_with("printed\n"));
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

TEST_CASE("standard streams that are closed or full") {
  const std::string good = "GOSSAMER plan --topology ring:4",
                    bad = "GOSSAMER plan --topology tours:4";
  for (const std::string streams :
       {">&- 2>&-", ">&- 2>/dev/full", ">/dev/full 2>&-", ">/dev/full 2>/dev/full"}) {
    CAPTURE(streams);
    CHECK(status_of(good + " " + streams) == 2);
    CHECK(status_of(bad + " " + streams) == 2);
    CHECK(status_of("GOSSAMER --help " + streams) == 2);
  }
  for (const std::string streams : {"2>&-", "2>/dev/full", "<&- 2>&-"}) {
    CAPTURE(streams);
    CHECK(status_of(good + " >/dev/null " + streams) == 0);
    CHECK(status_of(bad + " >/dev/null " + streams) == 2);
  }
  // A file that is opened later does not become standard error.
  const Scratch scratch;
  const std::string file = scratch.path("x.jsonl");
  CHECK(status_of(good + " -o " + shell_word(file) + " >&- 2>&-") == 2);
  CHECK(content_of(file).find("gossamer: ") == std::string::npos);
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
