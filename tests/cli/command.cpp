#include "command.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

std::size_t Outcome::error_lines() const {
  return static_cast<std::size_t>(std::count(err.begin(), err.end(), '\n'));
}

Outcome run_gossamer(const std::string& arguments, const std::string& before,
                     const std::string& to) {
  const Scratch scratch;
  const std::string out = to.empty() ? scratch.path("out") : to, err = scratch.path("err");
  const std::string call =
      before + "'" GOSSAMER_COMMAND "' " + arguments + " >'" + out + "' 2>'" + err + "' </dev/null";
  const int status = std::system(call.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, to.empty() ? content_of(out) : "",
          content_of(err)};
}

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}
