#pragma once

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "../sw/cli/command.hpp"  // tests/cli has one too

namespace gossamer {

/// A runner without hardware: every even seed passes, every odd one fails.
class NoFabric final : public Runner {
 public:
  RunResult run(const Schedule&, const RunOptions& options) override {
    RunResult result;
    if (options.seed % 2 == 1) result.problems.push_back("no fabric");
    return result;
  }
};

/// Captures everything printed during its lifetime.
class Captured {
 public:
  Captured() : out_(stdout), err_(stderr), cout_(std::cout.rdbuf(text_.rdbuf())) {
    std::fflush(stdout);
    stdout = open_memstream(&out_text_, &out_size_);
    stderr = open_memstream(&err_text_, &err_size_);
  }
  ~Captured() {
    stop();
    std::free(out_text_);
    std::free(err_text_);
  }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
  /// Stops capturing.
  void stop() {
    if (stdout == out_) return;
    std::fclose(stdout);
    std::fclose(stderr);
    stdout = out_;
    stderr = err_;
    std::cout.rdbuf(cout_);
  }
  std::string out() const { return std::string(out_text_, out_size_) + text_.str(); }
  std::string err() const { return {err_text_, err_size_}; }

 private:
  FILE *out_, *err_;
  char *out_text_ = nullptr, *err_text_ = nullptr;
  std::size_t out_size_ = 0, err_size_ = 0;
  std::ostringstream text_;
  std::streambuf* cout_;
};

/// Runs the command within this program, and returns its status.
inline int call(std::vector<std::string> arguments, Runner& runner) {
  arguments.insert(arguments.begin(), "gossamer");
  std::vector<char*> argv;
  for (std::string& a : arguments) argv.push_back(a.data());
  argv.push_back(nullptr);
  return run_command(static_cast<int>(arguments.size()), argv.data(), runner);
}

}  // namespace gossamer
