#pragma once

#include <cstddef>
#include <string>

namespace gossamer {

/// The whole content of a file of at most `longest` bytes, 1 GB if nothing is said. Throws
/// InputError "FILE: cannot open: ..." if it cannot be read, or is longer.
std::string read_file(const std::string& path, std::size_t longest = std::size_t{1} << 30);

/// Writes a file that appears only when it is complete. Throws InputError if it cannot,
/// Interrupted.
void write_file(const std::string& path, const std::string& content);

}  // namespace gossamer
