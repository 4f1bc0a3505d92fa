#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace gossamer {

/// A temporary folder, unique among programs that run at the same time, and removed with its
/// content. Throws InputError if it, or a file in it, cannot be made.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  std::string path(std::string_view name) const { return (folder_ / name).string(); }
  /// Writes a file and returns its path.
  std::string file(std::string_view name, std::string_view content) const;
  /// Files and folders in the folder.
  std::size_t files() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace gossamer
