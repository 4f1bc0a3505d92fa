#pragma once

#include <string>

namespace gossamer {

/// The whole content of a file of at most 1 GB. Throws InputError "FILE: cannot open: ..." if it
/// cannot be read.
std::string read_file(const std::string& path);

/// Writes a file that appears only when it is complete. Throws InputError if it cannot,
/// Interrupted.
void write_file(const std::string& path, const std::string& content);

}  // namespace gossamer
