// Engine libraries come from the right place, complete and built from the current sources. A script
// that finishes at once replaces engine.mk; tests/scripts/engine_rules_test tests engine.mk.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "engine_fingerprint.hpp"
#include "engines/engine_cache.hpp"
#include "refusal.hpp"
#include "scratch.hpp"
#include "support/error.hpp"
#include "support/file.hpp"
#include "support/job.hpp"

namespace gossamer::test {
namespace {

namespace fs = std::filesystem;
using tb::EngineCache;

/// Replaces engine.mk: `key` prints the content of the file `key`, three hashes and the file
/// `source`, and adds a line to `asked`; `runtime` does nothing; otherwise the shell's `build`
/// makes the library "$out" and adds a line to `builds`.
class Script {
 public:
  explicit Script(const std::string& build) {
    set_key("1");
    scratch_.file("make",
                  fmt::format("for a; do case $a in key) echo >> {0}/asked; cat {0}/key; exit;; "
                              "OUT=*) out=${{a#OUT=}};; runtime) exit;; esac; done\n"
                              "echo >> {0}/builds\n{1}\n",
                              scratch_.folder().string(), build));
  }
  void set_key(const std::string& key,
               const std::string& fingerprint = GOSSAMER_ENGINE_FINGERPRINT) const {
    scratch_.file("key",
                  fmt::format("{}\n{}\ntools\nshared\n{}\n", key, fingerprint, path("rtl/source")));
    edit();
  }
  /// Changes the source, some time ago.
  void edit(std::chrono::seconds ago = std::chrono::hours(1)) const {
    fs::create_directory(path("rtl"));
    scratch_.file("rtl/source", fmt::format("{}", ++edits_));
    const auto now = fs::file_time_type::clock::now();
    fs::last_write_time(path("rtl/source"), now - ago + std::chrono::milliseconds(edits_));
    fs::last_write_time(path("rtl"), now - std::chrono::hours(1));
  }
  EngineCache cache(std::vector<fs::path> folders) const {
    return EngineCache("sh " + scratch_.path("make"), std::move(folders));
  }
  EngineCache cache() const { return cache({scratch_.path("cache")}); }
  std::string path(const std::string& name) const { return scratch_.path(name); }
  std::size_t builds() const { return lines("builds"); }
  std::size_t asked() const { return lines("asked"); }

 private:
  std::size_t lines(const std::string& name) const {
    return fs::exists(path(name)) ? fs::file_size(path(name)) : 0;
  }

  Scratch scratch_;
  mutable int edits_ = 0;
};

/// A process that requests `engine` from the cache; in its own process group.
pid_t ask(const Script& script) {
  const pid_t child = fork();
  if (child != 0) return child;
  setpgid(0, 0);
  int status = 1;
  try {
    const fs::path library = script.cache().find_or_build("engine");
    status = read_file(library) == "whole\n" ? 0 : 2;
  } catch (...) {
  }
  _exit(status);
}

int status_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// A library of these C++ declarations.
fs::path compiled(const Scratch& scratch, const std::string& source) {
  const std::string library = scratch.path("library.so");
  const std::string command =
      fmt::format("c++ -shared -fPIC -o {} {} 2>&1", library,
                  scratch.file("library.cpp", "extern \"C\" {" + source + "}"));
  INFO(command);
  REQUIRE(std::system(command.c_str()) == 0);
  return library;
}

const std::string kMaker = "void* gossamer_make_fabric(unsigned) { return 0; }";
std::string fingerprint(const std::string& text) {
  return fmt::format("extern const char gossamer_engine_fingerprint[] = \"{}\";", text);
}

}  // namespace

TEST_CASE("an engine is built once, and again when what it is made of has changed") {
  const Script script("echo $out > $out");
  const fs::path first = script.cache().find_or_build("engine");
  CHECK(script.cache().find_or_build("engine") == first);
  CHECK(script.builds() == 1);
  script.set_key("2");
  const fs::path second = script.cache().find_or_build("engine");
  CHECK(second != first);
  CHECK(read_file(second).ends_with("/engine-2.part.so\n"));
  CHECK(read_file(first).ends_with("/engine-1.part.so\n"));
  CHECK(script.builds() == 2);
  CHECK(script.cache().find_or_build("other").filename() == "other-2.so");
}

TEST_CASE("of processes that need an engine at once one builds it") {
  const Script script("echo half > $out; sleep 0.3; echo whole > $out");
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) children.push_back(ask(script));
  for (const pid_t child : children) CHECK(status_of(child) == 0);
  CHECK(script.builds() == 1);
}

TEST_CASE("a build that is killed half-way leaves no engine, and the next one builds it") {
  const Script script(
      "echo half > $out; again=${0%/make}/again; [ -e $again ] || { : > $again; "
      "while :; do sleep 0.05; done; }; echo whole > $out");
  const std::string library = script.path("cache/engine-1.so");
  const pid_t child = ask(script);
  while (!fs::exists(script.path("again"))) std::this_thread::yield();
  kill(child, SIGKILL);
  CHECK(status_of(child) == -SIGKILL);
  CHECK_FALSE(fs::exists(library));
  CHECK(read_file(script.cache().find_or_build("engine")) == "whole\n");
  CHECK(script.builds() == 2);
  for (const auto& left : fs::directory_iterator(script.path("cache"))) {
    INFO(left.path());
    const bool known = left.path() == library || left.path().extension() == ".lock" ||
                       left.path().filename().string().starts_with("sources-");
    CHECK(known);
  }
}

TEST_CASE("Ctrl-C ends a build and all that it has started, and who waits for one") {
  // A compiler that its shell waits for, and that ignores SIGTERM.
  const Script script(
      "echo half > $out; sh -c 'trap \"\" TERM INT; : > ${0%/make}/deaf; "
      "while :; do sleep 0.05; : > ${0%/make}/alive; done' $0; echo whole > $out");
  const auto interrupted = [&] {
    try {
      script.cache().find_or_build("engine");
    } catch (const Interrupted&) {
      return true;
    }
    return false;
  };
  bool builder = false, waiter = false;
  std::thread first([&] { builder = interrupted(); });
  while (!fs::exists(script.path("deaf"))) std::this_thread::yield();
  std::thread second([&] { waiter = interrupted(); });
  note_interrupt(SIGINT);
  first.join();
  second.join();
  forget_interrupt();
  CHECK(builder);
  CHECK(waiter);
  CHECK_FALSE(fs::exists(script.path("cache/engine-1.so")));
  fs::remove(script.path("alive"));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  CHECK_FALSE(fs::exists(script.path("alive")));
}

TEST_CASE("engines of several threads are built side by side, and share what they wait for") {
  // Each build ends only after the other has begun.
  const Script script(
      "dir=${0%/make}; : > $out.begun; "
      "while [ $(ls $dir/cache | grep -c begun) -lt 2 ]; do sleep 0.02; done; echo whole > $out");
  EngineCache cache = script.cache();
  std::vector<std::thread> threads;
  for (const char* name : {"one", "other"}) {
    threads.emplace_back([&cache, name] { cache.find_or_build(name); });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(script.builds() == 2);
  CHECK(script.asked() == 1);
}

TEST_CASE("sources are hashed once, and again when one of them has changed") {
  const Script script("echo whole > $out");
  script.cache().find_or_build("engine");
  CHECK(script.asked() == 1);
  script.cache().find_or_build("engine");
  script.cache().find_or_build("other");
  CHECK(script.asked() == 1);
  SECTION("a file has another time") { script.edit(); }
  SECTION("a file has another size and the same time") {
    const auto time = fs::last_write_time(script.path("rtl/source"));
    std::ofstream(script.path("rtl/source"), std::ios::app) << "more";
    fs::last_write_time(script.path("rtl/source"), time);
  }
  SECTION("a file is gone") { fs::remove(script.path("rtl/source")); }
  SECTION("there is another file beside it") { std::ofstream(script.path("rtl/new")) << "new"; }
  SECTION("the call is another one") {
    EngineCache("env sh " + script.path("make"), {script.path("cache")}).find_or_build("engine");
  }
  SECTION("the note is cut off") {
    for (const auto& entry : fs::directory_iterator(script.path("cache"))) {
      if (!entry.path().filename().string().starts_with("sources-")) continue;
      fs::resize_file(entry.path(), fs::file_size(entry.path()) / 2);
    }
  }
  script.cache().find_or_build("engine");
  CHECK(script.asked() >= 2);  // twice, if it changed during the first time
}

TEST_CASE(
    "of a source that changed a moment ago no note is kept: it may change again at that time") {
  const Script script("echo whole > $out");
  script.edit(std::chrono::seconds(1));
  script.cache().find_or_build("engine");
  script.cache().find_or_build("engine");
  CHECK(script.asked() == 3);  // before and after the build, and again
}

TEST_CASE(
    "an engine whose sources change while it is built is not taken for one of the new or the old") {
  const Script script(
      "echo whole > $out; cd ${0%/make}; echo more >> rtl/source; sed s/1/2/ key > other; mv other "
      "key");
  CHECK_THAT(refusal([&] { script.cache().find_or_build("engine"); }),
             Catch::Matchers::Contains("its sources changed while it was built; try again"));
  CHECK_FALSE(fs::exists(script.path("cache/engine-1.so")));
}

TEST_CASE("an old engine is removed, an old library that is none is not") {
  const Script script("echo whole > $out");
  fs::create_directory(script.path("cache"));
  for (const char* name : {"other-a.so", "systemc.so", "my-library.so", "two-ab.so"}) {
    const fs::path library = fs::path(script.path("cache")) / name;
    write_file(library.string(), "");
    fs::last_write_time(library, fs::file_time_type::clock::now() - std::chrono::hours(24 * 31));
  }
  script.cache().find_or_build("engine");
  CHECK_FALSE(fs::exists(script.path("cache/other-a.so")));
  for (const char* name : {"systemc.so", "my-library.so", "two-ab.so"}) {
    CHECK(fs::exists(script.path("cache/") + name));
  }
}

TEST_CASE("of an engine's versions the latest are kept") {
  const Script script("echo whole > $out");
  for (int key = 1; key <= 8; ++key) {
    script.set_key(std::to_string(key));
    const fs::path library = script.cache().find_or_build("engine");
    fs::last_write_time(library, fs::file_time_type::clock::now() - std::chrono::hours(9 - key));
  }
  CHECK_FALSE(fs::exists(script.path("cache/engine-2.so")));
  for (int key = 3; key <= 8; ++key) {
    CHECK(fs::exists(script.path(fmt::format("cache/engine-{}.so", key))));
  }
}

TEST_CASE("a build that fails leaves no engine, and its reason is said in one line") {
  const Script script("echo half > $out.part; echo In file x:; echo x:1: error: no space; exit 1");
  const std::string message = refusal([&] { script.cache().find_or_build("engine"); });
  CHECK(message ==
        fmt::format("engine engine cannot be built: x:1: error: no space (all of it: {})",
                    script.path("cache/engine.log")));
  CHECK_FALSE(fs::exists(script.path("cache/engine-1.so")));
  CHECK_FALSE(fs::exists(script.path("cache/engine-1.part.so.part")));
  CHECK_FALSE(fs::exists(script.path("cache/engine-1.part.so")));
  const Script silent("true");
  CHECK_THAT(refusal([&] { silent.cache().find_or_build("engine"); }),
             Catch::Matchers::Contains("cannot be built: nothing was said"));
}

TEST_CASE("an engine is kept in the first folder that can be written, and found in all") {
  const Script script("echo whole > $out");
  const Scratch scratch;
  const fs::path none = scratch.file("file", "") + "/folder", folder = scratch.path("folder");
  CHECK(script.cache({none, folder}).find_or_build("engine") == folder / "engine-1.so");
  CHECK(script.cache({scratch.path("new"), none, folder}).find_or_build("engine") ==
        folder / "engine-1.so");
  CHECK(script.builds() == 1);
  CHECK_THAT(refusal([&] { script.cache({none}).find_or_build("engine"); }),
             Catch::Matchers::Contains("no folder to keep it in can be written"));
  const fs::path loop = scratch.path("loop");  // a folder of which nothing can be told
  fs::create_symlink(loop, loop);
  CHECK(script.cache({loop, folder}).find_or_build("engine") == folder / "engine-1.so");
}

TEST_CASE("an engine that was compiled with other headers is not loaded") {
  const Scratch scratch;
  SECTION("with today's headers it is") {
    CHECK(tb::load_engine(compiled(scratch, kMaker + fingerprint(GOSSAMER_ENGINE_FINGERPRINT))) !=
          nullptr);
  }
  SECTION("with other headers, or of a time before fingerprints") {
    const std::string found = GENERATE(fingerprint("another"), std::string());
    CHECK_THAT(refusal([&] { tb::load_engine(compiled(scratch, kMaker + found)); }),
               Catch::Matchers::Contains(" was compiled with other headers than this program"));
  }
  SECTION("what is no engine is refused") {
    const fs::path library = compiled(scratch, "int x;");
    CHECK(refusal([&] { tb::load_engine(library); }) == library.string() + " is no engine library");
    const std::string text = scratch.file("text.so", "text");
    CHECK_THAT(refusal([&] { tb::load_engine(text); }),
               Catch::Matchers::Contains("engine " + text + " cannot be loaded: "));
  }
}

TEST_CASE(
    "an engine that does not fit the program is refused, and not built if that is known before") {
  const Scratch stale_folder, fits_folder;
  const fs::path stale = compiled(stale_folder, kMaker + fingerprint("another"));
  const fs::path fits = compiled(fits_folder, kMaker + fingerprint(GOSSAMER_ENGINE_FINGERPRINT));
  const Script script("cp " + fits.string() + " $out");
  EngineCache cache = script.cache();
  CHECK(tb::find_engine(cache, "engine") != nullptr);

  const Script other("cp " + stale.string() + " $out");
  EngineCache stale_cache = other.cache();
  CHECK_THAT(refusal([&] { tb::find_engine(stale_cache, "engine"); }),
             Catch::Matchers::Contains("engine-1.so was compiled with other headers"));

  const Script changed("cp " + fits.string() + " $out");
  changed.set_key("1", "another");
  EngineCache changed_cache = changed.cache();
  CHECK_THAT(refusal([&] { tb::find_engine(changed_cache, "engine"); }),
             Catch::Matchers::Contains("its headers have changed since this program was compiled"));
  CHECK(changed.builds() == 0);

  // What came with an installation needs no tools.
  const fs::path ready = fits.parent_path();
  fs::copy_file(fits, ready / "tile_4p4c.so");
  EngineCache installed("false", {}, ready);
  CHECK(tb::find_engine(installed, "tile_4p4c") != nullptr);
  const std::string kept = std::getenv("PATH");
  setenv("PATH", "", 1);
  CHECK(refusal([&] { tb::find_engine(installed, "tile_4p1c"); }) ==
        "engine tile_4p1c did not come with this installation (the nearest that did is tile_4p4c), "
        "and to build it takes make, a C++ compiler and Verilator (Debian: make g++ verilator "
        "zlib1g-dev)");
  CHECK(!installed.find("tile_4p1c"));
  setenv("PATH", kept.c_str(), 1);
}

namespace {

/// A script whose engines are `library`, but for those with these variables: their build fails.
Script failing(const fs::path& library, const std::string& variables) {
  return Script(
      fmt::format("case \"$*\" in {}) echo x:1: error: no such register; exit 1;; esac; "
                  "cp {} $out",
                  variables, library.string()));
}

const std::vector<tb::LoadedEngines::Faster> kVariants = {{"_lanes", "takes twice as long"},
                                                          {"_fast", "takes three times as long"}};

}  // namespace

TEST_CASE("if a faster engine cannot be built, the next one runs, and it is said once") {
  const Scratch scratch;
  const fs::path fits = compiled(scratch, kMaker + fingerprint(GOSSAMER_ENGINE_FINGERPRINT));
  const auto [failing_ones, lines, built] = GENERATE(
      table<std::string, std::size_t, std::string>({{"nothing", 0, "engine_lanes-1.so"},
                                                    {"*_lanes*", 1, "engine_fast-1.so"},
                                                    {"*_lanes*|*_fast*", 2, "engine-1.so"}}));
  INFO(failing_ones << " cannot be built");
  const Script script = failing(fits, failing_ones);
  EngineCache cache = script.cache();
  std::vector<std::string> said;
  tb::LoadedEngines engines(cache, [&](std::string_view line) { said.emplace_back(line); });
  for (int run = 0; run < 3; ++run) {
    CHECK(engines.get_fastest("engine", kVariants) != nullptr);
  }
  REQUIRE(said.size() == lines);
  for (std::size_t i = 0; i < lines; ++i) {
    CHECK(said[i] ==
          fmt::format("engine engine{} cannot be built: x:1: error: no such register (all of it: "
                      "{}.log); the run goes on, and {}",
                      kVariants[i].suffix, script.path("cache/engine" + kVariants[i].suffix),
                      kVariants[i].costs));
  }
  CHECK(script.builds() == lines + 1);  // what could not be built is not tried again
  CHECK(fs::exists(script.path("cache/" + built)));
  // Each engine has a line of its own.
  CHECK(engines.get_fastest("other", kVariants) != nullptr);
  CHECK(said.size() == 2 * lines);
}

TEST_CASE("if no variant of an engine can be built, there is one error and no run that goes on") {
  const Script script("exit 1");
  EngineCache cache = script.cache();
  std::vector<std::string> said;
  tb::LoadedEngines engines(cache, [&](std::string_view line) { said.emplace_back(line); });
  CHECK_THAT(refusal([&] { engines.get_fastest("engine", kVariants); }),
             Catch::Matchers::StartsWith("engine engine cannot be built: "));
  CHECK(said.empty());
}

}  // namespace gossamer::test
