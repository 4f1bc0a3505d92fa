#include "support/error.hpp"

#include <filesystem>
#include <new>
#include <system_error>

#include "support/file.hpp"

namespace gossamer {
namespace {

std::string text_of(const std::exception& error) {
  if (dynamic_cast<const InputError*>(&error) != nullptr ||
      dynamic_cast<const OutputAsInput*>(&error) != nullptr) {
    return error.what();
  }
  if (dynamic_cast<const std::overflow_error*>(&error) != nullptr) {
    return std::string("too large for the hardware's tables: ") + error.what();
  }
  const auto* const file = dynamic_cast<const std::filesystem::filesystem_error*>(&error);
  if (file != nullptr && !file->path1().empty()) {
    return file->path1().string() + ": " + file->code().message();
  }
  if (dynamic_cast<const std::system_error*>(&error) != nullptr) return error.what();
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
      dynamic_cast<const std::length_error*>(&error) != nullptr) {
    return "out of memory: this is too large for the machine";
  }
  return std::string("internal error: ") + error.what();
}

}  // namespace

std::string shortened(std::string_view text) {
  constexpr std::size_t kMost = 40;
  if (text.size() <= kMost) return std::string(text);
  std::size_t end = kMost - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // whole letters
  return std::string(text.substr(0, end)) + "...";
}

std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string one_line(const std::exception& error) {
  return without_control_characters(text_of(error));
}

}  // namespace gossamer
