#pragma once

#include <filesystem>
#include <string>

/// What a call of the command left behind.
struct Outcome {
  int status = -1;
  std::string out, err;

  /// Lines on stderr.
  std::size_t error_lines() const;
};

/// Calls `gossamer ARGUMENTS` through a shell, in the source folder, with no terminal.
Outcome gossamer(const std::string& arguments);

/// A folder of its own for a test, removed afterwards.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// Writes a file and returns its path.
  std::string file(const std::string& name, const std::string& content) const;
  /// Files in the folder.
  std::size_t files() const;

 private:
  std::filesystem::path folder_;
};

std::string content_of(const std::string& path);
