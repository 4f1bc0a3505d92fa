#include "support/file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>
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

std::function<void(std::ostream&)> whole(const std::string& content) {
  return [&content](std::ostream& out) {
    for (std::size_t at = 0; out && at < content.size(); at += kPiece) {
      stop_if_interrupted();
      out.write(content.data() + at,
                std::min(kPiece, static_cast<std::streamsize>(content.size() - at)));
    }
  };
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
      throw InputError(
          fmt::format("{}: is longer than {}", path, in_bytes(static_cast<double>(longest))));
    }
  }
  if (in.bad()) throw InputError(fmt::format("{}: cannot be read: {}", path, reason()));
  return text;
}

std::string file_beside(const std::string& folder, const std::string& name) {
  const fs::path path = fs::path(folder) / name, plain = path.lexically_normal();
  std::error_code unknown;
  const bool same = fs::weakly_canonical(path, unknown) == fs::weakly_canonical(plain, unknown);
  return (same && !unknown ? plain : path).string();
}

NewFile::NewFile(std::string path) : path_(std::move(path)), temporary_(path_) {
  std::error_code ignored;
  if (fs::is_directory(path_, ignored)) refuse(EISDIR);
  if (fs::exists(path_, ignored) && !fs::is_regular_file(path_, ignored)) return;
  temporary_ += fmt::format(".{}.tmp{}", getpid(), fs::path(path_).extension().string());
  errno = 0;
  if (!std::ofstream(temporary_)) refuse(errno);
}

NewFile::~NewFile() {
  std::error_code ignored;
  if (temporary_ != path_) fs::remove(temporary_, ignored);
}

void NewFile::write(const std::function<void(std::ostream&)>& writer) const {
  errno = 0;
  std::ofstream out(temporary_, std::ios::binary);
  if (out) writer(out);
  out.close();
  if (!out) refuse(errno);
}

void NewFile::refuse(int error) const {
  errno = error;
  throw InputError(fmt::format("{}: cannot write: {}", path_, reason()));
}

void NewFile::keep() {
  if (temporary_ == path_) return;
  std::error_code error;
  fs::rename(temporary_, path_, error);
  if (error) refuse(error.value());
  temporary_ = path_;
}

void NewFiles::write(const std::string& path, const std::string& content) {
  files_.emplace_back(path).write(whole(content));
}

void NewFiles::keep() {
  for (NewFile& file : files_) file.keep();
}

void write_file(const std::string& path, const std::function<void(std::ostream&)>& writer) {
  NewFile file(path);
  file.write(writer);
  file.keep();
}

void write_file(const std::string& path, const std::string& content) {
  write_file(path, whole(content));
}

}  // namespace gossamer
