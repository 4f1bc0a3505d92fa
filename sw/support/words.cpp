#include "support/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

#include "support/refuse.hpp"

namespace gossamer {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

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

namespace {

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// Does the word have some letters of the name, the first among them, in their order?
bool abbreviates(std::string_view word, std::string_view name) {
  if (word.size() < 3 || name.empty() || !same_letter(word[0], name[0])) return false;
  for (const char letter : name) {
    if (!word.empty() && same_letter(word[0], letter)) word.remove_prefix(1);
  }
  return word.empty();
}

/// Levenshtein distance, row by row; upper and lower case are the same, and `*` in `a` is any text.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const std::size_t step = a[i - 1] == '*' ? 0 : 1;
    std::size_t diagonal = row[0];
    row[0] += step;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (same_letter(a[i - 1], b[j - 1]) ? 0 : step);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + step, row[j - 1] + step});
    }
  }
  return row.back();
}

/// Bytes of the UTF-8 letter at the beginning of the text; 0 if XML allows none there.
std::size_t letter(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  if (byte(0) < 0x80) return byte(0) >= ' ' || text[0] == '\n' || text[0] == '\t' ? 1 : 0;
  const std::size_t size = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < size) return 0;
  std::uint32_t code = byte(0) & (0xffu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool too_long = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  const bool none = code == 0xfffe || code == 0xffff || code > 0x10ffff;
  return too_long || surrogate || none ? 0 : size;
}

}  // namespace

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> candidates) {
  std::size_t best = std::max<std::size_t>(2, word.size() / 3) + 1;
  std::string_view name;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best && distance < candidate.size()) {
      best = distance;
      name = candidate;
    }
  }
  if (!name.empty()) return name;
  const auto longer = std::ranges::find_if(
      candidates, [&](std::string_view candidate) { return abbreviates(word, candidate); });
  return longer == candidates.end() ? "" : *longer;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view name = nearest_name(word, candidates);
  if (!name.empty()) return fmt::format("did you mean '{}'?", name);
  return fmt::format("known are: {}", fmt::join(candidates, ", "));
}

void refuse_name(std::string_view what, std::string_view word,
                 std::span<const std::string_view> candidates) {
  refuse("unknown {} '{}': {}", what, word, suggestion(word, candidates));
}

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const std::size_t size = letter(text);
    switch (size == 0 ? '?' : text.front()) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      default: escaped += size == 0 ? "?" : text.substr(0, size);
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return escaped;
}

}  // namespace gossamer
