#include "support/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "support/error.hpp"

namespace gossamer {
namespace {

using Json = nlohmann::json;
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
      throw InputError(
          fmt::format("JSON with lists and objects nested more than {} deep", kMaxJsonDepth));
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
    throw InputError(fmt::format("no JSON (stopped at {})", place_of(text, error.byte)));
  } catch (const Json::exception&) {
    throw InputError("a number is too large to be read");
  }
  return parsed;
}

std::string shown(const Json& value) { return shortened(value.dump()); }

}  // namespace gossamer
