#include "support/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <istream>
#include <set>
#include <utility>

#include "support/job.hpp"
#include "support/memory.hpp"
#include "support/refuse.hpp"

namespace gossamer {
namespace {

using Event = Json::parse_event_t;

/// "column 7" for a text of one line, "line 2, column 7" for longer texts.
std::string place_of(const std::string& text, std::size_t byte) {
  const std::string_view read = std::string_view(text).substr(0, std::min(byte, text.size()));
  const auto ends = std::ranges::count(text, '\n');
  if (ends == 0) return fmt::format("column {}", read.size());
  const std::size_t line_begin = read.find_last_of('\n') + 1;  // npos + 1 is 0
  return fmt::format("line {}, column {}", std::ranges::count(read, '\n') + 1,
                     read.size() - line_begin);
}

}  // namespace

ParsedJson parse_json(const std::string& text) {
  ParsedJson parsed;
  // Those of the objects that are open now.
  std::set<std::pair<int, std::string>> keys;
  const auto look = [&](int depth, Event event, Json& value) {
    const bool opens = event == Event::object_start || event == Event::array_start;
    if (opens && depth >= kMaxJsonDepth) {
      refuse("JSON with lists and objects nested more than {} deep", kMaxJsonDepth);
    }
    if (event == Event::object_end) keys.erase(keys.lower_bound({depth + 1, ""}), keys.end());
    if (event != Event::key) return true;
    const auto key = value.get<std::string>();
    if (!keys.emplace(depth, key).second && parsed.repeated_key.empty()) parsed.repeated_key = key;
    return true;
  };
  try {
    parsed.value = Json::parse(text, look);
  } catch (const Json::parse_error& error) {
    refuse("no JSON (stopped at {})", place_of(text, error.byte));
  } catch (const Json::exception&) {
    throw InputError("a number is too large to be read");
  }
  return parsed;
}

std::string shown(const Json& value) { return shortened(value.dump()); }

namespace jsonl {

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
      place.fail("the line is longer than {}", in_bytes(kLongest));
    }
    in.clear();
  }
}

bool blank(const std::string& text) { return text.find_first_not_of(" \t\r") == std::string::npos; }

Json parse_line(const Place& place, const std::string& text) {
  ParsedJson parsed = in_place(place, [&] { return parse_json(text); });
  if (!parsed.value.is_object()) {
    place.fail("expected an object, not {}", shown(parsed.value));
  }
  if (!parsed.repeated_key.empty()) {
    place.fail("key \"{}\" appears twice", parsed.repeated_key);
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
      place.fail("unknown key \"{}\" in {}; it {}", key, what, legal);
    }
  }
  for (const std::string_view key : keys) {
    if (!object.contains(std::string(key))) {
      place.fail("key \"{}\" is missing in {}", key, what);
    }
  }
}

std::string text_at(const Place& place, const Json& object, const char* key) {
  const Json& value = object[key];
  if (!value.is_string()) {
    place.fail("\"{}\" is {}; expected a text", key, shown(value));
  }
  return value.get<std::string>();
}

bool bool_at(const Place& place, const Json& object, const char* key) {
  const Json& value = object[key];
  if (!value.is_boolean()) {
    place.fail("\"{}\" is {}; expected true or false", key, shown(value));
  }
  return value.get<bool>();
}

std::uint32_t number(const Place& place, const Json& value, std::string_view what,
                     std::uint32_t least, std::uint32_t most) {
  if (!value.is_number_unsigned() || value < least || value > most) {
    place.fail("{} is {}; expected a whole number from {} to {}", what, shown(value), least, most);
  }
  return value.get<std::uint32_t>();
}

}  // namespace jsonl
}  // namespace gossamer
