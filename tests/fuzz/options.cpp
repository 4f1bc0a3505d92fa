#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "called.hpp"
#include "support/job.hpp"
#include "targets.hpp"

namespace gossamer::fuzz {

/// Interrupts this program's own work if it takes long, and clears the interruption at the end.
/// Work that then goes on for seconds ignores interruptions, and is reported as a hang.
class Impatience {
 public:
  Impatience();
  ~Impatience();
  Impatience(const Impatience&) = delete;
  Impatience& operator=(const Impatience&) = delete;
};

}  // namespace gossamer::fuzz

namespace gossamer::fuzz {
namespace {

using namespace std::chrono_literals;
constexpr auto kPatience = 250ms;

/// One thread for the whole process.
class Watch {
 public:
  static Watch& watch() {
    static Watch watch;
    return watch;
  }
  void begin() {
    const std::lock_guard lock(mutex_);
    ++begun_;
    working_ = true;
    changed_.notify_one();
  }
  void end() {
    const std::lock_guard lock(mutex_);
    working_ = false;
    forget_interrupt();
  }

 private:
  Watch() : thread_([this] { wait(); }) {}
  ~Watch() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
      changed_.notify_one();
    }
    thread_.join();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    while (!stop_) {
      changed_.wait(lock, [&] { return stop_ || working_; });
      const unsigned long mine = begun_;
      changed_.wait_for(lock, kPatience, [&] { return stop_; });
      if (working_ && begun_ == mine) note_interrupt(SIGINT);
      changed_.wait_for(lock, kPatience, [&] { return stop_ || begun_ != mine; });
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned long begun_ = 0;
  bool working_ = false, stop_ = false;
  std::thread thread_;
};

}  // namespace

Impatience::Impatience() { Watch::watch().begin(); }
Impatience::~Impatience() { Watch::watch().end(); }

}  // namespace gossamer::fuzz

namespace gossamer::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr Node kMostNodes = 32;
constexpr std::size_t kMostArguments = 24;

/// The working directory of the command: a folder with these files and no others.
class Sandbox {
 public:
  Sandbox() : before_(fs::current_path()), folder_(scratch_folder().path("work")) {
    static const bool made = (fill(), true);
    static_cast<void>(made);
    fs::current_path(folder_);
  }
  ~Sandbox() {
    std::error_code ignored;
    fs::current_path(before_, ignored);
  }
  /// Removes files that a command may have written.
  void clean() const { fill(); }

 private:
  void fill() const {
    const Scratch& scratch = scratch_folder();
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    scratch.file("work/edges.json", R"({"n":4,"edges":[[0,1],[1,2],[2,3],[3,0],[0,2]]})");
    scratch.file("work/cycle.txt", "0,1,2,3");
    scratch.file("work/suite.toml", "[[case]]\nname=\"a\"\ntopology=\"ring:4\"\nflits=[1,2]\n");
    scratch.file(
        "work/ring.jsonl",
        R"({"gossamer":1,"topology":"ring:3","collective":"gossip","model":{"ports":"all","duplex":"full","switching":"packet","combining":false}}
{"r":1,"path":[0,1],"msgs":[0]}
{"r":1,"path":[0,2],"msgs":[0]}
{"r":1,"path":[1,0],"msgs":[1]}
{"r":1,"path":[1,2],"msgs":[1]}
{"r":1,"path":[2,0],"msgs":[2]}
{"r":1,"path":[2,1],"msgs":[2]}
)");
  }
  fs::path before_, folder_;
};

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream in{std::string(text)};
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Is it a large schedule, which may take long to plan?
bool large(const std::string& argument) {
  const std::size_t sign = argument.find('=');
  const std::string value = sign == std::string::npos ? argument : argument.substr(sign + 1);
  if (value.find(':') == std::string::npos) return false;
  try {
    return Topology::parse(value).nodes() > kMostNodes;
  } catch (const InputError&) {
    return false;
  }
}

/// Does the call touch only the sandbox, and finish soon?
bool harmless(const std::vector<std::string>& arguments) {
  return arguments.size() <= kMostArguments &&
         std::ranges::none_of(arguments, [](const std::string& a) {
           return a.find('/') != std::string::npos || a.find("..") != std::string::npos ||
                  a.starts_with("--seconds") || a.find('\0') != std::string::npos || large(a);
         });
}

bool has(const std::vector<std::string>& arguments, std::string_view what) {
  return std::ranges::find(arguments, what) != arguments.end();
}

void demand_answer(int status, const std::string& out, const std::string& err,
                   const std::vector<std::string>& arguments) {
  const std::string call = fmt::format("gossamer {}: ", fmt::join(arguments, " "));
  demand(status == 0 || status == 1 || status == 2 || status == 130,
         call + "status " + std::to_string(status));
  for (const char* mistake : {"internal error", "out of memory"}) {
    // An answer quotes arguments, which may contain these words.
    if (call.find(mistake) != std::string::npos) continue;
    demand(err.find(mistake) == std::string::npos, call + err);
  }
  // A suite may end with an error after it has printed the results so far.
  if (status == 2 && (out.empty() || !has(arguments, "suite"))) {
    demand(err.ends_with('\n'), call + "an error should be a whole line: " + err);
    demand_line(std::string_view(err).substr(0, err.size() - 1), "gossamer: ");
    return;
  }
  demand(status == 130 || err.empty() || status == 2, call + "should print no error: " + err);
  if (status == 130) return;
  demand(!out.empty(), call + "should print something");
  // Only the parser knows whether --json is an option here, the name behind -o, or follows a call
  // for help. But what begins as an object must be one, and nothing else.
  const bool object = out.starts_with('{') || out.find("\n{") != std::string::npos;
  if (!object || !has(arguments, "--json")) return;
  demand(nlohmann::json::accept(out), call + "should print one JSON object: " + out);
}

}  // namespace

void options(std::string_view input) {
  const std::vector<std::string> arguments = lines_of(input);
  if (!harmless(arguments)) return;
  const Sandbox sandbox;
  Captured captured;
  int status = 0;
  {
    const Impatience impatience;
    NoFabric runner;
    status = call(arguments, runner);
  }
  captured.stop();
  if (input.find("-o") != std::string_view::npos || input.find("--j") != std::string_view::npos) {
    sandbox.clean();
  }
  demand_answer(status, captured.out(), captured.err(), arguments);
}

}  // namespace gossamer::fuzz
