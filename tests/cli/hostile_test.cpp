// Small inputs that demand very much: one line and exit status 2 (or 1 if a check reports what is
// wrong), within a gigabyte and a half; and outputs that cannot be written.
#include <fmt/format.h>

#include <string>

#include "catch.hpp"
#include "command.hpp"

namespace {

const std::string kModel =
    R"("model":{"ports":"all","duplex":"full","switching":"packet","combining":true})";

std::string header(const std::string& topology, const std::string& collective,
                   const std::string& more = "") {
  return fmt::format(R"({{"gossamer":1,"topology":"{}","collective":"{}",{}{}}})", topology,
                     collective, kModel, more) +
         "\n";
}

std::string nested(const std::string& before, const std::string& after) {
  return before + std::string(200'000, '[') + std::string(200'000, ']') + after + "\n";
}

void check_refused(const Outcome& outcome, const std::string& reason) {
  CAPTURE(outcome.err, outcome.out);
  CHECK(outcome.status == 2);
  CHECK(outcome.error_lines() == 1);
  CHECK(outcome.err.rfind("gossamer: ", 0) == 0);
  CHECK(outcome.err.find(reason) != std::string::npos);
}

/// The command with so little memory that anything too large would fail if it were tried. The
/// sanitizers of addresses and threads need more memory, so they run without this limit.
Outcome gossamer_small(const std::string& arguments) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return run_gossamer(arguments);
#else
  return run_gossamer(arguments, "ulimit -v 1500000; ");
#endif
}

}  // namespace

TEST_CASE("JSON nested 200,000 deep is refused everywhere") {
  const Scratch scratch;
  const std::string reason = "nested more than 64 deep";
  const std::string head = header("ring:4", "gossip");
  const std::string deep = GENERATE_COPY(
      nested("", ""), nested(R"({"gossamer":)", "}"), nested(R"({"gossamer":1,"topology":)", "}"),
      nested(R"({"gossamer":1,"topology":"ring:4","collective":"gossip","translations":)", "}"),
      head + nested(R"({"r":1,"path":)", R"(,"msgs":[0]})"),
      head + nested(R"({"r":1,"path":[0,1],"msgs":)", "}"));
  const std::string file = scratch.file("deep.jsonl", deep);
  check_refused(run_gossamer("check '" + file + "'"), reason);
  check_refused(run_gossamer("run --no-check '" + file + "'"), reason);
  check_refused(run_gossamer("plan --topology 'edges:" + file + "'"),
                deep.find('\n') + 1 == deep.size() ? reason : "no JSON");
}

TEST_CASE("two lines about millions of nodes are checked in little memory") {
  const Scratch scratch;
  const std::string pair = R"({"r":1,"path":[0,1],"msgs":[[0,1]]})",
                    own = R"({"r":1,"path":[0,1],"msgs":[0]})";
  const auto [text, says] = GENERATE_COPY(table<std::string, std::string>(
      {{header("torus:4096x4096", "total-exchange") + pair,
        "node 0 lacks messages [1-1000, ...,0] (16777215)"},
       {header("torus:4096x4096", "gossip") + own, "node 0 lacks messages 1-1000, ... (16777215)"},
       {header("ring:16777213", "gossip") + own, "node 0 lacks messages 1-1000, ... (16777212)"},
       {header("ring:16777213", "gossip") + R"({"r":1000000000,"path":[0,1],"msgs":"*"})",
        "node 0 lacks messages 1-1000, ... (1677721"},
       {header("torus:32768x65536", "gossip", R"(,"translations":[1,32768])") + own,
        "node 0 lacks messages "}}));
  const Outcome outcome = gossamer_small("check '" + scratch.file("large.jsonl", text) + "'");
  CAPTURE(text, outcome.out, outcome.err);
  CHECK(outcome.status == 1);
  CHECK(outcome.err.empty());
  CHECK(outcome.out.find(says) != std::string::npos);
}

TEST_CASE("what needs more memory than there is, is refused in one line") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return;  // no limit would make it too large
#endif
  const Scratch scratch;
  const std::string orbits = scratch.file(
      "orbits.jsonl", header("torus:32768x65536", "gossip", R"(,"translations":[1,32768])") +
                          R"({"r":1,"path":[0,1],"msgs":[0]})");
  const std::string large = scratch.file(
      "large.jsonl", header("torus:4096x4096", "gossip") + R"({"r":1,"path":[0,1],"msgs":[0]})");
  std::string links = "[0,1]";
  for (int x = 2; x < 20'000; ++x) links += fmt::format(",[0,{}]", x);
  const std::string star = scratch.file("star.json", "{\"n\":20000,\"edges\":[" + links + "]}");
  for (const std::string arguments :
       {"plan --topology hypercube:31", "plan --topology torus:46340x46340 --ports single",
        "plan --topology debruijn:25", "plan --topology butterfly:20",
        "plan --topology product:complete:11585,complete:11585"}) {
    CAPTURE(arguments);
    check_refused(gossamer_small(arguments), "needs");
  }
  check_refused(gossamer_small("check '" + orbits + "' --faults random:1"), "needs");
  check_refused(gossamer_small("run --no-check '" + large + "'"), "needs");
  check_refused(gossamer_small("plan --topology 'edges:" + star + "'"), "needs");
}

TEST_CASE("nodes of more ports than can be built are refused before anything is built") {
  const Scratch scratch;
  const std::string reason =
      "complete:80 has nodes of 79 ports; the hardware's nodes have at most 62 ports";
  const std::string fabric = "--topology complete:80";
  check_refused(run_gossamer("run " + fabric), reason);
  check_refused(run_gossamer("run --engine systemc " + fabric), reason);
  check_refused(run_gossamer("export --format mem -o '" + scratch.path("images") + "' " + fabric),
                reason);
  const std::string suite =
      scratch.file("wide.toml", "[[case]]\nname = \"wide\"\ntopology = \"complete:80\"\n");
  check_refused(run_gossamer("suite '" + suite + "'"), reason);
  CHECK(scratch.files() == 1);
  CHECK(run_gossamer("plan " + fabric).status == 0);
}

TEST_CASE(
    "a deleted working folder, no folder for temporary files, and no tools make one line at most") {
  const Scratch scratch;
  const std::string in = "cd '" + scratch.folder().string() + "'; ";
  check_refused(run_gossamer("export --topology ring:4 --format mem -o images",
                             in + "mkdir gone; cd gone; rmdir ../gone; "),
                "images: No such file or directory");
  check_refused(run_gossamer("run --topology ring:4", in + "PATH= "), "key` failed: ");
  const Outcome outcome =
      run_gossamer("run --topology ring:4",
                   in + "TMPDIR=/nope XDG_CACHE_HOME='" + scratch.path("a cache") + "' ");
  CAPTURE(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(scratch.files() == 1);  // the cache
}

TEST_CASE("output that cannot be written is reported, and existing files stay") {
  const Scratch scratch;
  const std::string old = scratch.file("old", "precious");
  const std::string suite =
      scratch.file("good.toml", "[[case]]\nname = \"good\"\ntopology = \"ring:4\"\n");
  for (const std::string& verb :
       {std::string("plan --topology ring:4"), std::string("plan --topology ring:4 --json"),
        std::string("list"), std::string("run --help"), "suite '" + suite + "'",
        std::string("suite --list tests/regression.toml")}) {
    CAPTURE(verb);
    check_refused(run_gossamer(verb, "", "/dev/full"),
                  "cannot write to standard output: No space left on device");
  }
  const std::string limited = "ulimit -f 1; ", graph = " --topology torus:4x4 -o '";
  check_refused(run_gossamer("plan" + graph + old + "'", limited), "File too large");
  check_refused(
      run_gossamer("export --format rtl" + graph + scratch.path("new/folder") + "'", limited),
      "File too large");
  check_refused(run_gossamer("plan --topology ring:0 -o '" + old + "'"), "ring:0");
  check_refused(run_gossamer("suite '" + suite + "' --junit '" + scratch.path("none/x.xml") + "'"),
                "--junit: there is no folder ");
  check_refused(run_gossamer("suite '" + suite + "' --junit /dev/full"), "/dev/full: cannot write");
  check_refused(run_gossamer("check /dev/zero"), "is longer than");
  check_refused(run_gossamer("suite /dev/zero"), "/dev/zero: is longer than 67 MB");
  CHECK(content_of(old) == "precious");
  CHECK(scratch.files() == 2);
}
