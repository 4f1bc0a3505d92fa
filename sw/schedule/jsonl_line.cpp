#include "schedule/jsonl_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <istream>
#include <utility>

#include "support/job.hpp"
#include "support/json.hpp"
#include "support/memory.hpp"

namespace gossamer::jsonl {

bool read_line(std::istream& in, const Place& place, std::string& text) {
  constexpr std::size_t kLongest = std::size_t{1} << 28;
  text.clear();
  std::array<char, 65536> piece;
  for (;;) {
    stop_if_interrupted();
    in.getline(piece.data(), piece.size());
    const auto count = static_cast<std::size_t>(in.gcount());
    const bool more = in.fail() && !in.eof() && !in.bad() && count == piece.size() - 1;
    // A line end is counted but not stored.
    text.append(piece.data(), more || in.eof() || count == 0 ? count : count - 1);
    if (!more) return !in.bad() && (count > 0 || !text.empty() || !in.fail());
    if (text.size() > kLongest) {
      place.fail(fmt::format("the line is longer than {}", in_bytes(kLongest)));
    }
    in.clear();
  }
}

bool blank(const std::string& text) { return text.find_first_not_of(" \t\r") == std::string::npos; }

Json parse_line(const Place& place, const std::string& text) {
  ParsedJson parsed = in_place(place, [&] { return parse_json(text); });
  if (!parsed.value.is_object()) {
    place.fail(fmt::format("expected an object, not {}", shown(parsed.value)));
  }
  if (!parsed.repeated_key.empty()) {
    place.fail(fmt::format("key \"{}\" appears twice", parsed.repeated_key));
  }
  return std::move(parsed.value);
}

void check_keys(const Place& place, const Json& object, const std::string& what,
                const std::vector<std::string_view>& keys,
                const std::vector<std::string_view>& may) {
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(keys, key) == keys.end() && std::ranges::find(may, key) == may.end()) {
      std::string legal = keys.empty() ? "" : fmt::format("has {}", fmt::join(keys, ", "));
      if (!may.empty()) {
        legal += fmt::format("{}may have {}", legal.empty() ? "" : ", ", fmt::join(may, ", "));
      }
      place.fail(fmt::format("unknown key \"{}\" in {}; it {}", key, what, legal));
    }
  }
  for (const std::string_view key : keys) {
    if (!object.contains(std::string(key))) {
      place.fail(fmt::format("key \"{}\" is missing in {}", key, what));
    }
  }
}

std::string text_at(const Place& place, const Json& object, const char* key) {
  const Json& value = object[key];
  if (!value.is_string()) {
    place.fail(fmt::format("\"{}\" is {}; expected a text", key, shown(value)));
  }
  return value.get<std::string>();
}

bool bool_at(const Place& place, const Json& object, const char* key) {
  const Json& value = object[key];
  if (!value.is_boolean()) {
    place.fail(fmt::format("\"{}\" is {}; expected true or false", key, shown(value)));
  }
  return value.get<bool>();
}

std::uint32_t number(const Place& place, const Json& value, std::string_view what,
                     std::uint32_t least, std::uint32_t most) {
  if (!value.is_number_unsigned() || value < least || value > most) {
    place.fail(fmt::format("{} is {}; expected a whole number from {} to {}", what, shown(value),
                           least, most));
  }
  return value.get<std::uint32_t>();
}

}  // namespace gossamer::jsonl
