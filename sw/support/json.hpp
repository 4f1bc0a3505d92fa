#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gossamer {

/// The deepest nesting of lists and objects that is accepted. Our formats need four levels; the
/// library's recursive functions use stack for each level.
inline constexpr int kMaxJsonDepth = 64;

/// A JSON value, and what the parser would accept without a report.
struct ParsedJson {
  nlohmann::json value;
  std::string repeated_key;  ///< a key that occurs twice in one object; empty if none does
};

/// Reads one JSON value and nothing after it. All JSON from outside is read by this function.
/// Throws InputError that says what is wrong and, for a syntax error, in which line and column: "no
/// JSON (stopped at line 1, column 7)".
ParsedJson parse_json(const std::string& text);

/// A value as written in the file, shortened if it is long: for messages.
std::string shown(const nlohmann::json& value);

}  // namespace gossamer
