#pragma once

#include <cstdint>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "support/refuse.hpp"

namespace gossamer {

/// With the keys in the order in which they were written.
using Json = nlohmann::ordered_json;

/// The deepest nesting of lists and objects that is accepted. Our formats need four levels; the
/// library's recursive functions use stack for each level.
inline constexpr int kMaxJsonDepth = 64;

/// A JSON value, and what the parser would accept without a report.
struct ParsedJson {
  Json value;
  std::string repeated_key;  ///< a key that occurs twice in one object; empty if none does
};

/// Reads one JSON value and nothing after it. All JSON from outside is read by this function.
/// Throws InputError that says what is wrong and, for a syntax error, in which line and column: "no
/// JSON (stopped at line 1, column 7)".
ParsedJson parse_json(const std::string& text);

/// A value as written in the file, shortened if it is long: for messages.
std::string shown(const Json& value);

/// Files of JSON values, one a line.
namespace jsonl {

/// One line of the file, for messages.
struct Place {
  const std::string& file;
  std::uint32_t line = 0;

  template <typename... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> why, Args&&... args) const {
    gossamer::fail(file, line, why, std::forward<Args>(args)...);
  }
};

/// Runs one of the library's parsers and adds the place in the file to its errors.
template <typename Parse>
auto in_place(const Place& place, Parse parse) {
  try {
    return parse();
  } catch (const InputError& error) {
    place.fail("{}", error.what());
  }
}

/// Reads a line up to a length limit: a file without line ends would fill the memory. Returns false
/// at the end.
bool read_line(std::istream& in, const Place& place, std::string& text);
bool blank(const std::string& text);

/// Parses one line.
Json parse_line(const Place& place, const std::string& text);

/// Checks that an object has all keys it must have, and no others but those it may have.
void check_keys(const Place& place, const Json& object, const std::string& what,
                const std::vector<std::string_view>& keys,
                const std::vector<std::string_view>& may = {});

std::string text_at(const Place& place, const Json& object, const char* key);
bool bool_at(const Place& place, const Json& object, const char* key);
/// A whole number from `least` to `most`, without fraction or exponent.
std::uint32_t number(const Place& place, const Json& value, std::string_view what,
                     std::uint32_t least, std::uint32_t most);

}  // namespace jsonl
}  // namespace gossamer
