#include "engines/engine_cache.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "engine_fingerprint.hpp"
#include "support/file.hpp"
#include "support/job.hpp"
#include "support/refuse.hpp"
#include "support/words.hpp"

namespace gossamer::tb {
namespace {

namespace fs = std::filesystem;

/// The folder of this program, to which those of an installation and of a build tree are relative.
/// Empty where there is no /proc: there a build tree's are absolute.
fs::path program_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

/// make, and the shell that it calls, read some names as several, or as something else.
bool is_plain(const fs::path& path) {
  return path.string().find_first_of(" \t\n\"#$%&'()*;<>?[\\]`|~:=!{}") == std::string::npos;
}

/// Another name of a folder, for make: a link to it in a folder of our own, if its name is not
/// plain; the folder is made, for nobody can make it by the link. The same on each run, so that
/// what was hashed under it still holds.
fs::path plain(const fs::path& path) {
  if (is_plain(path)) return path;
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  const fs::path links = (error ? "/tmp" : temporary) / fmt::format("gossamer-{}", geteuid());
  const fs::path link = links / fmt::format("{:016x}", std::hash<std::string>()(path.string()));
  mkdir(links.c_str(), 0700);
  fs::create_directories(path, error);
  struct stat made;
  const bool ours = lstat(links.c_str(), &made) == 0 && S_ISDIR(made.st_mode) &&
                    made.st_uid == geteuid() && (made.st_mode & 022) == 0;
  if (!ours || !is_plain(links)) return path;
  if (fs::read_symlink(link, error) != path) {
    fs::remove(link, error);
    fs::create_directory_symlink(path, link, error);
  }
  return fs::read_symlink(link, error) == path ? link : path;
}

/// The folders for a user's caches.
std::vector<fs::path> user_caches() {
  const auto in = [](const char* variable, const char* below) -> std::vector<fs::path> {
    const char* folder = std::getenv(variable);
    if (folder == nullptr || *folder == '\0') return {};
    return {plain(fs::absolute(folder) / below)};
  };
  const auto xdg = in("XDG_CACHE_HOME", "gossamer");
  return xdg.empty() ? in("HOME", ".cache/gossamer") : xdg;
}

/// The call of engine.mk for these sources and generated headers.
std::string make_in(const fs::path& sources, const fs::path& generated, const char* settings) {
  return fmt::format("make -s -f {} {} INCLUDES=-I{}",
                     shell_word((plain(sources) / "tb/engines/engine.mk").string()), settings,
                     shell_word(plain(generated).string()));
}

}  // namespace

EngineHome engine_home() {
  EngineHome home;
  home.folders = user_caches();
  const fs::path program = program_folder();
  if (!program.empty() && fs::exists(program / GOSSAMER_SHARE "/tb/engines/engine.mk")) {
    home.sources = fs::canonical(program / GOSSAMER_SHARE);
    home.make = make_in(home.sources, home.sources / "generated", GOSSAMER_INSTALLED_SETTINGS);
    home.ready = (program / GOSSAMER_LIBRARIES).lexically_normal();
    home.systemc = home.ready / "systemc.so";
  } else {
    const fs::path build = fs::weakly_canonical(program / GOSSAMER_BUILD_DIR);
    home.sources = fs::weakly_canonical(program / GOSSAMER_SOURCE_DIR);
    home.make = make_in(home.sources, build / "generated", GOSSAMER_ENGINE_SETTINGS);
    home.folders.insert(home.folders.begin(), build / "engines");
    home.systemc = home.folders.front() / "systemc.so";
  }
  return home;
}

namespace {

/// How a shell command ended, and what it printed on its standard output.
struct Outcome {
  bool succeeded = false;
  std::string output;
};

using Clock = std::chrono::steady_clock;

/// If a make runs us, its settings must not reach our own calls of make.
constexpr const char* kAlone = "unset MAKEFLAGS MFLAGS MAKELEVEL; ";
/// Time between two checks for an interruption.
constexpr int kMilliseconds = 25;
/// A process that has not ended this long after SIGTERM is killed.
constexpr std::chrono::milliseconds kGrace{400};

/// Runs between fork and exec: nothing here may allocate or lock.
[[noreturn]] void become(const char* command, int output, pid_t parent) {
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

/// Runs a shell command in its own process group, without input. Ctrl-C or SIGTERM
/// (support/job.hpp) ends the whole group within half a second and throws Interrupted. If
/// this program is killed, the command gets SIGTERM too. May be called by several threads.
/// `printed` receives what it prints when it does.
Outcome run_in_shell(const std::string& command,
                     const std::function<void(std::string_view)>& printed = {}) {
  stop_if_interrupted();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw InputError(std::string("no pipe: ") + std::strerror(errno));
  const pid_t self = getpid();
  const std::string script = std::string(kAlone) + command;
  const pid_t child = fork();
  if (child == 0) become(script.c_str(), ends[1], self);
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

}  // namespace

EngineEntry load_engine(const std::filesystem::path& library) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    refuse("engine {} cannot be loaded: {}", library.string(), dlerror());
  }
  const auto give_up = [&](const char* why) {
    dlclose(handle);
    refuse("{} {}", library.string(), why);
  };
  const auto make = reinterpret_cast<EngineEntry>(dlsym(handle, "gossamer_make_fabric"));
  if (make == nullptr) give_up("is no engine library");
  const auto fingerprint = static_cast<const char*>(dlsym(handle, "gossamer_engine_fingerprint"));
  if (fingerprint == nullptr || fingerprint != std::string_view(GOSSAMER_ENGINE_FINGERPRINT)) {
    give_up("was compiled with other headers than this program; build the program again");
  }
  return make;
}

namespace {

std::string quoted(const fs::path& path) { return shell_word(path.string()); }

/// The environment and the call that decide which files are hashed.
std::string identity(const std::string& make) {
  std::string text = make;
  for (const char* name : {"PATH", "CPATH", "CPLUS_INCLUDE_PATH", "VERILATOR_ROOT"}) {
    const char* value = std::getenv(name);
    text += fmt::format(" {}={}", name, value == nullptr ? "" : value);
  }
  return text;
}

/// A call of engine_cache.sh, for a user whose folder of notes this is.
std::string cache_script(const char* verb, const std::string& make, const fs::path& folder) {
  const fs::path note =
      folder / fmt::format("sources-{:016x}", std::hash<std::string>()(identity(make)));
  return fmt::format("exec /bin/sh {} {} {} {}",
                     quoted(engine_home().sources / "tb/engines/engine_cache.sh"), verb,
                     quoted(folder.empty() ? "/dev/null/none" : note), shell_word(make));
}

bool can_be_written(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  return access(folder.c_str(), W_OK) == 0;
}

void note_use(const fs::path& library) {
  std::error_code ignored;
  fs::last_write_time(library, fs::file_time_type::clock::now(), ignored);
}

}  // namespace

const fs::path* EngineCache::home() {
  const auto found = std::ranges::find_if(folders_, can_be_written);
  return found == folders_.end() ? nullptr : &*found;
}

/// Sources may change while we run; libraries already loaded do not.
const SourceHashes& EngineCache::hashes() {
  const std::lock_guard lock(mutex_);
  if (!hashes_) {
    const fs::path* folder = home();
    const Outcome asked =
        run_in_shell(cache_script("hashes", make_, folder == nullptr ? fs::path() : *folder));
    std::istringstream in(asked.output);
    SourceHashes found;
    if (!(in >> found.key >> found.fingerprint >> found.tools >> found.shared)) {
      const std::string said = run_in_shell(fmt::format("exec 2>&1; {} key", make_)).output;
      refuse("engines cannot be built: `{} key` failed: {}", make_,
             said.substr(0, said.find('\n')));
    }
    hashes_ = found;
  }
  return *hashes_;
}

std::optional<fs::path> EngineCache::find_ready(const std::string& name) const {
  const fs::path library = ready_ / (name + ".so");
  std::error_code ignored;
  if (ready_.empty() || !fs::exists(library, ignored)) return {};
  return library;
}

namespace {

/// A build says itself what it lacks, but where engines are ready there may be nothing for one.
bool can_build() { return run_in_shell("command -v make " GOSSAMER_ENGINE_TOOLS).succeeded; }

}  // namespace

void EngineCache::must_build(const std::string& name) const {
  if (ready_.empty() || can_build()) return;
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(ready_, ignored)) {
    names.push_back(entry.path().stem().string());
  }
  const std::string_view near =
      nearest_name(name, std::vector<std::string_view>(names.begin(), names.end()));
  refuse(
      "engine {} did not come with this installation{}, and to build it takes make, a C++ compiler "
      "and Verilator (Debian: make g++ verilator zlib1g-dev)",
      name, near.empty() ? "" : fmt::format(" (the nearest that did is {})", near));
}

std::optional<fs::path> EngineCache::find(const std::string& name) {
  if (const auto library = find_ready(name)) return library;
  if (!ready_.empty() && !can_build()) return {};
  const std::string file = fmt::format("{}-{}.so", name, hashes().key);
  std::error_code ignored;
  const auto found = std::ranges::find_if(
      folders_, [&](const fs::path& f) { return fs::exists(f / file, ignored); });
  if (found == folders_.end()) return {};
  return *found / file;
}

fs::path EngineCache::find_or_build(const std::string& name) {
  if (const auto library = find(name)) {
    note_use(*library);
    return *library;
  }
  const fs::path* folder = home();
  if (folder == nullptr) {
    refuse(
        "engine {} cannot be built: no folder to keep it in can be written; set XDG_CACHE_HOME to "
        "one",
        name);
  }
  const auto& [key, fingerprint, tools, shared] = hashes();
  constexpr std::uint64_t kSteps = 4;
  std::uint64_t steps = 0;
  begin_steps(kSteps, "steps of building it");
  const Outcome built =
      run_in_shell(fmt::format("{} {} {} {} {} {} {}", cache_script("build", make_, *folder),
                               quoted(*folder), name, key, fingerprint, tools, shared),
                   [&](std::string_view lines) {
                     steps += static_cast<std::uint64_t>(std::ranges::count(lines, '\n'));
                     note_step(steps);
                   });
  if (!built.succeeded) {
    const std::string said = built.output.substr(0, built.output.find_last_not_of('\n') + 1);
    refuse("engine {} cannot be built: {} (all of it: {})", name, said.substr(said.rfind('\n') + 1),
           (*folder / (name + ".log")).string());
  }
  return *folder / fmt::format("{}-{}.so", name, key);
}

EngineEntry find_engine(EngineCache& cache, const std::string& name) {
  if (const auto ready = cache.find_ready(name)) return load_engine(*ready);
  cache.must_build(name);
  if (cache.fingerprint() != GOSSAMER_ENGINE_FINGERPRINT) {
    refuse(
        "engine {} cannot be used: its headers have changed since this program was compiled; build "
        "the program again",
        name);
  }
  return load_engine(cache.find_or_build(name));
}

LoadedEngines::Wanted& LoadedEngines::wanted(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return engines_[name];
}

/// Cases of a suite run in parallel, and engines are built in parallel.
EngineEntry LoadedEngines::get(const std::string& name) {
  Wanted& engine = wanted(name);
  const std::lock_guard lock(engine.mutex);
  if (!engine.failure.empty()) throw InputError(engine.failure);
  try {
    if (engine.make == nullptr) engine.make = find_engine(cache_, name);
  } catch (const InputError& error) {
    engine.failure = error.what();
    throw;
  }
  return engine.make;
}

EngineEntry LoadedEngines::get_fastest(const std::string& name,
                                       const std::vector<Faster>& variants) {
  std::vector<std::pair<std::string, std::string>> failures;  // of which variant, what to say
  // Only a run that goes on has lost time: otherwise the error says it all.
  const auto got = [&](EngineEntry engine) {
    const std::lock_guard lock(mutex_);
    for (const auto& [variant, line] : failures) {
      if (said_.insert(variant).second) say_(line);
    }
    return engine;
  };
  for (const Faster& faster : variants) {
    const std::string variant = name + faster.suffix;
    if (!faster.builds && !cache_.find(variant)) continue;
    try {
      return got(get(variant));
    } catch (const InputError& error) {
      failures.emplace_back(variant,
                            fmt::format("{}; the run goes on, and {}", error.what(), faster.costs));
    }
  }
  return got(get(name));
}

}  // namespace gossamer::tb
