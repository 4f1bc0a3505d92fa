#include "scratch.hpp"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace gossamer::fuzz {

namespace fs = std::filesystem;

const Scratch& Scratch::folder() {
  static const Scratch scratch;
  return scratch;
}

Scratch::Scratch() {
  // mkdtemp replaces six letters X at the end.
  std::string name = (fs::temp_directory_path() / "gossamer-fuzz-").string() + std::string(6, 'X');
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
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
  if (!out) throw std::runtime_error("cannot write " + file);
  return file;
}

}  // namespace gossamer::fuzz
