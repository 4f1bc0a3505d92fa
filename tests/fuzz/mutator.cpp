#include <algorithm>
#include <charconv>
#include <random>
#include <vector>

#include "targets.hpp"

namespace gossamer::fuzz {
namespace {

constexpr std::uint64_t kExtremes[] = {
    0,          1,          2,          31,         32,         33,
    62,         63,         64,         65,         255,        256,
    257,        1023,       1024,       4096,       65535,      65536,
    1000000,    1 << 24,    1 << 27,    1000000000, 2147483647, 2147483648,
    4294967294, 4294967295, 4294967296, 1ull << 53, 1ull << 63, ~std::uint64_t{0}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Mutator {
 public:
  Mutator(std::string_view text, std::uint32_t seed) : random_(seed) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      lines_.emplace_back(text.substr(0, end));
      text.remove_prefix(end);
    }
  }

  std::string run() {
    if (lines_.empty()) return "";
    for (std::uint32_t count = 1 + below(3); count > 0; --count) change();
    std::string text;
    for (const std::string& line : lines_) text += line;
    return text;
  }

 private:
  std::uint32_t below(std::size_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
  std::string& any() { return lines_[below(lines_.size())]; }
  auto at(std::size_t index) { return lines_.begin() + static_cast<std::ptrdiff_t>(index); }

  void change() {
    switch (below(8)) {
      case 0:
        if (lines_.size() > 1) lines_.erase(at(below(lines_.size())));
        break;
      case 1: {
        const std::string line = any();
        lines_.insert(at(below(lines_.size() + 1)), line);
        break;
      }
      case 2: std::swap(any(), any()); break;
      case 3: {
        std::string line = any();
        change_number(line);
        lines_.insert(at(below(lines_.size() + 1)), line);
        break;
      }
      case 4: copy_number(any(), any()); break;
      default: change_number(any());
    }
  }

  /// Position of a number in the line: begin and size; size 0 if there is none.
  std::pair<std::size_t, std::size_t> number(const std::string& line) {
    std::vector<std::pair<std::size_t, std::size_t>> all;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (!is_digit(line[i])) continue;
      const std::size_t begin = i;
      while (i < line.size() && is_digit(line[i])) ++i;
      all.emplace_back(begin, i - begin);
    }
    return all.empty() ? std::pair<std::size_t, std::size_t>{0, 0} : all[below(all.size())];
  }

  void change_number(std::string& line) {
    const auto [begin, size] = number(line);
    if (size == 0) return;
    std::uint64_t value = 0;
    std::from_chars(line.data() + begin, line.data() + begin + size, value);
    switch (below(6)) {
      case 0: ++value; break;
      case 1: --value; break;
      case 2: value = kExtremes[below(std::size(kExtremes))]; break;
      default: value = below(10);
    }
    line.replace(begin, size, std::to_string(value));
  }

  void copy_number(std::string& to, const std::string& from) {
    const auto [source, length] = number(from);
    const std::string digits = from.substr(source, length);
    const auto [begin, size] = number(to);
    if (size != 0 && length != 0) to.replace(begin, size, digits);
  }

  std::mt19937 random_;
  std::vector<std::string> lines_;
};

}  // namespace

std::string mutated(std::string_view text, std::uint32_t seed) { return Mutator(text, seed).run(); }

}  // namespace gossamer::fuzz
