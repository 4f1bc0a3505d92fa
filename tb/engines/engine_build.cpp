// Builds an engine if it is not there, and prints the path of its library. The command does the
// same when it first needs an engine; builds and tests can have it done earlier.
//
//   engine_build NAME VARIABLE=VALUE...                       from this program's sources
//   (engine_home.hpp) engine_build --make COMMAND FOLDER NAME VARIABLE=VALUE...
#include <fmt/format.h>

#include <exception>
#include <string>
#include <vector>

#include "engines/engine_cache.hpp"
#include "engines/engine_home.hpp"
#include "support/job.hpp"

namespace {

namespace tb = gossamer::tb;

/// `words` are the arguments after the options: a name and variables.
void build(tb::EngineCache& cache, const std::vector<std::string>& words) {
  std::string variables;
  for (std::size_t i = 1; i < words.size(); ++i) variables += words[i] + ' ';
  fmt::print("{}\n", cache.find_or_build(words.at(0), variables).string());
}

}  // namespace

int main(int argc, char** argv) {
  gossamer::catch_interrupts();
  std::vector<std::string> words(argv + 1, argv + argc);
  try {
    if (words.size() > 3 && words[0] == "--make") {
      tb::EngineCache cache(words[1], {words[2]});
      build(cache, {words.begin() + 3, words.end()});
    } else {
      const tb::EngineHome home = tb::engine_home();
      tb::EngineCache cache(home.make, home.folders);
      build(cache, words);
    }
  } catch (const gossamer::Interrupted&) {
    return 128 + gossamer::interrupt_signal();
  } catch (const std::exception& error) {
    fmt::print(stderr, "engine_build: {}\n", error.what());
    return 2;
  }
  return 0;
}
