#pragma once

#include <string>

#include "scratch.hpp"

using gossamer::Scratch;

/// The result of a call of the command.
struct Outcome {
  int status = -1;
  std::string out, err;

  /// Lines on stderr.
  std::size_t error_lines() const;
};

/// Calls `gossamer ARGUMENTS` through a shell, in the source folder, without a terminal, after the
/// shell commands in `before`. Standard output is kept, unless it is redirected to `out`.
Outcome run_gossamer(const std::string& arguments, const std::string& before = "",
                     const std::string& out = "");

std::string content_of(const std::string& path);
