#include "support/scratch.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "support/error.hpp"

namespace gossamer {

namespace fs = std::filesystem;

Scratch::Scratch() {
  // mkdtemp replaces six letters X at the end.
  std::string name = (fs::temp_directory_path() / "gossamer-").string() + std::string(6, 'X');
  if (mkdtemp(name.data()) == nullptr) throw InputError("cannot make a temporary folder " + name);
  folder_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string Scratch::file(std::string_view name, std::string_view content) const {
  const std::string file = path(name);
  std::ofstream out(file, std::ios::binary);
  out << content;
  out.close();
  if (!out) throw InputError(file + ": cannot write");
  return file;
}

std::size_t Scratch::files() const {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
}

}  // namespace gossamer
