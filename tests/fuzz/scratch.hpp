#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gossamer::fuzz {

/// A folder of this process, for targets that read files; removed when the process ends.
class Scratch {
 public:
  static const Scratch& folder();
  std::string path(std::string_view name) const { return (folder_ / name).string(); }
  /// Writes a file and returns its path.
  std::string file(std::string_view name, std::string_view content) const;

 private:
  Scratch();
  ~Scratch();
  std::filesystem::path folder_;
};

}  // namespace gossamer::fuzz
