#pragma once

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <iosfwd>
#include <list>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gossamer {

/// An output that is read, too. No InputError: nobody adds a place to it, or expects it of bad
/// input.
class OutputAsInput : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file to read from. Throws InputError "FILE: cannot open: ...", or OutputAsInput.
std::ifstream open_to_read(const std::string& path);

/// This file will be overwritten: from now on OutputAsInput says `why` to who opens it to read.
void refuse_to_read(const std::string& path, const std::string& why);

/// The whole content of a file of at most `longest` bytes, 1 GB if nothing is said. Throws
/// InputError "FILE: cannot open: ..." if it cannot be read, or is longer.
std::string read_file(const std::string& path, std::size_t longest = std::size_t{1} << 30);

/// The path of a file that another file in `folder` names. Short, but where a link makes `..` lead
/// elsewhere.
std::string file_beside(const std::string& folder, const std::string& name);

/// The file that a name means: links are followed, also to a file that is not there yet.
std::string target_of(const std::string& path);
/// Is it a pipe, a device or an open stream (/dev/stdout), which cannot be replaced?
bool written_in_place(const std::string& path);

/// A file that appears under its name only when it is complete, unless it is written in place.
class NewFile {
 public:
  /// Throws InputError "FILE: cannot write: ..." if it cannot be made.
  explicit NewFile(std::string path);
  /// Removes it, unless it was kept.
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Its name until it is kept, for what writes it otherwise than by write().
  const std::string& temporary() const { return temporary_; }
  /// Throws InputError if it cannot be written completely.
  void write(const std::function<void(std::ostream&)>& writer) const;
  /// Throws InputError that says why it cannot be written: the system's number of an error.
  [[noreturn]] void refuse(int error) const;
  /// Gives it its name. Throws InputError if it cannot.
  void keep();

 private:
  const std::string path_;
  const std::string target_;
  std::string temporary_;
};

/// Files of which all get their names, or none.
class NewFiles {
 public:
  NewFiles() = default;
  /// Makes the folder for them, and those that it is in. Throws InputError if it cannot.
  explicit NewFiles(const std::string& folder);
  /// Removes what it made, unless the files were kept.
  ~NewFiles();
  NewFiles(const NewFiles&) = delete;
  NewFiles& operator=(const NewFiles&) = delete;

  /// Throws InputError if it cannot.
  void write(const std::string& path, const std::string& content);
  void keep();

 private:
  std::list<std::string> made_;  ///< folders, the innermost first
  std::list<NewFile> files_;
};

/// Writes a whole NewFile. Throws InputError if it cannot, and what `writer` throws.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& writer);
/// The same; may throw Interrupted.
void write_file(const std::string& path, const std::string& content);

/// Is it a terminal that understands escapes?
inline bool is_terminal(int fd) {
  const char* const kind = std::getenv("TERM");
  return isatty(fd) != 0 && (kind == nullptr || std::string_view(kind) != "dumb");
}

/// Characters in a line of the terminal.
inline std::size_t columns_of(int fd) {
  winsize size{};
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : 80;
}

}  // namespace gossamer
