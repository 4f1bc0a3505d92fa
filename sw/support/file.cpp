#include "support/file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/error.hpp"

namespace gossamer {
namespace {

namespace fs = std::filesystem;

std::string reason() { return errno != 0 ? std::strerror(errno) : "the stream failed"; }

void write_stream(const std::string& path, const std::string& shown, const std::string& content) {
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  out << content;
  out.close();
  if (!out) throw InputError(fmt::format("{}: cannot write: {}", shown, reason()));
}

}  // namespace

std::string read_file(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw InputError(fmt::format("{}: is a directory", path));
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  // An empty file leaves a failed stream of text, not of input.
  if (!in) throw InputError(fmt::format("{}: cannot open: {}", path, reason()));
  return text.str();
}

void write_file(const std::string& path, const std::string& content) {
  std::error_code ignored;
  // A pipe or a device cannot be replaced; it is written as it is.
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) {
    return write_stream(path, path, content);
  }
  const std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
  try {
    write_stream(temporary, path, content);
    fs::rename(temporary, path);
  } catch (const fs::filesystem_error& error) {
    fs::remove(temporary, ignored);
    throw InputError(fmt::format("{}: cannot write: {}", path, error.code().message()));
  } catch (...) {
    fs::remove(temporary, ignored);
    throw;
  }
}

}  // namespace gossamer
