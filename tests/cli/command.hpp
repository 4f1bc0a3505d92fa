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

/// Calls `gossamer ARGUMENTS` through a shell, in the source folder, with no terminal.
Outcome gossamer(const std::string& arguments);

std::string content_of(const std::string& path);
