// Builds an engine if it is not there, and prints the path of its library. The command does the
// same when it first needs an engine; builds and tests can have it done earlier.
//
//   engine_build NAME                        from this program's sources (engine_cache.hpp)
//   engine_build --make COMMAND FOLDER NAME
#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "engines/engine_cache.hpp"
#include "support/job.hpp"

int main(int argc, char** argv) {
  namespace tb = gossamer::tb;
  gossamer::catch_interrupts();
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    tb::EngineHome home;
    if (words.size() == 4 && words[0] == "--make") {
      home.make = words[1];
      home.folders = {words[2]};
    } else {
      home = tb::engine_home();
    }
    tb::EngineCache cache(home.make, home.folders, home.ready);
    const auto library = cache.find_or_build(words.back());
    fmt::print("{}\n", std::filesystem::absolute(library).string());
  } catch (const gossamer::Interrupted&) {
    return 128 + gossamer::interrupt_signal();
  } catch (const std::exception& error) {
    fmt::print(stderr, "engine_build: {}\n", error.what());
    return 2;
  }
  return 0;
}
