#pragma once

#include <string>

#include "scratch.hpp"

/// What a call of the command left behind.
struct Outcome {
  int status = -1;
  std::string out, err;

  /// Lines on stderr.
  std::size_t error_lines() const;
};

/// Calls `gossamer ARGUMENTS` through a shell, in the source folder, with no terminal; `before` it
/// stands what else the shell shall do. Standard output is kept, unless it shall go to `out`.
Outcome gossamer(const std::string& arguments, const std::string& before = "",
                 const std::string& out = "");

std::string content_of(const std::string& path);
