#include "support/shell.hpp"

#include <algorithm>
#include <cctype>

namespace gossamer {

std::string shell_word(std::string_view word) {
  const bool plain = std::ranges::all_of(word, [](unsigned char c) {
    return std::isalnum(c) || std::string_view("_-./:,+=@%").find(c) != std::string_view::npos;
  });
  if (plain && !word.empty()) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string shell_file(const std::string& file) {
  return shell_word(file.starts_with('-') ? "./" + file : file);
}

}  // namespace gossamer
