#include "support/file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>
#include <vector>

#include "support/job.hpp"
#include "support/memory.hpp"
#include "support/refuse.hpp"

namespace gossamer {
namespace {

namespace fs = std::filesystem;

/// Bytes read and written at a time.
constexpr std::streamsize kPiece = 1 << 16;
/// Of Linux: bytes of a file's name, and links on the way to a file.
constexpr std::size_t kLongestName = 255;
constexpr int kMostLinks = 40;

/// Why files cannot be read, by their targets.
std::map<std::string, std::string>& refused_to_readers() {
  static std::map<std::string, std::string> refused;
  return refused;
}

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

std::ifstream open_to_read(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    refuse("{}: is a directory; expected a file", path);
  }
  const auto refused = refused_to_readers().find(target_of(path));
  if (refused != refused_to_readers().end()) throw OutputAsInput(refused->second);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse("{}: cannot open: {}", path, reason());
  return in;
}

void refuse_to_read(const std::string& path, const std::string& why) {
  refused_to_readers()[target_of(path)] = why;
}

std::string read_file(const std::string& path, std::size_t longest) {
  std::ifstream in = open_to_read(path);
  std::string text;
  std::vector<char> piece(kPiece);
  while (in.read(piece.data(), kPiece), in.gcount() > 0) {
    stop_if_interrupted();
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > longest) {  // a device may have no end
      refuse("{}: is longer than {}", path, in_bytes(static_cast<double>(longest)));
    }
  }
  if (in.bad()) refuse("{}: cannot be read: {}", path, reason());
  return text;
}

std::string file_beside(const std::string& folder, const std::string& name) {
  const fs::path path = fs::path(folder) / name, plain = path.lexically_normal();
  std::error_code unknown;
  const bool same = fs::weakly_canonical(path, unknown) == fs::weakly_canonical(plain, unknown);
  return (same && !unknown ? plain : path).string();
}

std::string target_of(const std::string& path) {
  std::error_code error;
  fs::path target = path;
  for (int links = 0; links < kMostLinks && fs::is_symlink(target, error); ++links) {
    const fs::path folder = fs::weakly_canonical(fs::absolute(target, error).parent_path(), error);
    if (folder.string().starts_with("/proc/")) return path;  // to what is open, whatever its name
    target = folder / fs::read_symlink(target, error);
  }
  target = fs::weakly_canonical(fs::absolute(target, error), error);
  return error ? path : target.string();
}

bool written_in_place(const std::string& path) {
  std::error_code ignored;
  const std::string target = target_of(path);
  return fs::is_symlink(target, ignored) || fs::is_other(target, ignored);
}

NewFile::NewFile(std::string path)
    : path_(std::move(path)), target_(target_of(path_)), temporary_(target_) {
  std::error_code ignored;
  if (fs::is_directory(path_, ignored)) refuse(EISDIR);
  if (written_in_place(path_)) return;
  const fs::path file = target_;
  const std::string end = fmt::format(".{}.tmp{}", getpid(), file.extension().string());
  const std::string begin = file.filename().string();
  temporary_ = file.parent_path() /
               (begin.substr(0, kLongestName - std::min(kLongestName, end.size())) + end);
  errno = 0;
  if (!std::ofstream(temporary_)) refuse(errno);
}

NewFile::~NewFile() {
  std::error_code ignored;
  if (temporary_ != target_) fs::remove(temporary_, ignored);
}

void NewFile::write(const std::function<void(std::ostream&)>& writer) const {
  errno = 0;
  const bool in_place = temporary_ == target_;
  std::ofstream out(temporary_, in_place ? std::ios::app : std::ios::trunc);
  if (out) writer(out);
  out.close();
  if (!out) refuse(errno);
  // What is printed comes after it, if both go to one file.
  if (in_place) lseek(STDOUT_FILENO, 0, SEEK_END);
}

void NewFile::refuse(int error) const {
  errno = error;
  gossamer::refuse("{}: cannot write: {}", path_, reason());
}

void NewFile::keep() {
  if (temporary_ == target_) return;
  std::error_code error;
  fs::rename(temporary_, target_, error);
  if (error) refuse(error.value());
  temporary_ = target_;
}

// What was made is removed also if a later part cannot be: the object exists from the first line
// on.
NewFiles::NewFiles(const std::string& folder) : NewFiles() {
  std::error_code error;
  fs::path path = fs::absolute(folder, error);
  for (; path.has_relative_path() && !fs::exists(path, error); path = path.parent_path()) {
    made_.push_back(path.string());
  }
  fs::create_directories(folder, error);
  if (error) refuse("{}: cannot create: {}", folder, error.message());
}

NewFiles::~NewFiles() {
  files_.clear();
  std::error_code ignored;
  for (const std::string& folder : made_) fs::remove(folder, ignored);  // if it is empty
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
