// Engine libraries come from where they should, whole and of today's sources. In the place of
// engine.mk stands a script that is ready at once; tests/scripts/engine_rules_test is about engine.mk.
#include "engine_cache.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "catch.hpp"
#include "engine_fingerprint.hpp"
#include "scratch.hpp"
#include "support/error.hpp"
#include "support/file.hpp"

namespace gossamer::test {
namespace {

namespace fs = std::filesystem;
using tb::EngineCache;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// What engine.mk is to a cache: `key` prints the content of the file `key`, two hashes; else the shell's `build`
/// makes the library "$out". Each build is a line in the file `builds`.
class Script {
 public:
  explicit Script(const std::string& build) {
    set_key("1");
    scratch_.file("make", "for a; do case $a in key) cat " + scratch_.path("key") +
                              "; exit;; OUT=*) out=${a#OUT=};; esac; done\necho >> " +
                              scratch_.path("builds") + "\n" + build + "\n");
  }
  void set_key(const std::string& key,
               const std::string& fingerprint = GOSSAMER_ENGINE_FINGERPRINT) const {
    scratch_.file("key", key + "\n" + fingerprint + "\n");
  }
  EngineCache cache(std::vector<fs::path> folders) const {
    return EngineCache("sh " + scratch_.path("make"), std::move(folders));
  }
  EngineCache cache() const { return cache({scratch_.path("cache")}); }
  std::string path(const std::string& name) const { return scratch_.path(name); }
  std::size_t builds() const { return fs::exists(path("builds")) ? fs::file_size(path("builds")) : 0; }

 private:
  Scratch scratch_;
};

/// A process that asks the cache for `engine`; in a process group of its own.
pid_t ask(const Script& script) {
  const pid_t child = fork();
  if (child != 0) return child;
  setpgid(0, 0);
  int status = 1;
  try {
    const fs::path library = script.cache().library("engine", "");
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
  const std::string command = fmt::format("c++ -shared -fPIC -o {} {} 2>&1", library,
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
  const fs::path first = script.cache().library("engine", "");
  CHECK(script.cache().library("engine", "") == first);
  CHECK(script.builds() == 1);
  script.set_key("2");
  const fs::path second = script.cache().library("engine", "");
  CHECK(second != first);
  CHECK(read_file(second) == second.string() + "\n");
  CHECK(read_file(first) == first.string() + "\n");
  CHECK(script.builds() == 2);
  CHECK(script.cache().library("other", "").filename() == "other-2.so");
}

TEST_CASE("of processes that need an engine at once one builds it") {
  const Script script("echo half > $out.part; sleep 0.3; echo whole > $out.part; mv $out.part $out");
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) children.push_back(ask(script));
  for (const pid_t child : children) CHECK(status_of(child) == 0);
  CHECK(script.builds() == 1);
}

TEST_CASE("a build that is killed half-way leaves no engine, and the next one builds it") {
  const Script script(
      "echo half > $out.part; [ -e $out.again ] || { : > $out.again; : > $out.begun; sleep 1000; }; "
      "echo whole > $out.part; mv $out.part $out");
  const std::string library = script.path("cache/engine-1.so");
  const pid_t child = ask(script);
  while (!fs::exists(library + ".begun")) std::this_thread::yield();
  kill(-child, SIGKILL);
  CHECK(status_of(child) == -SIGKILL);
  CHECK_FALSE(fs::exists(library));
  CHECK(read_file(script.cache().library("engine", "")) == "whole\n");
  CHECK(script.builds() == 2);
}

TEST_CASE("a build that fails leaves no engine, and its reason is said in one line") {
  const Script script("echo half > $out.part; echo In file x:; echo x:1: error: no space; exit 1");
  const std::string message = message_of([&] { script.cache().library("engine", ""); });
  CHECK(message == fmt::format("engine engine cannot be built: x:1: error: no space (all of it: {})",
                               script.path("cache/engine.log")));
  CHECK_FALSE(fs::exists(script.path("cache/engine-1.so")));
  CHECK_FALSE(fs::exists(script.path("cache/engine-1.so.part")));
  const Script silent("true");
  CHECK_THAT(message_of([&] { silent.cache().library("engine", ""); }),
             Catch::Matchers::Contains("cannot be built: nothing was said"));
}

TEST_CASE("where the sources cannot be asked for their hash, that is said") {
  EngineCache cache("exit 1;", {fs::temp_directory_path()});
  CHECK_THAT(message_of([&] { cache.library("engine", ""); }),
             Catch::Matchers::Contains("engines cannot be built: `exit 1; key` failed"));
}

TEST_CASE("an engine is kept in the first folder that can be written, and found in all") {
  const Script script("echo whole > $out");
  const Scratch scratch;
  const fs::path none = scratch.file("file", "") + "/folder", folder = scratch.path("folder");
  CHECK(script.cache({none, folder}).library("engine", "") == folder / "engine-1.so");
  CHECK(script.cache({scratch.path("new"), none, folder}).library("engine", "") ==
        folder / "engine-1.so");
  CHECK(script.builds() == 1);
  CHECK_THAT(message_of([&] { script.cache({none}).library("engine", ""); }),
             Catch::Matchers::Contains("no folder to keep it in can be written"));
}

TEST_CASE("an engine that nobody used for long makes room for another") {
  const Script script("echo whole > $out");
  const fs::path first = script.cache().library("first", "");
  const fs::path old = script.cache().library("old", "");
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(24 * 40));
  script.cache().library("new", "");
  CHECK(fs::exists(first));
  CHECK_FALSE(fs::exists(old));
}

TEST_CASE("an engine that was compiled with other headers is not loaded") {
  const Scratch scratch;
  SECTION("with today's headers it is") {
    CHECK(tb::load_engine(compiled(scratch, kMaker + fingerprint(GOSSAMER_ENGINE_FINGERPRINT))) !=
          nullptr);
  }
  SECTION("with other headers") {
    CHECK(tb::load_engine(compiled(scratch, kMaker + fingerprint("another"))) == nullptr);
  }
  SECTION("of a time before fingerprints") {
    CHECK(tb::load_engine(compiled(scratch, kMaker)) == nullptr);
  }
  SECTION("what is no engine is refused") {
    const fs::path library = compiled(scratch, "int x;");
    CHECK(message_of([&] { tb::load_engine(library); }) == library.string() + " is no engine library");
    const std::string text = scratch.file("text.so", "text");
    CHECK_THAT(message_of([&] { tb::load_engine(text); }),
               Catch::Matchers::Contains("engine " + text + " cannot be loaded: "));
  }
}

TEST_CASE("in the place of an engine of the build that does not fit one is built that does") {
  const Scratch scratch, fits_folder;
  const fs::path stale = compiled(scratch, kMaker + fingerprint("another"));
  const fs::path fits = compiled(fits_folder, kMaker + fingerprint(GOSSAMER_ENGINE_FINGERPRINT));
  const Script script("cp " + fits.string() + " $out");
  EngineCache cache = script.cache();
  CHECK(tb::find_engine(fits, cache, "engine", "") != nullptr);
  CHECK(script.builds() == 0);
  CHECK(tb::find_engine(stale, cache, "engine", "") != nullptr);
  CHECK(script.builds() == 1);

  const Script other("cp " + stale.string() + " $out");
  EngineCache stale_cache = other.cache();
  CHECK_THAT(message_of([&] { tb::find_engine({}, stale_cache, "engine", ""); }),
             Catch::Matchers::Contains("engine-1.so was compiled with other headers"));

  // Nothing is built where it would not fit.
  const Script changed("cp " + fits.string() + " $out");
  changed.set_key("1", "another");
  EngineCache changed_cache = changed.cache();
  CHECK_THAT(message_of([&] { tb::find_engine(stale, changed_cache, "engine", ""); }),
             Catch::Matchers::Contains("its headers have changed since this program was compiled"));
  CHECK(changed.builds() == 0);
}

}  // namespace gossamer::test
