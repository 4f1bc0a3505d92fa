#include "support/file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/memory.hpp"

namespace gossamer {
namespace {

namespace fs = std::filesystem;

/// Bytes read and written at a time.
constexpr std::streamsize kPiece = 1 << 16;

std::string reason() { return errno != 0 ? std::strerror(errno) : "the stream failed"; }

void write_stream(const std::string& path, const std::string& shown, const std::string& content) {
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  for (std::size_t at = 0; out && at < content.size(); at += kPiece) {
    stop_if_interrupted();
    out.write(content.data() + at,
              std::min(kPiece, static_cast<std::streamsize>(content.size() - at)));
  }
  out.close();
  if (!out) throw InputError(fmt::format("{}: cannot write: {}", shown, reason()));
}

}  // namespace

std::string read_file(const std::string& path, std::size_t longest) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw InputError(fmt::format("{}: is a directory", path));
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(fmt::format("{}: cannot open: {}", path, reason()));
  std::string text;
  std::vector<char> piece(kPiece);
  while (in.read(piece.data(), kPiece), in.gcount() > 0) {
    stop_if_interrupted();
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > longest) {  // a device may have no end
      throw InputError(fmt::format("{}: is longer than {}", path, in_bytes(longest)));
    }
  }
  if (in.bad()) throw InputError(fmt::format("{}: cannot be read: {}", path, reason()));
  return text;
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
